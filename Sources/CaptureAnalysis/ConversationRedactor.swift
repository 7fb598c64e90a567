import CardData
import EventLoops
import ReaderProtocols
import Transports

/// Replaces the secrets of conversations by stand-ins that keep all lengths, borders and checks.
///
/// One redactor serves all conversations, texts and records of one file, so that the same secret has
/// the same stand-in everywhere in it. Messages are put together over units before they are changed,
/// and what was changed goes back to the bytes it came from.
public struct ConversationRedactor: Sendable {
    /// The stand-ins so far.
    public private(set) var standIns = StandIns()

    /// Creates a redactor for one file.
    public init() {}

    /// Returns the conversation with stand-ins; events stay in number, time and length.
    public mutating func redact(_ conversation: Conversation) -> Conversation {
        var output = conversation
        // Sessions apart: no message goes over a detach.
        var fromReader: [Int] = []
        var toReader: [Int] = []
        for (index, event) in conversation.events.enumerated() {
            switch event.content {
            case .fromReader: fromReader.append(index)
            case .toReader: toReader.append(index)
            case .featureFinished: redactOne(&output, index)
            case .attached, .detached:
                redact(&output, fromReader, isFromReader: true)
                redact(&output, toReader, isFromReader: false)
                fromReader = []
                toReader = []
            }
        }
        redact(&output, fromReader, isFromReader: true)
        redact(&output, toReader, isFromReader: false)
        return output
    }

    /// Returns text with stand-ins for names and serial numbers that were found in conversations, and
    /// for card numbers.
    public mutating func redact(text: String) -> String {
        var bytes = Array(text.utf8)
        _ = StripeRedaction.redact(&bytes, in: 0..<bytes.count, &standIns)
        for serial in standIns.knownSerials where serial.count > 3 {
            replaceAll(serial, in: &bytes)
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Returns a cardholder's name with each of its words replaced.
    public mutating func redact(name: String) -> String {
        String(decoding: standIns.name(Array(name.utf8)[...]), as: UTF8.self)
    }

    /// Returns the JSON of a journal's record with stand-ins for the cardholder's name and for serial
    /// numbers; numbers of cards never stand in a record.
    public mutating func redact(record json: [UInt8]) -> [UInt8] {
        var bytes = json
        let key = Array("\"cardholderName\":\"".utf8)
        if let start = Self.firstIndex(of: key, in: bytes) {
            let begin = start + key.count
            let end = bytes[begin...].firstIndex(of: UInt8(ascii: "\"")) ?? begin
            bytes.replaceSubrange(begin..<end, with: standIns.name(bytes[begin..<end]))
        }
        for serial in standIns.knownSerials where serial.count > 3 {
            replaceAll(serial, in: &bytes)
        }
        return bytes
    }

    private static func firstIndex(of key: [UInt8], in bytes: [UInt8]) -> Int? {
        guard bytes.count >= key.count else { return nil }
        return (0...bytes.count - key.count).first { start in
            bytes[start] == key[0] && bytes[start..<start + key.count].elementsEqual(key)
        }
    }

    /// Returns a scenario's text with other digits for keys, and stand-ins for card numbers.
    public mutating func redact(scenario: String) -> String {
        let lines = scenario.split(separator: "\n", omittingEmptySubsequences: false)
        return lines.map { line in
            var text = redact(text: String(line))
            if let range = text.firstRange(of: "keys:") {
                let digits = text[range.upperBound...].map { character -> Character in
                    ("1"..."9").contains(character) ? "0" : character
                }
                text = text[..<range.upperBound] + String(digits)
            }
            if let range = text.firstRange(of: "cardholderName:") {
                let value = text[range.upperBound...].prefix { !",}#".contains($0) }
                let rest = text[value.endIndex...]
                text = text[..<range.upperBound] + redact(name: String(value)) + rest
            }
            return text
        }.joined(separator: "\n")
    }

    private mutating func replaceAll(_ serial: [UInt8], in bytes: inout [UInt8]) {
        guard bytes.count >= serial.count else { return }
        var index = 0
        while index + serial.count <= bytes.count {
            if bytes[index] == serial[0], bytes[index..<index + serial.count].elementsEqual(serial)
            {
                let standIn = standIns.serial(serial[...])
                bytes.replaceSubrange(index..<index + serial.count, with: standIn)
                index += serial.count
            } else {
                index += 1
            }
        }
    }

    private mutating func redactOne(_ output: inout Conversation, _ index: Int) {
        let event = output.events[index]
        var bytes = Array(event.bytes)
        guard !bytes.isEmpty else { return }
        if StripeRedaction.redact(&bytes, in: 0..<bytes.count, &standIns) {
            output.events[index] = event.replacing(bytes[...])
        }
    }

    private mutating func redact(
        _ output: inout Conversation,
        _ indices: [Int],
        isFromReader: Bool
    ) {
        guard !indices.isEmpty else { return }
        var bytes: [UInt8] = []
        for index in indices { bytes += output.events[index].bytes }
        let before = bytes
        var loose: [Range<Int>] = []
        switch (output.wire, isFromReader) {
        case (.miura, _):
            loose = MiuraRedaction.redact(&bytes, isFromReader: isFromReader, &standIns)
        case (.magneSafeStream, true): loose = SwipeRedaction.stream(&bytes, &standIns)
        case (.magneSafeReports, true): loose = redactReports(&bytes, output, indices)
        case (.idTech, true):
            if let first = indices.first(where: { index in
                (try? IPSPacket(output.events[index].bytes)) != nil
            }) {
                var start = 0
                for index in indices {
                    let range = start..<start + output.events[index].bytes.count
                    start = range.upperBound
                    if index >= first, (try? IPSPacket(bytes[range])) != nil {
                        SwipeRedaction.ips(&bytes, in: range, &standIns)
                    } else {
                        loose.append(range)
                    }
                }
            } else {
                loose = SwipeRedaction.idTech(&bytes, &standIns)
            }
        default: loose = [0..<bytes.count]
        }
        for range in loose {
            if output.wire == .miura { MiuraRedaction.redactLoose(&bytes, in: range, &standIns) }
            _ = StripeRedaction.redact(&bytes, in: range, &standIns)
            standIns.replaceKnown(&bytes, in: range)
        }
        guard bytes != before else { return }
        var start = 0
        for index in indices {
            let count = output.events[index].bytes.count
            output.events[index] = output.events[index].replacing(
                Array(bytes[start..<start + count])[...]
            )
            start += count
        }
    }

    /// Reports are told apart by the time between their pieces, as hosts do.
    private mutating func redactReports(
        _ bytes: inout [UInt8],
        _ output: Conversation,
        _ indices: [Int]
    ) -> [Range<Int>] {
        var loose: [Range<Int>] = []
        let packet = indices.map { output.events[$0].bytes.count }.max() ?? 0
        var start = 0
        var end = 0
        var wasShort = false
        var last: VirtualDuration?
        for index in indices {
            let event = output.events[index]
            let pause = event.offset.nanoseconds - (last ?? event.offset).nanoseconds
            let isFull = end - start >= MagneSafeReportLayout.byteCount
            if isFull || wasShort || pause > MagneSafeReportAssembler.longestSilence.nanoseconds {
                if !SwipeRedaction.report(&bytes, in: start..<end, &standIns) {
                    loose.append(start..<end)
                }
                start = end
            }
            wasShort = event.bytes.count < packet
            end += event.bytes.count
            last = event.offset
        }
        if !SwipeRedaction.report(&bytes, in: start..<end, &standIns) { loose.append(start..<end) }
        return loose
    }
}
