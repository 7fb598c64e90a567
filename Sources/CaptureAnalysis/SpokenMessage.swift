public import CardData
public import EventLoops
import ReaderProtocols
import Transports

/// One thing that host or reader said, whole, however it came in pieces.
public struct SpokenMessage: Hashable, Sendable {
    /// Who said it.
    public enum Side: Hashable, Sendable {
        /// The host: a command, a request.
        case host
        /// The reader: a swipe, an answer, an event.
        case reader
        /// Nobody: the link was made or lost.
        case link
    }

    /// How long after the conversation's beginning it was whole.
    public var offset: VirtualDuration
    /// Who said it.
    public var side: Side
    /// What people call it, such as `a swipe` or `START TRANSACTION`; none of its data.
    public var title: String
    /// All of it, as it went; may be card data, so it is only compared.
    public var bytes: [UInt8]
    /// The packet (or line) with which it was whole, from 1.
    public var packetNumber: Int
    /// What the message is written in; `nil` for what has no fields.
    public var wire: WireProtocol?

    /// What makes two messages the same: who said what, and nothing of when or in which pieces.
    public struct Meaning: Hashable, Sendable {
        var side: Side
        var title: String
        var bytes: [UInt8]
    }

    /// What makes two messages the same.
    public var meaning: Meaning { Meaning(side: side, title: title, bytes: bytes) }

    /// Its fields, card data masked.
    public var fields: FieldListing {
        switch wire {
        case .magneSafeReports: FieldListing(magneSafeReport: bytes)
        case .magneSafeStream: FieldListing(magneSafeStream: bytes)
        case .idTech: FieldListing(idTech: bytes)
        case .miura:
            FieldListing(miura: bytes, direction: side == .host ? .toReader : .fromReader)
        case nil: FieldListing()
        }
    }

    /// The names of the fields in which two messages of the same sort differ, at most eight; empty
    /// when they differ only in what is hidden or has no name.
    public func differingFields(from other: SpokenMessage) -> [String] {
        let own = fields.fields
        let others = other.fields.fields
        var names: [String] = []
        for index in 0..<max(own.count, others.count) {
            let left = index < own.count ? own[index] : nil
            let right = index < others.count ? others[index] : nil
            guard left?.name != right?.name || left?.value != right?.value else { continue }
            let name = left?.name ?? right?.name ?? ""
            if !names.contains(name) { names.append(name) }
            if names.count == 8 { break }
        }
        return names
    }
}

extension Conversation {
    /// What was said in it, in order: frames, records of swipes, commands and answers.
    ///
    /// Pieces of one message are one item whatever their lengths, so two conversations that differ
    /// only in the splits of the link are told the same. Bytes that are no message of the protocol
    /// are items of their own, and of a conversation of no known protocol each unit is.
    public var messages: [SpokenMessage] {
        var reader = MessageReader(wire)
        for event in events { reader.take(event) }
        reader.finish()
        return reader.messages
    }
}

/// Puts the messages of one conversation together.
private struct MessageReader {
    private(set) var messages: [SpokenMessage] = []
    private let wire: WireProtocol?
    private var reports = MagneSafeReportAssembler(maximumPacketByteCount: 0)
    private var stream = MagneSafeStreamDecoder()
    private var idTech = IDTechStreamDecoder()
    private var miuraFromReader = MiuraDecoder(.fromReader, policy: .resync)
    private var miuraToReader = MiuraDecoder(.toReader, policy: .resync)
    private var lastFromReader = VirtualInstant.zero
    private var last: (offset: VirtualDuration, packetNumber: Int) = (.zero, 0)

    init(_ wire: WireProtocol?) { self.wire = wire }

    mutating func take(_ event: Conversation.Event) {
        last = (event.offset, event.packetNumber)
        switch event.content {
        case .attached(let attachment):
            reports = MagneSafeReportAssembler(
                maximumPacketByteCount: attachment.maximumPacketByteCount
            )
            add(.link, "the reader is there")
        case .detached:
            endSession()
            add(.link, "the reader is gone")
        case .featureFinished(let result):
            if case .got(let bytes) = result {
                add(.reader, "answer to a feature request", Array(bytes))
            }
        case .toReader(let unit): takeCommand(unit)
        case .fromReader(let unit): takeAnswer(unit.payload)
        }
    }

    mutating func finish() { endSession() }

