import CaptureFiles

/// What `socat -x` and `socat -x -v` write.
///
/// `>` goes from socat's first address to its second. Where the first is the reader's line and the
/// second the pseudo-terminal for the app, as is usual, `<` goes to the reader: a guess.
///
/// Source: socat 1.7.4.4, measured.
struct SocatLog: Sendable {
    private var block = TextBlock()

    private struct Header {
        var isForward: Bool
        var time: CaptureTime
        var length: Int

        init?(_ line: ArraySlice<UInt8>) {
            let words = line.words(limit: 7)
            guard words.count >= 4, words[0].reads(">") || words[0].reads("<"),
                let time = TextTime.absolute(words[1], words[2]),
                words[3].startsReading("length="),
                let length = words[3].dropFirst(7).decimal
            else { return nil }
            isForward = words[0].reads(">")
            self.time = time
            self.length = length
        }
    }

    static func matches(_ line: ArraySlice<UInt8>) -> Bool { Header(line) != nil }

    mutating func take(_ line: TextLine, _ output: inout FlowOutput) {
        let bytes = line.bytes.withoutReturn
        if let header = Header(bytes) {
            let flow = output.flow(.serial(name: "socat"), isDirectionGuessed: true)
            block.begin(
                flow,
                header.isForward ? .fromReader : .toReader,
                header.time,
                expected: header.length,
                &output
            )
            return
        }
        guard !bytes.reads("--"), !bytes.isEmpty else { return }
        let row = bytes.first == 0x20 ? bytes.hexPairs(limit: block.remainingByteCount) : []
        guard !row.isEmpty, block.isOpen else {
            output.notice(
                .textLine,
                .leftOut,
                "no row of hex bytes: `socat -v` without -x loses bytes; log with -x"
            )
            return
        }
        block.add(row, &output)
        if block.remainingByteCount == 0 { block.end(&output) }
    }

    mutating func finish(_ output: inout FlowOutput) { block.end(&output) }
}

/// What jpnevulator writes: a line with the time and the side's name, then rows of hex bytes.
///
/// Names that say host or reader decide the directions; else the side that spoke first is taken to
/// be the host. Chunks closer than its time limit are one block in it.
///
/// Source: jpnevulator 2.3.6, measured.
struct JpnevulatorLog: Sendable {
    private static let hostNames: [StaticString] = ["HOST", "PC", "APP", "SENT", "TX", "ECR"]
    private static let readerNames: [StaticString] = [
        "DEV", "DEVICE", "READER", "TERMINAL", "RECEIVED", "RX", "PED",
    ]

    private var block = TextBlock()
    private var firstName: [UInt8] = []
    private var isGuessed = false

    /// `YYYY-MM-DD HH:MM:SS.uuuuuu: NAME`; no name stands where one line alone is listened to.
    private static func header(
        _ line: ArraySlice<UInt8>
    ) -> (time: CaptureTime, name: ArraySlice<UInt8>)? {
        let words = line.words(limit: 3)
        guard words.count >= 2, words[1].last == 0x3A,
            let time = TextTime.absolute(words[0], words[1].dropLast())
        else { return nil }
        return (time, words.count > 2 ? words[2] : [])
    }

    private static func row(_ line: ArraySlice<UInt8>) -> [UInt8]? {
        let bytes = line.prefix { $0 != 0x09 }
        let pairs = bytes.hexPairs(limit: 16)
        guard !pairs.isEmpty, bytes.dropFirst(pairs.count * 3).allSatisfy({ $0 == 0x20 }) else {
            return nil
        }
        return pairs
    }

    static func matches(_ line: ArraySlice<UInt8>) -> Bool { header(line) != nil }

    mutating func take(_ line: TextLine, _ output: inout FlowOutput) {
        let bytes = line.bytes.withoutReturn
        if let header = Self.header(bytes) {
            let direction = direction(header.name)
            let flow = output.flow(
                .serial(name: "jpnevulator"),
                isDirectionGuessed: isGuessed
            )
            block.begin(flow, direction, header.time, &output)
        } else if let row = Self.row(bytes), block.isOpen {
            block.add(row, &output)
        } else if !bytes.isEmpty {
            output.notice(.textLine, .leftOut, "neither a time with a name nor a row of hex bytes")
        }
    }

