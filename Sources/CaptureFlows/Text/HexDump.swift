import CaptureFiles

/// Lines that engineers paste: perhaps a time, a mark of direction, hex bytes.
///
/// A mark may also stand in a line of its own before rows without one. Words before the bytes are
/// passed over, and what follows them (a text column) too.
struct HexDump: Sendable {
    /// Marks that say who sent; `true` goes to the reader.
    private static let marks: [(text: StaticString, isToReader: Bool)] = [
        (">", true), ("<", false), (">>", true), ("<<", false), ("->", true), ("<-", false),
        ("-->", true), ("<--", false), ("=>", true), ("<=", false), ("TX", true), ("RX", false),
        ("H>R", true), ("R>H", false), ("H->R", true), ("R->H", false), ("C>S", true),
        ("S>C", false), ("C->S", true), ("S->C", false), ("ECR->PT", true), ("PT->ECR", false),
        ("OUT", true), ("IN", false), ("SEND", true), ("SENT", true), ("SendRaw", true),
        ("RECV", false), ("RECEIVE", false), ("RECEIVED", false), ("WRITE", true),
        ("READ", false), ("HOST", true), ("READER", false), ("TERMINAL", false),
        ("DEVICE", false), ("APP", true),
    ]
    /// Marks that only count as the first word of a line.
    private static let shortMarks: [(text: StaticString, isToReader: Bool)] = [
        ("C", true), ("S", false), ("T", true), ("R", false),
    ]

    /// What a line says.
    private struct Row {
        var time: CaptureTime?
        var isAbsolute = false
        var direction: FlowDirection?
        var bytes: [UInt8] = []
    }

    private var direction = FlowDirection.unknown
    private var time: CaptureTime?

    /// Whether a quarter of the lines or more have a mark and bytes, in one line or in two.
    static func matches(_ lines: [ArraySlice<UInt8>]) -> Bool {
        var count = 0
        var isMarked = false
        for line in lines {
            let row = row(line)
            if row.direction != nil { isMarked = true }
            if isMarked, row.bytes.count >= 2 { count += 1 }
        }
        return count > 0 && count * 4 >= lines.count
    }

    /// Whether a line has a date before its time.
    static func hasDate(_ line: ArraySlice<UInt8>) -> Bool { row(line).isAbsolute }

    /// Whether a line has a time.
    static func hasTime(_ line: ArraySlice<UInt8>) -> Bool { row(line).time != nil }

    mutating func take(_ line: TextLine, _ output: inout FlowOutput) {
        let bytes = line.bytes.withoutReturn
        guard let first = bytes.first(where: { $0 != 0x20 }), first != 0x23 else { return }
        let row = Self.row(bytes)
        if let marked = row.direction {
            direction = marked
            time = row.time
        }
        guard !row.bytes.isEmpty else {
            if row.direction == nil {
                output.notice(.textLine, .leftOut, "neither a mark of direction nor hex bytes")
            }
            return
        }
        guard let flow = output.flow(.serial(name: "text"), isDirectionGuessed: true) else {
            return
        }
        output.position.time = row.time ?? time
        output.put(flow, .data, direction, row.bytes[...], at: line.byteOffset)
    }

    private static func row(_ line: ArraySlice<UInt8>) -> Row {
        var row = Row()
        var words = line.words()[...]
        takeTime(&words, &row)
        if let first = words.first, row.direction == nil {
            for mark in shortMarks where first.reads(mark.text) {
                row.direction = mark.isToReader ? .toReader : .fromReader
                words = words.dropFirst()
            }
        }
        takeDirection(words, &row)
        row.bytes = longestBytes(words)
        return row
    }

