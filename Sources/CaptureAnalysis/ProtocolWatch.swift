import CaptureFlows
import EventLoops
import ReaderProtocols

/// Listens to one conversation and counts what of each protocol is in it.
///
/// It keeps nothing but what the decoders keep of a message that has begun. A protocol of which
/// nothing was found in ``patience`` bytes is not listened for any more.
struct ProtocolWatch: Sendable {
    /// After so many bytes without a message nobody expects one.
    static let patience = 1 << 20

    private(set) var reports = ProtocolEvidence(.magneSafeReports)
    private(set) var stream = ProtocolEvidence(.magneSafeStream)
    private(set) var idTech = ProtocolEvidence(.idTech)
    private(set) var miura = ProtocolEvidence(.miura)

    private var reportAssembler = MagneSafeReportAssembler(maximumPacketByteCount: 0)
    private var streamDecoder = MagneSafeStreamDecoder()
    private var idTechDecoder = IDTechStreamDecoder()
    private var miuraFromReader = MiuraDecoder(.fromReader, policy: .resync)
    private var miuraToReader = MiuraDecoder(.toReader, policy: .resync)
    private var lastFromReader = VirtualInstant.zero
    private var byteCountFromReader = 0
    private var byteCountToReader = 0

    /// Bytes of which the protocols that need the largest part of them are judged.
    var byteCount: Int { byteCountFromReader + byteCountToReader }

    /// Takes bytes of the reader; `isReport` for those of a USB endpoint that carries reports.
    mutating func read(_ bytes: ArraySlice<UInt8>, isReport: Bool, at now: VirtualInstant) {
        byteCountFromReader += bytes.count
        if isReport {
            if isWorthwhile(reports) {
                reportAssembler.append(bytes, at: now)
                takeReports()
            }
        } else if isWorthwhile(stream) {
            streamDecoder.append(bytes)
            takeStream()
        }
        if isWorthwhile(idTech) {
            if now - lastFromReader > IDTechStreamDecoder.silenceLimit { endIDTech() }
            idTechDecoder.append(bytes)
            while let reading = idTechDecoder.next() { count(reading) }
        }
        if !isReport, isWorthwhile(miura) {
            miuraFromReader.append(bytes)
            while let reading = miuraFromReader.next() { count(reading, isFromReader: true) }
        }
        lastFromReader = now
    }

    /// Takes bytes of the host.
    mutating func write(_ bytes: ArraySlice<UInt8>, isReport: Bool) {
        byteCountToReader += bytes.count
        guard !isReport, isWorthwhile(miura) else { return }
        miuraToReader.append(bytes)
        while let reading = miuraToReader.next() { count(reading, isFromReader: false) }
    }

    /// The reader came or went, or the capture ends: what has begun is over.
    mutating func endSession(at now: VirtualInstant) {
        reportAssembler.expire(at: now + MagneSafeReportAssembler.longestSilence)
        takeReports()
        reportAssembler.reset()
        while let reading = streamDecoder.finish() { count(reading, in: &stream) }
        endIDTech()
        while let reading = miuraFromReader.finish() { count(reading, isFromReader: true) }
        while let reading = miuraToReader.finish() { count(reading, isFromReader: false) }
        miuraFromReader.reset()
        miuraToReader.reset()
        streamDecoder.reset()
        idTechDecoder.reset()
    }

    /// What may be spoken here, the likeliest first.
    var candidates: [ProtocolEvidence] {
        let found = [reports, stream, idTech, miura].filter { evidence in
            switch evidence.wire {
            // A swipe's record has a length and checks of its own.
            case .magneSafeReports, .magneSafeStream, .idTech: evidence.messageCount > 0
            // An exclusive-or agrees by chance: most of what was said must be frames.
            case .miura: evidence.messageCount > 0 && evidence.byteCount * 2 > byteCount
            }
        }
        // Sorting keeps equals in the order of the cases.
        return found.enumerated().sorted { left, right in
            left.element.byteCount == right.element.byteCount
                ? left.offset < right.offset : left.element.byteCount > right.element.byteCount
        }.map(\.element)
    }

    private func isWorthwhile(_ evidence: ProtocolEvidence) -> Bool {
        evidence.messageCount > 0 || byteCount < Self.patience
    }

    private mutating func takeReports() {
        while let reading = reportAssembler.next() { count(reading, in: &reports) }
    }

    private mutating func takeStream() {
        while let reading = streamDecoder.next() { count(reading, in: &stream) }
    }

    private mutating func endIDTech() {
        while let reading = idTechDecoder.finish() { count(reading) }
    }

    private func count(_ reading: MagneSafeReading, in evidence: inout ProtocolEvidence) {
        switch reading {
        case .record(let record):
            evidence.messageCount += 1
            evidence.swipeCount += 1
            if record.isUnreadable { evidence.unreadableSwipeCount += 1 }
            evidence.byteCount +=
                evidence.wire == .magneSafeReports
                ? MagneSafeReportLayout.byteCount : record.streamMessage().count
        case .damaged:
            evidence.damageCount += 1
        }
    }

    private mutating func count(_ reading: IDTechReading) {
        switch reading {
        case .record(let record):
            idTech.messageCount += 1
            idTech.swipeCount += 1
            if record.maskedCardNumber == nil { idTech.unreadableSwipeCount += 1 }
            idTech.byteCount += record.packet.count
        case .clearText:
            // Any `%…` or `;…` that ends with a return looks like one: no proof by itself.
            if idTech.messageCount > 0 { idTech.swipeCount += 1 }
        case .swipeError:
            if idTech.messageCount > 0 {
                idTech.swipeCount += 1
                idTech.unreadableSwipeCount += 1
            }
        case .powerUp:
            idTech.messageCount += 1
        case .answer(let answer):
            if answer.packet.count > 4 {
                idTech.messageCount += 1
                idTech.byteCount += answer.packet.count
            }
        case .damaged:
            idTech.damageCount += 1
        }
    }

    private mutating func count(_ reading: MiuraReading, isFromReader: Bool) {
        switch reading {
        case .message(let message):
            if isFromReader {
                guard Self.endsWithStatus(message.payload) else {
                    miura.damageCount += 1
                    return
                }
            } else {
                guard let apdu = try? MiuraAPDU(message.payload),
                    let name = MiuraCommandName(rawValue: apdu.code)
                else {
                    miura.damageCount += 1
                    return
                }
                miura.commandCount += 1
                if name == .startTransaction || name == .startContactless {
                    miura.transactionCount += 1
                }
            }
            miura.messageCount += 1
            miura.byteCount += message.bytes.count
            if message.isUnsolicited,
                case .cardStatus(let report) = MiuraEvent(
                    MiuraResponse(message)
                ), report.status.contains(.swiped)
            {
                miura.swipeCount += 1
            }
        case .rawBytes(let bytes, _): miura.byteCount += bytes.count
        case .damaged: miura.damageCount += 1
        case .skipped: break
        }
    }

    /// Whether a payload ends as answers do: SW1 is 61 to 6F or 90 to 9F.
    private static func endsWithStatus(_ payload: [UInt8]) -> Bool {
        guard payload.count >= 2 else { return false }
        let first = payload[payload.count - 2]
        return 0x61...0x6F ~= first || 0x90...0x9F ~= first
    }
}
