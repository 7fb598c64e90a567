/// Why a capture cannot be read on: what is wrong, and where; never any of the packet's bytes.
public struct CaptureError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is wrong.
    public enum Code: Hashable, Sendable {
        /// The file has no bytes.
        case empty
        /// The content is neither pcapng nor pcap, whatever the file's name says.
        case notACapture(FileKind)
        /// The file ends inside a block; what stood before it was delivered.
        case cutShort(presentByteCount: Int, expectedByteCount: Int?)
        /// A block says that it is longer than the reader's limit.
        case blockTooLong(byteCount: Int, limit: Int)
        /// A block's length is too small for its type or no multiple of four.
        case badBlockLength(byteCount: Int)
        /// The lengths at the beginning and at the end of a block differ.
        case lengthsDisagree(first: Int, last: Int)
        /// A section header without a known byte-order magic.
        case badByteOrderMagic
        /// The file's format has a version that is not known.
        case unsupportedVersion(major: Int, minor: Int)
        /// A block type that only appears when line ends were converted.
        case textModeTransfer
        /// A block of a type that is not known; it is passed over.
        case unknownBlock(type: UInt32)
        /// A packet of an interface that the section did not describe.
        case noSuchInterface(number: Int, count: Int)
        /// A section describes more interfaces than the reader's limit.
        case tooManyInterfaces(limit: Int)
        /// A packet's captured length does not fit its block.
        case packetExceedsBlock(byteCount: Int, available: Int)
        /// An option's length does not fit its block.
        case badOption(code: Int)
        /// A packet is shorter than the header that its link type demands.
        case headerTooShort(LinkType, byteCount: Int, needed: Int)
        /// A field of a packet's header has no meaning.
        case badField(LinkType, field: String, value: Int)
        /// A packet's link type is not one that the decoder reads.
        case unsupportedLinkType(LinkType)
    }

    /// What is wrong.
    public let code: Code
    /// Where, in bytes from the beginning of the file: the block, option or field in question.
    public let byteOffset: Int
    /// The block or, in classic pcap, the record; counted from 1, 0 for a pcap file header.
    public let blockNumber: Int

    init(_ code: Code, byteOffset: Int, blockNumber: Int) {
        self.code = code
        self.byteOffset = byteOffset
        self.blockNumber = blockNumber
    }

    /// One line that says what is wrong and where.
    public var description: String {
        switch code {
        case .empty, .notACapture: reason
        default: "block \(blockNumber), byte \(byteOffset): \(reason)"
        }
    }

    /// What is wrong, without the place.
    public var reason: String {
        switch code {
        case .empty:
            "the file is empty"
        case .notACapture(let kind):
            "not a pcapng or pcap capture: \(kind)"
        case .cutShort(let present, let expected?):
            "the file is cut short: \(present) of \(expected) bytes are there"
        case .cutShort(let present, nil):
            "the file is cut short after \(present) bytes of a header"
        case .blockTooLong(let byteCount, let limit):
            "a block of \(byteCount) bytes; at most \(limit) are read"
        case .badBlockLength(let byteCount):
            "a block cannot be \(byteCount) bytes long"
        case .lengthsDisagree(let first, let last):
            "the block's lengths differ: \(first) before and \(last) after its content"
        case .badByteOrderMagic:
            "a section header without a byte-order magic"
        case .unsupportedVersion(let major, let minor):
            "format version \(major).\(minor) is not known"
        case .textModeTransfer:
            "line ends were converted: the file went through a transfer in text mode"
        case .unknownBlock(let type):
            "a block of type 0x\(String(type, radix: 16)) is not known and passed over"
        case .noSuchInterface(let number, let count):
            "a packet of interface \(number), but the section describes \(count)"
        case .tooManyInterfaces(let limit):
            "more than \(limit) interfaces in one section"
        case .packetExceedsBlock(let byteCount, let available):
            "a packet of \(byteCount) bytes where at most \(available) fit"
        case .badOption(let code):
            "option \(code) is longer than its block"
        case .headerTooShort(let linkType, let byteCount, let needed):
            "\(byteCount) bytes where link type \(linkType) needs at least \(needed)"
        case .badField(let linkType, let field, let value):
            "link type \(linkType): \(field) cannot be \(value)"
        case .unsupportedLinkType(let linkType):
            UnsupportedLinkType(linkType: linkType).description
        }
    }
}

