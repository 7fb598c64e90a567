/// The order of the bytes in a number; a section or file has one, its USB headers share it.
public enum ByteOrder: Hashable, Sendable {
    /// Least significant byte first, what every writer on a PC does.
    case littleEndian
    /// Most significant byte first, also called network order.
    case bigEndian
}

// Loads check each index: a reader verifies lengths first, and a mistake there traps here instead of
// reading beyond the block.
extension [UInt8] {
    @inline(__always)
    func load16(at index: Int, _ order: ByteOrder) -> UInt16 {
        let first = UInt16(self[index])
        let second = UInt16(self[index + 1])
        return switch order {
        case .littleEndian: first | second << 8
        case .bigEndian: second | first << 8
        }
    }

    @inline(__always)
    func load32(at index: Int, _ order: ByteOrder) -> UInt32 {
        let first = UInt32(load16(at: index, order))
        let second = UInt32(load16(at: index + 2, order))
        return switch order {
        case .littleEndian: first | second << 16
        case .bigEndian: second | first << 16
        }
    }
}

extension ArraySlice<UInt8> {
    /// Loads a number at an offset from the slice's own beginning.
    @inline(__always)
    func load16(atOffset offset: Int, _ order: ByteOrder) -> UInt16 {
        let first = UInt16(self[startIndex + offset])
        let second = UInt16(self[startIndex + offset + 1])
        return switch order {
        case .littleEndian: first | second << 8
        case .bigEndian: second | first << 8
        }
    }

    @inline(__always)
    func load32(atOffset offset: Int, _ order: ByteOrder) -> UInt32 {
        let first = UInt32(load16(atOffset: offset, order))
        let second = UInt32(load16(atOffset: offset + 2, order))
        return switch order {
        case .littleEndian: first | second << 16
        case .bigEndian: second | first << 16
        }
    }

    @inline(__always)
    func load64(atOffset offset: Int, _ order: ByteOrder) -> UInt64 {
        let first = UInt64(load32(atOffset: offset, order))
        let second = UInt64(load32(atOffset: offset + 4, order))
        return switch order {
        case .littleEndian: first | second << 32
        case .bigEndian: second | first << 32
        }
    }
}

extension [UInt8] {
    /// Appends a number in a byte order.
    mutating func store(_ number: some FixedWidthInteger, _ order: ByteOrder) {
        let width = number.bitWidth
        for position in stride(from: 0, to: width, by: 8) {
            let shift =
                switch order {
                case .littleEndian: position
                case .bigEndian: width - 8 - position
                }
            append(UInt8(truncatingIfNeeded: number >> shift))
        }
    }

    /// Appends zero bytes up to the next multiple of four bytes from an index.
    mutating func pad4(from start: Int) {
        while (count - start) % 4 != 0 { append(0) }
    }
}
