import CardData

/// A DUKPT key serial number: 59 bits that name the reader's key, 21 bits that count its uses.
///
/// Source: ANSI X9.24-1:2004, annex A; 10 bytes on the wire, big-endian.
public struct KSN: Hashable, Sendable {
    /// The first two bytes.
    @usableFromInline let high: UInt16
    /// The last eight bytes.
    @usableFromInline let low: UInt64

    @usableFromInline static let counterMask: UInt64 = 0x1F_FFFF

    @usableFromInline
    init(high: UInt16, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// Creates a number from its ten bytes, or returns `nil` for another length.
    public init?(_ bytes: ArraySlice<UInt8>) {
        guard bytes.count == 10 else { return nil }
        var high: UInt16 = 0
        var low: UInt64 = 0
        for byte in bytes.prefix(2) { high = high << 8 | UInt16(byte) }
        for byte in bytes.dropFirst(2) { low = low << 8 | UInt64(byte) }
        self.init(high: high, low: low)
    }

    /// Creates a number from its ten bytes, or returns `nil` for another length.
    public init?(_ bytes: [UInt8]) { self.init(bytes[...]) }

    /// Reads 20 hexadecimal digits, or returns `nil`.
    public init?(_ hexadecimal: String) {
        guard let bytes = Hexadecimal.decode(hexadecimal) else { return nil }
        self.init(bytes)
    }

    /// The published initial number of MagTek's manuals, `FFFF9876543210E00000`.
    public static let publishedTestKSN = KSN(high: 0xFFFF, low: 0x9876_5432_10E0_0000)

    /// The 21-bit counter, 0 to 2,097,151.
    @inlinable public var counter: UInt32 { UInt32(low & Self.counterMask) }

    /// Returns the number with another counter; bits above the 21st are dropped.
    @inlinable
    public func withCounter(_ counter: UInt32) -> KSN {
        KSN(high: high, low: low & ~Self.counterMask | UInt64(counter) & Self.counterMask)
    }

    /// The number of the next key, or `nil` when the keys are used up.
    ///
    /// Counters with more than ten ones are skipped, so that a key is at most ten steps away from
    /// the initial one; 1,048,575 keys can be used, the last with counter `1FF800`.
    public var next: KSN? {
        var counter = counter + 1
        while counter.nonzeroBitCount > 10 { counter += counter & (~counter &+ 1) }
        return counter > 0x1F_FFFF ? nil : withCounter(counter)
    }

    /// The ten bytes as words whose counter bits are zero, for derivation.
    var identifier: KSN { KSN(high: high, low: low & ~Self.counterMask) }

    /// Adds the ten bytes at the end of a buffer.
    public func append(to bytes: inout [UInt8]) {
        bytes.append(UInt8(truncatingIfNeeded: high >> 8))
        bytes.append(UInt8(truncatingIfNeeded: high))
        var shift = 56
        while shift >= 0 {
            bytes.append(UInt8(truncatingIfNeeded: low >> UInt64(shift)))
            shift -= 8
        }
    }

    /// The ten bytes.
    public var bytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(10)
        append(to: &bytes)
        return bytes
    }
}

extension KSN: CustomStringConvertible {
    /// Twenty upper-case hexadecimal digits; a KSN is no secret.
    public var description: String { Hexadecimal.encode(bytes) }
}
