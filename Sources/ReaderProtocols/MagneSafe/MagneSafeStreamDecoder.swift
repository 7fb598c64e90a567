/// Decodes the ASCII messages of stream readers, in whatever pieces they arrive.
///
/// | after the format code | accepted |
/// | --- | --- |
/// | nothing | yes, when the checksum is right |
/// | carriage return | yes |
/// | `x` up to the end of the 500-byte block, with a carriage return before, after or not at all | yes |
///
/// Each swipe gives one reading. A message that was changed, cut or lengthened gives one `damaged`
/// and the next one is read whole, even when it follows the damage directly: a whole message with
/// a right checksum is looked for at the end of what was collected. Text without any field
/// separator that does not begin like a track (a command's reply), and anything shorter than the
/// shortest message between two ends (a damaged padding byte), is no swipe and is passed over. So is
/// a block that arrives twice, as far as it repeats what the message already said.
///
/// The decoder keeps at most ``maximumBufferByteCount`` bytes beyond what the caller added since
/// it last took every reading.
/// Source: MagneSafe V5 Communication Reference Manual 99875475; iDynamo manual 99875483.
public struct MagneSafeStreamDecoder: Hashable, Sendable {
    /// The most bytes kept while a message is incomplete: twice the longest message.
    public static let maximumBufferByteCount = 2 * MagneSafeStreamLayout.maximumMessageByteCount

    @usableFromInline var buffer: [UInt8] = []
    /// The position in the stream of the buffer's first byte.
    private var bufferOffset = 0
    @usableFromInline var start = 0
    private var position = 0
    private var separatorCount = 0
    private var separators = Separators()
    /// A reading found behind damage that was reported first.
    private var waiting: MagneSafeReading?
    /// Whether the damage of the message at `start` was reported already.
    @usableFromInline var isDamageReported = false
    /// Separators of the last damaged message while its rest may still come; -1 when it cannot.
    private var damagedSeparatorCount = -1
    private var damagedByteCount = 0
    /// The last whole message, by which a repeated block is known.
    private var lastMessage: [UInt8] = []

    private struct Separators: Hashable {
        var eighth = 0
        var ninth = 0
        /// Whether the separators so far may be all that the message has.
        var mayBeAll = false
        var beforeCounter = 0
        var afterCounter = 0
        var last = 0
    }

    /// Creates a decoder at the start of a stream.
    public init() {}

    /// Adds bytes at the end of the stream.
    ///
    /// - Complexity: O(*n*), where *n* is the number of bytes added.
    public mutating func append(_ bytes: Span<UInt8>) {
        compact()
        buffer.reserveCapacity(buffer.count + bytes.count)
        for index in bytes.indices { buffer.append(bytes[index]) }
    }

    /// Adds a part of a shared buffer at the end of the stream.
    public mutating func append(_ bytes: ArraySlice<UInt8>) {
        compact()
        buffer.append(contentsOf: bytes)
    }

    /// Whether a message has begun that is not complete; its owner may set a time limit.
    @inlinable
    public var hasPartialMessage: Bool {
        !isDamageReported && start < buffer.count
    }

    /// Forgets everything that is not complete, as when the reader is detached.
    public mutating func reset() { self = MagneSafeStreamDecoder() }

    /// Returns the next swipe, or `nil` until more bytes arrive.
    public mutating func next() -> MagneSafeReading? {
        if let reading = waiting {
            waiting = nil
            return reading
        }
        while true {
            skipOrdinaryBytes()
            guard position < buffer.count else { return nil }
            let byte = buffer[position]
            if Self.isFiller(byte) {
                let isScrap = position - start < MagneSafeStreamMessage.minimumByteCount
                let reading = isScrap ? nil : endOfMessage()
                position += 1
                begin(at: position)
                if let reading { return reading }
                continue
            }
            position += 1
            if byte == MagneSafeStreamLayout.separator { addSeparator() }
            if isStructureComplete, let reading = completeMessage() { return reading }
            if position - start > Self.maximumBufferByteCount, let reading = overflow() {
                return reading
            }
        }
    }

