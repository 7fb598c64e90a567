import CardData
import Kernel
import Reporting

/// Where a verb writes to: the process's standard output and error, or arrays in tests.
final class Streams {
    /// What was written to standard output; empty when it goes to the process's own.
    private(set) var output: [UInt8] = []
    /// What was written to standard error; empty when it goes to the process's own.
    private(set) var error: [UInt8] = []
    /// Whether standard output could not be written, for another reason than a closed pipe.
    private(set) var hasFailed = false

    private let isCaptured: Bool
    private let capturedInput: [UInt8]
    /// Whether standard error is a terminal, which alone sees progress and times.
    let hasTerminal: Bool
    /// How standard output is set off.
    let style: Style

    private init(isCaptured: Bool, hasTerminal: Bool, style: Style, input: [UInt8] = []) {
        self.isCaptured = isCaptured
        capturedInput = input
        self.hasTerminal = hasTerminal
        self.style = style
    }

    /// The process's own streams; colours only on a terminal and without `NO_COLOR`.
    static func process() -> Streams {
        let wantsColour = (ProcessEnvironment.value(of: "NO_COLOR") ?? "").isEmpty
        let isDumb = ProcessEnvironment.value(of: "TERM") == "dumb"
        return Streams(
            isCaptured: false,
            hasTerminal: isTerminal(2),
            style: Style(isColoured: wantsColour && !isDumb && isTerminal(1))
        )
    }

    /// Streams that keep what is written; their standard input holds these bytes.
    static func captured(input: [UInt8] = []) -> Streams {
        Streams(
            isCaptured: true,
            hasTerminal: false,
            style: Style(isColoured: false),
            input: input
        )
    }

    /// Reads standard input to its end.
    ///
    /// - Throws: `KernelError` when more than so many bytes come, or none can be read.
    func readInput(limit: Int) throws(KernelError) -> [UInt8] {
        isCaptured ? capturedInput : try StandardInput.read(limit: limit)
    }

    /// Writes to standard output.
    func write(_ text: String) { write(Array(text.utf8)) }

    /// Writes to standard output.
    func write(_ bytes: [UInt8]) {
        guard !bytes.isEmpty else { return }
        if isCaptured {
            output += bytes
            return
        }
        do {
            try StandardStream.output.write(bytes)
        } catch  where error.code == .closed {
            // The reader has seen enough, as in `cardrig list | head`.
        } catch {
            if !hasFailed { complain("\(error)") }
            hasFailed = true
        }
    }

    /// Writes a line with the program's name to standard error, whatever was typed: numbers that
    /// could be a card's lose their middle.
    func complain(_ sentence: String) {
        let lines = sentence.split(separator: "\n", omittingEmptySubsequences: false)
        let safe = lines.map { SafeText(scrubbing: String($0)).description }
        writeError("cardrig: \(safe.joined(separator: "\n"))\n")
    }

    /// Writes to standard error as it is.
    func writeError(_ text: String) {
        if isCaptured {
            error += Array(text.utf8)
        } else {
            try? StandardStream.error.write(text)
        }
    }
}
