import Kernel

/// Those who play the hands: standard input, and whoever is connected to the control socket.
struct HandConnections {
    /// How many may be connected at once.
    static let bound = 8

    private let poller: Poller
    private let firstToken: UInt64
    /// The longest line that is taken, in bytes.
    private let lineByteLimit: Int
    private var listener: LineListener?
    private var connections: [(token: UInt64, lines: LineStream)] = []
    private var nextToken: UInt64
    private var input: LineStream?

    /// Prepares to listen; the tokens from the first one on are used by nobody else at the poller.
    init(
        poller: Poller,
        firstToken: UInt64,
        lineByteLimit: Int = LineStream.maximumLineByteCount
    ) {
        self.poller = poller
        self.lineByteLimit = lineByteLimit
        self.firstToken = firstToken
        nextToken = firstToken + 2
    }

    /// Whether no more lines come from standard input.
    var isInputOver: Bool { input == nil }

    private var inputToken: UInt64 { firstToken }
    private var listenerToken: UInt64 { firstToken + 1 }

    /// Reads lines from standard input as well.
    mutating func readStandardInput() {
        let lines = LineStream(adopting: Descriptor(adopting: 0))
        lines.lineByteLimit = lineByteLimit
        do throws(KernelError) {
            try poller.add(lines.descriptor, token: inputToken)
        } catch {
            // A plain file, or nothing at all, is always ready: it is read once, on the first round.
        }
        input = lines
    }

    /// Listens for control connections and returns where.
    mutating func listen(at place: ControlPlace) throws(KernelError) -> ControlPlace {
        if case .path(let path) = place { LineListener.removeStale(at: path) }
        let listener = try LineListener(at: place)
        try poller.add(listener.descriptor, token: listenerToken)
        self.listener = listener
        return listener.place
    }

    /// Lets those in who wait, and has every line answered that has come.
    ///
    /// - Parameters:
    ///   - echo: Where answers to standard input go.
    ///   - answer: Does what a line says and returns what is sent back.
    mutating func work(echo: (String) -> Void, answer: (String) -> String) {
        if let listener {
            while let lines = try? listener.accept() { adopt(lines) }
        }
        if let lines = input {
            do throws(KernelError) {
                while let line = try Self.nextLine(of: lines) {
                    guard case .said(let text) = line else {
                        echo("error a line has \(lineByteLimit) bytes at most, and is UTF-8")
                        continue
                    }
                    if !text.isEmpty, !text.hasPrefix("#") { echo(answer(text)) }
                }
                if lines.isFinished { forgetInput(lines) }
            } catch {
                echo("error standard input: \(error)")
                forgetInput(lines)
            }
        }
        for (token, lines) in connections {
            do throws(KernelError) {
                // A few at a time, so that nobody keeps the reader waiting.
                for _ in 0..<64 {
                    guard let line = try lines.nextLine() else { break }
                    try lines.sendAtOnce(answer(line))
                }
                if !lines.isFinished { continue }
            } catch {
                // A peer that is gone, does not read or sends what is no line loses its connection.
            }
            poller.remove(lines.descriptor)
            connections.removeAll { $0.token == token }
        }
    }

    /// A line, or one that cannot be read and was passed over.
    private enum Line {
        case said(String)
        case bad
    }

    private static func nextLine(of lines: LineStream) throws(KernelError) -> Line? {
        do throws(KernelError) {
            return try lines.nextLine().map { .said($0) }
        } catch {
            guard error.code == .badLine else { throw error }
            return .bad
        }
    }

    private mutating func adopt(_ lines: LineStream) {
        lines.lineByteLimit = lineByteLimit
        guard connections.count < Self.bound else {
            try? lines.sendAtOnce("error \(Self.bound) others play the hands already")
            return
        }
        do throws(KernelError) {
            try poller.add(lines.descriptor, token: nextToken)
            connections.append((nextToken, lines))
            nextToken += 1
        } catch {
            // Without descriptors left nobody can be let in.
        }
    }

    private mutating func forgetInput(_ lines: LineStream) {
        poller.remove(lines.descriptor)
        input = nil
    }
}
