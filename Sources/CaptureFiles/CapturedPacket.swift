/// One packet of a capture file, with where it stood and what the container says of it.
public struct CapturedPacket: Hashable, Sendable {
    /// The packet's number in the file, from 1.
    ///
    /// Wireshark also numbers custom and journal blocks: in a file with those its frame number is
    /// larger.
    public var packetNumber: Int
    /// The number of its block in the file, from 1; in classic pcap the same as ``packetNumber``.
    public var blockNumber: Int
    /// Where its block begins, in bytes from the beginning of the file.
    public var byteOffset: Int
    /// Where ``data`` begins, in bytes from the beginning of the file.
    public var dataByteOffset: Int
    /// The number of its section, from 1; classic pcap is one section.
    public var sectionNumber: Int
    /// The number of its interface within the section, from 0.
    public var interfaceNumber: Int
    /// What ``data`` begins with.
    public var linkType: LinkType
    /// The byte order of its section, which is also that of usbmon headers in ``data``.
    public var byteOrder: ByteOrder
    /// When it was captured; `nil` for a Simple Packet Block, which has no time.
    public var time: CaptureTime?
    /// Whether the fraction of a classic pcap record was a second or more: ``time`` is then the
    /// last nanosecond of the record's second.
    public var hasIrregularTime: Bool
    /// Which way it went, where the container says so (epb_flags).
    public var direction: PacketDirection
    /// How many packets were lost between this one and the one before it, where known.
    public var dropCount: UInt64?
    /// How long it was on the wire, in bytes; more than `data.count` when it was cut.
    public var originalByteCount: Int
    /// The comments that somebody put on it, in order.
    public var comments: [String]
    /// What the header of a Bluetooth log's record says besides: the flags in btsnoop, the type in
    /// PacketLogger; 0 elsewhere.
    public var recordFlags: UInt32 = 0
    /// The captured bytes, a slice of the reader's buffer: copy them to keep them for long.
    public var data: ArraySlice<UInt8>

    /// Creates a packet of nothing, for ``CaptureReader/read(into:)`` to fill.
    public init() {
        packetNumber = 0
        blockNumber = 0
        byteOffset = 0
        dataByteOffset = 0
        sectionNumber = 0
        interfaceNumber = 0
        linkType = .null
        byteOrder = .littleEndian
        hasIrregularTime = false
        direction = .unknown
        originalByteCount = 0
        comments = []
        data = []
    }

    /// Whether the capture holds less of it than there was.
    public var isCut: Bool { data.count < originalByteCount }
}

/// Which way a packet went, seen from the host that captured it.
public enum PacketDirection: UInt32, Hashable, Sendable {
    /// The file does not say.
    case unknown = 0
    /// From the reader to the host.
    case inbound = 1
    /// From the host to the reader.
    case outbound = 2

    /// Reads the two direction bits of epb_flags.
    init(flags: UInt32) { self = PacketDirection(rawValue: flags & 3) ?? .unknown }
}

/// What an Interface Description Block says, and the last statistics on it.
public struct CapturedInterface: Hashable, Sendable {
    /// What packets of this interface begin with.
    public var linkType: LinkType
    /// At most so many bytes of a packet were kept; 0 means no limit.
    public var snapByteCount: UInt32
    /// if_name, such as `usbmon1`; at most 256 bytes of it are kept.
    public var name: String?
    /// if_description; at most 256 bytes of it are kept.
    public var interfaceDescription: String?
    /// The unit of its timestamps.
    public var resolution: TimestampResolution
    /// Seconds that are added to its timestamps.
    public var offsetSeconds: Int64
    /// isb_ifdrop plus isb_osdrop of the last statistics block: packets the capture lost.
    public var dropCount: UInt64?

    /// An interface with microseconds of which nothing is known but its link type.
    init(
        linkType: LinkType,
        snapByteCount: UInt32 = 0,
        resolution: TimestampResolution = .microseconds,
        offsetSeconds: Int64 = 0
    ) {
        self.linkType = linkType
        self.snapByteCount = snapByteCount
        self.resolution = resolution
        self.offsetSeconds = offsetSeconds
    }
}

/// What a Section Header Block says.
public struct CaptureSection: Hashable, Sendable {
    /// The section's number in the file, from 1.
    public var number: Int
    /// The byte order of everything in it.
    public var byteOrder: ByteOrder
    /// shb_hardware; at most 256 bytes of it are kept.
    public var hardware: String?
    /// shb_os; at most 256 bytes of it are kept.
    public var operatingSystem: String?
    /// shb_userappl, the program that wrote the file; at most 256 bytes of it are kept.
    public var application: String?
    /// The comments on the section, in order.
    public var comments: [String]
}

/// How many blocks of each kind were read so far; in classic pcap only packets are counted.
public struct CaptureBlockCounts: Hashable, Sendable {
    /// Section Header Blocks.
    public var sections = 0
    /// Interface Description Blocks.
    public var interfaces = 0
    /// Enhanced, Simple and obsolete Packet Blocks, and records of classic pcap.
    public var packets = 0
    /// Interface Statistics Blocks.
    public var statistics = 0
    /// Custom Blocks, both kinds; skipped.
    public var custom = 0
    /// Name Resolution, Decryption Secrets, journal and all other blocks; skipped.
    public var others = 0

    init() {}
}