    private mutating func direction(_ name: ArraySlice<UInt8>) -> FlowDirection {
        guard !name.isEmpty else {
            // One line alone: what came in on it, which the reader sent if it is the reader's.
            isGuessed = true
            return .fromReader
        }
        for known in Self.hostNames where name.reads(known) { return .toReader }
        for known in Self.readerNames where name.reads(known) { return .fromReader }
        isGuessed = true
        if firstName.isEmpty { firstName = Array(name.prefix(256)) }
        return firstName[...] == name.prefix(256) ? .toReader : .fromReader
    }

    mutating func finish(_ output: inout FlowOutput) { block.end(&output) }
}

/// What interceptty writes: a mark and one byte a line; `<` goes to the device behind it.
///
/// Source: interceptty, interceptty.pod.
struct IntercepttyLog: Sendable {
    private var block = TextBlock()

    private static func byte(
        _ line: ArraySlice<UInt8>
    ) -> (byte: UInt8, direction: FlowDirection)? {
        let words = line.words(limit: 3)
        guard words.count >= 2, words[1].startsReading("0x"), words[1].count == 4,
            let byte = words[1].dropFirst(2).hexadecimal
        else { return nil }
        if words[0].reads("<") { return (UInt8(byte), .toReader) }
        if words[0].reads(">") { return (UInt8(byte), .fromReader) }
        return nil
    }

    static func matches(_ line: ArraySlice<UInt8>) -> Bool { byte(line) != nil }

    mutating func take(_ line: TextLine, _ output: inout FlowOutput) {
        let bytes = line.bytes.withoutReturn
        guard !bytes.isEmpty else { return }
        guard let found = Self.byte(bytes) else {
            output.notice(.textLine, .leftOut, "no byte: `< 0xHH` or `> 0xHH`")
            return
        }
        let flow = output.flow(.serial(name: "interceptty"))
        if !block.isSame(flow, found.direction) {
            block.begin(flow, found.direction, nil, &output)
        }
        block.add([found.byte], &output)
    }

    mutating func finish(_ output: inout FlowOutput) { block.end(&output) }
}

/// What pyserial's `spy://` writes: seconds since opening, TX or RX, an offset, 16 bytes, text.
///
/// Source: pyserial 3.5, urlhandler/protocol_spy.py, measured.
struct PyserialSpyLog: Sendable {
    private static let hexColumnCount = 48

    private var block = TextBlock()

    private static func head(
        _ line: ArraySlice<UInt8>
    ) -> (time: CaptureTime, name: ArraySlice<UInt8>, rest: ArraySlice<UInt8>)? {
        guard line.count >= 11, line.prefix(10).byte(6) == 0x2E,
            let time = TextTime.seconds(line.prefix(10))
        else { return nil }
        let words = line.dropFirst(10).words(limit: 2)
        guard let name = words.first, name.allSatisfy({ 0x41...0x5A ~= $0 || $0 == 0x2F }) else {
            return nil
        }
        return (time, name, words.count == 2 ? words[1] : [])
    }

    static func matches(_ line: ArraySlice<UInt8>) -> Bool { head(line) != nil }

    mutating func take(_ line: TextLine, _ output: inout FlowOutput) {
        let bytes = line.bytes.withoutReturn
        guard !bytes.isEmpty else { return }
        guard let head = Self.head(bytes) else {
            output.notice(.textLine, .leftOut, "no line of pyserial's spy: SECONDS TX|RX OFFSET …")
            return
        }
        let flow = output.flow(.serial(name: "pyserial"))
        let isSent = head.name.reads("TX")
        guard isSent || head.name.reads("RX") else {
            block.end(&output)
            takeChange(head.name, head.rest, head.time, flow, &output)
            return
        }
        let direction: FlowDirection = isSent ? .toReader : .fromReader
        guard head.rest.count >= 6, let offset = head.rest.prefix(4).hexadecimal else { return }
        if offset == 0 || !block.isSame(flow, direction) {
            block.begin(flow, direction, head.time, &output)
        }
        // Two groups of eight, two blanks between them.
        let columns = head.rest.dropFirst(6).prefix(Self.hexColumnCount)
        var pairs = columns.prefix(23).hexPairs(limit: 8)
        if pairs.count == 8 { pairs += columns.dropFirst(25).hexPairs(limit: 8) }
        block.add(pairs, &output)
    }

