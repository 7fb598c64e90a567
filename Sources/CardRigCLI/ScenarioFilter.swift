/// Which scenarios `--filter` leaves: by name or by path.
///
/// A text is looked for anywhere in both. A text with `*` (any characters, slashes too) or `?` (one
/// character) is a pattern for all of the name, of the path, or of the path's last part. Letters of
/// ASCII match in either case.
struct ScenarioFilter: Equatable, Sendable {
    /// The text as it was given.
    let text: String
    private let pattern: [UInt8]

    init?(_ text: String) {
        guard !text.isEmpty else { return nil }
        self.text = text
        let folded = Self.folded(text)
        let isPattern = folded.contains { $0 == Self.anyRun || $0 == Self.anyOne }
        pattern = isPattern ? folded : [Self.anyRun] + folded + [Self.anyRun]
    }

    /// Takes the option of a verb.
    static func take(_ reader: inout ArgumentReader) throws(UsageError) -> ScenarioFilter? {
        try reader.takeValue("--filter", expected: "a text or a pattern") { ScenarioFilter($0) }
    }

    /// Whether a scenario stays; without a name it is a file that holds none.
    func matches(file: String, name: String? = nil) -> Bool {
        let last = file.split(separator: "/").last.map(String.init) ?? file
        return [file, last, name].compactMap(\.self).contains { matches($0) }
    }

    private static let anyRun = UInt8(ascii: "*")
    private static let anyOne = UInt8(ascii: "?")

    private static func folded(_ text: String) -> [UInt8] {
        text.utf8.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
    }

    /// Whether the pattern fits all of a text.
    ///
    /// - Complexity: O(*n* · *m*): a mismatch gives the last `*` one more byte.
    private func matches(_ text: String) -> Bool {
        let text = Self.folded(text)
        var position = 0
        var index = 0
        var retry: (position: Int, index: Int)?
        while index < text.count {
            if position < pattern.count, pattern[position] == Self.anyRun {
                retry = (position, index)
                position += 1
            } else if position < pattern.count, pattern[position] == Self.anyOne {
                position += 1
                index += 1
                // One character, which may be several bytes.
                while index < text.count, text[index] & 0xC0 == 0x80 { index += 1 }
            } else if position < pattern.count, pattern[position] == text[index] {
                position += 1
                index += 1
            } else if let last = retry {
                retry = (last.position, last.index + 1)
                position = last.position + 1
                index = last.index + 1
            } else {
                return false
            }
        }
        return pattern[position...].allSatisfy { $0 == Self.anyRun }
    }
}
