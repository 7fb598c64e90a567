@testable import CaptureFiles

/// What a reader makes of a whole file: its packets, and the error that ended it, if one did.
struct Reading: Hashable {
    var packets: [CapturedPacket] = []
    var error: CaptureError?

    /// Feeds the file in pieces of the given lengths, the last one repeated.
    init(_ bytes: [UInt8], pieces: [Int] = [.max]) {
        var reader = CaptureReader()
        self.init(&reader, bytes, pieces: pieces)
    }

    init(_ reader: inout CaptureReader, _ bytes: [UInt8], pieces: [Int] = [.max]) {
        var rest = bytes[...]
        var nextPiece = 0
        do throws(CaptureError) {
            while !rest.isEmpty {
                let count = pieces[min(nextPiece, pieces.count - 1)]
                nextPiece += 1
                reader.append(rest.prefix(count))
                rest = rest.dropFirst(count)
                while let packet = try reader.next() { packets.append(packet) }
            }
            try reader.finish()
        } catch {
            self.error = error
        }
    }

    func records() throws -> [USBMonPacket] { try packets.map { try USBMonPacket(decoding: $0) } }
}
