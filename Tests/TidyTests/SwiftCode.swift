/// Swift source with comments and the text of string literals blanked, line breaks and offsets kept.
///
/// Code inside an interpolation stays. Regular-expression literals are not known: none are used.
struct SwiftCode {
    private(set) var bytes: [UInt8]
    private var at = 0

    init(_ source: [UInt8]) {
        bytes = source
        while at < bytes.count { skipCode() }
    }

    /// The imported modules and their lines, access and attributes aside.
    var imports: [(module: String, line: Int)] {
        var found: [(module: String, line: Int)] = []
        for (index, line) in bytes.split(
            separator: UInt8(ascii: "\n"),
            omittingEmptySubsequences: false
        ).enumerated() {
            var words = line.split(separator: UInt8(ascii: " "))
                .map { String(decoding: $0, as: UTF8.self) }[...]
            while let word = words.first, word.hasPrefix("@") || Self.access.contains(word) {
                words.removeFirst()
            }
            guard words.popFirst() == "import" else { continue }
            if let word = words.first, Self.kinds.contains(word) { words.removeFirst() }
            guard let path = words.first else { continue }
            found.append((String(path.prefix { $0 != "." && $0 != ";" }), index + 1))
        }
        return found
    }

    /// The offsets at which `word` stands and is not a part of a longer identifier.
    func offsets(ofWord word: String) -> [Int] {
        TidyTests.offsets(of: word, in: bytes).filter { offset in
            let end = offset + word.utf8.count
            return
                !(offset > 0 && Self.isIdentifier(bytes[offset - 1])
                && word.utf8.first.map(Self.isIdentifier) == true)
                && !(end < bytes.count && Self.isIdentifier(bytes[end])
                    && word.utf8.last.map(Self.isIdentifier) == true)
        }
    }

    static func isIdentifier(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), 0x80...:
            true
        default: false
        }
    }

    private static let access = ["public", "package", "internal", "fileprivate", "private"]
    private static let kinds = [
        "struct", "class", "enum", "protocol", "func", "var", "let", "typealias",
    ]

    // MARK: The lexer

    /// Skips one piece of code: a comment, a literal or a byte.
    private mutating func skipCode() {
        if starts(with: "//") {
            while at < bytes.count, bytes[at] != UInt8(ascii: "\n") { blank() }
        } else if starts(with: "/*") {
            skipBlockComment()
        } else if bytes[at] == UInt8(ascii: "\"") {
            skipString(hashes: 0)
        } else if bytes[at] == UInt8(ascii: "#") {
            var hashes = 0
            while at < bytes.count, bytes[at] == UInt8(ascii: "#") {
                hashes += 1
                at += 1
            }
            if at < bytes.count, bytes[at] == UInt8(ascii: "\"") { skipString(hashes: hashes) }
        } else {
            at += 1
        }
    }

    private mutating func skipBlockComment() {
        var depth = 0
        repeat {
            if starts(with: "/*") {
                depth += 1
                blank(2)
            } else if starts(with: "*/") {
                depth -= 1
                blank(2)
            } else {
                blank()
            }
        } while depth > 0 && at < bytes.count
    }

    private mutating func skipString(hashes: Int) {
        let tail = String(repeating: "#", count: hashes)
        let quotes = starts(with: "\"\"\"") ? "\"\"\"" : "\""
        at += quotes.utf8.count
        while at < bytes.count {
            if starts(with: quotes + tail) {
                at += quotes.utf8.count + hashes
                return
            }
            if quotes == "\"", bytes[at] == UInt8(ascii: "\n") { return }
            if starts(with: "\\" + tail + "(") {
                at += 2 + hashes
                skipInterpolation()
            } else if starts(with: "\\" + tail) {
                blank(2 + hashes)
            } else {
                blank()
            }
        }
    }

    private mutating func skipInterpolation() {
        var depth = 1
        while at < bytes.count, depth > 0 {
            if bytes[at] == UInt8(ascii: "(") { depth += 1 }
            if bytes[at] == UInt8(ascii: ")") { depth -= 1 }
            skipCode()
        }
    }

    private func starts(with text: String) -> Bool {
        bytes[at...].starts(with: text.utf8)
    }

    private mutating func blank(_ count: Int = 1) {
        for _ in 0..<count where at < bytes.count {
            if bytes[at] != UInt8(ascii: "\n") { bytes[at] = UInt8(ascii: " ") }
            at += 1
        }
    }
}
