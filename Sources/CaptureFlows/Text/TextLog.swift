/// A text log of a format that was recognised.
struct TextLog: Sendable {
    private enum Format {
        case usbmon(UsbmonText)
        case socat(SocatLog)
        case jpnevulator(JpnevulatorLog)
        case interceptty(IntercepttyLog)
        case pyserial(PyserialSpyLog)
        case portmon(PortmonLog)
        case script(UmockdevScript)
        case ioctls(UmockdevIoctls)
        case devices(UmockdevDevices)
        case dump(HexDump)
    }

    /// What Windows programs put before text in UTF-8.
    static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]
    /// How many lines are looked at.
    private static let lineCountLimit = 40

    private var format: Format
    /// The format in a few words.
    let name: String
    /// How its times are to be understood.
    let clock: CaptureImporter.Clock

    /// Recognises the format by a file's first bytes; `nil` when it is none that is known.
    init?(firstBytes: ArraySlice<UInt8>) {
        let mark = firstBytes.starts(with: Self.byteOrderMark) ? Self.byteOrderMark.count : 0
        let lines = firstBytes.dropFirst(mark).split(maxSplits: Self.lineCountLimit) { $0 == 0x0A }
            .prefix(Self.lineCountLimit)
            .map(\.withoutReturn)
            .filter { line in
                guard let first = line.first(where: { $0 != 0x20 }) else { return false }
                return first != 0x23
            }
        guard let first = lines.first else { return nil }
        if UmockdevDevices.matches(first) {
            (format, name, clock) = (.devices(UmockdevDevices()), "umockdev device dump", .none)
        } else if UmockdevIoctls.matches(first) {
            (format, name, clock) = (.ioctls(UmockdevIoctls()), "umockdev ioctl record", .none)
        } else if UmockdevScript.matches(first) {
            (format, name, clock) = (.script(UmockdevScript()), "umockdev script", .relative)
        } else if lines.prefix(5).contains(where: UsbmonText.matches) {
            (format, name, clock) = (.usbmon(UsbmonText()), "usbmon text", .relative)
        } else if lines.prefix(5).contains(where: SocatLog.matches) {
            (format, name, clock) = (.socat(SocatLog()), "socat log", .utc)
        } else if lines.prefix(5).contains(where: JpnevulatorLog.matches) {
            (format, name, clock) = (.jpnevulator(JpnevulatorLog()), "jpnevulator log", .utc)
        } else if IntercepttyLog.matches(first) {
            (format, name, clock) = (.interceptty(IntercepttyLog()), "interceptty log", .none)
        } else if PyserialSpyLog.matches(first) {
            (format, name, clock) = (.pyserial(PyserialSpyLog()), "pyserial spy log", .relative)
        } else if lines.prefix(5).contains(where: PortmonLog.matches) {
            (format, name, clock) = (.portmon(PortmonLog()), "Portmon log", .none)
        } else if HexDump.matches(lines) {
            let clock: CaptureImporter.Clock =
                lines.contains(where: HexDump.hasDate)
                ? .utc : lines.contains(where: HexDump.hasTime) ? .relative : .none
            (format, name, self.clock) = (.dump(HexDump()), "hex dump", clock)
        } else {
            return nil
        }
    }

    mutating func take(_ line: TextLine, _ output: inout FlowOutput) {
        switch format {
        case .usbmon(var log): update(&log, line, &output, { $0.take($1, &$2) }, Format.usbmon)
        case .socat(var log): update(&log, line, &output, { $0.take($1, &$2) }, Format.socat)
        case .jpnevulator(var log):
            update(&log, line, &output, { $0.take($1, &$2) }, Format.jpnevulator)
        case .interceptty(var log):
            update(&log, line, &output, { $0.take($1, &$2) }, Format.interceptty)
        case .pyserial(var log):
            update(&log, line, &output, { $0.take($1, &$2) }, Format.pyserial)
        case .portmon(var log): update(&log, line, &output, { $0.take($1, &$2) }, Format.portmon)
        case .script(var log): update(&log, line, &output, { $0.take($1, &$2) }, Format.script)
        case .ioctls(var log): update(&log, line, &output, { $0.take($1, &$2) }, Format.ioctls)
        case .devices(var log): update(&log, line, &output, { $0.take($1, &$2) }, Format.devices)
        case .dump(var log): update(&log, line, &output, { $0.take($1, &$2) }, Format.dump)
        }
    }

    /// Takes a line in place: the old value is let go first, so that nothing is copied.
    private mutating func update<Log>(
        _ log: inout Log,
        _ line: TextLine,
        _ output: inout FlowOutput,
        _ take: (inout Log, TextLine, inout FlowOutput) -> Void,
        _ wrap: (Log) -> Format
    ) {
        format = .portmon(PortmonLog())
        take(&log, line, &output)
        format = wrap(log)
    }

    /// Puts out the last block, at the end of the file.
    mutating func finish(_ output: inout FlowOutput) {
        switch format {
        case .socat(var log): log.finish(&output)
        case .jpnevulator(var log): log.finish(&output)
        case .interceptty(var log): log.finish(&output)
        case .pyserial(var log): log.finish(&output)
        case .usbmon, .portmon, .script, .ioctls, .devices, .dump: break
        }
    }
}
