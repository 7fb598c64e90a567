import CaptureFiles

/// The RFCOMM frames of one L2CAP channel: which serial channels are open, and their bytes.
///
/// Credits are bytes of the frame and not of the stream. Whether they are there is agreed by
/// parameter negotiation; where that is not in the log they are taken to be, as today's stacks do.
///
/// Source: Bluetooth RFCOMM 1.2, sections 5.1.3, 5.5.1, 5.5.3 and 6.5; 3GPP TS 07.10, section 5.2.
struct RFCOMMSession: Sendable {
    private enum Control {
        static let connect: UInt8 = 0x2F
        static let acknowledge: UInt8 = 0x63
        static let disconnectedMode: UInt8 = 0x0F
        static let disconnect: UInt8 = 0x43
        static let data: UInt8 = 0xEF
    }

    private struct Line: Sendable {
        var dlci: UInt8
        var flow: Flow.ID?
        var isConnecting = false
        var isDisconnecting = false
        var isOpen = false
        var hasCredits = true
    }

    /// A frame's parts.
    private struct Frame {
        var dlci: UInt8
        var control: UInt8
        var isFinal: Bool
        var headerByteCount: Int
        var length: Int
    }

    private let key: RFCOMMChannelKey
    private var lines: [Line] = []

    /// The key is that of its flows but for the DLCI.
    init(_ key: RFCOMMChannelKey) { self.key = key }

    /// Whether bytes are one whole RFCOMM frame with a right check.
    static func isFrame(_ payload: ArraySlice<UInt8>) -> Bool {
        guard let frame = frame(payload) else { return false }
        let plain = frame.headerByteCount + frame.length + 1
        let mayHaveCredits = frame.control == Control.data && frame.isFinal && frame.dlci != 0
        guard payload.count == plain || mayHaveCredits && payload.count == plain + 1 else {
            return false
        }
        return isCheckRight(payload, frame)
    }

    private static func frame(_ payload: ArraySlice<UInt8>) -> Frame? {
        guard payload.count >= 3, payload.byte(0) & 1 == 1 else { return nil }
        let control = payload.byte(1) & 0xEF
        switch control {
        case Control.connect, Control.acknowledge, Control.disconnectedMode, Control.disconnect,
            Control.data:
            break
        default: return nil
        }
        let isShort = payload.byte(2) & 1 == 1
        guard isShort || payload.count >= 4 else { return nil }
        return Frame(
            dlci: payload.byte(0) >> 2,
            control: control,
            isFinal: payload.byte(1) & 0x10 != 0,
            headerByteCount: isShort ? 3 : 4,
            length: Int(payload.byte(2) >> 1) | (isShort ? 0 : Int(payload.byte(3)) << 7)
        )
    }

    private static func isCheckRight(_ payload: ArraySlice<UInt8>, _ frame: Frame) -> Bool {
        let covered = frame.control == Control.data ? 2 : frame.headerByteCount
        var sum: UInt8 = 0xFF
        for offset in 0..<covered { sum = next(sum, payload.byte(offset)) }
        return payload.byte(payload.count - 1) == 0xFF - sum
    }

    /// CRC-8 with the reflected polynomial 0xE0, begun with 0xFF and complemented.
    static func check(_ bytes: ArraySlice<UInt8>) -> UInt8 {
        var sum: UInt8 = 0xFF
        for byte in bytes { sum = next(sum, byte) }
        return 0xFF - sum
    }

    /// The eight steps of the check, without branches.
    @inline(__always)
    private static func next(_ sum: UInt8, _ byte: UInt8) -> UInt8 {
        var sum = sum ^ byte
        for _ in 0..<8 { sum = sum >> 1 ^ (0xE0 & (0 &- (sum & 1))) }
        return sum
    }

    /// Takes what one L2CAP frame holds; so many bytes of its end are not in the file.
    mutating func take(
        _ payload: ArraySlice<UInt8>,
        _ sender: HCISide,
        isDirectionKnown: Bool,
        missing missingByteCount: Int,
        at byteOffset: Int,
        _ output: inout FlowOutput
    ) {
        guard let frame = Self.frame(payload) else {
            let text = missingByteCount > 0 ? "cut before its header ends" : "no header of RFCOMM"
            output.notice(.rfcomm, .leftOut, "an RFCOMM frame: \(text)")
            return
        }
        let index = line(frame.dlci)
        let hasCredits =
            frame.control == Control.data && frame.isFinal && frame.dlci != 0
            && lines[index].hasCredits
        let start = frame.headerByteCount + (hasCredits ? 1 : 0)
        let total = start + frame.length + 1
        if missingByteCount == 0 {
            guard payload.count == total else {
                output.notice(
                    .rfcomm,
                    .leftOut,
                    "an RFCOMM frame says \(total) bytes and has \(payload.count)"
                )
                return
            }
            guard Self.isCheckRight(payload, frame) else {
                output.notice(.rfcomm, .leftOut, "an RFCOMM frame with a wrong check (FCS)")
                return
            }
        }
        let information = payload.part(from: start, upTo: frame.length)
        switch frame.control {
        case Control.data where frame.dlci == 0:
            takeCommands(information, sender, isDirectionKnown, &output)
        case Control.data:
            let missing = frame.length - information.count
            guard !information.isEmpty || missing > 0,
                let flow = flow(index, isDirectionKnown, &output)
            else { return }
            output.put(
                flow,
                .data,
                sender.direction,
                information,
                at: byteOffset + start,
                missing: missing
            )
        default: takeChange(frame.control, index, isDirectionKnown, &output)
        }
    }

