/// A key with its modifiers, as the boot keyboard report carries it.
public struct KeyStroke: Hashable, Sendable {
    /// The usage in page 7, 0x04 to 0x66; 0 for modifiers alone.
    public var usage: UInt8
    /// Bit 0 left control, bit 1 left shift, bit 2 left alt, bits 4 to 6 the same on the right.
    public var modifiers: UInt8

    /// Creates a stroke.
    public init(usage: UInt8, modifiers: UInt8 = 0) {
        self.usage = usage
        self.modifiers = modifiers
    }

    /// Left control, bit 0.
    public static let control: UInt8 = 0x01
    /// Left shift, bit 1.
    public static let shift: UInt8 = 0x02
    /// Left alt, bit 2.
    public static let alt: UInt8 = 0x04
}

/// Text as reports of a keyboard with the US layout, and back.
///
/// Each character is a key-down report and an all-zero key-up report of eight bytes: modifiers,
/// reserved, six keys. Characters below 32 and 127 are control combinations, except carriage
/// return, which is Enter (the manual names Ctrl-M; hosts see Enter).
/// Source: MagneSafe V5 Communication Reference Manual 99875475, appendices A and B; USB HID Usage
/// Tables, page 7; USB KB SureSwipe manual 99875206.
public enum KeyboardReports {
    /// The length of one report, in bytes.
    public static let byteCount = 8

    /// How characters become keys, property 0x17 of V5 readers.
    public enum Conversion: Hashable, Sendable {
        /// One key for each character, as on the US layout.
        case keymap
        /// Alt held and the character's decimal code on the keypad: eight reports a character.
        case altCodes
    }

    /// The stroke for an ASCII character on the US layout; `nil` above 127.
    public static func stroke(for character: UInt8) -> KeyStroke? {
        character < 128 ? strokes[Int(character)] : nil
    }

    /// The character of a stroke on the US layout, or `nil`.
    public static func character(of stroke: KeyStroke) -> UInt8? {
        // Left and right modifiers mean the same.
        let modifiers = (stroke.modifiers | stroke.modifiers >> 4) & 0x0F
        if stroke.usage == 0x28, modifiers == 0 { return 0x0D }
        let wanted = KeyStroke(usage: stroke.usage, modifiers: modifiers)
        return strokes.firstIndex(of: wanted).map { UInt8($0) }
    }

    /// Returns the reports that type a text, one after the other; characters above 127 are left
    /// out by the keymap and typed by their code otherwise.
    ///
    /// - Parameters:
    ///   - text: ASCII.
    ///   - conversion: How characters become keys.
    ///   - keymap: The stroke for a character; the US layout unless a reader's was changed.
    /// - Returns: The reports.
    /// - Complexity: O(*n*); 16 bytes a character, or 64 with codes.
    public static func reports(
        typing text: some Collection<UInt8>,
        _ conversion: Conversion = .keymap,
        keymap: (UInt8) -> KeyStroke? = { stroke(for: $0) }
    ) -> [UInt8] {
        var reports: [UInt8] = []
        reports.reserveCapacity(text.count * byteCount * (conversion == .keymap ? 2 : 8))
        for character in text {
            switch conversion {
            case .keymap:
                guard let stroke = keymap(character) else { continue }
                append(stroke, to: &reports)
                append(KeyStroke(usage: 0), to: &reports)
            case .altCodes:
                let alone = KeyStroke(usage: 0, modifiers: KeyStroke.alt)
                append(alone, to: &reports)
                for digit in [character / 100, character / 10 % 10, character % 10] {
                    append(
                        KeyStroke(usage: keypad(digit), modifiers: KeyStroke.alt),
                        to: &reports
                    )
                    append(alone, to: &reports)
                }
                append(KeyStroke(usage: 0), to: &reports)
            }
        }
        return reports
    }

    /// The HID report descriptor: eight bytes of input, one of LEDs, the vendor feature report.
    ///
    /// - Parameter featureByteCount: 24 as printed; a delivered reader was seen with 60.
    /// - Returns: 76 bytes.
    public static func reportDescriptor(featureByteCount: UInt8 = 24) -> [UInt8] {
        [
            0x05, 0x01, 0x09, 0x06, 0xA1, 0x01, 0x05, 0x07, 0x19, 0xE0, 0x29, 0xE7, 0x15, 0x00,
            0x25, 0x01, 0x75, 0x01, 0x95, 0x08, 0x81, 0x02, 0x95, 0x01, 0x75, 0x08, 0x81, 0x03,
            0x95, 0x05, 0x75, 0x01, 0x05, 0x08, 0x19, 0x01, 0x29, 0x05, 0x91, 0x02, 0x95, 0x01,
            0x75, 0x03, 0x91, 0x03, 0x95, 0x06, 0x75, 0x08, 0x15, 0x00, 0x25, 0x66, 0x05, 0x07,
            0x19, 0x00, 0x29, 0x66, 0x81, 0x00, 0x26, 0xFF, 0x00, 0x06, 0x00, 0xFF, 0x09, 0x20,
            0x95, featureByteCount, 0xB2, 0x02, 0x01, 0xC0,
        ]
    }

