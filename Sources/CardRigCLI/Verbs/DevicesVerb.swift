import CardData
import EventLoops
import Journal
import Kernel
import LiveTransports
import Reporting

/// `cardrig devices`: lists the readers on USB and the serial ports.
struct DevicesVerb: Verb {
    static let name = "devices"
    static let summary = "Lists readers on USB and serial ports, and why one cannot be opened."
    static let help = """
        Usage: cardrig devices [--watch] [--for D] [--json] [--root DIR]

        Lists every known reader on USB and every serial port: what it is, what to give `run
        --reader` for it, whether it can be opened, and if not, why and what to do. Nothing is
        opened. Exit code 0 when something can be opened, 3 when nothing can.

          --watch     Goes on, and tells what is plugged in, pulled out, or can be opened now.
          --for D     Ends the watch after this time, such as 10s, with exit code 0.
          --json      Writes a JSON document; with --watch one JSON object a line.
          --root DIR  Looks at the kernel's and the system's files below DIR, as tests do.

          Example: ./cardrig devices

        """

    private let watches: Bool
    private let limit: VirtualDuration?
    private let wantsJSON: Bool
    private let survey: DeskSurvey

    init(_ reader: consuming ArgumentReader) throws(UsageError) {
        watches = try reader.takeFlag("--watch")
        limit = try reader.takeValue("--for", expected: "a time such as 10s") {
            RunOptions.duration($0)
        }
        wantsJSON = try reader.takeFlag("--json")
        survey = try RootOption.survey(&reader)
        let rest = try reader.takePositionals()
        guard rest.isEmpty else { throw .wrong("devices takes no arguments, found '\(rest[0])'") }
        guard watches || limit == nil else { throw .wrong("--for goes with --watch") }
    }

    func run(_ streams: Streams) -> ExitCode {
        if watches { return watch(streams) }
        let found = survey.look()
        if wantsJSON {
            streams.write(DeskJSON.document(found))
        } else {
            streams.write(found.readers.map(Self.text).joined())
            if !found.readers.isEmpty { streams.write(Self.summary(found.readers)) }
        }
        if let problem = found.usbProblem { streams.complain(problem) }
        if found.readers.isEmpty {
            streams.complain(Self.nothing)
        } else if found.readers.allSatisfy({ $0.known == nil }) {
            streams.complain(Self.nothingKnown)
        }
        return found.readers.contains { $0.trouble == nil } ? .held : .lost
    }

    /// What is said when there is nothing to list.
    static let nothing =
        "no reader is attached: there is no known reader on USB and no serial port; plug one in "
        + "and look again, or let `cardrig devices --watch` look"

    /// What is said when nothing in the list is known to be a reader.
    static let nothingKnown =
        "no known reader is attached; one on a plain serial line cannot be told from its port"

    private func watch(_ streams: Streams) -> ExitCode {
        let interruption = Interruption()
        defer { withExtendedLifetime(interruption) {} }
        let watch: DeskWatch
        do throws(KernelError) {
            watch = try DeskWatch(survey, interruptDescriptor: interruption.descriptor)
        } catch {
            streams.complain("\(error)")
            return .lost
        }
        let began = MonotonicClock.now
        var isFirst = true
        while !interruption.hasCome {
            if let limit, MonotonicClock.now - began >= limit.nanoseconds { return .held }
            let changes = watch.next()
            if isFirst, changes.isEmpty {
                streams.complain(watch.last.usbProblem ?? "no reader is attached; waiting for one")
            }
            isFirst = false
            for change in changes {
                streams.write(wantsJSON ? DeskJSON.line(change) : Array(Self.text(change).utf8))
            }
        }
        return .interrupted
    }

    // MARK: Text

    private static func text(_ change: DeskChange) -> String {
        switch change {
        case .attached(let reader): "attached " + text(reader)
        case .changed(let reader): "changed  " + text(reader)
        case .detached(let reader): "detached \(reader.safeEndpoint)\n"
        }
    }

    private static func text(_ reader: FoundReader) -> String {
        var facts = [reader.safeName]
        if let ids = reader.ids { facts.append("\(ids)") }
        if reader.known?.isInferred == true { facts.append("id inferred") }
        if let serial = reader.safeSerialNumber { facts.append("serial number \(serial)") }
        if let port = reader.port { facts.append("port \(port)") }
        facts.append(reader.node)
        if let driver = reader.driver { facts.append("driver \(driver)") }
        var text = "\(reader.safeEndpoint)\n     \(facts.joined(separator: ", "))\n"
        if let trouble = reader.trouble {
            text += "     cannot be opened: \(trouble.reason)\n     do: \(trouble.remedy)\n"
        } else if reader.isUsable {
            text += "     can be opened: run --reader \(reader.safeEndpoint)\n"
        } else if let advice = reader.known?.keyboardAdvice(layout: nil) {
            text += "     cannot be used: \(advice.reason)\n     do: \(advice.remedy)\n"
        } else {
            text += "     can be opened, but no scenario plays on this kind yet\n"
        }
        return text
    }

    private static func summary(_ readers: [FoundReader]) -> String {
        let known = readers.count { $0.known != nil }
        let ports = readers.count { $0.isSerialPort && $0.known == nil }
        let open = readers.count { $0.trouble == nil }
        return "\(known) known \(known == 1 ? "reader" : "readers"), \(ports) other serial "
            + "\(ports == 1 ? "port" : "ports"), \(open) can be opened\n"
    }
}

/// The option `--root`, of the verbs that look at the machine.
enum RootOption {
    /// Takes it and returns who looks where.
    ///
    /// - Throws: ``UsageError`` when the folder is not there.
    static func survey(_ reader: inout ArgumentReader) throws(UsageError) -> DeskSurvey {
        guard let root = try take(&reader) else { return DeskSurvey() }
        return DeskSurvey(SystemTree(root: root), listing: .files)
    }

    /// Takes it; `nil` means the machine itself.
    ///
    /// - Throws: ``UsageError`` when the folder is not there.
    static func take(_ reader: inout ArgumentReader) throws(UsageError) -> String? {
        let root = try reader.takeValue("--root", expected: "a folder") { $0.isEmpty ? nil : $0 }
        guard let root else { return nil }
        guard Paths.kind(of: root) == .directory else {
            throw .wrong("--root \(root): there is no such folder")
        }
        return root.hasSuffix("/") ? String(root.dropLast()) : root
    }
}

extension FoundReader {
    /// The endpoint, for output: a device's serial number is whatever the device says.
    var safeEndpoint: String { SafeText(scrubbing: endpoint).description }
    /// The name, for output.
    var safeName: String { SafeText(scrubbing: name).description }
    /// The serial number, for output.
    var safeSerialNumber: String? { serialNumber.map { SafeText(scrubbing: $0).description } }
}
