/// Writes pcapng, little-endian with nanoseconds, as bytes that the caller stores.
///
/// The first bytes of the file are ``sectionHeader``, then come interfaces and packets in any order
/// that describes an interface before its first packet. The same calls give the same bytes.
///
/// Source: draft-tuexen-opsawg-pcapng, sections 4.1 to 4.3 and 3.5 for options.
public struct CaptureWriter: Hashable, Sendable {
    /// Names an interface that this writer described.
    public struct Interface: Hashable, Sendable {
        /// Counted from 0.
        public let number: UInt32
        /// What its packets begin with.
        public let linkType: LinkType
    }

    /// The most bytes of one packet that are written; longer ones are cut and say so.
    public static let packetByteCountLimit = 8 * 1024 * 1024
    /// The most bytes of one comment or name; longer ones are cut at a character.
    public static let textByteCountLimit = 4_096
    /// The most comments on one packet or section; further ones are dropped.
    public static let commentCountLimit = 256

    /// The Section Header Block: the first bytes of the file.
    public let sectionHeader: [UInt8]
    private var interfaceCount: UInt32 = 0

    /// Creates a writer for one file of one section.
    ///
    /// - Parameters:
    ///   - application: Who writes, as shown by `capinfos` (shb_userappl).
    ///   - comments: On the file as a whole, such as that card data was kept in clear.
    public init(application: String = "cardrig", comments: [String] = []) {
        sectionHeader = Self.block(0x0A0D_0D0A) { body in
            body.store(UInt32(0x1A2B_3C4D), .littleEndian)
            body.store(UInt16(1), .littleEndian)
            body.store(UInt16(0), .littleEndian)
            body.store(Int64(-1), .littleEndian)
            Self.appendComments(comments, to: &body)
            Self.appendOption(4, application, to: &body)
            body.store(UInt32(0), .littleEndian)
        }
    }

    /// Describes one more interface and returns it with the bytes of its block.
    ///
    /// - Parameters:
    ///   - linkType: What its packets begin with.
    ///   - name: Such as the scenario's name for the reader (if_name).
    ///   - description: Such as the device's id (if_description).
    /// - Returns: What names the interface, and the block to write before its first packet.
    public mutating func addInterface(
        _ linkType: LinkType = .usbLinuxMmapped,
        name: String,
        description: String? = nil
    ) -> (interface: Interface, bytes: [UInt8]) {
        let bytes = Self.block(1) { body in
            body.store(linkType.rawValue, .littleEndian)
            body.store(UInt16(0), .littleEndian)
            body.store(UInt32(Self.packetByteCountLimit), .littleEndian)
            Self.appendOption(2, name, to: &body)
            if let description { Self.appendOption(3, description, to: &body) }
            Self.appendOption(9, [TimestampResolution.nanoseconds.optionValue], to: &body)
            body.store(UInt32(0), .littleEndian)
        }
        defer { interfaceCount += 1 }
        return (Interface(number: interfaceCount, linkType: linkType), bytes)
    }

    /// Returns the block of one packet.
    ///
    /// - Parameters:
    ///   - data: What the interface's link type demands, header included.
    ///   - originalByteCount: How long the packet was, when the capture holds less of it.
    ///   - interface: One that this writer returned.
    ///   - time: When it was captured; times outside 1970 to 2554 are written as the nearest.
    ///   - direction: Which way it went (epb_flags); `unknown` is not written.
    ///   - comments: Marks that Wireshark shows with the packet.
    /// - Returns: An Enhanced Packet Block.
    public func packet(
        _ data: [UInt8],
        originalByteCount: Int = 0,
        on interface: Interface,
        at time: CaptureTime,
        direction: PacketDirection = .unknown,
        comments: [String] = []
    ) -> [UInt8] {
        precondition(interface.number < interfaceCount, "an interface of another writer")
        let captured = data.prefix(Self.packetByteCountLimit)
        let units = Self.units(time)
        return Self.block(6) { body in
            body.store(interface.number, .littleEndian)
            body.store(UInt32(truncatingIfNeeded: units >> 32), .littleEndian)
            body.store(UInt32(truncatingIfNeeded: units), .littleEndian)
            body.store(UInt32(captured.count), .littleEndian)
            body.store(UInt32(clamping: max(data.count, originalByteCount)), .littleEndian)
            let start = body.count
            body += captured
            body.pad4(from: start)
            guard direction != .unknown || !comments.isEmpty else { return }
            Self.appendComments(comments, to: &body)
            if direction != .unknown {
                var flags: [UInt8] = []
                flags.store(direction.rawValue, .littleEndian)
                Self.appendOption(2, flags[...], to: &body)
            }
            body.store(UInt32(0), .littleEndian)
        }
    }

    /// Returns the block of one usbmon record, with its own time and its endpoint's direction.
    public func packet(
        _ record: USBMonPacket,
        on interface: Interface,
        comments: [String] = []
    ) -> [UInt8] {
        precondition(interface.linkType == .usbLinuxMmapped, "usbmon records need link type 220")
        let bytes = record.encode()
        return packet(
            bytes,
            originalByteCount: bytes.count
                + (record.isCut ? record.urbByteCount - record.data.count : 0),
            on: interface,
            at: record.time,
            direction: record.isIn ? .inbound : .outbound,
            comments: comments
        )
    }

    /// Returns the block of one exported PDU, such as a piece of a serial stream or a journal line.
    public func packet(
        _ unit: ExportedPDU,
        on interface: Interface,
        at time: CaptureTime,
        comments: [String] = []
    ) -> [UInt8] {
        precondition(interface.linkType == .exportedPDU, "exported PDUs need link type 252")
        return packet(
            unit.encode(),
            on: interface,
            at: time,
            direction: unit.direction,
            comments: comments
        )
    }

    /// Nanoseconds since 1970 as the unsigned count that a block holds.
    private static func units(_ time: CaptureTime) -> UInt64 {
        guard time.seconds >= 0 else { return 0 }
        let (product, isTooLarge) = UInt64(time.seconds)
            .multipliedReportingOverflow(by: 1_000_000_000)
        let (sum, overflows) = product.addingReportingOverflow(UInt64(time.nanoseconds))
        return isTooLarge || overflows ? .max : sum
    }

    private static func block(_ type: UInt32, _ fill: (inout [UInt8]) -> Void) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.store(type, .littleEndian)
        bytes.store(UInt32(0), .littleEndian)
        fill(&bytes)
        let byteCount = UInt32(bytes.count + 4)
        bytes.store(byteCount, .littleEndian)
        for position in 0..<4 {
            bytes[4 + position] = UInt8(truncatingIfNeeded: byteCount >> (8 * position))
        }
        return bytes
    }

    private static func appendComments(_ comments: [String], to body: inout [UInt8]) {
        for comment in comments.prefix(commentCountLimit) { appendOption(1, comment, to: &body) }
    }

    private static func appendOption(_ code: UInt16, _ text: String, to body: inout [UInt8]) {
        appendOption(code, text.cut(toByteCount: textByteCountLimit), to: &body)
    }

    private static func appendOption(
        _ code: UInt16,
        _ value: ArraySlice<UInt8>,
        to body: inout [UInt8]
    ) {
        body.store(code, .littleEndian)
        body.store(UInt16(value.count), .littleEndian)
        let start = body.count
        body += value
        body.pad4(from: start)
    }
}
