import CardData
import EventLoops
import Journal
import Kernel
import LiveTransports
import Reporting

/// `cardrig doctor`: looks whether this machine can be used with readers.
struct DoctorVerb: Verb {
    static let name = "doctor"
    static let summary = "Looks whether this machine can be used with readers, and what to do."
    static let help = """
        Usage: cardrig doctor [--json] [--write-udev-rules FILE] [--root DIR]

        Looks at libusb, permissions and udev rules, drivers and programs that hold a reader, serial
        ports and groups, the programs that some uses need, and the clocks. Each line is ok, not ok
        or not needed, with the remedy. Exit code 0 when no line is not ok, 1 when one is.

          --json                   Writes the lines as JSON.
          --write-udev-rules FILE  Writes a rule for each known reader into the file and ends: the
                                   user at the seat may open it, and nobody else. Such a file
                                   belongs into /etc/udev/rules.d, under a name from 00- to 72-.
          --root DIR               Looks at the system's files below DIR, as tests do.

          Example: ./cardrig doctor --write-udev-rules 60-cardrig.rules

        """

    private let wantsJSON: Bool
    private let rulesPath: String?
    private let root: String?

    init(_ reader: consuming ArgumentReader) throws(UsageError) {
        wantsJSON = try reader.takeFlag("--json")
        rulesPath = try reader.takeValue("--write-udev-rules", expected: "a file") {
            $0.isEmpty ? nil : $0
        }
        root = try RootOption.take(&reader)
        let rest = try reader.takePositionals()
        guard rest.isEmpty else { throw .wrong("doctor takes no arguments, found '\(rest[0])'") }
        if let rulesPath, let problem = UdevRuleFile.problem(withName: rulesPath) {
            throw .wrong("--write-udev-rules \(rulesPath): \(problem)")
        }
        if rulesPath != nil, wantsJSON { throw .wrong("--write-udev-rules goes without --json") }
    }

    func run(_ streams: Streams) -> ExitCode {
        if let rulesPath { return writeRules(to: rulesPath, streams) }
        let timers: LatenessTally
        do throws(WallClockError) {
            timers = try Doctor.sampleTimers()
        } catch {
            streams.complain("\(error)")
            return .lost
        }
        let doctor =
            if let root {
                Doctor(SystemTree(root: root), listing: .files, timers: timers)
            } else {
                Doctor(timers: timers)
            }
        let checks = doctor.checks()
        if wantsJSON {
            streams.write(DeskJSON.document(checks))
        } else {
            for check in checks { streams.write(Self.text(check, streams.style)) }
        }
        return checks.contains { $0.status == .notOk } ? .failed : .held
    }

    private static func text(_ check: DoctorCheck, _ style: Style) -> String {
        let word = check.status.rawValue
        let padded = word + String(repeating: " ", count: 10 - word.utf8.count)
        let shown =
            switch check.status {
            case .ok: style.passed(padded)
            case .notOk: style.failed(padded)
            case .notNeeded: padded
            }
        var text = "\(shown)  \(check.safeName): \(check.safeFinding)\n"
        if let remedy = check.remedy { text += "            do: \(remedy)\n" }
        return text
    }

    private func writeRules(to path: String, _ streams: Streams) -> ExitCode {
        do throws(KernelError) {
            try FileBytes.write(Array(UdevRuleFile.text.utf8), to: path)
        } catch {
            let hint =
                error.code == .accessDenied
                ? "; write it where you may, then sudo cp it to /etc/udev/rules.d" : ""
            streams.complain("--write-udev-rules: \(error)\(hint)")
            return .lost
        }
        streams.write(
            "\(path): rules for \(KnownReader.all.count) readers; now: "
                + (path.hasPrefix("/etc/udev/") ? "" : "sudo cp \(path) /etc/udev/rules.d/ && ")
                + "sudo udevadm control --reload, then unplug the reader and plug it in\n"
        )
        return .held
    }
}

extension DoctorCheck {
    /// The name, for output: endpoints hold serial numbers, which are whatever a device says.
    var safeName: String { SafeText(scrubbing: name).description }
    /// The finding, for output.
    var safeFinding: String { SafeText(scrubbing: finding).description }
}
