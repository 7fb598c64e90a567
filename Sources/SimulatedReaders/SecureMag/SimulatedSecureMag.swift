public import CardCrypto
public import CardData
import EventLoops
public import ReaderProtocols
public import Transports

/// An ID TECH SecureMag on USB: a report of 537 bytes for each swipe, ITP commands in feature
/// reports.
///
/// | state | a swipe gives |
/// | --- | --- |
/// | with keys | one record, whatever was decoded; it uses up one key |
/// | without keys | one report in clear |
/// | keys used up, or head switched off | nothing |
/// | as a keyboard | the record, typed |
///
/// Source: MS246 manual 80096504-001 (a rebadged SecureMag), USB and Command Protocol. Assumed: a
/// swipe that could not be decoded gives a record, too; an answer is padded with zeros to whole
/// feature reports, which are read one after the other.
public struct SimulatedSecureMag: Hashable, Sendable {
    private let make: Shared<SecureMagConfiguration>
    /// The key serial number of the last swipe, or the initial one.
    public private(set) var ksn: KSN
    /// Whether all keys are used up.
    public private(set) var hasExhaustedKeys = false
    /// What commands have set.
    public private(set) var settings: IDTechReaderSettings
    /// Whether it acts as a keyboard since it has power.
    public private(set) var isKeyboard: Bool
    private var willBeKeyboard: Bool
    private var isReading = true
    /// The pieces of a command that came so far.
    private var command: [UInt8] = []
    /// What is left of the answer to the last command.
    private var answer: [UInt8] = []

    /// Creates a reader that has just been made and powered.
    public init(_ configuration: SecureMagConfiguration) {
        make = Shared(configuration)
        ksn = configuration.initialKSN
        settings = configuration.settings
        isKeyboard = configuration.isKeyboard
        willBeKeyboard = configuration.isKeyboard
    }

    /// How the reader was made.
    public var configuration: SecureMagConfiguration { make.value }

    /// Its ids: 0ACD:2010, or 2030 as a keyboard.
    public var attachment: Attachment {
        Attachment(
            maximumPacketByteCount: isKeyboard
                ? KeyboardReports.byteCount : configuration.packetByteCount,
            vendorID: 0x0ACD,
            productID: isKeyboard ? 0x2030 : 0x2010
        )
    }

    /// The HID report descriptor: 537 bytes of input and a feature report, without ids.
    ///
    /// Constructed from the published usages (page FF00, 01; output data 31, command 20); of the
    /// vendor's only the lengths are known.
    public var reportDescriptor: [UInt8] {
        let feature = UInt8(clamping: configuration.featureByteCount)
        if isKeyboard { return KeyboardReports.reportDescriptor(featureByteCount: feature) }
        let count = IDTechReportAssembler.secureByteCount
        return [
            0x06, 0x00, 0xFF, 0x09, 0x01, 0xA1, 0x01, 0x15, 0x00, 0x26, 0xFF, 0x00, 0x75, 0x08,
            0x09, 0x31, 0x96, UInt8(count & 0xFF), UInt8(count >> 8), 0x81, 0x02, 0x09, 0x20, 0x95,
            feature, 0xB1, 0x02, 0xC0,
        ]
    }

    /// Starts the reader after its power was gone.
    public mutating func powerUp() {
        isKeyboard = willBeKeyboard
        command = []
        answer = []
    }

    /// Reads a card and returns the packets of its report, or the reports that type it.
    public mutating func swipe(
        card: TestCard,
        quality: SwipeQuality,
        cache: CryptoCache
    ) -> [ReaderTransmission] {
        guard isReading else { return [] }
        let sight = quality.sight(of: card, cache: cache)
        guard configuration.hasKeys else {
            let stripe = sight.card
            let texts = [stripe.unmaskedTrack1, stripe.unmaskedTrack2, stripe.unmaskedTrack3]
            let isDecoded = texts.indices.map { sight.tracks.rawValue >> UInt8($0) & 1 == 1 }
            let tracks = texts.indices.map { isDecoded[$0] ? texts[$0] : [] }
            if isKeyboard { return typed(Array(tracks.joined()) + [0x0D]) }
            return packets(
                of: IDTechReportAssembler.clearReport(
                    of: tracks,
                    isDecoded: isDecoded,
                    encodeType: .iso
                )
            )
        }
        guard !hasExhaustedKeys, let next = ksn.next else {
            hasExhaustedKeys = true
            return []
        }
        let record = IDTechRecord(
            card: sight.card,
            settings: settings,
            read: sight.tracks,
            key: configuration.baseDerivationKey,
            ksn: next,
            cache: cache
        )
        if record.ksn != nil { ksn = next }
        if isKeyboard {
            return typed((IDTechTypedRecord.text(of: record.packet) ?? []) + [0x0D])
        }
        return packets(of: IDTechReportAssembler.report(of: record.packet))
    }

    private func packets(of report: [UInt8]) -> [ReaderTransmission] {
        transmissions(of: report, size: max(1, configuration.packetByteCount))
    }

    private func typed(_ text: [UInt8]) -> [ReaderTransmission] {
        transmissions(of: KeyboardReports.reports(typing: text), size: KeyboardReports.byteCount)
    }

