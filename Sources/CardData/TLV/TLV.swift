/// One BER-TLV object, as Miura readers and EMV kernels write them.
///
/// Tags have up to four bytes, lengths are one byte, 81 xx or 82 xx xx, values may be empty, and
/// zeros between objects are padding. Whether an object is constructed follows from its tag.
/// Descriptions are masked by ``TLVTag/secrecy``.
/// Source: ISO/IEC 8825-1, 8.1; EMV Book 3, annex B; Miura Java SDK 1-1i, TLVParser.
public struct TLV: Hashable, Sendable {
    /// How deep objects may stand in one another.
    public static let maximumDepth = 16

    /// The tag.
    public var tag: TLVTag
    /// The value of a primitive object; empty for a constructed one.
    public var value: [UInt8]
    /// The objects inside a constructed one; empty for a primitive one.
    public var children: [TLV]

    /// Creates a primitive object.
    public init(_ tag: TLVTag, _ value: [UInt8]) {
        self.tag = tag
        self.value = value
        children = []
    }

    /// Creates a constructed object; its tag should have the bit for it (see
    /// ``TLVTag/isConstructed``), or its value is read back as bytes.
    public init(_ tag: TLVTag, _ children: [TLV]) {
        self.tag = tag
        value = []
        self.children = children
    }

    /// Creates a primitive object from ASCII or UTF-8 text.
    public init(_ tag: TLVTag, text: String) { self.init(tag, Array(text.utf8)) }

    /// Creates a primitive object from the low bytes of a number, the highest first.
    public init(_ tag: TLVTag, number: UInt64, byteCount: Int) {
        self.init(tag, UInt64.bigEndianBytes(number, byteCount: byteCount))
    }

    /// The value as text; bytes that are no UTF-8 come out as U+FFFD.
    public var text: String { String(decoding: value, as: UTF8.self) }

    /// The value as a big-endian number, or `nil` when it has more than eight bytes.
    public var number: UInt64? {
        value.count > 8 ? nil : value.reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// Returns the first object with a tag, this one included, depth first.
    ///
    /// That is how the vendor's SDK finds objects, wherever a reader puts them.
    public func first(_ tag: TLVTag) -> TLV? {
        self.tag == tag ? self : children.first(tag)
    }
}

extension UInt64 {
    /// The low bytes of a number, the highest first.
    package static func bigEndianBytes(_ number: UInt64, byteCount: Int) -> [UInt8] {
        (0..<byteCount).reversed().map {
            $0 > 7 ? 0 : UInt8(truncatingIfNeeded: number >> (8 * $0))
        }
    }
}

extension [TLV] {
    /// Returns the first object with a tag in these objects or inside them, depth first.
    public func first(_ tag: TLVTag) -> TLV? {
        // Positions instead of elements: nothing is copied but what is found.
        for index in indices {
            if self[index].tag == tag { return self[index] }
            if !self[index].children.isEmpty, let found = self[index].children.first(tag) {
                return found
            }
        }
        return nil
    }

    /// Returns all objects with a tag in these objects or inside them, in their order.
    public func all(_ tag: TLVTag) -> [TLV] {
        var found: [TLV] = []
        collect(tag, &found)
        return found
    }

    private func collect(_ tag: TLVTag, _ found: inout [TLV]) {
        for index in indices {
            if self[index].tag == tag { found.append(self[index]) }
            if !self[index].children.isEmpty { self[index].children.collect(tag, &found) }
        }
    }

    /// The bytes of the objects one after the other.
    public var tlvBytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(tlvByteCount)
        append(to: &bytes)
        return bytes
    }

    /// How many bytes the objects have.
    var tlvByteCount: Int {
        var count = 0
        for index in indices { count += self[index].byteCount }
        return count
    }

    func append(to bytes: inout [UInt8]) {
        for index in indices { self[index].append(to: &bytes) }
    }
}