    private static func append(_ stroke: KeyStroke, to reports: inout [UInt8]) {
        reports += [stroke.modifiers, 0, stroke.usage, 0, 0, 0, 0, 0]
    }

    /// The usage of a digit on the keypad.
    private static func keypad(_ digit: UInt8) -> UInt8 { digit == 0 ? 0x62 : 0x58 + digit }

    /// The digit of a keypad usage, or `nil`.
    static func keypadDigit(_ usage: UInt8) -> UInt8? {
        usage == 0x62 ? 0 : (0x59...0x61 ~= usage ? usage - 0x58 : nil)
    }

    /// The strokes of characters 0 to 127.
    private static let strokes: [KeyStroke] = (UInt8(0)..<128).map { character in
        switch character {
        case 0x0D: return KeyStroke(usage: 0x28)
        case 0x7F: return KeyStroke(usage: 0x2A, modifiers: KeyStroke.control)
        case 0..<0x20:
            var stroke = printable[Int(character + 0x40 - 0x20)]
            stroke.modifiers |= KeyStroke.control
            return stroke
        default: return printable[Int(character - 0x20)]
        }
    }

    /// The strokes of characters 32 to 126.
    private static let printable: [KeyStroke] = {
        let plain = Array(" '`,-./0123456789;=[\\]".utf8)
        let shifted = Array(" \"~<_>?)!@#$%^&*(:+{|}".utf8)
        let usages: [UInt8] = [
            0x2C, 0x34, 0x35, 0x36, 0x2D, 0x37, 0x38, 0x27, 0x1E, 0x1F, 0x20, 0x21, 0x22, 0x23,
            0x24, 0x25, 0x26, 0x33, 0x2E, 0x2F, 0x31, 0x30,
        ]
        return (UInt8(0x20)..<0x7F).map { character in
            if let index = plain.firstIndex(of: character) {
                return KeyStroke(usage: usages[index])
            }
            if let index = shifted.firstIndex(of: character) {
                return KeyStroke(usage: usages[index], modifiers: KeyStroke.shift)
            }
            if character >= 0x61 { return KeyStroke(usage: character - 0x61 + 0x04) }
            return KeyStroke(usage: character - 0x41 + 0x04, modifiers: KeyStroke.shift)
        }
    }()
}

/// Reads the text that keyboard reports type, in whatever pieces the reports arrive.
///
/// A key counts when it goes down: it is in a report and was not in the one before. Codes typed on
/// the keypad under Alt give their character when Alt goes up. Keys without a character on the US
/// layout, and reports of a keyboard overflow, give nothing.
public struct KeyboardTextDecoder: Hashable, Sendable {
    private var report: [UInt8] = []
    private var last = [UInt8](repeating: 0, count: KeyboardReports.byteCount)
    private var code: Int?

    /// Creates a decoder with all keys up.
    public init() {}

    /// Adds bytes of reports and returns the characters that they type.
    ///
    /// - Complexity: O(*n*), where *n* is the number of bytes added.
    public mutating func append(_ bytes: Span<UInt8>) -> [UInt8] {
        var text: [UInt8] = []
        for index in bytes.indices {
            report.append(bytes[index])
            if report.count == KeyboardReports.byteCount {
                take(&text)
                swap(&last, &report)
                report.removeAll(keepingCapacity: true)
            }
        }
        return text
    }

    /// Whether a report has begun that is not whole.
    public var hasPartialReport: Bool { !report.isEmpty }

    private mutating func take(_ text: inout [UInt8]) {
        let modifiers = report[0]
        let isAlt = modifiers & 0x44 != 0
        for usage in report[2...] where usage > 3 && !last[2...].contains(usage) {
            if isAlt, let digit = KeyboardReports.keypadDigit(usage) {
                code = ((code ?? 0) * 10 + Int(digit)) % 1_000
            } else if let character = KeyboardReports.character(
                of: KeyStroke(usage: usage, modifiers: modifiers)
            ) {
                text.append(character)
            }
        }
        if !isAlt, let typed = code {
            text.append(UInt8(truncatingIfNeeded: typed))
            code = nil
        }
    }
}
