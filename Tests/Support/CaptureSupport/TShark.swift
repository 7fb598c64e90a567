import Glibc

/// The real part opposite reader and writer: what tshark makes of files.
public enum TShark {
    public static let isPresent = system("command -v tshark >/dev/null 2>&1") == 0
    public static let absence = "tshark is not installed"

    /// Why there is no output.
    public enum Failure: Error {
        case notStarted(String)
        case notWritten
        /// The command, and how it ended.
        case ended(String, status: Int32)
    }

    /// What tshark prints of a file's bytes.
    public static func run(_ file: [UInt8], _ arguments: String) throws -> String {
        var path = Array("/tmp/cardrig-capture-XXXXXX".utf8CString)
        let descriptor = mkstemp(&path)
        guard descriptor >= 0 else { throw Failure.notWritten }
        defer { unlink(path) }
        defer { close(descriptor) }
        guard write(descriptor, file, file.count) == file.count else { throw Failure.notWritten }
        let name = String(decoding: path.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
        return try run(path: name, arguments)
    }

    /// What tshark prints of a file.
    public static func run(path: String, _ arguments: String) throws -> String {
        try output(of: "timeout 60 tshark -n -r \(path) \(arguments) 2>/dev/null")
    }

    /// What a command prints that ends well.
    public static func output(of command: String) throws -> String {
        guard let pipe = popen(command, "r") else { throw Failure.notStarted(command) }
        var output: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 4_096)
        while true {
            let count = fread(&piece, 1, piece.count, pipe)
            guard count > 0 else { break }
            output += piece[..<count]
        }
        let status = pclose(pipe)
        guard status == 0 else { throw Failure.ended(command, status: status) }
        return String(decoding: output, as: UTF8.self)
    }
}