    private func takeChange(
        _ name: ArraySlice<UInt8>,
        _ value: ArraySlice<UInt8>,
        _ time: CaptureTime,
        _ flow: Flow.ID?,
        _ output: inout FlowOutput
    ) {
        let isOn = value.startsReading("active")
        let change: FlowUnit.LineChange
        if name.reads("DTR") {
            change = .dataTerminalReady(isOn)
        } else if name.reads("RTS") {
            change = .requestToSend(isOn)
        } else if name.reads("BRK") {
            change = .breakSignal(isOn)
        } else {
            return
        }
        guard let flow else { return }
        output.position.time = time
        output.put(flow, .line(change), .toReader, at: output.position.byteOffset)
    }

    mutating func finish(_ output: inout FlowOutput) { block.end(&output) }
}

/// What Portmon for Windows saved: one request a line, with its data where it has some.
///
/// Source: Sysinternals Portmon; the form of data (`Length n: hex`) is inferred.
struct PortmonLog: Sendable {
    static func matches(_ line: ArraySlice<UInt8>) -> Bool {
        let words = line.words(limit: 5)
        guard let first = words.first, first.decimal != nil, words.count == 5 else { return false }
        return words[3].startsReading("IRP_MJ_") || words[3].startsReading("IOCTL_SERIAL_")
    }

    mutating func take(_ line: TextLine, _ output: inout FlowOutput) {
        let words = line.bytes.withoutReturn.words(limit: 7)
        guard words.count >= 5, words[0].decimal != nil else {
            if !words.isEmpty {
                output.notice(.textLine, .leftOut, "no request: NUMBER TIME PROCESS IRP_MJ_… PORT")
            }
            return
        }
        guard let flow = output.flow(.serial(name: words[4].prefix(64).text)) else { return }
        let request = words[3]
        let detail = words.count == 7 ? words[6] : []
        if request.reads("IRP_MJ_WRITE") {
            takeData(detail, flow, .toReader, &output)
        } else if request.reads("IRP_MJ_READ") {
            takeData(detail, flow, .fromReader, &output)
        } else if request.reads("IRP_MJ_CREATE") {
            output.put(flow, .opened, .toReader, at: line.byteOffset)
        } else if request.reads("IRP_MJ_CLOSE") {
            output.put(flow, .closed(.orderly), .toReader, at: line.byteOffset)
        } else if let change = Self.change(request, detail) {
            output.put(flow, .line(change), .toReader, at: line.byteOffset)
        }
    }

    private func takeData(
        _ detail: ArraySlice<UInt8>,
        _ flow: Flow.ID,
        _ direction: FlowDirection,
        _ output: inout FlowOutput
    ) {
        guard let rest = detail.after("Length ") else { return }
        let parts = rest.split(maxSplits: 1) { $0 == 0x3A }
        guard let length = parts.first?.decimal, length <= 1 << 30 else { return }
        let bytes = parts.count == 2 ? parts[1].hexPairs(limit: length) : []
        guard length > 0 else { return }
        output.put(
            flow,
            .data,
            direction,
            bytes[...],
            at: output.position.byteOffset,
            missing: length - bytes.count
        )
    }

    private static func change(
        _ request: ArraySlice<UInt8>,
        _ detail: ArraySlice<UInt8>
    ) -> FlowUnit.LineChange? {
        if request.after("SET_BAUD_RATE") != nil {
            return number(detail.after("Rate: ")).map { .rate(UInt32(clamping: $0)) }
        }
        if request.after("SET_LINE_CONTROL") != nil {
            let parities: [StaticString] = ["NONE", "ODD", "EVEN", "MARK", "SPACE"]
            let parity = parities.firstIndex { detail.after("Parity: ")?.startsReading($0) == true }
            let stop = detail.after("StopBits: ")
            guard let bits = number(detail.after("WordLength: ")), let parity, let stop else {
                return nil
            }
            let half: UInt8 =
                stop.startsReading("1.5") ? 3 : stop.first == UInt8(ascii: "2") ? 4 : 2
            return .format(
                dataBits: UInt8(clamping: bits),
                parity: UInt8(parity),
                halfStopBits: half
            )
        }
        if request.after("SET_RTS") != nil { return .requestToSend(true) }
        if request.after("CLR_RTS") != nil { return .requestToSend(false) }
        if request.after("SET_DTR") != nil { return .dataTerminalReady(true) }
        if request.after("CLR_DTR") != nil { return .dataTerminalReady(false) }
        return nil
    }

    private static func number(_ text: ArraySlice<UInt8>?) -> Int? {
        text?.prefix { 0x30...0x39 ~= $0 }.decimal
    }
}