    /// Moves to the next byte that can change anything: a separator, an end, the end of a format
    /// code, or the last one before the message is too long.
    private mutating func skipOrdinaryBytes() {
        var limit = min(buffer.count, start + Self.maximumBufferByteCount)
        if separators.mayBeAll {
            limit = min(limit, max(position, separators.last + 4))
        }
        var index = position
        while index < limit {
            let byte = buffer[index]
            if byte == MagneSafeStreamLayout.separator || Self.isFiller(byte) {
                guard index == start, Self.isFiller(byte) else { break }
                start = index + 1
                separatorCount = 0
                separators.mayBeAll = false
                isDamageReported = false
                limit = min(buffer.count, start + Self.maximumBufferByteCount)
            }
            index += 1
        }
        position = index
    }

    /// Ends the message that has begun, as at the end of the stream or of its time; what of it comes
    /// later all the same gives nothing.
    ///
    /// - Returns: The message if it is whole, `damaged` if it is not, and `nil` when none has
    ///   begun. Ask again until `nil`.
    public mutating func finish() -> MagneSafeReading? {
        if let reading = next() { return reading }
        guard position > start else { return nil }
        let reading = endOfMessage()
        begin(at: position)
        return reading
    }

    private static func isFiller(_ byte: UInt8) -> Bool {
        byte == MagneSafeStreamLayout.terminator || byte == MagneSafeStreamLayout.padding
    }

    private mutating func compact() {
        guard start > 0 else { return }
        if start == buffer.count {
            buffer.removeAll(keepingCapacity: true)
        } else {
            buffer.removeFirst(start)
        }
        bufferOffset += start
        separators.eighth -= start
        separators.ninth -= start
        separators.beforeCounter -= start
        separators.afterCounter -= start
        separators.last -= start
        position -= start
        start = 0
    }

    private mutating func begin(at position: Int) {
        start = position
        separatorCount = 0
        separators.mayBeAll = false
        isDamageReported = false
    }

    private mutating func addSeparator() {
        separatorCount += 1
        let last = position - 1
        separators.last = last
        switch separatorCount {
        case 8: separators.eighth = last
        case 9: separators.ninth = last
        case 10:
            separators.beforeCounter = last
            separators.mayBeAll = isFour(separators.eighth, separators.ninth)
        case 11:
            separators.afterCounter = last
            separators.mayBeAll = isFour(separators.ninth, separators.beforeCounter)
        default: separators.mayBeAll = separatorCount >= 12
        }
    }

    private func isFour(_ first: Int, _ second: Int) -> Bool { second - first == 5 }

    /// Whether the last byte is the fourth after the last separator of a message.
    private var isStructureComplete: Bool {
        guard separators.mayBeAll, position - separators.last == 5, separatorCount <= 13 else {
            return false
        }
        // Ten or eleven: the form of level 2 without MagnePrint.
        if separatorCount < 12 { return true }
        let hasCounter = separators.afterCounter - separators.beforeCounter == 7
        return separatorCount == (hasCounter ? 13 : 12)
    }

    /// Takes a message whose checksum proves that it ends here, terminated or not.
    private mutating func completeMessage() -> MagneSafeReading? {
        let message = MagneSafeStreamMessage(buffer, start..<position)
        guard message.hasRightChecksum(buffer) else { return nil }
        let reading = self.reading(of: message, isProven: true)
        remember(message)
        begin(at: position)
        return reading
    }

    private mutating func remember(_ message: MagneSafeStreamMessage) {
        damagedSeparatorCount = -1
        lastMessage.removeAll(keepingCapacity: true)
        lastMessage.append(contentsOf: buffer[message.range])
    }

