/// A URL as one app hands it to another, split into its parts; nothing in it is decoded.
///
/// Source: RFC 3986, section 3. The system hands over printable ASCII only; that everything else is
/// refused is assumed of every platform.
public struct InnerFenceURL: Hashable, Sendable {
    /// The longest URL accepted, in bytes (assumed: the systems name no limit).
    public static let maximumByteCount = 65_536

    /// The whole URL.
    public let bytes: [UInt8]
    private let colon: Int
    private let hostStart: Int
    private let hostEnd: Int
    private let pathEnd: Int
    private let queryEnd: Int

    /// Splits a URL.
    ///
    /// - Throws: ``InnerFenceURLError`` when it is longer than ``maximumByteCount``, holds a byte
    ///   that is no printable ASCII, or begins with no scheme.
    /// - Complexity: O(*n*), where *n* is the number of bytes.
    public init(_ bytes: [UInt8]) throws(InnerFenceURLError) {
        guard bytes.count <= Self.maximumByteCount else {
            throw InnerFenceURLError(code: .tooLong, offset: Self.maximumByteCount)
        }
        if let offset = bytes.firstIndex(where: { $0 <= 0x20 || $0 >= 0x7F }) {
            throw InnerFenceURLError(code: .unprintableByte, offset: offset)
        }
        let schemeEnd = bytes.firstIndex { !$0.isSchemeCharacter } ?? bytes.count
        guard schemeEnd < bytes.count, bytes[schemeEnd] == UInt8(ascii: ":"), schemeEnd > 0,
            bytes[0].isASCIILetter
        else { throw InnerFenceURLError(code: .noScheme, offset: schemeEnd) }
        colon = schemeEnd
        let rest = schemeEnd + 1
        var start = rest
        var end = rest
        if bytes[rest...].starts(with: [UInt8(ascii: "/"), UInt8(ascii: "/")]) {
            start = rest + 2
            end = bytes[start...].firstIndex(where: \.endsAuthority) ?? bytes.count
        }
        hostStart = start
        hostEnd = end
        let fragment = bytes[end...].firstIndex(of: UInt8(ascii: "#")) ?? bytes.count
        queryEnd = fragment
        pathEnd = bytes[end..<fragment].firstIndex(of: UInt8(ascii: "?")) ?? fragment
        self.bytes = bytes
    }

    /// Splits the UTF-8 of a text.
    ///
    /// - Throws: ``InnerFenceURLError`` as ``init(_:)-([UInt8])`` does.
    public init(_ text: String) throws(InnerFenceURLError) { try self.init(Array(text.utf8)) }

    /// The scheme, without the colon; letters of either case as they stand.
    public var scheme: ArraySlice<UInt8> { bytes[..<colon] }
    /// What stands between `//` and the path: host and port; empty without `//`.
    public var host: ArraySlice<UInt8> { bytes[hostStart..<hostEnd] }
    /// The path, with its first `/`.
    public var path: ArraySlice<UInt8> { bytes[hostEnd..<pathEnd] }
    /// Whether there is a `?` before the fragment.
    public var hasQuery: Bool { pathEnd < queryEnd }
    /// The query, without the `?` and the fragment; its indices are positions in the URL.
    public var query: ArraySlice<UInt8> { bytes[min(pathEnd + 1, queryEnd)..<queryEnd] }
    /// The fragment with its `#`; empty without one.
    public var fragment: ArraySlice<UInt8> { bytes[queryEnd...] }

    /// Whether the scheme is this one; letters of either case are the same.
    ///
    /// Source: RFC 3986, section 3.1: schemes are case-insensitive.
    public func hasScheme(_ wanted: String) -> Bool {
        scheme.count == wanted.utf8.count
            && zip(scheme, wanted.utf8).allSatisfy { $0.asciiLowercase == $1.asciiLowercase }
    }
}

/// Why bytes are no URL that one app could hand to another; it holds positions, never the bytes.
public struct InnerFenceURLError: Error, Hashable, Sendable {
    /// The kind of mistake.
    public enum Code: Hashable, Sendable {
        /// The URL is longer than ``InnerFenceURL/maximumByteCount``.
        case tooLong
        /// A byte is a blank, a control character or beyond ASCII.
        case unprintableByte
        /// The URL does not begin with a scheme and a colon.
        case noScheme
    }

    /// The kind of mistake, for programs.
    public var code: Code
    /// The position of the first bad byte.
    public var offset: Int

    /// Creates an error.
    public init(code: Code, offset: Int) {
        self.code = code
        self.offset = offset
    }
}

extension InnerFenceURLError: CustomStringConvertible {
    /// One sentence without a full stop.
    public var description: String {
        switch code {
        case .tooLong: "the URL is longer than \(InnerFenceURL.maximumByteCount) bytes"
        case .unprintableByte: "a URL holds printable ASCII only, other bytes as `%` and two digits"
        case .noScheme: "a URL begins with a scheme such as `com-your-app:`"
        }
    }
}

extension UInt8 {
    var isASCIILetter: Bool {
        switch self {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"): true
        default: false
        }
    }

    var isASCIIDigit: Bool { self >= UInt8(ascii: "0") && self <= UInt8(ascii: "9") }

    var asciiLowercase: UInt8 {
        self >= UInt8(ascii: "A") && self <= UInt8(ascii: "Z") ? self | 0x20 : self
    }

    fileprivate var isSchemeCharacter: Bool {
        switch self {
        case UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."): true
        default: isASCIILetter || isASCIIDigit
        }
    }

    fileprivate var endsAuthority: Bool {
        switch self {
        case UInt8(ascii: "/"), UInt8(ascii: "?"), UInt8(ascii: "#"): true
        default: false
        }
    }
}
