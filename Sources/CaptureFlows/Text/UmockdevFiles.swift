import CaptureFiles

/// A umockdev script: what a program read and wrote at a tty, hidraw node or socket.
///
/// A block that began with a blank lost it in the recorder, and blocks closer than 10 ms are one.
///
/// Source: umockdev, docs/script-format.txt.
struct UmockdevScript: Sendable {
    private var name = "umockdev"
    private var milliseconds: Int64 = 0

    static func matches(_ line: ArraySlice<UInt8>) -> Bool {
        let words = line.words(limit: 3)
        guard words.count == 3, words[0].count == 1, let number = words[1].decimal else {
            return false
        }
        switch words[0].byte(0) {
        case UInt8(ascii: "d"): return number == 0 && words[2].startsReading("/")
        case UInt8(ascii: "r"), UInt8(ascii: "w"): return number < 1 << 40
        default: return false
        }
    }

    mutating func take(_ line: TextLine, _ output: inout FlowOutput) {
        guard let kind = line.bytes.first, kind != UInt8(ascii: "#") else { return }
        let rest = line.bytes.dropFirst().drop { $0 == 0x20 }
        let digits = rest.prefix { 0x30...0x39 ~= $0 }
        let data = rest.dropFirst(digits.count).drop { $0 == 0x20 }
        switch kind {
        case UInt8(ascii: "d"):
            name = data.withoutReturn.prefix(64).text
        case UInt8(ascii: "r"), UInt8(ascii: "w"):
            guard let wait = digits.decimal, wait < 1 << 40 else {
                output.notice(.textLine, .leftOut, "`r` and `w` need milliseconds and data")
                return
            }
            milliseconds = milliseconds.addingSaturating(Int64(wait))
            output.position.time = CaptureTime(
                seconds: milliseconds / 1_000,
                nanoseconds: UInt32(milliseconds % 1_000) * 1_000_000
            )
            guard let flow = output.flow(.serial(name: name)) else { return }
            let bytes = Self.unescaped(data)
            guard !bytes.isEmpty else { return }
            output.put(
                flow,
                .data,
                kind == UInt8(ascii: "w") ? .toReader : .fromReader,
                bytes[...],
                at: line.byteOffset
            )
        case UInt8(ascii: "f"), UInt8(ascii: "Q"): break
        default:
            output.notice(.textLine, .leftOut, "no line of a umockdev script: d, r, w, f, Q or #")
        }
    }

    /// `^` and the byte plus 64; the caret itself is `` ^` ``.
    private static func unescaped(_ data: ArraySlice<UInt8>) -> [UInt8] {
        var bytes: [UInt8] = []
        var isEscaped = false
        for byte in data {
            if isEscaped {
                bytes.append(byte == 0x60 ? 0x5E : byte & 0x1F)
                isEscaped = false
            } else if byte == 0x5E {
                isEscaped = true
            } else {
                bytes.append(byte)
            }
        }
        return bytes
    }
}

/// umockdev's ioctl records: completed USB transfers, and HID reports by ioctl; without times.
///
/// Source: umockdev, src/umockdev-ioctl.vala and ioctl_tree.c; usbdevice_fs.h for the numbers.
struct UmockdevIoctls: Sendable {
    private var bus: UInt16 = 0
    private var device: UInt16 = 0

    static func matches(_ line: ArraySlice<UInt8>) -> Bool {
        let words = line.words(limit: 2)
        guard let first = words.first else { return false }
        return first.reads("@DEV") || first.startsReading("USBDEVFS_")
            || first.startsReading("HIDIOC")
    }

    mutating func take(_ line: TextLine, _ output: inout FlowOutput) {
        let words = line.bytes.withoutReturn.words()
        guard let first = words.first, first.byte(0) != 0x23 else { return }
        if first.reads("@DEV") {
            guard words.count >= 2 else { return }
            let parts = words[1].split { $0 == 0x2F }
            guard parts.count >= 2 else { return }
            bus = UInt16(clamping: parts[parts.count - 2].decimal ?? 0)
            device = UInt16(clamping: parts[parts.count - 1].decimal ?? 0)
        } else if first.startsReading("USBDEVFS_REAPURB") {
            takeTransfer(words, line, &output)
        } else if first.startsReading("HIDIOCS") || first.startsReading("HIDIOCG") {
            takeReport(first, words, line, &output)
        }
    }