    /// Takes what stands between the last end and this one.
    private mutating func endOfMessage() -> MagneSafeReading? {
        let message = MagneSafeStreamMessage(buffer, start..<position)
        let whole = reading(of: message)
        if case .record = whole, !isDamageReported {
            remember(message)
            return whole
        }
        let found = messageAtTheEnd()
        let isKnown = isDamageReported || isRestOfDamagedMessage(message)
        guard let found else {
            let isScrap = separatorCount == 0 && !isLikeAMessage(buffer[start])
            if isKnown || isScrap || isEndOfLastMessage(message) {
                damagedSeparatorCount = -1
                return nil
            }
            damagedSeparatorCount = message.separatorCount
            damagedByteCount = position - start
            return whole
        }
        let isNoLoss = !isLikeAMessage(buffer[start]) || isRepetition(ofTheBeginningOf: found)
        remember(found)
        let reading = reading(of: found, isProven: true)
        if isKnown || isNoLoss { return reading }
        waiting = reading
        return whole
    }

    /// Whether a message is the end of the last whole one, from a block that was sent twice.
    private func isEndOfLastMessage(_ message: MagneSafeStreamMessage) -> Bool {
        lastMessage.suffix(message.range.count) == buffer[message.range]
    }

    /// Whether what stands before a message is its own beginning, from a block that was sent twice.
    ///
    /// It must reach into the cryptogram: another swipe of the same card has another one.
    private func isRepetition(ofTheBeginningOf message: MagneSafeStreamMessage) -> Bool {
        let before = start..<message.range.lowerBound
        let cryptogram = message.separators[1] - message.range.lowerBound
        return before.count >= cryptogram + 17
            && buffer[message.range].starts(with: buffer[before])
    }

    /// Whether a message can begin with a character: a start sentinel, or the first separator.
    private func isLikeAMessage(_ byte: UInt8) -> Bool {
        byte == MagneSafeStreamLayout.separator || MagneSafeMaskedTracks.trackNumber(byte) > 0
    }

    /// Whether damage that looked like an end cut one message in two, of which this is the rest.
    private func isRestOfDamagedMessage(_ message: MagneSafeStreamMessage) -> Bool {
        guard damagedSeparatorCount >= 0 else { return false }
        let sum = damagedSeparatorCount + message.separatorCount
        let byteCount = damagedByteCount + message.range.count
        return (11...13).contains(sum)
            && byteCount < MagneSafeStreamLayout.maximumMessageByteCount
    }

    /// The whole message with a right checksum that ends here and begins after the damage.
    private func messageAtTheEnd() -> MagneSafeStreamMessage? {
        var separators: [Int] = []
        var index = position
        while index > start, separators.count <= MagneSafeStreamMessage.maximumSeparatorCount {
            index -= 1
            if buffer[index] == MagneSafeStreamLayout.separator { separators.append(index) }
        }
        for count in [12, 13, 10, 11] where separators.count >= count {
            let first = separators[count - 1]
            let firstByte = isDamageReported ? start : start + 1
            let lowest = separators.count > count ? separators[count] + 1 : firstByte
            var triesLeft = 16
            var candidate = first
            while candidate >= lowest, triesLeft > 0 {
                let isStart =
                    candidate == first
                    || MagneSafeMaskedTracks.trackNumber(buffer[candidate]) > 0
                if isStart {
                    triesLeft -= 1
                    let message = MagneSafeStreamMessage(buffer, candidate..<position)
                    if message.hasRightChecksum(buffer) { return message }
                }
                candidate -= 1
            }
        }
        return nil
    }

    /// Reports a message that does not end, once, and keeps its newest half.
    private mutating func overflow() -> MagneSafeReading? {
        let wasReported = isDamageReported
        let offset = bufferOffset + start
        start = position - MagneSafeStreamLayout.maximumMessageByteCount
        separatorCount = 0
        separators.mayBeAll = false
        isDamageReported = true
        return wasReported ? nil : .damaged(MagneSafeError(.tooLong, offset: offset))
    }

    private func reading(
        of message: MagneSafeStreamMessage,
        isProven: Bool = false
    ) -> MagneSafeReading {
        do {
            return .record(try message.record(buffer, isProven: isProven))
        } catch {
            return .damaged(MagneSafeError(error.code, offset: error.offset + bufferOffset))
        }
    }
}
