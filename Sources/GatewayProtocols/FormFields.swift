/// The decoded fields of a body of type `application/x-www-form-urlencoded`.
///
/// Blanks may stand raw or as `+`; where a name comes twice the last one counts, as with the PHP
/// servers that gateways run on (assumed, the manuals do not say).
///
/// Source: WHATWG URL Standard, section 5.1, application/x-www-form-urlencoded parsing.
public struct FormFields: Hashable, Sendable {
    /// The longest body accepted, in bytes: room for a signature image of 16 KiB, escaped.
    public static let maximumByteCount = 65_536
    /// The greatest number of fields accepted.
    public static let maximumFieldCount = 512
    /// The longest name that ``checkText(maximumValueByteCount:)`` accepts, in bytes.
    public static let maximumNameByteCount = 128

    /// Who wrote the body, which decides how a wrong escape is taken.
    public enum Dialect: Hashable, Sendable {
        /// A `%` without two hexadecimal digits is an error.
        case request
        /// A `%` without two hexadecimal digits stands for itself: texts come unescaped.
        case response
        /// Nothing is escaped: `%` and `+` stand for themselves.
        case raw
    }

    /// One field's place among the decoded bytes.
    private struct Field: Hashable {
        var nameStart: Int
        var nameEnd: Int
        var valueStart: Int
        var valueEnd: Int
        /// Where the value begins in the body as it was received.
        var valueOffset: Int
    }

    private var decoded: [UInt8]
    private var fields: [Field] = []

    /// Decodes a body.
    ///
    /// - Throws: ``FormError`` when the body is longer than ``maximumByteCount``, has more fields
    ///   than ``maximumFieldCount`` or, in a request, has a wrong escape.
    /// - Complexity: O(*n*), where *n* is the number of bytes.
    public init(decoding body: [UInt8], as dialect: Dialect) throws(FormError) {
        guard body.count <= Self.maximumByteCount else {
            throw FormError(code: .bodyTooLong, offset: Self.maximumByteCount)
        }
        decoded = body
        fields.reserveCapacity(16)
        let isPlain = try decodePlain(body.span, isRaw: dialect == .raw)
        guard !isPlain else { return }
        fields.removeAll(keepingCapacity: true)
        try decodeEscaped(body.span, as: dialect)
    }

    /// How many fields there are, duplicates and empty values included.
    public var count: Int { fields.count }

    /// The position of the field that counts for a name, or `nil` when there is none.
    ///
    /// - Complexity: O(*n*), where *n* is the number of fields.
    public func index(of name: String) -> Int? {
        var index = fields.count - 1
        while index >= 0 {
            if hasName(name, at: index) { return index }
            index -= 1
        }
        return nil
    }

    /// Whether the field at a position has this name.
    package func hasName(_ name: String, at index: Int) -> Bool {
        let field = fields[index]
        let wanted = name.utf8.span
        return field.nameEnd - field.nameStart == wanted.count
            && decoded.span.hasBytes(of: wanted, at: field.nameStart)
    }

    /// How many bytes the name of the field at a position has.
    package func nameLength(at index: Int) -> Int {
        fields[index].nameEnd - fields[index].nameStart
    }

    /// Whether the field at a position has this value.
    package func hasValue(_ value: String, at index: Int) -> Bool {
        let field = fields[index]
        let wanted = value.utf8.span
        return field.valueEnd - field.valueStart == wanted.count
            && decoded.span.hasBytes(of: wanted, at: field.valueStart)
    }

    /// The decoded name of the field at a position.
    public func name(at index: Int) -> ArraySlice<UInt8> {
        decoded[fields[index].nameStart..<fields[index].nameEnd]
    }

    /// The decoded value of the field at a position.
    public func value(at index: Int) -> ArraySlice<UInt8> {
        decoded[fields[index].valueStart..<fields[index].valueEnd]
    }

    /// Where the value of the field at a position begins in the body as it was received.
    public func valueOffset(at index: Int) -> Int { fields[index].valueOffset }

    /// The decoded value that counts for a name, or `nil` when there is no such field.
    public func value(of name: String) -> ArraySlice<UInt8>? {
        index(of: name).map { value(at: $0) }
    }

