import Glibc

/// One file of the repository, by its path from the top.
struct TrackedFile {
    var path: String
    var bytes: [UInt8]

    init(_ path: String, _ bytes: [UInt8]) {
        self.path = path
        self.bytes = bytes
    }

    /// A sample that a rule is tried on.
    init(_ path: String, text: String) {
        self.init(path, Array(text.utf8))
    }

    var name: Substring {
        path[(path.lastIndex(of: "/").map(path.index(after:)) ?? path.startIndex)...]
    }
    var lines: [ArraySlice<UInt8>] {
        bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    }

    /// The line, from 1, that holds the byte at `offset`.
    func line(at offset: Int) -> Int {
        bytes[..<offset].count { $0 == UInt8(ascii: "\n") } + 1
    }

    /// True for files below one of the folders, or for the files themselves.
    func isIn(_ places: String...) -> Bool {
        places.contains { path == $0 || path.hasPrefix($0 + "/") }
    }
}

/// The repository that these tests were built from.
enum Checkout {
    static let root = String(#filePath.dropLast("/Tests/TidyTests/Checkout.swift".count))

    /// Everything but what .gitignore leaves out, in the order of the paths.
    static let files: [TrackedFile] = paths(in: "").sorted().map { path in
        TrackedFile(path, contents(of: root + "/" + path))
    }

    static func text(of path: String) -> String {
        String(decoding: contents(of: root + "/" + path), as: UTF8.self)
    }

    private static func paths(in folder: String) -> [String] {
        guard let stream = opendir(root + "/" + folder) else { return [] }
        defer { closedir(stream) }
        var found: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            let path = folder.isEmpty ? name : folder + "/" + name
            if isLeftOut(name, path: path) { continue }
            if Int32(entry.pointee.d_type) == Int32(DT_DIR) {
                found += paths(in: path)
            } else {
                found.append(path)
            }
        }
        return found
    }

    private static func isLeftOut(_ name: String, path: String) -> Bool {
        [".", "..", ".git", ".build"].contains(name) || path == "out" || name.hasSuffix(".profraw")
    }

    private static func contents(of path: String) -> [UInt8] {
        let descriptor = open(path, O_RDONLY)
        guard descriptor >= 0 else { return [] }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var block = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = read(descriptor, &block, block.count)
            guard count > 0 else { return bytes }
            bytes += block[..<count]
        }
    }
}

/// The offsets at which `needle` stands in `bytes`.
func offsets(of needle: String, in bytes: [UInt8]) -> [Int] {
    let wanted = Array(needle.utf8)
    guard let first = wanted.first, bytes.count >= wanted.count else { return [] }
    var found: [Int] = []
    bytes.withUnsafeBytes { buffer in
        guard let base = buffer.baseAddress else { return }
        var at = 0
        while at + wanted.count <= buffer.count,
            let hit = memchr(base + at, Int32(first), buffer.count - at)
        {
            let offset = UnsafeRawPointer(hit) - base
            guard offset + wanted.count <= buffer.count else { return }
            if memcmp(hit, wanted, wanted.count) == 0 { found.append(offset) }
            at = offset + 1
        }
    }
    return found
}
