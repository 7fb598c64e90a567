import Glibc

@testable import CaptureFiles

/// The public captures, which lie beside the checkout or where `CARDRIG_CORPUS` says.
enum Corpus {
    static let path: String = {
        if let path = getenv("CARDRIG_CORPUS") { return String(cString: path) }
        // Tests/CaptureFilesTests/Corpus.swift: three components below the package.
        let root = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
        return "/\(root)/../shared/corpus"
    }()

    static let isPresent = access("\(path)/MANIFEST.md", R_OK) == 0

    static let absence = "the public corpus is not beside the checkout (../shared/corpus)"

    static func bytes(_ name: String) throws -> [UInt8] {
        try bytes(ofFile: "\(path)/\(name)")
    }

    /// A file of the checkout.
    static func checkoutBytes(_ name: String) throws -> [UInt8] {
        let root = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
        return try bytes(ofFile: "/\(root)/\(name)")
    }

    private static func bytes(ofFile name: String) throws -> [UInt8] {
        guard let file = fopen(name, "r") else { throw MissingFile(name: name) }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = fread(&piece, 1, piece.count, file)
            guard count > 0 else { return bytes }
            bytes += piece[..<count]
        }
    }

    struct MissingFile: Error { let name: String }
}

/// What a reader makes of a whole file: its packets, and the error that ended it, if one did.
struct Reading: Hashable {
    var packets: [CapturedPacket] = []
    var error: CaptureError?

    /// Feeds the file in pieces of the given lengths, the last one repeated.
    init(_ bytes: [UInt8], pieces: [Int] = [.max]) {
        var reader = CaptureReader()
        self.init(&reader, bytes, pieces: pieces)
    }

    init(_ reader: inout CaptureReader, _ bytes: [UInt8], pieces: [Int] = [.max]) {
        var rest = bytes[...]
        var nextPiece = 0
        do throws(CaptureError) {
            while !rest.isEmpty {
                let count = pieces[min(nextPiece, pieces.count - 1)]
                nextPiece += 1
                reader.append(rest.prefix(count))
                rest = rest.dropFirst(count)
                while let packet = try reader.next() { packets.append(packet) }
            }
            try reader.finish()
        } catch {
            self.error = error
        }
    }

    func records() throws -> [USBMonPacket] { try packets.map { try USBMonPacket(decoding: $0) } }
}

/// SplitMix64: a seed brings any finding back.
struct SeededGenerator: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
