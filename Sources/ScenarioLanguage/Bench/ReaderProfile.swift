import CardData
public import Journal
import YAML

/// What the firmware of one real reader does, as settings of its simulator (`--reader-profile`).
///
/// `cardrig conform --profile FILE` writes one; the names of the settings are those of
/// `cardrig serve READER --describe`.
public struct ReaderProfile: Hashable, Sendable {
    /// A setting, and where the file says it.
    public struct Setting: Hashable, Sendable {
        /// The name, such as `reply-delay`.
        public var name: String
        /// The value, such as `42ms`.
        public var value: String
        /// Where the name stands.
        public var location: SourceLocation

        /// Creates a setting.
        public init(
            _ name: String,
            _ value: String,
            location: SourceLocation = SourceLocation(line: 1, column: 1)
        ) {
            self.name = name
            self.value = value
            self.location = location
        }
    }

    /// The file's path, as it was given.
    public var file: String
    /// Which reader it is.
    public var kind: ReaderKind
    /// The firmware, for people; empty when nobody knows it.
    public var firmware: String
    /// The settings, in the file's order.
    public var settings: [Setting]

    /// Creates a profile.
    public init(file: String, kind: ReaderKind, firmware: String = "", settings: [Setting] = []) {
        self.file = file
        self.kind = kind
        self.firmware = firmware
        self.settings = settings
    }

    /// The file, with a line feed at its end.
    public var text: String {
        var text =
            "# What this reader does, measured by `cardrig conform`; its simulator follows it by\n"
        text += "# `--reader-profile`.\nreader: \(kind.rawValue)\n"
        if !firmware.isEmpty {
            text += "firmware: \"\(firmware.filter { $0 != "\"" && $0 != "\\" })\"\n"
        }
        if settings.isEmpty { return text + "settings: {}\n" }
        text += "settings:\n"
        for setting in settings { text += "  \(setting.name): \"\(setting.value)\"\n" }
        return text
    }

    /// Reads a file of at most ``Bench/maximumByteCount`` bytes; no bytes make it trap.
    ///
    /// Whether the simulator has the settings is for those to say who know the simulator.
    ///
    /// - Parameters:
    ///   - file: The path to show; it is not opened.
    ///   - bytes: What the file holds.
    /// - Returns: The profile, or `nil` and the mistakes.
    public static func parse(
        file: String,
        bytes: [UInt8]
    ) -> (profile: ReaderProfile?, diagnostics: [Diagnostic]) {
        let isTooLong = bytes.count > Bench.maximumByteCount
        var reading = ScenarioReading(file: file, bytes: isTooLong ? [] : bytes)
        do throws(YAMLError) {
            let document = try YAMLDocument(parsing: isTooLong ? [] : bytes)
            for duplicate in document.duplicateKeys {
                reading.complain(
                    at: duplicate.mark,
                    "expected each key once, found '\(duplicate.key)' again"
                )
            }
            let profile = reading.profile(document.root)
            let diagnostics = reading.sortedDiagnostics()
            return (diagnostics.isEmpty ? profile : nil, diagnostics)
        } catch {
            let long = "expected a profile of at most \(Bench.maximumByteCount) bytes, found more"
            reading.complain(at: error.mark, isTooLong ? long : error.message)
            return (nil, reading.sortedDiagnostics())
        }
    }
}

extension ScenarioReading {
    fileprivate mutating func profile(_ root: YAMLNode) -> ReaderProfile? {
        guard let fields = fields(root, Grammar.readerProfile) else { return nil }
        let kinds = Grammar.benchReaderKinds.map { ($0.rawValue, $0) }
        let kind = fields["reader"].flatMap { word($0, "a kind of reader", among: kinds) }
        let firmware = fields["firmware"].flatMap { safeText($0, "firmware") }
        var settings: [ReaderProfile.Setting] = []
        if let node = fields["settings"] {
            guard case .mapping(let entries) = node.content else {
                complain(
                    at: node.mark,
                    "expected the settings as a map, found \(Words.found(node))"
                )
                return nil
            }
            for entry in entries {
                guard let value = text(entry.value, "a value for `\(entry.key.text)`") else {
                    continue
                }
                settings.append(
                    ReaderProfile.Setting(
                        entry.key.text,
                        value,
                        location: SourceLocation(entry.keyMark)
                    )
                )
            }
        }
        guard let kind else { return nil }
        return ReaderProfile(
            file: file,
            kind: kind,
            firmware: firmware?.description ?? "",
            settings: settings
        )
    }
}

extension Grammar {
    static let readerProfile = MapTable(
        subject: "a reader's profile",
        keys: [
            KeyRow(
                "reader",
                .words(benchReaderKinds.map(\.rawValue)),
                isRequired: true,
                "Which reader it is."
            ),
            KeyRow("firmware", .text, "Its firmware, for people."),
            KeyRow("settings", .named(.text), isRequired: true, "Settings of its simulator."),
        ]
    )
}