    // MARK: Opening and closing

    private mutating func takeChange(
        _ control: UInt8,
        _ index: Int,
        _ isDirectionKnown: Bool,
        _ output: inout FlowOutput
    ) {
        switch control {
        case Control.connect: lines[index].isConnecting = true
        case Control.disconnect: lines[index].isDisconnecting = true
        case Control.acknowledge where lines[index].isDisconnecting:
            lines[index].isDisconnecting = false
            if lines[index].dlci == 0 { close(.orderly, &output) }
            close(index, .orderly, &output)
        case Control.acknowledge where lines[index].isConnecting:
            lines[index].isConnecting = false
            open(index, isDirectionKnown, &output)
        case Control.disconnectedMode:
            let wasWanted = lines[index].isConnecting || lines[index].isDisconnecting
            lines[index].isConnecting = false
            lines[index].isDisconnecting = false
            if wasWanted, lines[index].flow == nil { _ = flow(index, isDirectionKnown, &output) }
            close(index, .aborted, isAlways: wasWanted, &output)
        default: break
        }
    }

    private mutating func open(
        _ index: Int,
        _ isDirectionKnown: Bool,
        _ output: inout FlowOutput
    ) {
        guard lines[index].dlci != 0, let flow = flow(index, isDirectionKnown, &output) else {
            return
        }
        lines[index].isOpen = true
        output.put(flow, .opened, .toReader, at: output.position.byteOffset)
    }

    private mutating func close(
        _ index: Int,
        _ ending: FlowUnit.Ending,
        isAlways: Bool = false,
        _ output: inout FlowOutput
    ) {
        guard lines[index].dlci != 0, let flow = lines[index].flow,
            lines[index].isOpen || isAlways
        else { return }
        lines[index].isOpen = false
        output.put(flow, .closed(ending), .unknown, at: output.position.byteOffset)
    }

    /// Ends all that is open.
    mutating func close(_ ending: FlowUnit.Ending, _ output: inout FlowOutput) {
        for index in lines.indices { close(index, ending, &output) }
    }

    // MARK: Commands of the multiplexer

    private mutating func takeCommands(
        _ information: ArraySlice<UInt8>,
        _ sender: HCISide,
        _ isDirectionKnown: Bool,
        _ output: inout FlowOutput
    ) {
        var rest = information
        while rest.count >= 2 {
            let type = rest.byte(0) >> 2
            let isCommand = rest.byte(0) & 2 != 0
            let length = Int(rest.byte(1) >> 1)
            guard rest.count >= 2 + length else {
                output.notice(.rfcomm, .leftOut, "an RFCOMM command is longer than its frame")
                return
            }
            let values = rest.dropFirst(2).prefix(length)
            rest = rest.dropFirst(2 + length)
            switch type {
            case 0x20 where length >= 2 && !isCommand:
                lines[line(values.byte(0) & 0x3F)].hasCredits = values.byte(1) >> 4 == 0x0E
            case 0x38 where length >= 2 && isCommand:
                change(values, .modemStatus(values.byte(1)), sender, isDirectionKnown, &output)
            case 0x24 where length >= 2 && isCommand && values.byte(1) < 9:
                let rates: [UInt32] = [
                    2_400, 4_800, 7_200, 9_600, 19_200, 38_400, 57_600, 115_200, 230_400,
                ]
                let rate = rates[Int(values.byte(1))]
                change(values, .rate(rate), sender, isDirectionKnown, &output)
            default: break
            }
        }
    }

    /// Puts out a change of the serial line that the first value names.
    private mutating func change(
        _ values: ArraySlice<UInt8>,
        _ change: FlowUnit.LineChange,
        _ sender: HCISide,
        _ isDirectionKnown: Bool,
        _ output: inout FlowOutput
    ) {
        let dlci = values.byte(0) >> 2
        guard dlci != 0, let flow = flow(line(dlci), isDirectionKnown, &output) else { return }
        output.put(flow, .line(change), sender.direction, at: output.position.byteOffset)
    }

    // MARK: Lines

    /// The index of a line, made when it is new; a DLCI has six bits, so there are 64 at most.
    private mutating func line(_ dlci: UInt8) -> Int {
        if let index = lines.firstIndex(where: { $0.dlci == dlci }) { return index }
        lines.append(Line(dlci: dlci))
        return lines.count - 1
    }

    private mutating func flow(
        _ index: Int,
        _ isDirectionKnown: Bool,
        _ output: inout FlowOutput
    ) -> Flow.ID? {
        if let flow = lines[index].flow { return flow }
        var key = key
        key.dlci = lines[index].dlci
        lines[index].flow = output.flow(.rfcomm(key), isDirectionGuessed: !isDirectionKnown)
        return lines[index].flow
    }
}