/// What a file that is no capture seems to be, by its first bytes.
public enum FileKind: Hashable, Sendable, CustomStringConvertible {
    /// gzip: 1F 8B.
    case gzip
    /// zip: `PK`.
    case zip
    /// xz.
    case xz
    /// Zstandard.
    case zstandard
    /// bzip2: `BZh`.
    case bzip2
    /// An Android or BlueZ Bluetooth log.
    case btsnoop
    /// A Solaris snoop capture.
    case snoop
    /// The "modified" pcap of Alexey Kuznetzov, with record headers of 24 bytes.
    case modifiedPcap
    /// A Microsoft Network Monitor capture.
    case networkMonitor
    /// A pcapng file whose line ends were converted.
    case convertedPcapng
    /// Printable text, such as a usbmon log or hex dump.
    case text
    /// Text in UTF-16, as Windows programs save it.
    case utf16Text
    /// Fewer bytes than any capture has.
    case tooShort
    /// Nothing that is known here.
    case unknown

    /// What the file is, with the remedy where there is one.
    public var description: String {
        switch self {
        case .gzip: "it is compressed with gzip once more; unpack it first"
        case .zip: "it is a zip archive; unpack it first"
        case .xz: "it is compressed with xz; unpack it first"
        case .zstandard: "it is compressed with zstd; unpack it first"
        case .bzip2: "it is compressed with bzip2; unpack it first"
        case .btsnoop: "it is a damaged btsnoop log"
        case .snoop: "it is a snoop capture"
        case .modifiedPcap: "it is a modified pcap with 24-byte record headers; save it as pcapng"
        case .networkMonitor: "it is a Network Monitor capture; save it as pcapng"
        case .convertedPcapng: "it is a pcapng file that a transfer in text mode has damaged"
        case .text: "it is text"
        case .utf16Text: "it is text in UTF-16; save it as UTF-8"
        case .tooShort: "it is too short"
        case .unknown: "its first bytes are not known"
        }
    }

    /// Names the content of a file that has none of the capture magics.
    init(firstBytes bytes: ArraySlice<UInt8>) {
        func begins(_ magic: UInt8...) -> Bool { bytes.starts(with: magic) }
        if begins(0x1F, 0x8B) {
            self = .gzip
        } else if begins(0x50, 0x4B, 0x03, 0x04) {
            self = .zip
        } else if begins(0xFD, 0x37, 0x7A, 0x58) {
            self = .xz
        } else if begins(0x28, 0xB5, 0x2F, 0xFD) {
            self = .zstandard
        } else if begins(0x42, 0x5A, 0x68) {
            self = .bzip2
        } else if begins(0x62, 0x74, 0x73, 0x6E) {
            self = .btsnoop
        } else if begins(0x73, 0x6E, 0x6F, 0x6F) {
            self = .snoop
        } else if begins(0xA1, 0xB2, 0xCD, 0x34) || begins(0x34, 0xCD, 0xB2, 0xA1) {
            self = .modifiedPcap
        } else if begins(0x47, 0x4D, 0x42, 0x55) {
            self = .networkMonitor
        } else if begins(0x0D, 0x0A, 0x0D, 0x0D) || begins(0x0A, 0x0A, 0x0A, 0x0A)
            || begins(0x0D, 0x0D, 0x0D, 0x0D) || begins(0x0A, 0x0A, 0x0D, 0x0A)
        {
            self = .convertedPcapng
        } else if begins(0xFF, 0xFE) || begins(0xFE, 0xFF) {
            self = .utf16Text
        } else if bytes.count < 4 {
            self = .tooShort
        } else if bytes.allSatisfy({ 0x20...0x7E ~= $0 || 0x09...0x0D ~= $0 }) {
            self = .text
        } else {
            self = .unknown
        }
    }
}
