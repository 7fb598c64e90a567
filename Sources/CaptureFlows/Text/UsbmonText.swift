import CaptureFiles

/// usbmon's text: `1u` with a bus in the address, and the older `1t` without.
///
/// Source: Linux, Documentation/usb/usbmon.rst, "Raw text data format"; mon_text.c.
struct UsbmonText: Sendable {
    /// Microseconds after which new kernels count from 0 again; old ones do at 2^32.
    private static let shortWrap: Int64 = 4_096_000_000
    private static let longWrap: Int64 = 1 << 32

    private var usb = USBFlows()
    private var isSaid = false
    private var base: Int64 = 0
    private var lastMicroseconds: Int64 = 0
    private var isLongWrap = false

    static func matches(_ line: ArraySlice<UInt8>) -> Bool {
        let words = line.words(limit: 5)
        guard words.count >= 4, words[0].count >= 4, words[0].hexadecimal != nil,
            words[1].decimal != nil, words[2].count == 1, event(words[2].byte(0)) != nil
        else { return false }
        return Address(words[3]) != nil
    }

    private static func event(_ byte: UInt8) -> USBTransfer.Event? {
        switch byte {
        case 0x53: .submission
        case 0x43: .completion
        case 0x45: .submissionError
        default: nil
        }
    }

    /// `Ci:2:003:0`, or `Ci:003:00` without a bus.
    private struct Address {
        var transfer: USBMonPacket.TransferType
        var isIn: Bool
        var bus: UInt16
        var device: UInt16
        var endpoint: UInt8

        init?(_ word: ArraySlice<UInt8>) {
            let parts = word.split(omittingEmptySubsequences: false) { $0 == 0x3A }
            guard parts.count == 3 || parts.count == 4, parts[0].count == 2 else { return nil }
            switch parts[0].byte(0) {
            case 0x43: transfer = .control
            case 0x5A: transfer = .isochronous
            case 0x49: transfer = .interrupt
            case 0x42: transfer = .bulk
            default: return nil
            }
            switch parts[0].byte(1) {
            case 0x69: isIn = true
            case 0x6F: isIn = false
            default: return nil
            }
            guard let bus = parts.count == 4 ? parts[1].decimal : 0, bus <= 65_535,
                let device = parts[parts.count - 2].decimal, device <= 65_535,
                let endpoint = parts[parts.count - 1].decimal, endpoint <= 127
            else { return nil }
            self.bus = UInt16(bus)
            self.device = UInt16(device)
            self.endpoint = UInt8(endpoint)
        }
    }

    mutating func take(_ line: TextLine, _ output: inout FlowOutput) {
        if !isSaid {
            isSaid = true
            output.notice(
                .textCut,
                .remark,
                "usbmon text keeps at most 32 bytes of each transfer: longer reports are cut in it;"
                    + " record usbmon in binary (tcpdump, Wireshark) to have them whole"
            )
        }
        let words = line.bytes.withoutReturn.words()
        guard let first = words.first, first.byte(0) != 0x23 else { return }
        guard let transfer = transfer(words, line, &output) else {
            output.notice(.textLine, .leftOut, "no usbmon event: TAG TIME S|C|E ADDRESS …")
            return
        }
        usb.take(transfer, &output)
    }

    private mutating func transfer(
        _ words: [ArraySlice<UInt8>],
        _ line: TextLine,
        _ output: inout FlowOutput
    ) -> USBTransfer? {
        guard words.count >= 5, let id = words[0].hexadecimal, let time = words[1].decimal,
            words[2].count == 1, let event = Self.event(words[2].byte(0)),
            let address = Address(words[3])
        else { return nil }
        output.position.time = unwrap(Int64(time))
        var transfer = USBTransfer(
            event: event,
            urbID: id,
            bus: address.bus,
            device: address.device,
            endpoint: address.isIn ? address.endpoint | 0x80 : address.endpoint,
            transfer: address.transfer,
            setup: nil,
            status: .inProgress,
            data: [],
            dataByteOffset: line.byteOffset
        )
        guard address.transfer != .isochronous else { return transfer }
        var rest = words[4...]
        if let status = rest[4].prefix(while: { $0 != 0x3A }).signedDecimal {
            transfer.status = USBStatus(rawValue: Int32(clamping: status))
            rest = rest.dropFirst()
        } else {
            guard rest.count >= 6 else { return nil }
            if rest[4].reads("s") {
                guard let setup = setup(rest[5..<10]) else { return nil }
                transfer.setup = setup
            }
            rest = rest.dropFirst(6)
        }
        // The length is absent in no event, but its data tag is when it is 0.
        guard let length = rest.first?.decimal else { return nil }
        rest = rest.dropFirst()
        if let tag = rest.first, tag.reads("=") {
            var bytes: [UInt8] = []
            for word in rest.dropFirst() {
                guard bytes.count < length, let more = word.hexBytes else { break }
                bytes += more
            }
            transfer.data = bytes.prefix(length)
        }
        let isDataExpected = event == .submission ? !address.isIn : address.isIn
        if isDataExpected { transfer.missingByteCount = length - transfer.data.count }
        return transfer
    }

    private func setup(_ words: ArraySlice<ArraySlice<UInt8>>) -> USBSetupPacket? {
        let numbers = words.compactMap(\.hexadecimal)
        guard numbers.count == 5, numbers.allSatisfy({ $0 <= 0xFFFF }), numbers[0] <= 0xFF,
            numbers[1] <= 0xFF
        else { return nil }
        return USBSetupPacket(
            requestType: UInt8(numbers[0]),
            request: UInt8(numbers[1]),
            value: UInt16(numbers[2]),
            index: UInt16(numbers[3]),
            byteCount: UInt16(numbers[4])
        )
    }

    private mutating func unwrap(_ microseconds: Int64) -> CaptureTime {
        if microseconds >= Self.shortWrap { isLongWrap = true }
        if microseconds < lastMicroseconds, lastMicroseconds - microseconds > Self.longWrap / 2 {
            base += isLongWrap ? Self.longWrap : Self.shortWrap
        }
        lastMicroseconds = microseconds
        return CaptureTime(microsecondsSinceEpoch: base.addingSaturating(microseconds))
    }
}
