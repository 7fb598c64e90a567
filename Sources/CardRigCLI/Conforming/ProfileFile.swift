import Journal
import Kernel
import ScenarioLanguage

/// A profile that was read from a file and fits the simulator.
enum ProfileFile {
    /// Reads a profile and tries each of its settings at a simulated reader.
    ///
    /// - Throws: ``UsageError`` with every mistake and its place.
    static func read(_ path: String) throws(UsageError) -> ReaderProfile {
        let bytes: [UInt8]
        do throws(KernelError) {
            bytes = try FileBytes.read(path: path, limit: Bench.maximumByteCount + 1)
        } catch {
            throw .wrong("--reader-profile \(error)")
        }
        let parsed = ReaderProfile.parse(file: path, bytes: bytes)
        guard let profile = parsed.profile, let kind = ServedReaderKind(profile.kind) else {
            let text = parsed.diagnostics.map(\.description).joined(separator: "\n")
            throw .wrong("--reader-profile \(path): it is no profile\n\(text)")
        }
        _ = try reader(kind, profile)
        return profile
    }

    /// Makes a simulated reader that does what a profile says.
    ///
    /// - Throws: ``UsageError`` with the place of a setting that it does not have.
    static func reader(
        _ kind: ServedReaderKind,
        _ profile: ReaderProfile
    ) throws(UsageError) -> any ServedReader {
        var reader = kind.make()
        for setting in profile.settings {
            let place = "\(profile.file):\(setting.location.line):\(setting.location.column)"
            guard let option = reader.options.first(where: { $0.name == setting.name }) else {
                let names = reader.options.map(\.name)
                let hint = nearest(to: setting.name, among: names).map { "; did you mean '\($0)'?" }
                throw .wrong(
                    "\(place): error: a simulated \(kind.rawValue) has no setting '\(setting.name)'"
                        + (hint ?? "; `serve \(kind.rawValue) --describe` lists them")
                )
            }
            guard reader.set(setting.name, to: setting.value) else {
                throw .wrong(
                    "\(place): error: '\(setting.name)' is \(option.form), not '\(setting.value)'"
                )
            }
        }
        return reader
    }
}

extension ServedReaderKind {
    /// The kind of a scenario's reader; `nil` for those that are not served.
    init?(_ kind: ReaderKind) { self.init(rawValue: kind.rawValue) }

    /// The kind as scenarios name it.
    var readerKind: ReaderKind? { ReaderKind(rawValue: rawValue) }
}
