import Kernel
import Rig

/// Finds out who does what only hands can do.
enum OperatorFactory {
    /// The variable that names a control socket when `--operator` is not given.
    static let variable = "CARDRIG_OPERATOR"

    /// Makes the operator that was asked for; `nil` when a person is wanted and there is no
    /// terminal.
    ///
    /// - Throws: `KernelError` when a socket cannot be reached.
    static func make(_ options: RunOptions) throws(KernelError) -> (any Operator)? {
        var choice = options.operatorChoice
        if choice == nil, let path = ProcessEnvironment.value(of: variable), !path.isEmpty {
            choice = .socket(ControlPlace(parsing: path) ?? .path(path))
        }
        switch choice {
        case .socket(let place):
            return try SocketOperator(place)
        case .program(let command):
            return try ProgramOperator(command: command)
        case .script(let path):
            return try ProgramOperator([path], option: "--assume-operator")
        case .terminal, nil:
            guard isTerminal(0), isTerminal(2) else { return nil }
            return try TerminalOperator(TerminalKeys(0)) { text in
                try? StandardStream.error.write(text)
            }
        }
    }
}
