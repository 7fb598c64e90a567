extension TLV {
    /// The bytes of the object: tag, shortest length, value.
    public var bytes: [UInt8] {
        var bytes: [UInt8] = []
        append(to: &bytes)
        return bytes
    }

    /// Adds the bytes of the object at the end of a buffer.
    public func append(to bytes: inout [UInt8]) {
        tag.append(to: &bytes)
        guard !children.isEmpty else {
            Self.append(length: value.count, to: &bytes)
            bytes.append(contentsOf: value)
            return
        }
        let inner = children.tlvBytes
        Self.append(length: inner.count, to: &bytes)
        bytes.append(contentsOf: inner)
    }

    private static func append(length: Int, to bytes: inout [UInt8]) {
        switch length {
        case 0..<0x80: bytes.append(UInt8(length))
        case 0x80..<0x100: bytes += [0x81, UInt8(length)]
        case 0x100..<0x1_0000: bytes += [0x82, UInt8(length >> 8), UInt8(length & 0xFF)]
        default: bytes += [0x84] + UInt64.bigEndianBytes(UInt64(length), byteCount: 4)
        }
    }

    /// Reads objects up to the end of the bytes.
    ///
    /// - Parameter bytes: Whole objects; offsets of errors count from the first of them.
    /// - Returns: The objects in their order, without the padding between them.
    /// - Throws: ``TLVError`` at the first byte that fits no object.
    /// - Complexity: O(*n*), where *n* is the number of bytes.
    public static func objects(in bytes: some Collection<UInt8>) throws(TLVError) -> [TLV] {
        let array = Array(bytes)
        return try objects(in: array, 0..<array.count, depth: 1)
    }

    private static func objects(
        in bytes: [UInt8],
        _ range: Range<Int>,
        depth: Int
    ) throws(TLVError) -> [TLV] {
        var objects: [TLV] = []
        var position = range.lowerBound
        while position < range.upperBound {
            guard bytes[position] != 0 else {
                position += 1
                continue
            }
            guard depth <= maximumDepth else { throw TLVError(.nestedTooDeeply, offset: position) }
            let header = try TLVHeader(in: bytes, at: position, end: range.upperBound)
            let value = header.value
            if header.tag.isConstructed {
                let children = try Self.objects(in: bytes, value, depth: depth + 1)
                objects.append(TLV(header.tag, children))
            } else {
                objects.append(TLV(header.tag, Array(bytes[value])))
            }
            position = value.upperBound
        }
        return objects
    }
}

/// Where one object stands in its bytes.
struct TLVHeader {
    /// The tag.
    var tag: TLVTag
    /// The positions of the value.
    var value: Range<Int>

    /// Reads tag and length at a position.
    init(in bytes: [UInt8], at start: Int, end: Int) throws(TLVError) {
        var position = start
        func take() throws(TLVError) -> UInt8 {
            guard position < end else { throw TLVError(.truncatedHeader, offset: start) }
            defer { position += 1 }
            return bytes[position]
        }
        var tag = UInt32(try take())
        if tag & 0x1F == 0x1F {
            var byte: UInt8
            repeat {
                byte = try take()
                guard tag <= 0xFF_FFFF else { throw TLVError(.tagTooLong, offset: start) }
                tag = tag << 8 | UInt32(byte)
            } while byte & 0x80 != 0
        }
        self.tag = TLVTag(tag)
        let lengthOffset = position
        let first = try take()
        let byteCount: Int
        switch first {
        case 0..<0x80: byteCount = Int(first)
        case 0x81: byteCount = Int(try take())
        case 0x82: byteCount = Int(try take()) << 8 | Int(try take())
        default: throw TLVError(.lengthFieldTooWide, offset: lengthOffset)
        }
        guard byteCount <= end - position else {
            throw TLVError(.valueTooLong, offset: position)
        }
        value = position..<(position + byteCount)
    }
}
