extension CaptureReader {
    /// Source: draft-tuexen-opsawg-pcapng, section 11.1, and 4.3 for the obsolete Packet Block.
    enum BlockType {
        static let sectionHeader: UInt32 = 0x0A0D_0D0A
        static let interfaceDescription: UInt32 = 1
        static let obsoletePacket: UInt32 = 2
        static let simplePacket: UInt32 = 3
        static let nameResolution: UInt32 = 4
        static let interfaceStatistics: UInt32 = 5
        static let enhancedPacket: UInt32 = 6
        static let journal: UInt32 = 9
        static let secrets: UInt32 = 10
        static let custom: UInt32 = 0x0000_0BAD
        static let customNotCopied: UInt32 = 0x4000_0BAD
    }

    /// The whole length of the block that is being waited for; `nil` until it can be known.
    var expectedBlockByteCount: Int? {
        guard bufferedByteCount >= 12 else { return nil }
        return Int(buffer.load32(at: start + 4, sectionByteOrder ?? byteOrder))
    }

    /// The byte order that a section header at `start` names, `nil` when it is another block.
    private var sectionByteOrder: ByteOrder? {
        guard buffer.load32(at: start, .littleEndian) == BlockType.sectionHeader else { return nil }
        return switch buffer.load32(at: start + 8, .littleEndian) {
        case 0x1A2B_3C4D: .littleEndian
        case 0x4D3C_2B1A: .bigEndian
        default: nil
        }
    }

    mutating func readPcapngPacket(
        into packet: inout CapturedPacket
    ) throws(CaptureError) -> Bool {
        while bufferedByteCount >= 12 {
            let isSectionHeader =
                buffer.load32(at: start, .littleEndian) == BlockType.sectionHeader
            if isSectionHeader {
                guard let order = sectionByteOrder else {
                    throw error(.badByteOrderMagic, at: start + 8)
                }
                byteOrder = order
            }
            let type = buffer.load32(at: start, byteOrder)
            if !isSectionHeader, Self.isTextModeDamage(type) {
                throw error(.textModeTransfer, at: start)
            }
            let byteCount = Int(buffer.load32(at: start + 4, byteOrder))
            guard byteCount >= Self.smallestBlock(type), byteCount % 4 == 0 else {
                throw error(.badBlockLength(byteCount: byteCount), at: start + 4)
            }
            guard byteCount <= Self.blockByteCountLimit else {
                throw error(
                    .blockTooLong(byteCount: byteCount, limit: Self.blockByteCountLimit),
                    at: start
                )
            }
            guard bufferedByteCount >= byteCount else { return false }
            let last = Int(buffer.load32(at: start + byteCount - 4, byteOrder))
            var isPacket = false
            if last == byteCount {
                isPacket = try readBlockOrTell(type, end: start + byteCount - 4, &packet)
            } else {
                try tell(
                    error(
                        .lengthsDisagree(first: byteCount, last: last),
                        at: start + byteCount - 4
                    )
                )
            }
            blockCount += 1
            consume(byteCount)
            if isPacket { return true }
        }
        return false
    }

    /// The length of a block of a type without data and options.
    private static func smallestBlock(_ type: UInt32) -> Int {
        switch type {
        case BlockType.sectionHeader: 28
        case BlockType.interfaceDescription: 20
        case BlockType.obsoletePacket, BlockType.enhancedPacket: 32
        case BlockType.simplePacket: 16
        case BlockType.interfaceStatistics: 24
        default: 12
        }
    }

    /// Whether a type is among those reserved to detect conversions of line ends.
    ///
    /// Source: draft-tuexen-opsawg-pcapng, section 11.1.
    private static func isTextModeDamage(_ type: UInt32) -> Bool {
        let low = type & 0x00FF_FFFF
        let high = type >> 8
        return low == 0x0A_0D0A || low == 0x0A_0D0D || high == 0x0A_0D0A || high == 0x0D_0D0A
    }

