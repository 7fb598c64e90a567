import CardData

/// A list of transactions as PAYMILL exports it: lines of values with semicolons between them.
///
/// The first line has the names of the fields. Values are in double quotes, a quote in one is
/// doubled; an id that there is not is empty without quotes.
///
/// Source: PAYMILL API reference, "Export".
public struct PAYMILLExport: Hashable, Sendable {
    /// The largest export that is read, in bytes.
    public static let maximumByteCount = 4_194_304

    /// One value, and where it stands.
    struct Value: Hashable {
        var text: String
        /// The first byte, that of its quote where it has one.
        var offset: Int
        var byteCount: Int
    }

    /// Why a text is no export.
    public struct Problem: Error, Hashable, Sendable, CustomStringConvertible {
        /// The first byte that is wrong.
        public var offset: Int
        /// What would be right.
        public var reason: String

        /// What would be right; nothing of the values.
        public var description: String { reason }
    }

    /// The names of the fields.
    public let names: [String]
    let lines: [[Value]]

    /// Reads an export.
    ///
    /// - Throws: ``Problem`` with the place.
    public init(reading bytes: [UInt8]) throws(Problem) {
        guard bytes.count <= Self.maximumByteCount else {
            throw Problem(
                offset: Self.maximumByteCount,
                reason: "an export has \(Self.maximumByteCount) bytes at most"
            )
        }
        var lines: [[Value]] = []
        var place = 0
        while place < bytes.count {
            let line = try Self.line(in: bytes, at: &place)
            let isBlank = line.count == 1 && line[0].text.isEmpty && line[0].byteCount == 0
            if isBlank { continue }
            if let first = lines.first, first.count != line.count {
                throw Problem(
                    offset: line[0].offset,
                    reason: "a line has \(first.count) values, this one \(line.count)"
                )
            }
            lines.append(line)
        }
        guard let head = lines.first else {
            throw Problem(offset: 0, reason: "an export begins with the names of its fields")
        }
        names = head.map(\.text)
        self.lines = Array(lines.dropFirst())
    }

    /// Whether a text looks like an export: it begins with a name in quotes and a semicolon.
    static func isExport(_ bytes: ArraySlice<UInt8>) -> Bool {
        guard bytes.first == UInt8(ascii: "\""),
            let end = bytes.dropFirst().firstIndex(of: UInt8(ascii: "\""))
        else { return false }
        return bytes[(end + 1)...].first == UInt8(ascii: ";")
    }

    /// How many transactions there are.
    public var count: Int { lines.count }

    /// The transactions, without those that cannot be read; what is false is empty.
    public var transactions: [PAYMILLTransaction] {
        lines.compactMap { line in
            func text(_ name: String) -> String {
                names.firstIndex(of: name).map { line[$0].text } ?? ""
            }
            guard let amount = Int64(text("amount")), !text("id").isEmpty,
                let status = PAYMILLTransaction.Status(rawValue: text("status"))
            else { return nil }
            var transaction = PAYMILLTransaction(
                id: text("id"),
                amount: Amount(minorUnits: amount),
                currency: text("currency"),
                status: status,
                description: text("description").isEmpty ? nil : text("description"),
                responseCode: PAYMILLResponseCode(rawValue: Int(text("response_code")) ?? 0),
                at: Int64(text("created_at")) ?? 0
            )
            transaction.originAmount = Amount(minorUnits: Int64(text("origin_amount")) ?? amount)
            transaction.isLive = text("livemode") == "1"
            transaction.updatedAt = Int64(text("updated_at")) ?? transaction.createdAt
            transaction.shortID = text("short_id").isEmpty ? nil : text("short_id")
            func id(_ name: String) -> String? { text(name).isEmpty ? nil : text(name) }
            transaction.client = id("client_id").map { .id($0) }
            transaction.payment = id("payment_id").map { .id($0) }
            transaction.preauthorization = id("preauthorization_id").map { .id($0) }
            return transaction
        }
    }

    private static func line(
        in bytes: [UInt8],
        at place: inout Int
    ) throws(Problem) -> [Value] {
        var values: [Value] = []
        while true {
            values.append(try value(in: bytes, at: &place))
            guard place < bytes.count else { return values }
            switch bytes[place] {
            case UInt8(ascii: ";"): place += 1
            case 0x0D where place + 1 < bytes.count && bytes[place + 1] == 0x0A:
                place += 2
                return values
            case 0x0A:
                place += 1
                return values
            default:
                throw Problem(
                    offset: place,
                    reason: "a semicolon or the end of the line follows a value"
                )
            }
        }
    }

    private static func value(in bytes: [UInt8], at place: inout Int) throws(Problem) -> Value {
        let start = place
        var text: [UInt8] = []
        guard place < bytes.count, bytes[place] == UInt8(ascii: "\"") else {
            while place < bytes.count, bytes[place] != UInt8(ascii: ";"), bytes[place] != 0x0A,
                bytes[place] != 0x0D
            {
                text.append(bytes[place])
                place += 1
            }
            return Value(
                text: String(decoding: text, as: UTF8.self),
                offset: start,
                byteCount: place - start
            )
        }
        place += 1
        while place < bytes.count {
            if bytes[place] != UInt8(ascii: "\"") {
                text.append(bytes[place])
                place += 1
            } else if place + 1 < bytes.count, bytes[place + 1] == UInt8(ascii: "\"") {
                text.append(UInt8(ascii: "\""))
                place += 2
            } else {
                place += 1
                return Value(
                    text: String(decoding: text, as: UTF8.self),
                    offset: start,
                    byteCount: place - start
                )
            }
        }
        throw Problem(offset: start, reason: "the quote that begins here does not end")
    }
}
