import CardCrypto
import ReaderProtocols

/// The files of a reader, bounded as a whole.
struct MiuraFileStore: Hashable {
    struct File: Hashable {
        var name: String
        var folder: MiuraFolder
        var bytes: [UInt8]
    }

    /// The most bytes of all files together: 32 MB (assumed).
    static let byteCountBound = 32 * 1_024 * 1_024
    /// The most files (assumed).
    static let fileCountBound = 256

    private(set) var files: [File] = []
    private(set) var selected: Int?

    var byteCount: Int { files.reduce(0) { $0 + $1.bytes.count } }

    /// Opens a file, which is made when there is none; returns its size.
    mutating func select(_ selection: MiuraFileSelection) -> Result<Int, Refusal> {
        if let index = index(selection.name, selection.folder) {
            if selection.mode == .truncate { files[index].bytes = [] }
            selected = index
            return .success(files[index].bytes.count)
        }
        guard files.count < Self.fileCountBound else { return .failure(Refusal(.fileCountLimit)) }
        files.append(File(name: selection.name, folder: selection.folder, bytes: []))
        selected = files.count - 1
        return .success(0)
    }

    /// Puts bytes into the selected file.
    mutating func write(_ bytes: [UInt8], at offset: Int) -> MiuraStatusWord {
        guard let selected else { return .fileSystemError }
        let end = offset + bytes.count
        let grown = max(0, end - files[selected].bytes.count)
        guard byteCount + grown <= Self.byteCountBound else { return .fileSizeLimit }
        if grown > 0 {
            files[selected].bytes += [UInt8](repeating: 0, count: grown)
        }
        files[selected].bytes.replaceSubrange(offset..<end, with: bytes)
        return .success
    }

    func read(offset: Int, byteCount: Int) -> [UInt8]? {
        guard let selected else { return nil }
        let bytes = files[selected].bytes
        guard offset <= bytes.count else { return nil }
        return Array(bytes[offset..<min(bytes.count, offset + byteCount)])
    }

    /// The MD5 of the selected file.
    var selectedMD5: [UInt8]? { selected.map { FileDigest.md5(files[$0].bytes) } }

    /// Adds or replaces a file of the reader itself.
    mutating func put(_ name: String, _ bytes: [UInt8]) {
        remove(name, .installation)
        files.append(File(name: name, folder: .installation, bytes: bytes))
    }

    @discardableResult
    mutating func remove(_ name: String, _ folder: MiuraFolder) -> Bool {
        guard let index = index(name, folder) else { return false }
        files.remove(at: index)
        selected = nil
        return true
    }

    mutating func removeAll(in folder: MiuraFolder) {
        files.removeAll { $0.folder == folder }
        selected = nil
    }

    func bytes(of name: String) -> [UInt8]? {
        index(name, .installation).map { files[$0].bytes }
    }

    func names(in folder: MiuraFolder) -> [String] {
        files.filter { $0.folder == folder }.map(\.name)
    }

    private func index(_ name: String, _ folder: MiuraFolder) -> Int? {
        files.firstIndex { $0.name == name && $0.folder == folder }
    }

    struct Refusal: Error, Hashable {
        let statusWord: MiuraStatusWord
        init(_ statusWord: MiuraStatusWord) { self.statusWord = statusWord }
    }
}
