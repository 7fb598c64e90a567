import Kernel

/// What `--help` prints.
enum HelpText {
    /// Whether `--help` or `-h` stands among the arguments, before a `--`.
    static func isWanted(by arguments: [String]) -> Bool {
        arguments.prefix { $0 != "--" }.contains { $0 == "--help" || $0 == "-h" }
    }

    /// Returns a help text as this program is typed: `./cardrig` is the launcher of a checkout, and
    /// what was installed is `cardrig`.
    static func typed(
        _ text: String,
        program path: String? = ProcessEnvironment.programPath
    ) -> String {
        guard let path, !path.contains("/.build/") else { return text }
        return text.replacing("./cardrig", with: "cardrig")
    }

    /// The list of verbs.
    static var overview: String {
        var text = """
            cardrig plays scenarios against simulated or real card readers and checks what becomes
            of them.

            Usage: cardrig VERB [ARGUMENTS]

            """
        for verb in CardRigCommand.verbs where !verb.isHidden {
            let padding = String(repeating: " ", count: max(1, 10 - verb.name.utf8.count))
            text += "  \(verb.name)\(padding)\(verb.summary)\n"
        }
        text += """
              help      Explains a verb, as `cardrig VERB --help` does.

            Exit codes: 0 all held, 1 something did not, 2 the command line or a file is wrong,
            3 the rig could not be built or was lost, 130 interrupted.

              Example: ./cardrig run Scenarios/idynamo

            """
        return text
    }
}