    private mutating func readBlockOrTell(
        _ type: UInt32,
        end: Int,
        _ packet: inout CapturedPacket
    ) throws(CaptureError) -> Bool {
        let countBefore = counts.packets
        do throws(CaptureError) {
            return try readBlock(type, end: end, &packet)
        } catch {
            // A packet that is left out has no number.
            counts.packets = countBefore
            try tell(error)
            return false
        }
    }

    private mutating func readBlock(
        _ type: UInt32,
        end: Int,
        _ packet: inout CapturedPacket
    ) throws(CaptureError) -> Bool {
        switch type {
        case BlockType.enhancedPacket:
            let number = Int(buffer.load32(at: start + 8, byteOrder))
            try readPacket(interface: number, end: end, &packet)
            return true
        case BlockType.obsoletePacket:
            let number = Int(buffer.load16(at: start + 8, byteOrder))
            let drops = buffer.load16(at: start + 10, byteOrder)
            try readPacket(interface: number, end: end, &packet)
            if drops != 0xFFFF { packet.dropCount = UInt64(drops) }
            return true
        case BlockType.simplePacket:
            try readSimplePacket(end: end, &packet)
            return true
        case BlockType.sectionHeader: try readSectionHeader(end: end)
        case BlockType.interfaceDescription: try readInterface(end: end)
        case BlockType.interfaceStatistics: try readStatistics(end: end)
        case BlockType.custom, BlockType.customNotCopied: counts.custom += 1
        case BlockType.nameResolution, BlockType.journal, BlockType.secrets: counts.others += 1
        default:
            counts.others += 1
            noteUnknown(type)
        }
        return false
    }

    /// Reads an Enhanced Packet Block, and an obsolete one, which is laid out alike from byte 12.
    private mutating func readPacket(
        interface number: Int,
        end: Int,
        _ packet: inout CapturedPacket
    ) throws(CaptureError) {
        let capturedByteCount = Int(buffer.load32(at: start + 20, byteOrder))
        let dataStart = start + 28
        guard capturedByteCount <= end - dataStart else {
            throw error(
                .packetExceedsBlock(byteCount: capturedByteCount, available: end - dataStart),
                at: start + 20
            )
        }
        try requireInterface(number)
        begin(
            &packet,
            interface: number,
            data: dataStart..<dataStart + capturedByteCount,
            originalByteCount: Int(buffer.load32(at: start + 24, byteOrder))
        )
        let high = UInt64(buffer.load32(at: start + 12, byteOrder))
        let low = UInt64(buffer.load32(at: start + 16, byteOrder))
        packet.time = interfaces[number].resolution.time(
            units: high << 32 | low,
            offsetSeconds: interfaces[number].offsetSeconds
        )
        var cursor = dataStart + (capturedByteCount + 3) & ~3
        guard cursor < end else { return }
        while let option = try nextOption(&cursor, end: end) {
            switch option.code {
            case 1: packet.comments.append(text(option.value))
            case 2 where option.value.count == 4:
                let flags = buffer.load32(at: option.value.lowerBound, byteOrder)
                packet.direction = PacketDirection(flags: flags)
            case 4 where option.value.count == 8:
                packet.dropCount = number64(option.value.lowerBound)
            default: break
            }
        }
    }

    private mutating func readSimplePacket(
        end: Int,
        _ packet: inout CapturedPacket
    ) throws(CaptureError) {
        let original = Int(buffer.load32(at: start + 8, byteOrder))
        let snap = interfaces.first.map { Int($0.snapByteCount) } ?? 0
        let captured = snap == 0 ? original : min(snap, original)
        let dataStart = start + 12
        guard captured <= end - dataStart else {
            throw error(
                .packetExceedsBlock(byteCount: captured, available: end - dataStart),
                at: start + 8
            )
        }
        try requireInterface(0)
        begin(
            &packet,
            interface: 0,
            data: dataStart..<dataStart + captured,
            originalByteCount: original
        )
    }

    private func requireInterface(_ number: Int) throws(CaptureError) {
        guard number < interfaces.count else {
            throw error(.noSuchInterface(number: number, count: interfaces.count), at: start + 8)
        }
    }

