import CaptureFiles

extension USBTransfer {
    private static let usbPcapHeaderByteCount = 27

    /// Reads a USBPcap record, link type 249; `nil` for one that is no transfer.
    ///
    /// Source: USBPcap, USBPcapDriver/include/USBPcap.h.
    static func usbPcap(_ packet: CapturedPacket) throws(DecodingFailure) -> USBTransfer? {
        let bytes = packet.data
        guard bytes.count >= usbPcapHeaderByteCount else {
            throw .tooShort(packet.linkType, packet, needed: usbPcapHeaderByteCount)
        }
        let headerByteCount = Int(bytes.little16(0))
        guard headerByteCount >= usbPcapHeaderByteCount else {
            throw DecodingFailure("a USBPcap header cannot be \(headerByteCount) bytes long")
        }
        guard bytes.count >= headerByteCount else {
            throw .tooShort(packet.linkType, packet, needed: headerByteCount)
        }
        let type = bytes.byte(22)
        // 0xFE tells of the request block, 0xFF is not known to USBPcap itself.
        guard type < 0xFE else { return nil }
        guard let transfer = USBMonPacket.TransferType(rawValue: type) else {
            throw DecodingFailure("the transfer type cannot be \(type)")
        }
        let isCompletion = bytes.byte(16) & 1 != 0
        let length = Int(bytes.little32(23))
        var data = bytes.dropFirst(headerByteCount)
        let missing = max(0, length - data.count)
        data = data.prefix(length)
        var offset = packet.dataByteOffset + headerByteCount
        var event: Event = isCompletion ? .completion : .submission
        var setup: USBSetupPacket?
        if transfer == .control {
            guard headerByteCount > usbPcapHeaderByteCount else {
                throw DecodingFailure("a control transfer without its stage")
            }
            switch bytes.byte(27) {
            case 0:
                setup = USBSetupPacket(data.prefix(8))
                guard setup != nil else {
                    throw DecodingFailure("a setup stage of \(data.count) bytes, 8 are needed")
                }
                data = data.dropFirst(8)
                offset += 8
                event = .submission
            case 1: event = .data
            case 2, 3: event = .completion
            default: throw DecodingFailure("a control stage cannot be \(bytes.byte(27))")
            }
        }
        return USBTransfer(
            event: event,
            urbID: bytes.little64(2),
            bus: bytes.little16(17),
            device: bytes.little16(19),
            endpoint: bytes.byte(21),
            transfer: transfer,
            setup: setup,
            status: isCompletion ? status(ofUSBD: bytes.little32(10)) : .inProgress,
            data: transfer == .isochronous ? data.suffix(0) : data,
            dataByteOffset: offset,
            missingByteCount: transfer == .isochronous ? 0 : missing,
            isInjected: bytes.little64(2) == 0
        )
    }

    /// The Linux errno that says the same as a status of Windows's USB driver.
    ///
    /// Source: Windows driver kit, usb.h, USBD_STATUS; the pairing is ours.
    static func status(ofUSBD status: UInt32) -> USBStatus {
        switch status {
        case 0: .success
        case 0xC000_0004, 0xC000_0030: .stalled
        case 0xC001_0000: .unlinked
        case 0xC000_7000: .shutDown
        case 0xC000_0005: .protocolError
        case 0xC000_0001, 0xC000_0002: USBStatus(rawValue: -84)
        case 0xC000_0008, 0xC000_000C, 0xC000_0012: USBStatus(rawValue: -75)
        case 0xC000_0009: USBStatus(rawValue: -121)
        case 0xC000_6000: USBStatus(rawValue: -110)
        default: status & 0xC000_0000 == 0xC000_0000 ? USBStatus(rawValue: -5) : .success
        }
    }
}
