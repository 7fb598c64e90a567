/// Writes JSON with the keys in the order in which they are given.
///
/// The standard encoder's order differs from process to process; ours never does. Text is escaped
/// as RFC 8259 section 7 asks; nothing is ever written as a floating-point number.
public struct JSONWriter: Sendable {
    /// The text so far.
    public private(set) var bytes: [UInt8] = []

    private let isIndented: Bool
    private var hasElements: [Bool] = []
    private var isAfterKey = false

    /// Creates a writer; an indented one puts each element on a line of its own.
    public init(isIndented: Bool = false) { self.isIndented = isIndented }

    /// Begins an object; a key must precede each of its values.
    public mutating func beginObject() { begin(UInt8(ascii: "{")) }

    /// Ends the innermost object.
    public mutating func endObject() { end(UInt8(ascii: "}")) }

    /// Begins an array.
    public mutating func beginArray() { begin(UInt8(ascii: "[")) }

    /// Ends the innermost array.
    public mutating func endArray() { end(UInt8(ascii: "]")) }

    /// Writes a key.
    public mutating func key(_ name: String) {
        separate()
        quote(name)
        bytes.append(UInt8(ascii: ":"))
        if isIndented { bytes.append(UInt8(ascii: " ")) }
        isAfterKey = true
    }

    /// Writes a string.
    public mutating func string(_ text: String) {
        separate()
        quote(text)
    }

    /// Writes a whole number.
    public mutating func integer(_ value: Int64) {
        separate()
        bytes.append(contentsOf: String(value).utf8)
    }

    /// Writes `true` or `false`.
    public mutating func flag(_ value: Bool) {
        separate()
        bytes.append(contentsOf: (value ? "true" : "false").utf8)
    }

    /// Writes `null`.
    public mutating func null() {
        separate()
        bytes.append(contentsOf: "null".utf8)
    }

    /// Ends a document with a line feed.
    public mutating func endLine() { bytes.append(UInt8(ascii: "\n")) }

    private mutating func begin(_ bracket: UInt8) {
        separate()
        bytes.append(bracket)
        hasElements.append(false)
    }

    private mutating func end(_ bracket: UInt8) {
        let hadElements = hasElements.popLast() ?? false
        if isIndented && hadElements { newLine() }
        bytes.append(bracket)
    }

    private mutating func separate() {
        if isAfterKey {
            isAfterKey = false
            return
        }
        guard let last = hasElements.indices.last else { return }
        if hasElements[last] { bytes.append(UInt8(ascii: ",")) }
        hasElements[last] = true
        if isIndented { newLine() }
    }

    private mutating func newLine() {
        bytes.append(UInt8(ascii: "\n"))
        for _ in hasElements { bytes.append(contentsOf: "  ".utf8) }
    }

    private mutating func quote(_ text: String) {
        bytes.append(UInt8(ascii: "\""))
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"):
                bytes.append(UInt8(ascii: "\\"))
                bytes.append(byte)
            case 0x0A:
                bytes.append(contentsOf: "\\n".utf8)
            case 0x0D:
                bytes.append(contentsOf: "\\r".utf8)
            case 0x09:
                bytes.append(contentsOf: "\\t".utf8)
            case 0..<0x20:
                bytes.append(contentsOf: "\\u00".utf8)
                let digits = Array("0123456789abcdef".utf8)
                bytes.append(digits[Int(byte >> 4)])
                bytes.append(digits[Int(byte & 15)])
            default:
                bytes.append(byte)
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }
}
