import EventLoops
import ReaderProtocols

/// A property's value as it is stored in a reader.
public struct MagneSafePropertyValue: Hashable, Sendable {
    /// The property's id.
    public var id: UInt8
    /// Its value.
    public var value: [UInt8]

    /// Creates a value; one that does not have the form of the property is kept as it is.
    public init(id: UInt8, value: [UInt8]) {
        self.id = id
        self.value = value
    }
}

/// What the properties of a reader amount to since its last reset.
struct MagneSafeSettings: Hashable, Sendable {
    /// How swipes leave the reader.
    enum Interface: Hashable { case stream, report, keyboard }

    var interface: Interface
    var packetByteCount: Int
    var pollInterval: VirtualDuration
    /// Property 0x05, two bits a track: off, on, required.
    var trackEnable: UInt8 = 0x95
    var masking = MagneSafeMasking()
    var format = MagneSafeStreamFormat.factory
    var formatCode = MagneSafeStreamLayout.defaultFormatCode
    var sendsEncryptionCounter = false
    var usesDataVariant: Bool
    var sendsMagnePrintAtLevelTwo = false
    var sendsSureSwipeReport = false
    var sendsSureSwipeText = true
    var keyConversion = KeyboardReports.Conversion.keymap

    /// The settings of a configuration without changed properties.
    init(_ configuration: MagneSafeReaderConfiguration) {
        switch configuration.model {
        case .idynamo:
            interface = .stream
            packetByteCount = 0
        case .dynamag(let count):
            interface = .report
            // More than a full-speed packet: whole reports, as a host's controller hands them up.
            packetByteCount = min(max(1, count), 1_024)
        case .sureSwipe(let count):
            interface = .report
            packetByteCount = min(max(1, count), 64)
        case .keyboard:
            interface = .keyboard
            packetByteCount = 8
        }
        pollInterval = configuration.pollInterval
        usesDataVariant = configuration.encryptsUnderDataVariant
        masking.payment = configuration.mask
        masking.licence = configuration.licenceMask
        format.keepsMagnePrintSeparators = configuration.keepsMagnePrintSeparators
    }

    /// The settings with properties that were changed.
    init(_ configuration: MagneSafeReaderConfiguration, _ properties: [MagneSafePropertyValue]) {
        self.init(configuration)
        if configuration.model.isSureSwipe {
            for property in properties { applySureSwipe(property) }
        } else {
            for property in properties { apply(property) }
            // Whatever the order in which packet size and interface were set.
            switch interface {
            case .stream: break
            case .keyboard: packetByteCount = KeyboardReports.byteCount
            case .report:
                if let size = properties.last(where: { $0.id == 0x0A })?.value.first {
                    packetByteCount = min(max(1, Int(size)), 64)
                }
            }
        }
    }

    private mutating func applySureSwipe(_ property: MagneSafePropertyValue) {
        guard let byte = property.value.first else { return }
        switch property.id {
        case 0x02: pollInterval = .milliseconds(Int64(byte))
        case 0x03: packetByteCount = min(max(1, Int(byte)), 64)
        case 0x04: trackEnable = byte
        default: break
        }
    }

    private mutating func apply(_ property: MagneSafePropertyValue) {
        let value = property.value
        let byte = value.first ?? 0
        switch property.id {
        case 0x02: pollInterval = .milliseconds(Int64(max(1, byte)))
        case 0x05: trackEnable = byte
        case 0x07: apply(value, to: \.payment)
        case 0x08: apply(value, to: \.licence)
        case 0x10:
            // A stream reader has no other interface; the others change between two.
            if interface != .stream { interface = byte == 1 ? .keyboard : .report }
        case 0x15: sendsMagnePrintAtLevelTwo = byte & 1 == 1
        case 0x17: keyConversion = byte == 0 ? .keymap : .altCodes
        case 0x19:
            format.sendsClearCRC = byte & 1 == 1
            format.sendsEncryptedCRC = byte & 2 == 2
        case 0x1A: sendsSureSwipeText = byte & 1 == 1
        case 0x1E: format.preCard = value
        case 0x1F: format.postCard = value
        case 0x20: format.preTrack = value
        case 0x21: format.postTrack = value
        case 0x22: format.terminator = value
        case 0x23: format.separator = byte
        case 0x24: format.startSentinels.track1 = byte
        case 0x25: format.startSentinels.track2 = byte
        case 0x26: format.startSentinels.track3 = byte
        case 0x27: format.startSentinels.track3AAMVA = byte
        case 0x28: format.startSentinels.track2SevenBit = byte
        case 0x29: format.startSentinels.track3SevenBit = byte
        case 0x2B: format.endSentinel = byte
        case 0x2C: formatCode = value.prefix(4).reduce(0) { $0 << 8 | UInt32($1) }
        case 0x2D: format.trackEndSentinels.track1 = byte
        case 0x2E: format.trackEndSentinels.track2 = byte
        case 0x2F: format.trackEndSentinels.track3 = byte
        case 0x30: sendsEncryptionCounter = byte == 1
        case 0x31: masking.masksOtherCards = byte == 1
        case 0x34: masking.clearsLicences = byte == 1
        case 0x38: sendsSureSwipeReport = byte == 1
        case 0x54: usesDataVariant = byte == 1
        default: break
        }
        let isShaping = MagneSafeProperty.with(id: property.id)?.shapesFormat == true
        if isShaping, formatCode == MagneSafeStreamLayout.defaultFormatCode {
            formatCode = 0x3130_3030
        }
    }

    private mutating func apply(
        _ value: [UInt8],
        to path: WritableKeyPath<MagneSafeMasking, MagneSafeMask>
    ) {
        guard var mask = MagneSafeMask(property: String(decoding: value, as: UTF8.self)) else {
            return
        }
        mask.roundsLuhnPositionUp = masking[keyPath: path].roundsLuhnPositionUp
        masking[keyPath: path] = mask
    }
}