    private func flow(
        _ endpoint: UInt8,
        _ transfer: USBMonPacket.TransferType,
        _ output: inout FlowOutput
    ) -> Flow.ID? {
        output.flow(
            .usb(
                USBEndpointKey(bus: bus, device: device, endpoint: endpoint, transfer: transfer)
            )
        )
    }

    /// RET TYPE ENDPOINT STATUS FLAGS BUFFERLENGTH ACTUALLENGTH ERRORS HEX.
    private func takeTransfer(
        _ words: [ArraySlice<UInt8>],
        _ line: TextLine,
        _ output: inout FlowOutput
    ) {
        guard words.count >= 9, let type = words[2].decimal, let endpoint = words[3].decimal,
            let status = words[4].signedDecimal, type <= 3, endpoint <= 255,
            let transfer = USBMonPacket.TransferType(rawValue: UInt8(type)),
            let bytes = words.count >= 10 ? words[9].hexBytes : []
        else {
            output.notice(.textLine, .leftOut, "a USBDEVFS_REAPURB record that is not understood")
            return
        }
        let isIn = endpoint & 0x80 != 0
        guard
            let flow = flow(transfer == .control ? 0 : UInt8(endpoint), transfer, &output)
        else { return }
        let direction: FlowDirection = isIn ? .fromReader : .toReader
        if !bytes.isEmpty {
            output.put(flow, .data, direction, bytes[...], at: line.byteOffset)
        }
        if status != 0 {
            let status = USBStatus(rawValue: Int32(clamping: status))
            output.put(flow, .failed(status), direction, at: line.byteOffset)
        }
    }

    /// Feature, input and output reports, whose first byte is the report's id.
    private func takeReport(
        _ name: ArraySlice<UInt8>,
        _ words: [ArraySlice<UInt8>],
        _ line: TextLine,
        _ output: inout FlowOutput
    ) {
        let isSet = name.startsReading("HIDIOCS")
        let kind = name.dropFirst(7)
        let type: UInt16
        if kind.startsReading("INPUT") {
            type = 1
        } else if kind.startsReading("OUTPUT") {
            type = 2
        } else if kind.startsReading("FEATURE") {
            type = 3
        } else {
            return
        }
        guard words.count >= 3, let bytes = words[2].hexBytes, let id = bytes.first,
            let flow = flow(0, .control, &output)
        else { return }
        let setup = USBSetupPacket(
            requestType: isSet ? 0x21 : 0xA1,
            request: isSet ? 0x09 : 0x01,
            value: type << 8 | UInt16(id),
            index: 0,
            byteCount: UInt16(clamping: bytes.count)
        )
        output.put(
            flow,
            .control(setup),
            isSet ? .toReader : .fromReader,
            bytes[...],
            at: line.byteOffset
        )
    }
}

/// A umockdev device dump: descriptors, and no traffic.
///
/// Source: umockdev, README.md, "Record and replay static devices".
struct UmockdevDevices: Sendable {
    private var descriptors = USBDescriptors()
    private var isSaid = false

    static func matches(_ line: ArraySlice<UInt8>) -> Bool { line.startsReading("P: /devices/") }

    mutating func take(_ line: TextLine, _ output: inout FlowOutput) {
        if !isSaid {
            isSaid = true
            output.notice(
                .textCut,
                .remark,
                "a umockdev device dump: it has descriptors of devices and no traffic"
            )
        }
        let bytes = line.bytes.withoutReturn
        guard bytes.startsReading("N: bus/usb/"), let equals = bytes.firstIndex(of: 0x3D),
            let data = bytes[(equals + 1)...].hexBytes
        else { return }
        let parts = bytes[..<equals].split { $0 == 0x2F }
        guard parts.count == 4, let bus = parts[2].decimal, let device = parts[3].decimal else {
            return
        }
        for (type, part) in [(UInt16(1), data.prefix(18)), (2, data.dropFirst(18))] {
            let setup = USBSetupPacket(
                requestType: 0x80,
                request: 6,
                value: type << 8,
                index: 0,
                byteCount: UInt16(clamping: part.count)
            )
            let transfer = USBTransfer(
                event: .completion,
                urbID: 0,
                bus: UInt16(clamping: bus),
                device: UInt16(clamping: device),
                endpoint: 0x80,
                transfer: .control,
                setup: setup,
                status: .success,
                data: part,
                dataByteOffset: line.byteOffset
            )
            descriptors.learn(setup, transfer, &output.usbDevices, limit: 1_024)
        }
    }
}
