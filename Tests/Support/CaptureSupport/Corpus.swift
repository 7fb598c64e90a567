import Glibc

/// The public captures, which lie beside the checkout or where `CARDRIG_CORPUS` says.
public enum Corpus {
    /// The checkout: this file is four folders below it.
    public static let root =
        "/" + #filePath.split(separator: "/").dropLast(4).joined(separator: "/")

    public static let path: String = {
        if let path = getenv("CARDRIG_CORPUS") { return String(cString: path) }
        return "\(root)/../shared/corpus"
    }()

    public static let isPresent = access("\(path)/MANIFEST.md", R_OK) == 0

    public static let absence = "the public corpus is not beside the checkout (../shared/corpus)"

    /// A file of the corpus.
    public static func bytes(_ name: String) throws -> [UInt8] { try file("\(path)/\(name)") }

    /// A file of the checkout.
    public static func checkoutBytes(_ name: String) throws -> [UInt8] {
        try file("\(root)/\(name)")
    }

    private static func file(_ path: String) throws -> [UInt8] {
        guard let file = fopen(path, "r") else { throw MissingFile(path: path) }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = fread(&piece, 1, piece.count, file)
            guard count > 0 else { return bytes }
            bytes += piece[..<count]
        }
    }

    public struct MissingFile: Error { public let path: String }
}
