import Kernel
import Reporting

/// The program: takes the verb and hands over to it.
public enum CardRigCommand {
    /// The version that `--version` and reports show.
    public static let version = "0.1.0"

    static var verbs: [any Verb.Type] {
        [
            RunVerb.self, ExploreVerb.self, ListVerb.self, CheckVerb.self, NewVerb.self,
            SchemaVerb.self, ConformVerb.self, DecodeVerb.self, EncodeVerb.self,
            EncryptVerb.self, ServeVerb.self, DevicesVerb.self, DoctorVerb.self, CaptureVerb.self,
            ReplayVerb.self,
            RecordVerb.self,
            SoakVerb.self,
        ]
    }

    /// Does what the arguments say.
    ///
    /// - Parameter arguments: Those of the process, without its name.
    /// - Returns: The process's exit code: 0, 1, 2, 3 or 130.
    public static func main(_ arguments: [String]) -> Int32 {
        let streams = Streams.process()
        let code = run(arguments, streams: streams)
        return (streams.hasFailed ? code.combined(with: .lost) : code).rawValue
    }

    static func run(_ arguments: [String], streams: Streams) -> ExitCode {
        do throws(UsageError) {
            return try dispatch(arguments, streams: streams)
        } catch {
            streams.complain(error.description)
            return .wrong
        }
    }

    private static func dispatch(
        _ arguments: [String],
        streams: Streams
    ) throws(UsageError) -> ExitCode {
        guard let first = arguments.first else {
            streams.writeError(HelpText.typed(HelpText.overview))
            return .wrong
        }
        switch first {
        case "--help", "-h":
            streams.write(HelpText.typed(HelpText.overview))
            return .held
        case "--version":
            streams.write("cardrig \(version)\n")
            return .held
        case "help":
            return try help(Array(arguments.dropFirst()), streams: streams)
        default:
            break
        }
        let verb = try verb(named: first)
        let rest = Array(arguments.dropFirst())
        if HelpText.isWanted(by: rest) {
            streams.write(HelpText.typed(verb.help))
            return .held
        }
        return try verb.init(ArgumentReader(rest)).run(streams)
    }

    private static func help(_ names: [String], streams: Streams) throws(UsageError) -> ExitCode {
        if names.isEmpty || HelpText.isWanted(by: names) {
            streams.write(HelpText.typed(HelpText.overview))
        }
        for name in names where !name.hasPrefix("-") {
            streams.write(HelpText.typed(try verb(named: name).help))
        }
        return .held
    }

    private static func verb(named name: String) throws(UsageError) -> any Verb.Type {
        if let verb = verbs.first(where: { $0.name == name }) { return verb }
        if name.hasPrefix("-") {
            throw .unknownOption(
                name,
                suggestion: nearest(to: name, among: ["--help", "--version"])
            )
        }
        let names = verbs.filter { !$0.isHidden }.map { $0.name } + ["help"]
        throw .unknownVerb(name, suggestion: nearest(to: name, among: names))
    }
}

extension CardRigCommand {
    /// Does what the process's arguments say and ends the process.
    ///
    /// - Parameter arguments: Those of the process, its name first.
    public static func runProcess(_ arguments: [String]) -> Never {
        StandardStream.keepNumbers()
        ProcessEnvironment.exit(main(Array(arguments.dropFirst())))
    }
}
