public import CardData

/// How a command ended: the last two bytes of every answer and every unsolicited message.
///
/// Source: Miura SDKs (ResponseMessageTest; Java SDK 1-1i), payneteasy PNECardError.h.
public struct MiuraStatusWord: RawRepresentable, Hashable, Sendable {
    /// The two bytes as one number, SW1 high.
    public let rawValue: UInt16

    /// Creates a status word from its number.
    public init(rawValue: UInt16) { self.rawValue = rawValue }

    /// Creates a status word from its two bytes.
    public init(_ sw1: UInt8, _ sw2: UInt8) { rawValue = UInt16(sw1) << 8 | UInt16(sw2) }

    /// Creates a status word of the family 9Fxx.
    public static func failure(_ sw2: UInt8) -> MiuraStatusWord { MiuraStatusWord(0x9F, sw2) }

    /// 9000: done.
    public static let success = MiuraStatusWord(rawValue: 0x9000)
    /// 9001: the interface for communication could not be changed.
    public static let routeNotChanged = MiuraStatusWord(rawValue: 0x9001)
    /// 6A88: a parameter or the data it names is invalid or missing.
    public static let invalidReference = MiuraStatusWord(rawValue: 0x6A88)
    /// 6F00: the packet could not be used.
    public static let packetProblem = MiuraStatusWord(rawValue: 0x6F00)
    /// 9F01: file system error.
    public static let fileSystemError = failure(0x01)
    /// 9F02: too many files.
    public static let fileCountLimit = failure(0x02)
    /// 9F03: the file is too large.
    public static let fileSizeLimit = failure(0x03)
    /// 9F0D: internal error.
    public static let internalError = failure(0x0D)
    /// 9F0F: invalid command or parameter.
    public static let invalidParameter = failure(0x0F)
    /// 9F10: the text is no UTF-8.
    public static let invalidUTF8 = failure(0x10)
    /// 9F14: the command's format is wrong.
    public static let formatError = failure(0x14)
    /// 9F15: the configuration file is invalid.
    public static let invalidConfiguration = failure(0x15)
    /// 9F21: the data of the command is invalid.
    public static let invalidData = failure(0x21)
    /// 9F22: not ready, as for CONTINUE without START.
    public static let notReady = failure(0x22)
    /// 9F23: no card in the slot.
    public static let noCard = failure(0x23)
    /// 9F25: invalid card, no fallback to the stripe.
    public static let invalidCard = failure(0x25)
    /// 9F26: not allowed now, as while a transaction runs.
    public static let notAllowed = failure(0x26)
    /// 9F27: data is missing; the body lists it.
    public static let dataMissing = failure(0x27)
    /// 9F28: unsupported card, fallback to the stripe allowed.
    public static let unsupportedCard = failure(0x28)
    /// 9F2A: a file is missing; the body names it.
    public static let fileMissing = failure(0x2A)
    /// 9F30: the chip could not be read, fallback to the stripe allowed.
    public static let chipError = failure(0x30)
    /// 9F40: an issuer's public key failed its hash check.
    public static let invalidPublicKey = failure(0x40)
    /// 9F41: ended by the Cancel key or ABORT.
    public static let cancelled = failure(0x41)
    /// 9F42: timed out.
    public static let timedOut = failure(0x42)
    /// 9F43: contactless ended because a card was inserted.
    public static let cardInserted = failure(0x43)
    /// 9F44: contactless ended because a card was swiped.
    public static let cardSwiped = failure(0x44)
    /// 9FC1: no contactless application.
    public static let noContactlessApplication = failure(0xC1)
    /// 9FC2: contactless is not possible with this card.
    public static let contactlessNotPossible = failure(0xC2)
    /// 9FC3: the card asks for its chip to be used.
    public static let useChip = failure(0xC3)
    /// 9FCE: the hardware for it is not there.
    public static let noHardware = failure(0xCE)
    /// 9FCF: contactless hardware error.
    public static let contactlessHardwareError = failure(0xCF)
    /// 9FE0: keys are not ready (transactions, PIN); a file is missing (P2PE).
    public static let keysNotReady = failure(0xE0)

    /// Whether the command did what it should: 9000.
    public var isSuccess: Bool { self == .success }

    /// Whether only a transaction command (START, CONTINUE, contactless) can end this way.
    public var isOfTransaction: Bool {
        switch rawValue {
        case 0x9F22, 0x9F23, 0x9F25, 0x9F28, 0x9F30, 0x9F40, 0x9F43, 0x9F44, 0x9FC1, 0x9FC2,
            0x9FC3:
            true
        default: false
        }
    }

