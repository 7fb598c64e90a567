import Reporting

/// One verb of the command line.
protocol Verb {
    /// How it is typed.
    static var name: String { get }
    /// Whether help leaves it out.
    static var isHidden: Bool { get }
    /// What it does, in one line of the list of verbs.
    static var summary: String { get }
    /// Its own help: usage, options, one real example.
    static var help: String { get }

    /// Reads its arguments.
    init(_ reader: consuming ArgumentReader) throws(UsageError)

    /// Does it.
    func run(_ streams: Streams) -> ExitCode
}

extension Verb {
    static var isHidden: Bool { false }
}
