/// Bytes with the name of the Wireshark dissector that shows them, link type 252.
///
/// Serial and loopback bytes go into a capture as `data`, the journal as `json`: Wireshark shows
/// both without a plug-in.
///
/// Source: Wireshark, epan/exported_pdu.h; the numbers were checked against tshark 4.0.17.
public struct ExportedPDU: Hashable, Sendable {
    private enum Tag {
        static let endOfOptions: UInt16 = 0
        static let dissectorName: UInt16 = 12
        static let protocolColumn: UInt16 = 33
        static let pointToPointDirection: UInt16 = 35
    }

    /// The dissector, such as `data` or `json`.
    public var dissectorName: String
    /// What Wireshark's protocol column shows instead of the dissector's own name, if anything.
    public var protocolColumn: String?
    /// Which way the bytes went; `unknown` is not written.
    public var direction: PacketDirection
    /// The bytes that the dissector shows.
    public var bytes: ArraySlice<UInt8>

    /// Creates a unit; names are cut to 255 bytes.
    public init(
        dissectorName: String = "data",
        protocolColumn: String? = nil,
        direction: PacketDirection = .unknown,
        bytes: [UInt8]
    ) {
        self.dissectorName = dissectorName
        self.protocolColumn = protocolColumn
        self.direction = direction
        self.bytes = bytes[...]
    }

    /// Reads the unit in a captured packet of link type 252; tags that are not known are skipped.
    ///
    /// - Throws: ``CaptureError`` with `unsupportedLinkType`, `headerTooShort` or `badField`.
    public init(decoding packet: CapturedPacket) throws(CaptureError) {
        func error(_ code: CaptureError.Code, at offset: Int) -> CaptureError {
            CaptureError(
                code,
                byteOffset: packet.dataByteOffset + offset,
                blockNumber: packet.blockNumber
            )
        }
        guard packet.linkType == .exportedPDU else {
            throw error(.unsupportedLinkType(packet.linkType), at: 0)
        }
        dissectorName = ""
        direction = .unknown
        var rest = packet.data
        while true {
            let offset = rest.startIndex - packet.data.startIndex
            guard rest.count >= 4 else {
                let code = CaptureError.Code.headerTooShort(
                    .exportedPDU,
                    byteCount: rest.count,
                    needed: 4
                )
                throw error(code, at: offset)
            }
            let tag = rest.load16(atOffset: 0, .bigEndian)
            let byteCount = Int(rest.load16(atOffset: 2, .bigEndian))
            rest = rest.dropFirst(4)
            guard byteCount <= rest.count else {
                let code = CaptureError.Code.badField(
                    .exportedPDU,
                    field: "the length of tag \(tag)",
                    value: byteCount
                )
                throw error(code, at: offset)
            }
            let value = rest.prefix(byteCount)
            rest = rest.dropFirst(byteCount)
            switch tag {
            case Tag.endOfOptions:
                bytes = rest
                return
            case Tag.dissectorName:
                dissectorName = String(decoding: value.prefix { $0 != 0 }, as: UTF8.self)
            case Tag.protocolColumn:
                protocolColumn = String(decoding: value.prefix { $0 != 0 }, as: UTF8.self)
            case Tag.pointToPointDirection where byteCount == 4:
                let isReceived = value.load32(atOffset: 0, .bigEndian) == 1
                direction = isReceived ? .inbound : .outbound
            default: break
            }
        }
    }

    /// Returns the bytes of a packet of link type 252.
    public func encode() -> [UInt8] {
        var output: [UInt8] = []
        Self.append(Tag.dissectorName, dissectorName, to: &output)
        if let protocolColumn { Self.append(Tag.protocolColumn, protocolColumn, to: &output) }
        if direction != .unknown {
            output.store(Tag.pointToPointDirection, .bigEndian)
            output.store(UInt16(4), .bigEndian)
            output.store(UInt32(direction == .inbound ? 1 : 0), .bigEndian)
        }
        output.store(UInt32(Tag.endOfOptions), .bigEndian)
        output += bytes
        return output
    }

    /// Appends a tag with text; the length counts the padding, as Wireshark writes it.
    private static func append(_ tag: UInt16, _ text: String, to output: inout [UInt8]) {
        let value = text.cut(toByteCount: 255)
        output.store(tag, .bigEndian)
        output.store(UInt16(value.count + 3) & ~3, .bigEndian)
        let start = output.count
        output += value
        output.pad4(from: start)
    }
}

extension String {
    /// The UTF-8 of the text, cut before the character that would not fit whole.
    func cut(toByteCount limit: Int) -> ArraySlice<UInt8> {
        let bytes = Array(utf8)
        guard bytes.count > limit else { return bytes[...] }
        var end = limit
        while end > 0, bytes[end] & 0xC0 == 0x80 { end -= 1 }
        return bytes[..<end]
    }
}
