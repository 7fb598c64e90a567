@testable import CaptureFiles

/// Writes blocks that ``CaptureWriter`` never writes: big-endian, obsolete, custom, broken.
struct BlockBuilder {
    var order = ByteOrder.bigEndian

    func block(_ type: UInt32, _ body: [UInt8]) -> [UInt8] {
        var padded = body
        padded.pad4(from: 0)
        let byteCount = UInt32(padded.count + 12)
        return number(type) + number(byteCount) + padded + number(byteCount)
    }

    func number(_ value: some FixedWidthInteger) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.store(value, order)
        return bytes
    }

    func option(_ code: UInt16, _ value: [UInt8]) -> [UInt8] {
        var padded = value
        padded.pad4(from: 0)
        return number(code) + number(UInt16(value.count)) + padded
    }

    func section(_ options: [UInt8] = []) -> [UInt8] {
        block(
            0x0A0D_0D0A,
            number(UInt32(0x1A2B_3C4D)) + number(UInt16(1)) + number(UInt16(0))
                + number(Int64(-1)) + options
        )
    }

    func interface(_ linkType: UInt16, snap: UInt32 = 0, _ options: [UInt8] = []) -> [UInt8] {
        block(1, number(linkType) + number(UInt16(0)) + number(snap) + options)
    }

    func enhanced(
        _ data: [UInt8],
        interface: UInt32 = 0,
        units: UInt64 = 0,
        _ options: [UInt8] = []
    ) -> [UInt8] {
        var padded = data
        padded.pad4(from: 0)
        return block(
            6,
            number(interface) + number(UInt32(truncatingIfNeeded: units >> 32))
                + number(UInt32(truncatingIfNeeded: units)) + number(UInt32(data.count))
                + number(UInt32(data.count)) + padded + options
        )
    }

    /// One file with every kind of block, in two sections of different byte order.
    static func everyKind() -> [UInt8] {
        let big = BlockBuilder(order: .bigEndian)
        let little = BlockBuilder(order: .littleEndian)
        var file = big.section(big.option(1, Array("first section".utf8)))
        file += big.interface(220, big.option(9, [9]) + big.option(2, Array("usbmon1".utf8)))
        file += big.interface(1, snap: 64)
        file += big.enhanced([1, 2, 3, 4, 5], interface: 1, units: 1_000_001)
        file += big.block(0xBAD, big.number(UInt32(32_473)) + [1, 2, 3])
        file += big.block(
            2,
            big.number(UInt16(0)) + big.number(UInt16(7)) + big.number(UInt64(2_000_000_005))
                + big.number(UInt32(2)) + big.number(UInt32(9)) + [0xAA, 0xBB, 0, 0]
        )
        file += big.block(5, big.number(UInt32(0)) + big.number(UInt64(0)))
        file += little.section()
        file += little.interface(189, snap: 3)
        file += little.block(3, little.number(UInt32(5)) + [9, 8, 7, 0])
        file += little.block(0x4000_0BAD, little.number(UInt32(32_473)))
        file += little.block(0x8000_0001, [1])
        let comment = little.option(1, Array("mark".utf8)) + little.option(2, [1, 0, 0, 0])
        file += little.enhanced([4, 4], units: 3_500_000, comment)
        return file
    }
}
