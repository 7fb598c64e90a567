package import EventLoops

/// Something that a simulated reader does, and how it is known that real ones do it.
public struct ReaderBehaviour: Hashable, Sendable {
    /// How it is known.
    public enum Basis: Hashable, Sendable {
        /// A vendor's document says so.
        case documented
        /// A capture of a real reader shows it.
        case captured
        /// Nobody says; it is the likeliest reading, and an option where another one is thinkable.
        case assumed(option: String?)
    }

    /// What it is about, in a few words.
    public var subject: String
    /// What the reader does, as a sentence without its end.
    public var text: String
    /// How it is known.
    public var basis: Basis
    /// The document and section, the capture, or why it is assumed.
    public var source: String

    /// Notes a behaviour.
    public init(_ subject: String, _ text: String, _ basis: Basis, source: String) {
        self.subject = subject
        self.text = text
        self.basis = basis
        self.source = source
    }
}

/// A setting of a simulated reader that has a name, for whatever a real one may do differently.
public struct ReaderOption<Configuration>: Sendable {
    /// Its name on the command line.
    public var name: String
    /// What it takes, for people.
    public var form: String
    /// Reads the value that holds.
    public var value: @Sendable (Configuration) -> String
    /// Sets it from a text; `false` when the text is none of its values.
    public var set: @Sendable (inout Configuration, String) -> Bool

    /// Names a setting.
    public init(
        _ name: String,
        form: String,
        value: @escaping @Sendable (Configuration) -> String,
        set: @escaping @Sendable (inout Configuration, String) -> Bool
    ) {
        self.name = name
        self.form = form
        self.value = value
        self.set = set
    }
}

extension ReaderOption {
    /// A setting with a few values that have names.
    public static func choice<Value: Equatable & Sendable>(
        _ name: String,
        _ values: KeyValuePairs<String, Value>,
        _ path: any WritableKeyPath<Configuration, Value> & Sendable
    ) -> ReaderOption {
        let named = values.map { (name: $0.key, value: $0.value) }
        return ReaderOption(
            name,
            form: named.map(\.name).joined(separator: ", "),
            value: { configuration in
                named.first { $0.value == configuration[keyPath: path] }?.name ?? "another"
            },
            set: { configuration, text in
                guard let found = named.first(where: { $0.name == text }) else { return false }
                configuration[keyPath: path] = found.value
                return true
            }
        )
    }

    /// A setting that is on or off.
    public static func flag(
        _ name: String,
        _ path: any WritableKeyPath<Configuration, Bool> & Sendable
    ) -> ReaderOption {
        choice(name, ["yes": true, "no": false], path)
    }

    /// A time in whole milliseconds, at most ten minutes.
    package static func time(
        _ name: String,
        _ path: any WritableKeyPath<Configuration, VirtualDuration> & Sendable
    ) -> ReaderOption {
        ReaderOption(
            name,
            form: "a time from 0ms to 600000ms",
            value: { "\($0[keyPath: path].nanoseconds / 1_000_000)ms" },
            set: { configuration, text in
                guard text.hasSuffix("ms"), let number = Int64(text.dropLast(2)),
                    (0...600_000).contains(number)
                else { return false }
                configuration[keyPath: path] = .milliseconds(number)
                return true
            }
        )
    }
}