    /// The value that counts for a name as text, or `nil` when there is no such field; bytes that
    /// are not UTF-8 become replacement characters.
    public func text(of name: String) -> String? {
        value(of: name).map { String(decoding: $0, as: UTF8.self) }
    }

    /// Checks that names and values are text and not too long.
    ///
    /// - Parameter maximumValueByteCount: The longest value of the field at a position, in bytes.
    /// - Throws: ``FormError`` with the position of the first field at fault in the body; of a name
    ///   that of its value.
    /// - Complexity: O(*n*), where *n* is the number of bytes.
    public func checkText(maximumValueByteCount: (Int) -> Int) throws(FormError) {
        for index in fields.indices {
            let field = fields[index]
            var code: FormError.Code?
            if field.nameEnd - field.nameStart > Self.maximumNameByteCount {
                code = .nameTooLong
            } else if field.valueEnd - field.valueStart > maximumValueByteCount(index) {
                code = .valueTooLong
            } else {
                let bytes = decoded[field.nameStart..<field.valueEnd]
                if bytes.contains(0) {
                    code = .nulByte
                } else if bytes.contains(where: { $0 >= 0x80 }) {
                    let isText =
                        String(validating: decoded[field.nameStart..<field.nameEnd], as: UTF8.self)
                        != nil
                        && String(
                            validating: decoded[field.valueStart..<field.valueEnd],
                            as: UTF8.self
                        ) != nil
                    if !isText { code = .invalidText }
                }
            }
            if let code { throw FormError(code: code, offset: field.valueOffset) }
        }
    }

    /// The position of the first field whose name came before, or `nil`.
    ///
    /// - Complexity: O(*n*²), where *n* is the number of fields, at most ``maximumFieldCount``.
    public var firstRepeatedIndex: Int? {
        for index in fields.indices {
            let name = name(at: index)
            for earlier in 0..<index where self.name(at: earlier).elementsEqual(name) {
                return index
            }
        }
        return nil
    }

    /// Finds the fields of a body without escapes, or returns `false` at the first escape.
    private mutating func decodePlain(
        _ raw: Span<UInt8>,
        isRaw: Bool
    ) throws(FormError) -> Bool {
        var field = FieldInProgress(start: 0, offset: 0)
        for index in raw.indices {
            let byte = raw[index]
            // Letters and digits are neither of the four and by far the most.
            guard byte < UInt8(ascii: "0") || byte == UInt8(ascii: "=") else { continue }
            switch byte {
            case UInt8(ascii: "="): field.endName(at: index, nextOffset: index + 1)
            case UInt8(ascii: "&"):
                try close(field, end: index, offset: index)
                field = FieldInProgress(start: index + 1, offset: index + 1)
            case UInt8(ascii: "%"), UInt8(ascii: "+"): if !isRaw { return false }
            default: break
            }
        }
        try close(field, end: raw.count, offset: raw.count)
        return true
    }

    private mutating func decodeEscaped(
        _ raw: Span<UInt8>,
        as dialect: Dialect
    ) throws(FormError) {
        var bytes = decoded
        var written = 0
        var index = 0
        var field = FieldInProgress(start: 0, offset: 0)
        while index < raw.count {
            var byte = raw[index]
            var width = 1
            switch byte {
            case UInt8(ascii: "="):
                field.endName(at: written, nextOffset: index + 1)
            case UInt8(ascii: "&"):
                try close(field, end: written, offset: index)
                field = FieldInProgress(start: written + 1, offset: index + 1)
            case UInt8(ascii: "+"):
                byte = UInt8(ascii: " ")
            case UInt8(ascii: "%"):
                if let escaped = raw.escapedByte(at: index) {
                    byte = escaped
                    width = 3
                } else if dialect == .request {
                    throw FormError(code: .wrongEscape, offset: index)
                }
            default: break
            }
            bytes[written] = byte
            written += 1
            index += width
        }
        try close(field, end: written, offset: raw.count)
        decoded = bytes
    }

    private mutating func close(
        _ field: FieldInProgress,
        end: Int,
        offset: Int
    ) throws(FormError) {
        let hasValue = field.valueStart != nil
        guard hasValue || end > field.nameStart else { return }
        guard fields.count < Self.maximumFieldCount else {
            throw FormError(code: .tooManyFields, offset: field.nameOffset)
        }
        fields.append(
            Field(
                nameStart: field.nameStart,
                nameEnd: field.nameEnd ?? end,
                valueStart: field.valueStart ?? end,
                valueEnd: end,
                valueOffset: field.valueStart == nil ? offset : field.valueOffset
            )
        )
    }

