import CLinux
import Glibc

/// The environment variables and the identity of this process.
public enum ProcessEnvironment {
    /// Returns the value of a variable, or `nil` when it is not set.
    public static func value(of name: String) -> String? {
        getenv(name).map { String(cString: $0) }
    }

    /// All variables in the form `NAME=value`, in the order the process was given them.
    public static var all: [String] {
        var entries: [String] = []
        guard var next = clinux_environment() else { return entries }
        while let entry = next.pointee {
            entries.append(String(cString: entry))
            next = next.advanced(by: 1)
        }
        return entries
    }

    /// The number of this process, for names of temporary files.
    public static var processID: Int32 { getpid() }

    /// The path of the running program after all links, or `nil` when the kernel does not say.
    public static var programPath: String? {
        var buffer = [CChar](repeating: 0, count: 4_096)
        let count = readlink("/proc/self/exe", &buffer, buffer.count)
        guard count > 0, count < buffer.count else { return nil }
        return String(decoding: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// The number of cores this process may use, at least 1.
    public static var coreCount: Int { max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN)))) }

    /// Ends the process at once with a status of 0 to 255, without running anything else.
    public static func exit(_ status: Int32) -> Never { Glibc.exit(status) }
}