    /// Whether a swipe of the same card may follow instead.
    public var allowsSwipe: Bool { self == .unsupportedCard || self == .chipError }

    /// What the word says, in words for people.
    public var meaning: String {
        switch rawValue {
        case 0x9000: "success"
        case 0x9001: "communication route not changed"
        case 0x6A88: "a parameter, or what it names, is invalid or missing"
        case 0x6F00: "packet problems"
        case 0x9F01: "file system error"
        case 0x9F02: "file count limit"
        case 0x9F03: "file size limit"
        case 0x9F0D: "internal error"
        case 0x9F0F: "invalid command or parameter"
        case 0x9F10: "UTF-8 error"
        case 0x9F14: "command formatting error or invalid input parameter"
        case 0x9F15: "invalid configuration file"
        case 0x9F21: "invalid data in the command"
        case 0x9F22: "not ready: CONTINUE without START"
        case 0x9F23: "no card in the slot"
        case 0x9F25: "invalid card, no swipe instead"
        case 0x9F26: "not allowed in this state"
        case 0x9F27: "data missing"
        case 0x9F28: "unsupported card, swipe allowed"
        case 0x9F2A: "file missing"
        case 0x9F30: "chip could not be read, swipe allowed"
        case 0x9F40: "issuer public key failed its hash check"
        case 0x9F41: "cancelled or aborted"
        case 0x9F42: "timed out"
        case 0x9F43: "contactless ended by a card in the slot"
        case 0x9F44: "contactless ended by a swipe"
        case 0x9FC1: "no contactless application: use chip or swipe"
        case 0x9FC2: "contactless not possible: use chip, swipe or another card"
        case 0x9FC3: "the card asks for its chip"
        case 0x9FCE: "module not available"
        case 0x9FCF: "contactless hardware error"
        case 0x9FE0: "keys not ready, or a file for them missing"
        case 0x9FE1: "key or certificate error, or wrong parameter"
        case 0x9FE2: "no data, or an RSA error"
        case 0x9FE3: "initial key, transport key or certificate error"
        case 0x9FE4: "key error, or a file could not be written"
        case 0x9FE5: "encryption, KSN or internal error"
        case 0x9FE6: "TLV or internal error"
        case 0x9FED: "access denied"
        default: "not a status word that any source lists"
        }
    }
}

extension MiuraStatusWord: CustomStringConvertible {
    /// The four hexadecimal digits, as in `9F41`.
    public var description: String {
        Hexadecimal.encode([UInt8(rawValue >> 8), UInt8(rawValue & 0xFF)])
    }
}

/// The answer to a command, or what an unsolicited message says: a body and a status word.
public struct MiuraResponse: Hashable, Sendable {
    /// The body, empty or not; never shown by a description.
    public var body: [UInt8]
    /// How the command ended; 9000 in the unsolicited messages that are published.
    public var statusWord: MiuraStatusWord

    /// Creates a response.
    public init(_ body: [UInt8] = [], _ statusWord: MiuraStatusWord = .success) {
        self.body = body
        self.statusWord = statusWord
    }

    /// Creates a response whose body is BER-TLV.
    public init(_ objects: [TLV], _ statusWord: MiuraStatusWord = .success) {
        self.init(objects.tlvBytes, statusWord)
    }

    /// Reads what a message of at least two bytes carries.
    public init(_ message: MiuraMessage) {
        let count = message.payload.count
        body = Array(message.payload[..<(count - 2)])
        statusWord = MiuraStatusWord(message.payload[count - 2], message.payload[count - 1])
    }

    /// The bytes of body and status word, a message's payload.
    public var payload: [UInt8] {
        var payload: [UInt8] = []
        payload.reserveCapacity(body.count + 2)
        payload.append(contentsOf: body)
        payload.append(UInt8(statusWord.rawValue >> 8))
        payload.append(UInt8(statusWord.rawValue & 0xFF))
        return payload
    }

    /// Reads the body as BER-TLV.
    ///
    /// - Throws: ``MiuraFormatError`` with the position in the body.
    public func objects() throws(MiuraFormatError) -> [TLV] {
        do throws(TLVError) { return try TLV.objects(in: body) } catch {
            throw MiuraFormatError(error)
        }
    }
}

extension MiuraResponse: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Status word and length; the body may be card data.
    public var description: String { "\(statusWord), \(body.count) bytes" }

    /// The same as ``description``.
    public var debugDescription: String { description }

    /// A mirror without children.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
