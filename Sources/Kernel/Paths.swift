import CLinux
import Glibc

/// Where files are, in an order that no locale changes.
public enum Paths {
    /// What a path leads to.
    public enum Kind: Sendable {
        case file, directory, other
    }

    /// How deep directories may be nested.
    public static let maximumDepth = 64

    /// Returns what the path leads to after all links, or `nil` when nothing is there.
    public static func kind(of path: String) -> Kind? {
        switch clinux_file_kind(path) {
        case isRegularKind: .file
        case isDirectoryKind: .directory
        case 0...: .other
        default: nil
        }
    }

    /// Lists the regular files below a directory whose names end in the suffix, sorted by bytes.
    ///
    /// Names that begin with a dot are left out, and links to directories are not followed.
    ///
    /// - Returns: Paths that begin with `directory` as it was given.
    /// - Throws: ``KernelError`` when a directory cannot be read or nests too deep, or when a
    ///   name is not UTF-8 and so could not be opened again.
    /// - Complexity: O(*n* log *n*) in the number of names below the directory.
    public static func files(
        under directory: String,
        withSuffix suffix: String
    ) throws(KernelError) -> [String] {
        var found: [String] = []
        var pending = [(path: directory, depth: 0)]
        while let next = pending.popLast() {
            guard next.depth <= maximumDepth else {
                throw KernelError(number: ELOOP, operation: "list directory", path: next.path)
            }
            for entry in try entries(of: next.path) {
                let path =
                    next.path.hasSuffix("/") ? next.path + entry.name : "\(next.path)/\(entry.name)"
                if entry.isDirectory {
                    pending.append((path, next.depth + 1))
                } else if path.hasSuffix(suffix), kind(of: path) == .file {
                    found.append(path)
                }
            }
        }
        return found.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }

    static func entries(
        of directory: String
    ) throws(KernelError) -> [(name: String, isDirectory: Bool)] {
        guard let stream = opendir(directory) else {
            throw KernelError(number: errno, operation: "list directory", path: directory)
        }
        defer { closedir(stream) }
        var result: [(name: String, isDirectory: Bool)] = []
        while let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { field in
                field.withMemoryRebound(to: CChar.self, capacity: 256) {
                    String(validatingCString: $0)
                }
            }
            guard let name else {
                throw KernelError(number: EILSEQ, operation: "list directory", path: directory)
            }
            if name.hasPrefix(".") { continue }
            var isDirectory = entry.pointee.d_type == UInt8(DT_DIR)
            if entry.pointee.d_type == UInt8(DT_UNKNOWN) {
                var status = stat()
                isDirectory =
                    lstat("\(directory)/\(name)", &status) == 0
                    && status.st_mode & S_IFMT == S_IFDIR
            }
            result.append((name, isDirectory))
        }
        return result
    }
}