    /// A field whose end has not been met yet.
    private struct FieldInProgress {
        var nameStart: Int
        var nameOffset: Int
        var nameEnd: Int?
        var valueStart: Int?
        var valueOffset = 0

        init(start: Int, offset: Int) {
            nameStart = start
            nameOffset = offset
        }

        /// Notes the first equals sign; later ones belong to the value.
        mutating func endName(at position: Int, nextOffset: Int) {
            guard nameEnd == nil else { return }
            nameEnd = position
            valueStart = position + 1
            valueOffset = nextOffset
        }
    }
}

/// Why a body is not a form that can be used.
///
/// The error carries positions and never the bytes: values can be card data.
public struct FormError: Error, Hashable, Sendable {
    /// The kind of mistake.
    public enum Code: Hashable, Sendable {
        /// The body is longer than ``FormFields/maximumByteCount``.
        case bodyTooLong
        /// The body has more than ``FormFields/maximumFieldCount`` fields.
        case tooManyFields
        /// A `%` is not followed by two hexadecimal digits.
        case wrongEscape
        /// A name is longer than ``FormFields/maximumNameByteCount``.
        case nameTooLong
        /// A value is longer than a value of that name may be.
        case valueTooLong
        /// A name or a value holds a byte 0.
        case nulByte
        /// A name or a value is not UTF-8, for instance an overlong form or half of a pair.
        case invalidText
    }

    /// The kind of mistake, for programs.
    public var code: Code
    /// The position of the first bad byte in the body.
    public var offset: Int

    /// Creates an error.
    public init(code: Code, offset: Int) {
        self.code = code
        self.offset = offset
    }
}

extension FormError.Code: CustomStringConvertible {
    /// One sentence without a full stop.
    public var description: String {
        switch self {
        case .bodyTooLong: "the body is longer than \(FormFields.maximumByteCount) bytes"
        case .tooManyFields: "more than \(FormFields.maximumFieldCount) fields"
        case .wrongEscape: "`%` without two hexadecimal digits"
        case .nameTooLong: "a name is longer than \(FormFields.maximumNameByteCount) bytes"
        case .valueTooLong: "a value is longer than it may be"
        case .nulByte: "a name or a value holds a byte 0"
        case .invalidText: "a name or a value is not UTF-8"
        }
    }
}

extension Span<UInt8> {
    /// Whether the bytes from a position on begin with others; the caller checks the length.
    fileprivate func hasBytes(of other: Span<UInt8>, at start: Int) -> Bool {
        for index in other.indices where self[start + index] != other[index] { return false }
        return true
    }

    /// The byte that `%` and two hexadecimal digits at a position stand for.
    fileprivate func escapedByte(at index: Int) -> UInt8? {
        guard index + 2 < count,
            let high = self[index + 1].hexDigitValue,
            let low = self[index + 2].hexDigitValue
        else { return nil }
        return high << 4 | low
    }
}

extension UInt8 {
    /// The value of an ASCII hexadecimal digit of either case.
    package var hexDigitValue: UInt8? {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): self - UInt8(ascii: "0")
        case UInt8(ascii: "A")...UInt8(ascii: "F"): self - UInt8(ascii: "A") + 10
        case UInt8(ascii: "a")...UInt8(ascii: "f"): self - UInt8(ascii: "a") + 10
        default: nil
        }
    }
}

extension Sequence<UInt8> {
    /// The whole number that decimal digits stand for, or `nil` when there is another byte, no
    /// byte or no room in 64 bits.
    package var decimalValue: UInt64? {
        var value: UInt64 = 0
        var hasDigits = false
        for byte in self {
            guard byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") else { return nil }
            let (product, productOverflows) = value.multipliedReportingOverflow(by: 10)
            let (sum, sumOverflows) = product.addingReportingOverflow(
                UInt64(byte - UInt8(ascii: "0"))
            )
            guard !productOverflows, !sumOverflows else { return nil }
            value = sum
            hasDigits = true
        }
        return hasDigits ? value : nil
    }
}