    private mutating func readSectionHeader(end: Int) throws(CaptureError) {
        let major = Int(buffer.load16(at: start + 12, byteOrder))
        let minor = Int(buffer.load16(at: start + 14, byteOrder))
        guard major == 1 else {
            throw error(.unsupportedVersion(major: major, minor: minor), at: start + 12)
        }
        counts.sections += 1
        interfaces.removeAll()
        var section = CaptureSection(
            number: counts.sections,
            byteOrder: byteOrder,
            comments: []
        )
        var cursor = start + 24
        while let option = try nextOption(&cursor, end: end) {
            switch option.code {
            case 1:
                section.comments.append(text(option.value))
                noteSectionComment(text(option.value))
            case 2: section.hardware = text(option.value.prefix(256))
            case 3: section.operatingSystem = text(option.value.prefix(256))
            case 4: section.application = text(option.value.prefix(256))
            default: break
            }
        }
        self.section = section
    }

    private mutating func readInterface(end: Int) throws(CaptureError) {
        guard interfaces.count < Self.interfaceCountLimit else {
            throw error(.tooManyInterfaces(limit: Self.interfaceCountLimit), at: start)
        }
        var interface = CapturedInterface(
            linkType: LinkType(rawValue: buffer.load16(at: start + 8, byteOrder)),
            snapByteCount: buffer.load32(at: start + 12, byteOrder),
            resolution: .microseconds,
            offsetSeconds: 0
        )
        var cursor = start + 16
        while let option = try nextOption(&cursor, end: end) {
            switch option.code {
            case 2: interface.name = text(option.value.prefix(256))
            case 3: interface.interfaceDescription = text(option.value.prefix(256))
            case 9 where option.value.count == 1:
                let value = buffer[option.value.lowerBound]
                interface.resolution = TimestampResolution(optionValue: value)
            case 14 where option.value.count == 8:
                interface.offsetSeconds = Int64(
                    bitPattern: number64(option.value.lowerBound)
                )
            default: break
            }
        }
        counts.interfaces += 1
        interfaces.append(interface)
    }

    private mutating func readStatistics(end: Int) throws(CaptureError) {
        let number = Int(buffer.load32(at: start + 8, byteOrder))
        guard number < interfaces.count else {
            throw error(.noSuchInterface(number: number, count: interfaces.count), at: start + 8)
        }
        counts.statistics += 1
        var drops: UInt64?
        var cursor = start + 20
        while let option = try nextOption(&cursor, end: end) {
            switch option.code {
            case 5 where option.value.count == 8, 7 where option.value.count == 8:
                drops = (drops ?? 0) &+ number64(option.value.lowerBound)
            default: break
            }
        }
        interfaces[number].dropCount = drops
    }

    /// Returns the next option of a block, or `nil` at the list's end or the block's.
    private func nextOption(
        _ cursor: inout Int,
        end: Int
    ) throws(CaptureError) -> (code: UInt16, value: Range<Int>)? {
        guard end - cursor >= 4 else { return nil }
        let code = buffer.load16(at: cursor, byteOrder)
        let byteCount = Int(buffer.load16(at: cursor + 2, byteOrder))
        guard code != 0 else { return nil }
        let valueStart = cursor + 4
        guard byteCount <= end - valueStart else {
            throw error(.badOption(code: Int(code)), at: cursor)
        }
        cursor = valueStart + (byteCount + 3) & ~3
        return (code, valueStart..<valueStart + byteCount)
    }

    private func number64(_ index: Int) -> UInt64 {
        let first = UInt64(buffer.load32(at: index, byteOrder))
        let second = UInt64(buffer.load32(at: index + 4, byteOrder))
        return byteOrder == .littleEndian ? first | second << 32 : second | first << 32
    }

    /// Text ends at a NUL, if there is one; what is no UTF-8 is replaced.
    private func text(_ range: Range<Int>) -> String {
        String(decoding: buffer[range].prefix { $0 != 0 }, as: UTF8.self)
    }
}
