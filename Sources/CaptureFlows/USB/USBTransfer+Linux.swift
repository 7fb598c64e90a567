import CaptureFiles

extension USBTransfer {
    /// Whether a usbmon record is the question of an endpoint that answers later, and nothing else.
    static func isQuestion(_ packet: CapturedPacket) -> Bool {
        let bytes = packet.data
        guard bytes.count >= USBMonPacket.shortHeaderByteCount else { return false }
        let type = bytes.byte(9)
        return bytes.byte(8) == 0x53 && bytes.byte(10) & 0x80 != 0 && (type == 1 || type == 3)
    }

    /// Reads a usbmon record, link type 189 or 220; isochronous ones have no data here.
    ///
    /// Source: tcpdump.org, LINKTYPE_USB_LINUX and LINKTYPE_USB_LINUX_MMAPPED.
    static func usbmon(_ packet: CapturedPacket) throws(DecodingFailure) -> USBTransfer {
        let bytes = packet.data
        let needed =
            packet.linkType == .usbLinuxMmapped
            ? USBMonPacket.headerByteCount : USBMonPacket.shortHeaderByteCount
        guard bytes.count >= needed else {
            throw .tooShort(packet.linkType, packet, needed: needed)
        }
        let isBig = packet.byteOrder == .bigEndian
        let event: Event
        switch bytes.byte(8) {
        case 0x53: event = .submission
        case 0x43: event = .completion
        case 0x45: event = .submissionError
        default: throw DecodingFailure("the event type cannot be \(bytes.byte(8))")
        }
        guard let transfer = USBMonPacket.TransferType(rawValue: bytes.byte(9)) else {
            throw DecodingFailure("the transfer type cannot be \(bytes.byte(9))")
        }
        let endpoint = bytes.byte(10)
        let length = Int(isBig ? bytes.big32(32) : bytes.little32(32))
        let status = Int32(bitPattern: isBig ? bytes.big32(28) : bytes.little32(28))
        let hasSetup = bytes.byte(14) == 0 && event == .submission && transfer == .control
        let dataFlag = bytes.byte(15)
        let isDataExpected =
            event == .submission ? endpoint & 0x80 == 0 : endpoint & 0x80 != 0
        let hasData = dataFlag == 0 && transfer != .isochronous
        let data = hasData ? bytes.dropFirst(needed) : bytes.suffix(0)
        var missing = 0
        if isDataExpected, transfer != .isochronous, length > data.count {
            // A submission that says E or Z has no buffer; D and 'not captured' lost theirs.
            missing = length - data.count
        }
        return USBTransfer(
            event: event,
            urbID: isBig ? bytes.big64(0) : bytes.little64(0),
            bus: isBig ? bytes.big16(12) : bytes.little16(12),
            device: UInt16(bytes.byte(11)),
            endpoint: endpoint,
            transfer: transfer,
            setup: hasSetup ? USBSetupPacket(bytes.dropFirst(40).prefix(8)) : nil,
            status: USBStatus(rawValue: status),
            data: data.count > length ? data.prefix(length) : data,
            dataByteOffset: packet.dataByteOffset + needed,
            missingByteCount: missing
        )
    }
}
