import Journal
import Testing

/// Reads back what the writer writes, strictly: RFC 8259 without floating-point numbers.
struct JSONReader {
    indirect enum Value: Hashable {
        case object([Member])
        case array([Value])
        case string(String)
        case integer(Int64)
        case flag(Bool)
        case null
    }

    struct Member: Hashable {
        var key: String
        var value: Value

        init(_ key: String, _ value: Value) {
            self.key = key
            self.value = value
        }
    }

    struct Mistake: Error { var offset: Int }

    private let bytes: [UInt8]
    private var position = 0

    static func read(_ bytes: [UInt8]) throws -> Value {
        var reader = JSONReader(bytes: bytes)
        let value = try reader.value()
        reader.skipBlanks()
        guard reader.position == bytes.count else { throw Mistake(offset: reader.position) }
        return value
    }

    private init(bytes: [UInt8]) { self.bytes = bytes }

    private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

    private mutating func skipBlanks() {
        while let next, [0x20, 0x0A, 0x0D, 0x09].contains(next) { position += 1 }
    }

    private mutating func take(_ text: String) -> Bool {
        guard bytes[position...].starts(with: text.utf8) else { return false }
        position += text.utf8.count
        return true
    }

    private mutating func need(_ text: String) throws {
        skipBlanks()
        guard take(text) else { throw Mistake(offset: position) }
    }

    private mutating func value() throws -> Value {
        skipBlanks()
        if take("{") { return .object(try list(until: "}") { try $0.member() }) }
        if take("[") { return .array(try list(until: "]") { try $0.value() }) }
        if take("true") { return .flag(true) }
        if take("false") { return .flag(false) }
        if take("null") { return .null }
        if next == UInt8(ascii: "\"") { return .string(try string()) }
        let start = position
        _ = take("-")
        while let next, (0x30...0x39).contains(next) { position += 1 }
        let digits = String(decoding: bytes[start..<position], as: UTF8.self)
        guard let number = Int64(digits), String(number) == digits else {
            throw Mistake(offset: start)
        }
        return .integer(number)
    }

    private mutating func list<Element>(
        until end: String,
        _ element: (inout JSONReader) throws -> Element
    ) throws -> [Element] {
        var elements: [Element] = []
        skipBlanks()
        if take(end) { return elements }
        while true {
            elements.append(try element(&self))
            skipBlanks()
            if take(end) { return elements }
            try need(",")
        }
    }

    private mutating func member() throws -> Member {
        skipBlanks()
        let key = try string()
        try need(":")
        return Member(key, try value())
    }

    private mutating func string() throws -> String {
        try need("\"")
        var text: [UInt8] = []
        while let byte = next {
            position += 1
            switch byte {
            case UInt8(ascii: "\""):
                return String(decoding: text, as: UTF8.self)
            case UInt8(ascii: "\\"):
                text.append(try escape())
            case 0..<0x20:
                throw Mistake(offset: position)
            default:
                text.append(byte)
            }
        }
        throw Mistake(offset: position)
    }

    private mutating func escape() throws -> UInt8 {
        if take("\"") { return 0x22 }
        if take("\\") { return 0x5C }
        if take("n") { return 0x0A }
        if take("r") { return 0x0D }
        if take("t") { return 0x09 }
        guard take("u00"), position + 2 <= bytes.count else { throw Mistake(offset: position) }
        let digits = String(decoding: bytes[position..<(position + 2)], as: UTF8.self)
        guard let byte = UInt8(digits, radix: 16), byte < 0x80 else {
            throw Mistake(offset: position)
        }
        position += 2
        return byte
    }
}

@Suite("JSON writer")
struct JSONWriterTests {
    private func text(_ writer: JSONWriter) -> String {
        String(decoding: writer.bytes, as: UTF8.self)
    }

    private func nested(isIndented: Bool) -> JSONWriter {
        var writer = JSONWriter(isIndented: isIndented)
        writer.beginObject()
        writer.key("z")
        writer.integer(.min)
        writer.key("a")
        writer.beginArray()
        writer.beginObject()
        writer.endObject()
        writer.beginArray()
        writer.endArray()
        writer.flag(true)
        writer.flag(false)
        writer.null()
        writer.string("")
        writer.endArray()
        writer.key("m")
        writer.beginObject()
        writer.key("k")
        writer.integer(.max)
        writer.endObject()
        writer.endObject()
        return writer
    }

    @Test func keysStandInTheOrderGiven() {
        #expect(
            text(nested(isIndented: false))
                == #"{"z":-9223372036854775808,"a":[{},[],true,false,null,""],"#
                + #""m":{"k":9223372036854775807}}"#
        )
    }

    @Test func anIndentedWriterPutsEachElementOnALine() {
        #expect(
            text(nested(isIndented: true)) == """
                {
                  "z": -9223372036854775808,
                  "a": [
                    {},
                    [],
                    true,
                    false,
                    null,
                    ""
                  ],
                  "m": {
                    "k": 9223372036854775807
                  }
                }
                """
        )
    }

    @Test(arguments: [false, true])
    func nestedValuesReadBack(isIndented: Bool) throws {
        #expect(
            try JSONReader.read(nested(isIndented: isIndented).bytes)
                == .object([
                    .init("z", .integer(.min)),
                    .init(
                        "a",
                        .array([
                            .object([]), .array([]), .flag(true), .flag(false), .null, .string(""),
                        ])
                    ), .init("m", .object([.init("k", .integer(.max))])),
                ])
        )
    }

    @Test(arguments: [
        ("\"\\/", #""\"\\/""#), ("\u{0}\u{1F}\u{7F}", "\"\\u0000\\u001f\u{7F}\""),
        ("\n\r\t\u{8}", #""\n\r\t\u0008""#), ("ä€😀\u{2028}", "\"ä€😀\u{2028}\""),
    ])
    func textIsEscapedAsFarAsNeeded(given: String, written: String) {
        var writer = JSONWriter()
        writer.string(given)
        #expect(text(writer) == written)
    }

    @Test func everyCharacterReadsBackAsKeyAndString() throws {
        let all = String(String.UnicodeScalarView((0...0x2FF).compactMap(Unicode.Scalar.init)))
        var writer = JSONWriter()
        writer.beginObject()
        writer.key(all)
        writer.string(all)
        writer.endObject()
        #expect(try JSONReader.read(writer.bytes) == .object([.init(all, .string(all))]))
    }

    @Test func documentsStandOnLinesOfTheirOwn() {
        var writer = JSONWriter()
        for number in 1...2 {
            writer.beginArray()
            writer.integer(Int64(number))
            writer.endArray()
            writer.endLine()
        }
        #expect(text(writer) == "[1]\n[2]\n")
    }
}
