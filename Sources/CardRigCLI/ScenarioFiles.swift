import Kernel

/// The scenario files that paths on the command line lead to.
struct ScenarioFiles {
    /// The longest file that is read, in bytes.
    static let maximumByteCount = 8 << 20

    /// The files, each once: in the order of the paths, those of a folder sorted by bytes.
    private(set) var files: [String] = []
    /// What is wrong with paths; one line each.
    private(set) var problems: [String] = []

    /// Finds the files; without paths those of the folder `Scenarios`, here or of the installation.
    init(_ paths: [String]) {
        var wanted = paths
        if wanted.isEmpty {
            if let folder = Self.defaultFolder {
                wanted = [folder]
            } else {
                problems.append("there is no folder Scenarios here; name files or folders")
            }
        }
        var seen: Set<String> = []
        for path in wanted {
            if path.isEmpty {
                problems.append("'' is no path: name a file or a folder")
                continue
            }
            for file in found(at: path) where seen.insert(file).inserted { files.append(file) }
        }
    }

    private mutating func found(at path: String) -> [String] {
        switch Paths.kind(of: path) {
        case .file, .other:
            return [path]
        case .directory:
            do throws(KernelError) {
                let files = try Self.scenarios(under: path)
                if files.isEmpty { problems.append("\(path): there is no .yaml file in it") }
                return files
            } catch {
                problems.append("\(error)")
                return []
            }
        case nil:
            problems.append("\(path): there is no such file or folder")
            return []
        }
    }

    private static func scenarios(under folder: String) throws(KernelError) -> [String] {
        var files = try Paths.files(under: folder, withSuffix: ".yaml")
        let others = try Paths.files(under: folder, withSuffix: ".yml")
        guard !others.isEmpty else { return files }
        files += others
        return files.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }

    private static var defaultFolder: String? {
        if Paths.kind(of: "Scenarios") == .directory { return "Scenarios" }
        guard let program = ProcessEnvironment.programPath else { return nil }
        var parts = program.split(separator: "/", omittingEmptySubsequences: false).dropLast(2)
        parts.append("share/cardrig/Scenarios")
        let folder = parts.joined(separator: "/")
        return Paths.kind(of: folder) == .directory ? folder : nil
    }
}
