import Kernel
import LiveTransports

/// The arguments of `serve`.
struct ServeOptions {
    /// Where the reader is reached.
    enum Place: Equatable {
        case tcp(TCPSelector)
        case pty(link: String?)
        case usbip(TCPSelector)
    }

    var kind: ServedReaderKind
    /// `nil` only with `--describe`.
    var place: Place?
    var control: ControlPlace?
    /// What hands do by themselves.
    var steps: ServeSteps?
    var isUnplugged: Bool
    var settings: [(name: String, value: String)]
    var isDescription: Bool
    var wantsJSON: Bool

    static let usbipForm = "HOST:PORT of this machine, as in 127.0.0.1:3240"
    static let addressForm = "HOST:PORT of this machine, as in 127.0.0.1:6543"

    init(_ reader: consuming ArgumentReader) throws(UsageError) {
        isDescription = try reader.takeFlag("--describe")
        wantsJSON = try reader.takeFlag("--json")
        isUnplugged = try reader.takeFlag("--unplugged")
        let isPty = try reader.takeFlag("--pty")
        let link = try reader.takeValue("--link", expected: "a path for the link", RunOptions.word)
        let tcp = try reader.takeValue("--tcp", expected: Self.addressForm) {
            try? TCPSelector(listeningAt: $0)
        }
        let usbip = try reader.takeValue("--usbip", expected: Self.usbipForm) {
            try? TCPSelector(listeningAt: $0)
        }
        control = try reader.takeValue("--control", expected: ControlPlace.forms) {
            ControlPlace(parsing: $0)
        }
        if let file = try reader.takeValue(
            "--steps",
            expected: "a scenario file",
            RunOptions.word
        ) {
            steps = try ServeSteps(file: file)
        }
        settings = try Self.settings(
            try reader.takeValue("--set", expected: "NAME=VALUE[,NAME=VALUE...]", RunOptions.word)
        )
        let names = try reader.takePositionals()
        guard let name = names.first else {
            throw .wrong("serve wants a reader: " + Self.readerNames)
        }
        guard names.count == 1 else {
            throw .wrong("serve wants one reader, found \(names.count)")
        }
        guard let kind = ServedReaderKind(rawValue: name) else {
            let hint = nearest(to: name, among: ServedReaderKind.names).map {
                "; did you mean '\($0)'?"
            }
            throw .wrong(
                "there is no reader '\(name)' to serve" + (hint ?? "; there is " + Self.readerNames)
            )
        }
        self.kind = kind
        guard [tcp != nil, isPty, usbip != nil].count(where: \.self) <= 1 else {
            throw .wrong("--tcp, --pty, --usbip: a reader is at one place; give one of them")
        }
        guard link == nil || isPty else { throw .wrong("--link goes with --pty") }
        guard !wantsJSON || isDescription else { throw .wrong("--json goes with --describe") }
        place =
            tcp.map { .tcp($0) } ?? usbip.map { .usbip($0) } ?? (isPty ? .pty(link: link) : nil)
        switch place {
        case nil where !isDescription:
            throw .wrong("serve: say where, with \(kind.placeOptions)")
        case .usbip where !kind.isUSBDevice:
            throw .wrong("an iDynamo is no USB device; its sibling is: serve dynamag --usbip ...")
        case .tcp where !kind.isStream, .pty where !kind.isStream:
            let word = kind == .dynamag ? "Dynamag" : "SecureMag"
            throw .wrong(
                "a \(word) is a USB device and no stream: serve \(kind.rawValue) --usbip HOST:PORT"
            )
        default: break
        }
    }

    private static var readerNames: String { ServedReaderKind.names.joined(separator: ", ") }

    static func settings(
        _ text: String?
    ) throws(UsageError) -> [(name: String, value: String)] {
        var found: [(name: String, value: String)] = []
        for part in (text ?? "").split(separator: ",") {
            guard let equals = part.firstIndex(of: "="), equals != part.startIndex else {
                throw .invalidValue(
                    option: "--set",
                    value: String(part),
                    expected: "NAME=VALUE; `serve READER --describe` lists the names"
                )
            }
            found.append((String(part[..<equals]), String(part[part.index(after: equals)...])))
        }
        return found
    }

    /// Makes the reader with its settings.
    func makeReader() throws(UsageError) -> any ServedReader {
        var reader = kind.make()
        if case .tcp(let selector) = place { reader.setListenPort(selector.port) }
        if case .usbip = place, var device = reader as? any ServedUSBReader {
            device.willBeOnUSB()
            reader = device
        }
        for (name, value) in settings {
            guard let option = reader.options.first(where: { $0.name == name }) else {
                let names = reader.options.map(\.name)
                let hint = nearest(to: name, among: names).map { "; did you mean '\($0)'?" }
                throw .wrong(
                    "--set: \(kind.rawValue) has no option '\(name)'"
                        + (hint ?? "; `serve \(kind.rawValue) --describe` lists them")
                )
            }
            guard reader.set(name, to: value) else {
                throw .invalidValue(option: "--set \(name)", value: value, expected: option.form)
            }
        }
        return reader
    }
}
