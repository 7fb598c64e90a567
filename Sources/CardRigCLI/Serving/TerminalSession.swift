import GatewayProtocols
import Kernel
import LiveTransports
import Reporting

/// Serves the simulated terminal app of Inner Fence until its lines end.
struct TerminalSession {
    private enum Token {
        static let signals: UInt64 = 0
        static let hands: UInt64 = 1
    }

    private let streams: Streams
    private let poller: Poller
    private let signals: TerminationSignals
    private let isControlled: Bool
    private var terminal: ServedTerminal
    private var hands: HandConnections

    /// Opens everything.
    ///
    /// - Throws: `KernelError` when the control socket cannot be had.
    init(_ options: ServeTerminalOptions, streams: Streams) throws(KernelError) {
        self.streams = streams
        terminal = options.terminal
        signals = try TerminationSignals()
        poller = try Poller()
        try poller.add(signals.descriptor, token: Token.signals)
        hands = HandConnections(
            poller: poller,
            firstToken: Token.hands,
            lineByteLimit: InnerFenceURL.maximumByteCount
        )
        isControlled = options.control != nil
        if let control = options.control {
            streams.write("control \(try hands.listen(at: control))\n")
        }
        hands.readStandardInput()
    }

    /// Serves until `quit`, the end of standard input where nobody else can connect, or a signal.
    ///
    /// - Returns: 0 at the end, 130 after SIGINT or SIGTERM.
    /// - Throws: `KernelError` when the kernel refuses to wait.
    mutating func run() throws(KernelError) -> ExitCode {
        while true {
            if work() { return .held }
            if hands.isInputOver, !isControlled { return .held }
            try poller.wait(untilMonotonicNanoseconds: nil) { _ in }
            if signals.take() != nil { return .interrupted }
        }
    }

    /// Answers the lines that have come, and returns whether one was `quit`.
    private mutating func work() -> Bool {
        var hands = hands
        var terminal = terminal
        var isOver = false
        hands.work(
            echo: { streams.write($0 + "\n") },
            answer: { line in
                guard !isOver else { return "error the terminal app was ended" }
                isOver = line == "quit"
                return isOver ? "ok" : terminal.answer(to: line)
            }
        )
        self.hands = hands
        self.terminal = terminal
        return isOver
    }
}

/// The arguments of `serve terminal`.
struct ServeTerminalOptions {
    var terminal = ServedTerminal()
    var control: ControlPlace?
    var isDescription: Bool
    var wantsJSON: Bool

    init(_ reader: consuming ArgumentReader) throws(UsageError) {
        isDescription = try reader.takeFlag("--describe")
        wantsJSON = try reader.takeFlag("--json")
        control = try reader.takeValue("--control", expected: ControlPlace.forms) {
            ControlPlace(parsing: $0)
        }
        let settings = try ServeOptions.settings(
            try reader.takeValue("--set", expected: "NAME=VALUE[,NAME=VALUE...]", RunOptions.word)
        )
        let names = try reader.takePositionals()
        guard names == ["terminal"] else {
            throw .wrong("serve terminal wants nothing more, found '\(names.last ?? "")'")
        }
        guard !wantsJSON || isDescription else { throw .wrong("--json goes with --describe") }
        for (name, value) in settings {
            guard let option = terminal.options.first(where: { $0.name == name }) else {
                let hint = nearest(to: name, among: terminal.options.map(\.name)).map {
                    "; did you mean '\($0)'?"
                }
                throw .wrong(
                    "--set: the terminal has no option '\(name)'"
                        + (hint ?? "; `serve terminal --describe` lists them")
                )
            }
            guard terminal.set(name, to: value) else {
                throw .invalidValue(option: "--set \(name)", value: value, expected: option.form)
            }
        }
    }
}
