/// Rules on files as such.
enum TreeRules {
    // MARK: Card numbers

    /// Clear numbers of test cards stand in `*Vectors*.swift` only; what people read shows masks.
    static func clearCardNumbers(_ file: TrackedFile) -> [String] {
        guard !mayHoldClearNumbers(file) else { return [] }
        return CardNumberVectors.published.flatMap { number in
            offsets(of: number, in: file.bytes)
                .filter { !isInsideALongerNumber(at: $0, count: number.utf8.count, file.bytes) }
                .map { "\(file.path):\(file.line(at: $0)): a card number in clear" }
        }
    }

    private static func mayHoldClearNumbers(_ file: TrackedFile) -> Bool {
        file.isIn("Tests", "Sources") && file.path.hasSuffix(".swift")
            && file.name.contains("Vectors")
    }

    private static func isInsideALongerNumber(at start: Int, count: Int, _ bytes: [UInt8]) -> Bool {
        let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
        return (start > 0 && digits.contains(bytes[start - 1]))
            || (start + count < bytes.count && digits.contains(bytes[start + count]))
    }

    // MARK: Machines

    /// Folders of a machine and hosts of package registries; written in two pieces, so that this
    /// file does not find itself.
    private static let machineWords: [String] = [
        ("/wo", "rk/"), ("/tmp/w", "t/"), ("/ro", "ot/"), ("/ho", "me/"), ("/Us", "ers/"),
        ("deb.deb", "ian.org"), ("security.deb", "ian.org"), ("py", "pi.org"),
        ("pythonho", "sted.org"), ("registry.np", "mjs.org"), ("crates", ".io"),
        ("proxy.gol", "ang.org"), ("swiftpackagein", "dex.com"),
    ].map { $0 + $1 }

    static func machineWords(_ file: TrackedFile) -> [String] {
        machineWords.flatMap { word in
            offsets(of: word, in: file.bytes).map {
                "\(file.path):\(file.line(at: $0)): '\(word)' belongs to one machine"
            }
        }
    }

    // MARK: Errors

    /// An error with a sentence for people says it wherever it is put into a text: without
    /// `CustomStringConvertible` its stored properties are shown.
    static func silentError(_ file: TrackedFile) -> [String] {
        guard file.isIn("Sources"), file.path.hasSuffix(".swift") else { return [] }
        let lines = file.lines.map { String(decoding: $0, as: UTF8.self) }
        return lines.indices.filter { index in
            guard let name = nameOfError(lines[index]) else { return false }
            let indent = lines[index].prefix { $0 == " " }
            let body = lines[index...].prefix { $0 != indent + "}" }
            let hasSentence = body.contains {
                $0.contains("var description: String") || $0.contains("var reason: String")
            }
            let isShown = lines.contains {
                $0.contains(name) && $0.contains("CustomStringConvertible")
            }
            return hasSentence && !isShown
        }.map { "\(file.path):\($0 + 1): an error with a sentence is CustomStringConvertible" }
    }

    private static func nameOfError(_ line: String) -> String? {
        let words = line.split { " ,{".contains($0) }.map(String.init)
        guard let index = words.firstIndex(where: { $0 == "struct" || $0 == "enum" }),
            words.contains("Error"), words.count > index + 1, words[index + 1].hasSuffix(":")
        else { return nil }
        return String(words[index + 1].dropLast())
    }

    // MARK: Size and names

    /// The number of lines from which a file must be divided.
    static let lineLimit = 450

    /// Files that may be longer, and why.
    static let longFiles: [(path: String, reason: String)] = []

    static func longFile(_ file: TrackedFile) -> [String] {
        let isCode = [".swift", ".c", ".h", ".bash", ".yaml"].contains { file.path.hasSuffix($0) }
        guard isCode, !longFiles.contains(where: { $0.path == file.path }) else { return [] }
        let count = file.lines.count - 1
        return count > lineLimit ? ["\(file.path): \(count) lines; divide it by subject"] : []
    }

    static func blankInPath(_ file: TrackedFile) -> [String] {
        let isPlain = file.path.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }
        return isPlain ? [] : ["'\(file.path)': a path has no blanks and is plain ASCII"]
    }
}