    private static func takeDirection(_ words: ArraySlice<ArraySlice<UInt8>>, _ row: inout Row) {
        for index in words.indices where row.direction == nil {
            // "Message To Terminal" goes to the reader, "From Terminal" comes from it.
            let isPhrase = index + 1 < words.endIndex && marked(words[index + 1]) == .fromReader
            if isPhrase, words[index].reads("TO") {
                row.direction = .toReader
            } else if isPhrase, words[index].reads("FROM") {
                row.direction = .fromReader
            } else {
                row.direction = marked(words[index])
            }
        }
    }

    /// The longest run of bytes in a line: words before it may look like bytes too.
    private static func longestBytes(_ words: ArraySlice<ArraySlice<UInt8>>) -> [UInt8] {
        var longest: [UInt8] = []
        var index = words.startIndex
        while index < words.endIndex {
            let (bytes, count) = bytes(words[index...])
            if bytes.count > longest.count { longest = bytes }
            index += max(1, count)
        }
        return longest
    }

    private static func takeTime(_ words: inout ArraySlice<ArraySlice<UInt8>>, _ row: inout Row) {
        guard let first = words.first.map(bare) else { return }
        if words.count >= 2, let time = TextTime.absolute(first, bare(words[words.startIndex + 1]))
        {
            row.time = time
            row.isAbsolute = true
            words = words.dropFirst(2)
        } else if let time = TextTime.ofDay(first) {
            row.time = time
            words = words.dropFirst()
        } else if first.contains(0x2E), let time = TextTime.seconds(first) {
            row.time = time
            words = words.dropFirst()
        }
    }

    /// A word without brackets around it and a colon behind.
    private static func bare(_ word: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var word = word
        if word.first == UInt8(ascii: "[") || word.first == UInt8(ascii: "(") {
            word = word.dropFirst()
        }
        while let last = word.last,
            [UInt8(ascii: "]"), UInt8(ascii: ")"), UInt8(ascii: ":")].contains(last)
        {
            word = word.dropLast()
        }
        return word
    }

    private static func marked(_ word: ArraySlice<UInt8>) -> FlowDirection? {
        let word = bare(word)
        for mark in marks where word.reads(mark.text) {
            return mark.isToReader ? .toReader : .fromReader
        }
        return nil
    }

    /// The bytes of a word: `0x` may stand before them, `-` or `:` between them.
    private static func wordBytes(_ word: ArraySlice<UInt8>) -> [UInt8]? {
        var word = word
        if word.last == UInt8(ascii: ",") { word = word.dropLast() }
        if word.startsReading("0x") { word = word.dropFirst(2) }
        guard word.count >= 2 else { return nil }
        if word.contains(UInt8(ascii: "-")) || word.contains(UInt8(ascii: ":")) {
            let parts = word.split(omittingEmptySubsequences: false) {
                $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: ":")
            }
            guard parts.allSatisfy({ $0.count == 2 }) else { return nil }
            var bytes: [UInt8] = []
            for part in parts {
                guard let more = part.hexBytes else { return nil }
                bytes += more
            }
            return bytes
        }
        return word.hexBytes
    }

    /// The bytes of all words up to the first that is none, and how many words those are.
    ///
    /// An offset before them is passed over. Where bytes stand alone, a longer word is the text
    /// column.
    private static func bytes(
        _ words: ArraySlice<ArraySlice<UInt8>>
    ) -> (bytes: [UInt8], wordCount: Int) {
        var rest = words
        if rest.count >= 2, let first = rest.first, first.count == 4 || first.count == 8,
            rest.dropFirst().prefix(2).allSatisfy({ $0.count == 2 && $0.hexBytes != nil })
        {
            rest = rest.dropFirst()
        }
        var bytes: [UInt8] = []
        var isSingle = true
        while let word = rest.first, let more = wordBytes(word) {
            if bytes.isEmpty { isSingle = more.count == 1 }
            guard !isSingle || more.count == 1 else { break }
            bytes += more
            rest = rest.dropFirst()
        }
        // The text column may look like bytes.
        if !bytes.isEmpty { rest = rest.drop { wordBytes($0) != nil } }
        return (bytes, rest.startIndex - words.startIndex)
    }
}
