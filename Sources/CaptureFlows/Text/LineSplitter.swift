/// A line of a text log, without its line feed.
struct TextLine: Sendable {
    var bytes: ArraySlice<UInt8>
    /// From 1.
    var number: Int
    /// Where it begins, in bytes from the beginning of the (unpacked) file.
    var byteOffset: Int
    /// Whether more of it stood in the file than is read.
    var isCut = false
}

/// Divides bytes that come in pieces into lines.
struct LineSplitter: Sendable {
    /// The most bytes of a line that are read.
    static let lineByteCountLimit = 1 << 20

    private var buffer: [UInt8] = []
    private var start = 0
    /// Where the search for the next line feed goes on.
    private var searched = 0
    private var byteOffset = 0
    private var number = 0
    /// Whether the rest of a line that was too long is being passed over.
    private var isPassing = false

    mutating func append(_ bytes: ArraySlice<UInt8>) {
        if start > 0, start >= buffer.count - start {
            buffer.removeFirst(start)
            searched -= start
            start = 0
        }
        buffer.append(contentsOf: bytes)
    }

    /// Returns the next line; the last one, without a line feed, only when the file is whole.
    mutating func next(isWhole: Bool) -> TextLine? {
        while true {
            while searched < buffer.count, buffer[searched] != 0x0A { searched += 1 }
            let hasEnd = searched < buffer.count
            let byteCount = searched - start
            if isPassing {
                move(by: byteCount + (hasEnd ? 1 : 0))
                guard hasEnd else { return nil }
                isPassing = false
                continue
            }
            let isTooLong = byteCount > Self.lineByteCountLimit
            guard hasEnd || isTooLong || isWhole && byteCount > 0 else { return nil }
            number += 1
            let kept = min(byteCount, Self.lineByteCountLimit)
            let line = TextLine(
                bytes: buffer[start..<start + kept],
                number: number,
                byteOffset: byteOffset,
                isCut: isTooLong
            )
            if isTooLong {
                isPassing = true
                move(by: kept)
            } else {
                move(by: byteCount + (hasEnd ? 1 : 0))
            }
            return line
        }
    }

    private mutating func move(by byteCount: Int) {
        start += byteCount
        byteOffset += byteCount
        searched = start
    }
}
