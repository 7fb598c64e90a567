import Kernel
import Synchronization

/// A folder of one test; its files are removed with it.
final class TemporaryFolder: Sendable {
    private static let count = Atomic<Int>(0)

    let path: String
    private let files = Mutex<[String]>([])

    init() {
        let number = Self.count.wrappingAdd(1, ordering: .relaxed).oldValue
        path = "/tmp/cardrig-cli-tests.\(ProcessEnvironment.processID)/\(number)"
        try? FileBytes.makeDirectory(path)
    }

    deinit {
        for file in files.withLock({ $0 }) { FileBytes.remove(path: file) }
    }

    /// Writes a file, with the folders on the way, and returns its path.
    func write(_ name: String, _ text: String) throws -> String {
        let file = path + "/" + name
        if let slash = file.lastIndex(of: "/") {
            try FileBytes.makeDirectory(String(file[..<slash]))
        }
        try FileBytes.write(Array(text.utf8), to: file)
        files.withLock { $0.append(file) }
        return file
    }
}
