public import CardData

/// What START TRANSACTION and START CONTACTLESS TRANSACTION ask for, from E0.
///
/// Source: Miura Java SDK 1-1i, builders of DE D1 and DE C1; PayPal retail SDK (9F41).
public struct MiuraTransaction: Hashable, Sendable {
    /// The largest amount: twelve digits.
    public static let maximumAmountMinorUnits = 999_999_999_999

    /// Kind of transaction, tag 9C.
    public struct Kind: RawRepresentable, Hashable, Sendable {
        /// The byte on the wire.
        public let rawValue: UInt8

        /// Creates a kind from its byte.
        public init(rawValue: UInt8) { self.rawValue = rawValue }

        /// 00: purchase.
        public static let purchase = Kind(rawValue: 0x00)
        /// 01: cash.
        public static let cash = Kind(rawValue: 0x01)
        /// 09: purchase with cashback.
        public static let purchaseWithCashback = Kind(rawValue: 0x09)
        /// 20: refund.
        public static let refund = Kind(rawValue: 0x20)
    }

    /// Who chooses the application, tag DFA204.
    public struct ApplicationSelection: OptionSet, Hashable, Sendable {
        /// The bits on the wire.
        public let rawValue: UInt8

        /// Creates a set from its bits.
        public init(rawValue: UInt8) { self.rawValue = rawValue }

        /// 01: the reader asks the cardholder.
        public static let onReader = ApplicationSelection(rawValue: 0x01)
        /// 02: the host is asked by E2.
        public static let onHost = ApplicationSelection(rawValue: 0x02)
        /// 80: E2 lists blocked applications too.
        public static let withBlocked = ApplicationSelection(rawValue: 0x80)
    }

    /// The kind of transaction.
    public var kind: Kind
    /// The amount in minor units of the currency, 0 to ``maximumAmountMinorUnits``.
    public var amountMinorUnits: Int
    /// The currency's ISO 4217 number, such as 826.
    public var currency: Int
    /// The cashback in minor units, tag 9F03.
    public var otherAmountMinorUnits: Int?
    /// Date and time of the transaction, tags 9A and 9F21.
    public var clock: MiuraClock?
    /// The sequence counter, tag 9F41: eight digits in four bytes.
    public var sequenceCounter: Int?
    /// Who chooses among applications; only with the chip.
    public var applicationSelection: ApplicationSelection?
    /// Whether the reader stops with E2 before terminal risk management; only with the chip.
    public var stopsAtRiskManagement: Bool?
    /// How long the reader waits for a tap, DFFF01, in seconds; only contactless.
    public var timeLimitSeconds: Int?
    /// Further objects of E0, in their order.
    public var further: [TLV]

    /// Creates a transaction.
    public init(
        _ kind: Kind = .purchase,
        amountMinorUnits: Int,
        currency: Int,
        otherAmountMinorUnits: Int? = nil,
        clock: MiuraClock? = nil,
        sequenceCounter: Int? = nil,
        applicationSelection: ApplicationSelection? = nil,
        stopsAtRiskManagement: Bool? = nil,
        timeLimitSeconds: Int? = nil,
        further: [TLV] = []
    ) {
        self.kind = kind
        self.amountMinorUnits = amountMinorUnits
        self.currency = currency
        self.otherAmountMinorUnits = otherAmountMinorUnits
        self.clock = clock
        self.sequenceCounter = sequenceCounter
        self.applicationSelection = applicationSelection
        self.stopsAtRiskManagement = stopsAtRiskManagement
        self.timeLimitSeconds = timeLimitSeconds
        self.further = further
    }

    /// The objects of E0 in the order of the vendor's SDK.
    public var objects: [TLV] {
        var objects: [TLV] = []
        objects.reserveCapacity(11 + further.count)
        if let sequenceCounter {
            objects.append(TLV(.sequenceCounter, BCD.bytes(sequenceCounter, byteCount: 4)))
        }
        objects.append(TLV(.transactionType, [kind.rawValue]))
        objects.append(TLV(.amount, BCD.bytes(amountMinorUnits, byteCount: 6)))
        objects += clock?.objects ?? []
        if let otherAmountMinorUnits {
            objects.append(TLV(.otherAmount, BCD.bytes(otherAmountMinorUnits, byteCount: 6)))
        }
        if let applicationSelection {
            objects.append(TLV(.applicationSelection, [applicationSelection.rawValue]))
        }
        if let stopsAtRiskManagement {
            objects.append(TLV(.stopsAtRiskManagement, [stopsAtRiskManagement ? 1 : 0]))
        }
        objects.append(TLV(.currency, BCD.bytes(currency, byteCount: 2)))
        if let timeLimitSeconds {
            objects.append(
                TLV(.timeLimit, number: UInt64(clamping: timeLimitSeconds), byteCount: 2)
            )
        }
        objects += further
        return objects
    }

    /// Reads the objects of E0 in any order.
    ///
    /// - Throws: ``MiuraFormatError`` with `missing` for 9C, 9F02 or 5F2A, `malformed` for a value
    ///   that an object cannot have.
    public init(_ objects: [TLV]) throws(MiuraFormatError) {
        var reader = ObjectReader(objects)
        let kind = Kind(rawValue: try reader.require(.transactionType, ObjectReader.byte))
        let amount = try reader.require(.amount) { $0.count == 6 ? BCD.number($0) : nil }
        let currency = try reader.require(.currency) { $0.count == 2 ? BCD.number($0) : nil }
        self.init(kind, amountMinorUnits: amount, currency: currency)
        otherAmountMinorUnits = try reader.take(.otherAmount) {
            $0.count == 6 ? BCD.number($0) : nil
        }
        if objects.first(.date) != nil || objects.first(.time) != nil {
            clock = try MiuraClock(objects)
            reader.drop(.date)
            reader.drop(.time)
        }
        sequenceCounter = try reader.take(.sequenceCounter) {
            $0.count == 4 ? BCD.number($0) : nil
        }
        applicationSelection = try reader.take(.applicationSelection, ObjectReader.byte)
            .map(ApplicationSelection.init)
        stopsAtRiskManagement = try reader.take(.stopsAtRiskManagement) {
            $0.count == 1 && $0[0] < 2 ? $0[0] == 1 : nil
        }
        timeLimitSeconds = try reader.take(.timeLimit) {
            $0.count == 2 ? Int($0[0]) << 8 | Int($0[1]) : nil
        }
        further = reader.rest
    }
}

/// Takes known objects out of a template, and keeps the rest in its order.
struct ObjectReader {
    private(set) var rest: [TLV]

    init(_ objects: [TLV]) { rest = objects }

    /// A value of one byte.
    static func byte(_ value: [UInt8]) -> UInt8? { value.count == 1 ? value[0] : nil }

    mutating func drop(_ tag: TLVTag) {
        if let index = rest.firstIndex(where: { $0.tag == tag }) { rest.remove(at: index) }
    }

    mutating func take<Value>(
        _ tag: TLVTag,
        _ convert: ([UInt8]) -> Value?
    ) throws(MiuraFormatError) -> Value? {
        guard let index = rest.firstIndex(where: { $0.tag == tag }) else { return nil }
        guard let value = convert(rest.remove(at: index).value) else {
            throw MiuraFormatError(.malformed(tag))
        }
        return value
    }

    mutating func require<Value>(
        _ tag: TLVTag,
        _ convert: ([UInt8]) -> Value?
    ) throws(MiuraFormatError) -> Value {
        guard let value = try take(tag, convert) else { throw MiuraFormatError(.missing(tag)) }
        return value
    }
}
