import CardData

/// A double-length triple DES key, 16 bytes, which no description shows.
public struct CipherKey: Hashable, Sendable {
    /// The first eight bytes, big-endian.
    public var left: UInt64
    /// The last eight bytes, big-endian.
    public var right: UInt64

    /// Creates a key from its halves; parity bits are not looked at.
    @inlinable
    public init(left: UInt64, right: UInt64) {
        self.left = left
        self.right = right
    }

    /// Reads 32 hexadecimal digits, or returns `nil`.
    public init?(_ hexadecimal: String) {
        guard let bytes = Hexadecimal.decode(hexadecimal), bytes.count == 16 else { return nil }
        left = bytes[..<8].reduce(0) { $0 << 8 | UInt64($1) }
        right = bytes[8...].reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// The published test key of ANSI X9.24 and of MagTek's manuals,
    /// `0123456789ABCDEFFEDCBA9876543210`.
    public static let publishedTestKey = CipherKey(
        left: 0x0123_4567_89AB_CDEF,
        right: 0xFEDC_BA98_7654_3210
    )

    /// Returns the key with the same eight bytes exclusive-ored into both halves.
    @inlinable
    public func masked(_ mask: UInt64) -> CipherKey {
        CipherKey(left: left ^ mask, right: right ^ mask)
    }
}

extension CipherKey: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// No part of the key.
    public var description: String { "key" }

    /// No part of the key.
    public var debugDescription: String { "key" }

    /// A mirror without children, so that reflection shows no key.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