    private func transmissions(of bytes: [UInt8], size: Int) -> [ReaderTransmission] {
        var offset = configuration.decodeTime
        var transmissions: [ReaderTransmission] = []
        for start in stride(from: 0, to: bytes.count, by: size) {
            let packet = bytes[start..<min(bytes.count, start + size)]
            transmissions.append(
                ReaderTransmission(offset: offset, unit: TransportUnit(.report(id: 0), packet))
            )
            offset = offset + configuration.packetInterval
        }
        return transmissions
    }

    // MARK: Commands

    private static let refusal = IDTechAnswer.refused.packet

    /// Takes one unit that the host sent: a piece of a command, or the wish for one of its answer.
    public mutating func receive(_ unit: TransportUnit) -> [MagneSafeReaction] {
        let length = configuration.featureByteCount
        switch unit.kind {
        case .featureSet(let id):
            guard id == 0, unit.payload.count == length else { return [.finishFeature(.stalled)] }
            if command.isEmpty, unit.payload.first != 0x02 {
                answer = Self.refusal
                return [.finishFeature(.set)]
            }
            command += unit.payload
            return [.finishFeature(.set)] + (run() ? [.reattach] : [])
        case .featureGet(let id, let byteCount):
            guard id == 0, byteCount == length else { return [.finishFeature(.stalled)] }
            let piece = answer.prefix(length)
            answer.removeFirst(piece.count)
            let report = piece + [UInt8](repeating: 0, count: length - piece.count)
            return [.finishFeature(.got(report[...]))]
        case .bytes, .report, .lineState: return []
        }
    }

    /// Runs the command if it is complete; returns whether the reader leaves and comes back.
    private mutating func run() -> Bool {
        var end = command.count
        // Zeros fill the last report up; an LRC of zero is one of them.
        while end > 0 {
            if let whole = try? IDTechCommand(command.prefix(end)) {
                command = []
                return answer(to: whole)
            }
            guard command[end - 1] == 0 else { break }
            end -= 1
        }
        if command.count > IDTechCommand.maximumByteCount || command.last == 0 {
            command = []
            answer = Self.refusal
        }
        return false
    }

    private mutating func answer(to whole: IDTechCommand) -> Bool {
        switch whole {
        case .get(let function):
            if IDTechFunction(rawValue: function) == .firmwareVersion {
                // A version comes as text, without number or length.
                answer = IDTechAnswer.data(Array(configuration.firmwareVersion.utf8)).packet
            } else {
                let value = value(of: function)
                answer = value.map { IDTechAnswer.data([function] + $0) }?.packet ?? Self.refusal
            }
        case .set(let settings):
            let isTaken = settings.allSatisfy { set($0) }
            answer = isTaken ? IDTechAnswer.acknowledged.packet : Self.refusal
            return isTaken && willBeKeyboard != isKeyboard
        case .other:
            answer = whole == .reset ? IDTechAnswer.acknowledged.packet : Self.refusal
            return whole == .reset
        }
        return false
    }

    /// The length and the value of a function, as an answer has them.
    private func value(of number: UInt8) -> [UInt8]? {
        let configuration = configuration
        switch IDTechFunction(rawValue: number) {
        case .serialNumber:
            let serial = Array((settings.serial ?? "").utf8.suffix(10))
            let padded = [UInt8](repeating: 0x30, count: 10 - serial.count) + serial
            return [0x0B, 0x0A] + padded
        case .securityLevel: return [1, configuration.hasKeys ? 0x33 : 0x31]
        case .usbMode: return [1, isKeyboard ? 0x38 : 0x30]
        case .format: return [1, settings.format == .enhanced ? 0x31 : 0x30]
        case .cipher: return [1, settings.cipher == .aes ? 0x32 : 0x31]
        case .leadingClearDigits: return [1, UInt8(clamping: settings.leadingClearDigitCount)]
        case .trailingClearDigits: return [1, UInt8(clamping: settings.trailingClearDigitCount)]
        case .stripeReading: return [1, isReading ? 0x31 : 0x30]
        default: return nil
        }
    }

    private mutating func set(_ setting: IDTechCommand.Setting) -> Bool {
        let value = setting.value ?? []
        let digit = value.count == 1 ? value[0] : 0xFF
        switch IDTechFunction(rawValue: setting.function) {
        case .defaultSettings:
            settings = configuration.settings
            return value.isEmpty
        case .usbMode:
            guard digit == 0x30 || digit == 0x38 else { return false }
            willBeKeyboard = digit == 0x38
        case .format:
            guard digit == 0x30 || digit == 0x31 else { return false }
            settings.format = digit == 0x31 ? .enhanced : .original
        case .cipher:
            guard digit == 0x31 || digit == 0x32 else { return false }
            settings.cipher = digit == 0x32 ? .aes : .tripleDES
        case .leadingClearDigits:
            guard digit <= 6 else { return false }
            settings.leadingClearDigitCount = Int(digit)
        case .trailingClearDigits:
            guard digit <= 4 else { return false }
            settings.trailingClearDigitCount = Int(digit)
        case .expirationDate:
            guard digit == 0x30 || digit == 0x31 else { return false }
            settings.showsExpirationDate = digit == 0x31
        case .hashes:
            guard (0x30...0x37).contains(digit) else { return false }
            settings.sendsHashes = digit != 0x30
        case .lrcCharacter:
            guard digit == 0x30 || digit == 0x31 else { return false }
            settings.sendsLRCCharacter = digit == 0x31
        case .stripeReading:
            guard digit == 0x30 || digit == 0x31 else { return false }
            isReading = digit == 0x31
        default: return false
        }
        return true
    }
}
