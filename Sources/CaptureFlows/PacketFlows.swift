import CaptureFiles

/// Sends each packet to the decoder of its link type.
struct PacketFlows: Sendable {
    private var usb = USBFlows()
    private var tcp = TCPFlows()
    private var bluetooth = BluetoothFlows()
    private var serial = SerialPackets()
    private var sectionNumber = 0
    private var interfaceCount = 0
    private var decodedCount = 0
    private var refusedCount = 0
    private var firstRefused: LinkType?

    /// Why the file as a whole is refused, if no packet could be decoded by its link type.
    var refusal: String? {
        guard decodedCount == 0, let firstRefused else { return nil }
        return UnsupportedLinkType(linkType: firstRefused).description
    }

    mutating func take(
        _ packet: CapturedPacket,
        _ reader: borrowing CaptureReader,
        _ output: inout FlowOutput
    ) {
        output.position.packetNumber = packet.packetNumber
        output.position.byteOffset = packet.byteOffset
        output.position.time = packet.time
        output.interfaceNumber = packet.interfaceNumber
        if packet.sectionNumber != sectionNumber || reader.interfaces.count != interfaceCount {
            sectionNumber = packet.sectionNumber
            interfaceCount = reader.interfaces.count
            output.interfaceNames = reader.interfaces.map { $0.name ?? "" }
        }
        for comment in packet.comments {
            output.comment(comment, packetNumber: packet.packetNumber)
        }
        if let count = packet.dropCount, count > 0 {
            output.notice(.drops, .remark, "\(count) packets before this one were lost")
        }
        if packet.hasIrregularTime {
            output.notice(.time, .remark, "the fraction of its time is out of range")
        }
        do throws(DecodingFailure) {
            try decode(packet, &output)
        } catch {
            output.notice(error.topic, .leftOut, error.text)
        }
    }

    private mutating func decode(
        _ packet: CapturedPacket,
        _ output: inout FlowOutput
    ) throws(DecodingFailure) {
        switch packet.linkType {
        case .usbLinuxMmapped, .usbLinux:
            if !USBTransfer.isQuestion(packet) { usb.take(try .usbmon(packet), &output) }
        case .usbPcap:
            if let transfer = try USBTransfer.usbPcap(packet) {
                usb.take(transfer, &output)
            }
        case .usbDarwin: usb.take(try .mac(packet), &output)
        case .exportedPDU: try serial.takeExported(packet, &output)
        case .rtacSerial: try serial.takeRTAC(packet, &output)
        case .bluetoothH4, .bluetoothH4WithDirection, .bluetoothMonitor, .btsnoopH1, .btsnoopH4,
            .btsnoopMonitor, .packetLogger:
            try bluetooth.take(packet, &output)
        case .null, .ethernet, .raw, .loop, .linuxSLL, .linuxSLL2, .ipv4, .ipv6:
            try tcp.take(packet, &output)
        default:
            refuse(packet.linkType, &output)
            return
        }
        decodedCount += 1
    }

    private mutating func refuse(_ linkType: LinkType, _ output: inout FlowOutput) {
        refusedCount += 1
        guard firstRefused == nil || firstRefused != linkType else { return }
        if firstRefused == nil { firstRefused = linkType }
        output.notice(
            .linkType,
            .leftOut,
            UnsupportedLinkType(linkType: linkType).description
        )
    }

    /// Ends what is open, at the end of the file.
    mutating func finish(_ output: inout FlowOutput) {
        tcp.finish(&output)
        bluetooth.finish(&output)
        guard decodedCount > 0, refusedCount > 0 else { return }
        output.notice(
            .linkType,
            CaptureNotice(
                severity: .leftOut,
                text: "\(refusedCount) packets of link types that are not supported are left out",
                number: 0,
                place: .file,
                byteOffset: 0,
                furtherCount: 0
            )
        )
    }
}
