import CaptureFiles

/// Why a packet is not decoded.
struct DecodingFailure: Error {
    var topic: NoticeTopic
    var text: String

    init(_ text: String, topic: NoticeTopic = .header) {
        self.topic = topic
        self.text = text
    }

    static func tooShort(_ linkType: LinkType, _ packet: CapturedPacket, needed: Int) -> Self {
        Self("\(packet.data.count) bytes where link type \(linkType) needs at least \(needed)")
    }
}

// Loads at an offset from the slice's own beginning. They check each index: a decoder verifies
// lengths first, and a mistake there traps instead of reading beyond the packet.
extension ArraySlice<UInt8> {
    /// At most so many bytes from an offset; one slice instead of two.
    @inline(__always)
    func part(from offset: Int, upTo byteCount: Int) -> ArraySlice<UInt8> {
        let start = Swift.min(startIndex + offset, endIndex)
        return self[start..<start + Swift.min(byteCount, endIndex - start)]
    }

    @inline(__always)
    func byte(_ offset: Int) -> UInt8 { self[startIndex &+ offset] }

    @inline(__always)
    func big16(_ offset: Int) -> UInt16 {
        UInt16(byte(offset)) << 8 | UInt16(byte(offset + 1))
    }

    @inline(__always)
    func big32(_ offset: Int) -> UInt32 {
        UInt32(big16(offset)) << 16 | UInt32(big16(offset + 2))
    }

    @inline(__always)
    func big64(_ offset: Int) -> UInt64 {
        UInt64(big32(offset)) << 32 | UInt64(big32(offset + 4))
    }

    @inline(__always)
    func little16(_ offset: Int) -> UInt16 { big16(offset).byteSwapped }

    @inline(__always)
    func little32(_ offset: Int) -> UInt32 { big32(offset).byteSwapped }

    @inline(__always)
    func little64(_ offset: Int) -> UInt64 { big64(offset).byteSwapped }
}
