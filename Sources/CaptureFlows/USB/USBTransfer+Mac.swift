import CaptureFiles

extension USBTransfer {
    private static let macHeaderByteCount = 32

    /// Reads a record of macOS, link type 266; isochronous ones have no data here.
    ///
    /// Source: tcpdump.org, LINKTYPE_USB_DARWIN; the unique id has 8 bytes in real files.
    static func mac(_ packet: CapturedPacket) throws(DecodingFailure) -> USBTransfer {
        let bytes = packet.data
        guard bytes.count >= macHeaderByteCount else {
            throw .tooShort(packet.linkType, packet, needed: macHeaderByteCount)
        }
        let headerByteCount = Int(bytes.byte(2))
        guard headerByteCount >= macHeaderByteCount, bytes.count >= headerByteCount else {
            throw DecodingFailure("a header of \(headerByteCount) bytes does not fit its packet")
        }
        let transfer: USBMonPacket.TransferType
        switch bytes.byte(31) {
        case 0: transfer = .control
        case 1: transfer = .isochronous
        case 2: transfer = .bulk
        case 3: transfer = .interrupt
        default: throw DecodingFailure("the endpoint type cannot be \(bytes.byte(31))")
        }
        let isCompletion: Bool
        switch bytes.byte(3) {
        case 0: isCompletion = false
        case 1: isCompletion = true
        default: throw DecodingFailure("the request type cannot be \(bytes.byte(3))")
        }
        let endpoint = bytes.byte(30)
        let length = Int(bytes.little32(4))
        var data = bytes.dropFirst(headerByteCount)
        var offset = packet.dataByteOffset + headerByteCount
        var setup: USBSetupPacket?
        if transfer == .control, !isCompletion {
            setup = USBSetupPacket(data.prefix(8))
            data = data.dropFirst(8)
            offset += 8
        }
        let isIn = setup.map(\.isIn) ?? (endpoint & 0x80 != 0)
        if transfer == .isochronous || isIn && !isCompletion { data = data.suffix(0) }
        return USBTransfer(
            event: isCompletion ? .completion : .submission,
            urbID: bytes.little64(16),
            bus: UInt16(bytes.little32(24) >> 24),
            device: UInt16(bytes.byte(29)),
            endpoint: endpoint,
            transfer: transfer,
            setup: setup,
            status: isCompletion ? status(ofIOKit: bytes.little32(8)) : .inProgress,
            data: data,
            dataByteOffset: offset,
            missingByteCount: isIn && isCompletion && transfer != .isochronous
                ? max(0, length - data.count) : 0,
            mayRepeatData: true
        )
    }

    /// The Linux errno that says the same as a status of macOS.
    ///
    /// Source: Apple, IOKit/IOReturn.h and usb/USB.h; the pairing is ours.
    static func status(ofIOKit status: UInt32) -> USBStatus {
        switch status {
        case 0: .success
        case 0xE000_404F: .stalled
        case 0xE000_02EB: .unlinked
        case 0xE000_02C0: .shutDown
        case 0xE000_02ED: .protocolError
        case 0xE000_02D6, 0xE000_4051: USBStatus(rawValue: -110)
        case 0xE000_02E8: USBStatus(rawValue: -75)
        default: USBStatus(rawValue: -5)
        }
    }
}
