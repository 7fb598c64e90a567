extension TLV {
    /// The bytes of the object: tag, shortest length, value.
    public var bytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(byteCount)
        append(to: &bytes)
        return bytes
    }

    /// Adds the bytes of the object at the end of a buffer.
    public func append(to bytes: inout [UInt8]) {
        tag.append(to: &bytes)
        Self.append(length: valueByteCount, to: &bytes)
        if children.isEmpty {
            bytes.append(contentsOf: value)
        } else {
            children.append(to: &bytes)
        }
    }

    /// How many bytes the object has.
    var byteCount: Int {
        let count = valueByteCount
        let lengthByteCount = count < 0x80 ? 1 : count < 0x100 ? 2 : count < 0x1_0000 ? 3 : 5
        return tag.byteCount + lengthByteCount + count
    }

    private var valueByteCount: Int { children.isEmpty ? value.count : children.tlvByteCount }

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
        // The objects of a transaction are a few dozen, and have some eight bytes each.
        objects.reserveCapacity(min(48, range.count / 8))
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

    /// Reads tag and length at a position before the end.
    init(in bytes: [UInt8], at start: Int, end: Int) throws(TLVError) {
        var position = start + 1
        var number = UInt32(bytes[start])
        if number & 0x1F == 0x1F {
            var byte: UInt8
            repeat {
                guard position < end else { throw TLVError(.truncatedHeader, offset: start) }
                guard number <= 0xFF_FFFF else { throw TLVError(.tagTooLong, offset: start) }
                byte = bytes[position]
                number = number << 8 | UInt32(byte)
                position += 1
            } while byte & 0x80 != 0
        }
        tag = TLVTag(number)
        guard position < end else { throw TLVError(.truncatedHeader, offset: start) }
        let first = Int(bytes[position])
        let lengthOffset = position
        position += 1
        var byteCount = first
        if first >= 0x80 {
            guard first == 0x81 || first == 0x82 else {
                throw TLVError(.lengthFieldTooWide, offset: lengthOffset)
            }
            let width = first - 0x80
            guard position + width <= end else {
                throw TLVError(.truncatedHeader, offset: start)
            }
            byteCount = Int(bytes[position])
            if width == 2 { byteCount = byteCount << 8 | Int(bytes[position + 1]) }
            position += width
        }
        guard byteCount <= end - position else {
            throw TLVError(.valueTooLong, offset: position)
        }
        value = position..<(position + byteCount)
    }
}