    private mutating func takeCommand(_ unit: TransportUnit) {
        switch unit.kind {
        case .bytes, .report:
            guard wire == .miura else {
                return add(.host, "a command of \(unit.payload.count) bytes", Array(unit.payload))
            }
            miuraToReader.append(unit.payload)
            while let reading = miuraToReader.next() { add(reading, .host) }
        case .featureSet:
            let code = unit.payload.first.map { Hexadecimal.encode([$0]) } ?? "none"
            add(.host, "feature report, command \(code)", Array(unit.payload))
        case .featureGet: add(.host, "request of a feature report")
        case .lineState(let isReady, let isSending):
            add(.host, "line signals: DTR \(isReady ? 1 : 0), RTS \(isSending ? 1 : 0)")
        }
    }

    private mutating func takeAnswer(_ bytes: ArraySlice<UInt8>) {
        let now = VirtualInstant.zero + last.offset
        switch wire {
        case .magneSafeReports:
            reports.expire(at: now)
            takeReports()
            reports.append(bytes, at: now)
            takeReports()
        case .magneSafeStream:
            stream.append(bytes)
            while let reading = stream.next() { add(reading) }
        case .idTech:
            if now - lastFromReader > IDTechStreamDecoder.silenceLimit {
                while let reading = idTech.finish() { add(reading) }
            }
            idTech.append(bytes)
            while let reading = idTech.next() { add(reading) }
        case .miura:
            miuraFromReader.append(bytes)
            while let reading = miuraFromReader.next() { add(reading, .reader) }
        case nil: add(.reader, "\(bytes.count) bytes", Array(bytes))
        }
        lastFromReader = now
    }

    private mutating func takeReports() {
        while let reading = reports.next() { add(reading) }
    }

    private mutating func endSession() {
        reports.expire(
            at: VirtualInstant.zero + last.offset + MagneSafeReportAssembler.longestSilence
        )
        takeReports()
        reports.reset()
        while let reading = stream.finish() { add(reading) }
        while let reading = idTech.finish() { add(reading) }
        while let reading = miuraFromReader.finish() { add(reading, .reader) }
        while let reading = miuraToReader.finish() { add(reading, .host) }
        stream.reset()
        idTech.reset()
        miuraFromReader.reset()
        miuraToReader.reset()
    }

    private mutating func add(_ reading: MagneSafeReading) {
        switch reading {
        case .record(let record):
            let title = record.isUnreadable ? "a swipe that the reader could not read" : "a swipe"
            let bytes =
                wire == .magneSafeReports ? record.report() : record.streamMessage()
            add(.reader, title, bytes, wire)
        case .damaged(let error): add(.reader, "a damaged message: \(error)")
        }
    }

    private mutating func add(_ reading: IDTechReading) {
        switch reading {
        case .record(let record):
            let isRead = record.maskedCardNumber != nil
            add(
                .reader,
                isRead ? "a swipe" : "a swipe that the reader could not read",
                record.packet,
                .idTech
            )
        case .clearText: add(.reader, "a swipe in clear")
        case .swipeError: add(.reader, "a swipe that the reader could not read")
        case .answer(let answer): add(.reader, "an answer", answer.packet, .idTech)
        case .powerUp: add(.reader, "the reader got power")
        case .damaged(let error): add(.reader, "a damaged message: \(error)")
        }
    }

    private mutating func add(_ reading: MiuraReading, _ side: SpokenMessage.Side) {
        switch reading {
        case .message(let message):
            add(side, Self.title(message, side), message.bytes, .miura)
        case .rawBytes(let bytes, _): add(side, "a piece of a file", bytes)
        case .damaged(let damage): add(side, "a damaged frame: \(damage)")
        case .skipped: break
        }
    }

    private static func title(_ message: MiuraMessage, _ side: SpokenMessage.Side) -> String {
        guard side == .host else {
            return message.isUnsolicited ? "an event of the reader" : "an answer"
        }
        guard let apdu = try? MiuraAPDU(message.payload) else { return "a command" }
        return MiuraCommandName(rawValue: apdu.code)?.title
            ?? "command " + Hexadecimal.encode(message.payload.prefix(2))
    }

    private mutating func add(
        _ side: SpokenMessage.Side,
        _ title: String,
        _ bytes: [UInt8] = [],
        _ wire: WireProtocol? = nil
    ) {
        messages.append(
            SpokenMessage(
                offset: last.offset,
                side: side,
                title: title,
                bytes: bytes,
                packetNumber: last.packetNumber,
                wire: wire
            )
        )
    }
}
