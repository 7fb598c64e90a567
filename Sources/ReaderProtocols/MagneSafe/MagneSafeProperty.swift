/// One setting of a MagneSafe V5 reader: its id, form, range and value as it leaves the factory.
///
/// Writable properties take effect after a reset. Those without a published meaning keep what was
/// stored.
/// Source: MagneSafe V5 Communication Reference Manual 99875475, Properties and appendix F; 0x50 to
/// 0x54: iDynamo manual 99875483; defaults of 0x15 and of 0x2C differ within the manual.
public struct MagneSafeProperty: Hashable, Sendable {
    /// What a value looks like.
    public enum Form: Hashable, Sendable {
        /// One byte within a range.
        case byte(ClosedRange<UInt8>)
        /// So many bytes; text or binary.
        case bytes(ClosedRange<Int>)
    }

    /// Who may write it.
    public enum Access: Hashable, Sendable {
        /// Nobody: result 01.
        case readOnly
        /// Once; a second time gives result 07.
        case writeOnce
        /// A host, with a MAC above security level 2.
        case readWrite
    }

    /// Which readers have it.
    public struct Models: OptionSet, Hashable, Sendable {
        /// The bits of the set.
        public let rawValue: UInt8

        /// Creates a set from its bits.
        public init(rawValue: UInt8) { self.rawValue = rawValue }

        /// USB readers that report in HID form.
        public static let report = Models(rawValue: 1)
        /// USB readers that act as a keyboard.
        public static let keyboard = Models(rawValue: 2)
        /// iDynamo.
        public static let idynamo = Models(rawValue: 4)
        /// Serial, Bluetooth, Flash and wireless readers and those with a display.
        public static let other = Models(rawValue: 8)
        /// All of them.
        public static let all: Models = [.report, .keyboard, .idynamo, .other]
        /// Both kinds of USB reader.
        public static let usb: Models = [.report, .keyboard]
        /// Readers that send text.
        public static let text: Models = [.keyboard, .idynamo, .other]
    }

    /// The id on the wire.
    public let id: UInt8
    /// Its name in the manual.
    public let name: String
    /// What a value looks like.
    public let form: Form
    /// Who may write it.
    public let access: Access
    /// Which readers have it.
    public let models: Models
    /// The value of the factory; that of the device serial number and of the format code is the
    /// reader's own.
    public let factoryValue: [UInt8]
    /// Whether setting it makes the first character of the format code a `1` (assumed for each but
    /// 0x1E to 0x30: the manual says "any property that affects the format").
    public let shapesFormat: Bool

    private init(
        _ id: UInt8,
        _ name: String,
        _ form: Form,
        _ factoryValue: [UInt8],
        _ models: Models = .all,
        _ access: Access = .readWrite,
        shapesFormat: Bool = false
    ) {
        self.id = id
        self.name = name
        self.form = form
        self.access = access
        self.models = models
        self.factoryValue = factoryValue
        self.shapesFormat = shapesFormat
    }

    /// Whether a value has the form of the property.
    public func accepts(_ value: some Collection<UInt8>) -> Bool {
        switch form {
        case .byte(let range): value.count == 1 && value.first.map(range.contains) == true
        case .bytes(let range): range.contains(value.count)
        }
    }

    /// The property with an id, or `nil`.
    /// - Complexity: O(log *n*) in the number of properties.
    public static func with(id: UInt8) -> MagneSafeProperty? { find(id, in: all) }

    /// The property of a SureSwipe reader with an id, or `nil`; ids 03 and 04 mean something else
    /// there.
    public static func sureSwipe(id: UInt8) -> MagneSafeProperty? { find(id, in: sureSwipe) }

    private static func find(_ id: UInt8, in table: [MagneSafeProperty]) -> MagneSafeProperty? {
        var low = 0
        var high = table.count
        while low < high {
            let middle = (low + high) / 2
            if table[middle].id == id { return table[middle] }
            if table[middle].id < id { low = middle + 1 } else { high = middle }
        }
        return nil
    }

    /// The properties of a SureSwipe reader with reports.
    ///
    /// Source: USB HID SureSwipe manual 99875191, Properties.
    public static let sureSwipe: [MagneSafeProperty] = [
        .init(0x00, "software id", .bytes(11...11), Array("21042812D01".utf8), .all, .readOnly),
        .init(0x01, "USB serial number", .bytes(0...15), []),
        .init(0x02, "polling interval, ms", .byte(1...255), [0x0A]),
        .init(0x03, "maximum packet size", .byte(1...64), [0x08]),
        .init(0x04, "track id enable", anyByte, [0x95]),
        .init(0x10, "interface type", flag, [0x00]),
        .init(0x52, "host poll timeout, s", .byte(0...60), [0x02]),
    ]

    private static let anyByte = Form.byte(0...255)
    private static let flag = Form.byte(0...1)
    private static let string7 = Form.bytes(0...7)

    /// All properties in the order of their ids.
    public static let all: [MagneSafeProperty] =
        [
            .init(0x00, "software id", .bytes(11...11), Array("21042840G01".utf8), .all, .readOnly),
            .init(0x01, "USB serial number", .bytes(0...15), [], .usb),
            .init(0x02, "polling interval, ms", .byte(1...255), [0x01], .usb),
            .init(0x03, "device serial number", .bytes(0...15), [], .all, .writeOnce),
            .init(0x04, "MagneSafe version", .bytes(3...7), Array("V05".utf8), .all, .readOnly),
            .init(0x05, "track id enable", anyByte, [0x95], .all, shapesFormat: true),
            .init(0x07, "ISO mask", .bytes(6...6), Array("04040Y".utf8), .all, shapesFormat: true),
            .init(0x08, "AAMVA mask", .bytes(6...6), Array("04040Y".utf8), shapesFormat: true),
            .init(0x0A, "maximum packet size", .byte(1...64), [0x08], [.usb, .other]),
            .init(0x0B, "activity timeout, s", anyByte, [0x78], .other),
            .init(0x0D, "disconnect text or replay delay", string7, [], .other),
            .init(0x0E, "stay powered after a swipe", flag, [0x00], .other),
            .init(0x0F, "RF address", .bytes(4...4), [0x12, 0x34, 0x56, 0x78], .other),
            .init(0x10, "interface type", .byte(0...3), [0x00]),
            .init(0x14, "track data send flags", anyByte, [0x63], .text, shapesFormat: true),
            .init(
                0x15,
                "MagnePrint at level 2",
                flag,
                [0x00],
                [.keyboard, .other],
                shapesFormat: true
            ),
            .init(0x16, "active keymap", flag, [0x00], .keyboard),
            .init(0x17, "key conversion", .byte(0...3), [0x00], .keyboard),
            .init(0x19, "CRC flags", .byte(0...3), [0x01], .text, shapesFormat: true),
            .init(
                0x1A,
                "SureSwipe text at level 2",
                flag,
                [0x01],
                [.keyboard, .other],
                shapesFormat: true
            ),
            .init(0x1B, "JIS decoding", flag, [0x00], .text),
            .init(0x1C, "JIS start sentinel", anyByte, [0x7F], .text),
            .init(0x1D, "JIS end sentinel", anyByte, [0x7F], .text),
            .init(0x1E, "pre card string", string7, [], .text, shapesFormat: true),
            .init(0x1F, "post card string", string7, [], .text, shapesFormat: true),
            .init(0x20, "pre track string", string7, [], .text, shapesFormat: true),
            .init(0x21, "post track string", string7, [], .text, shapesFormat: true),
            .init(0x22, "termination string", string7, [0x0D], .text, shapesFormat: true),
            .init(0x23, "field separator", anyByte, [0x7C], .text, shapesFormat: true),
        ]
        + [0x25, 0x3B, 0x2B, 0x23, 0x40, 0x26].enumerated().map {
            .init(
                0x24 + UInt8($0.offset),
                startSentinelNames[$0.offset],
                anyByte,
                [$0.element],
                .text,
                shapesFormat: true
            )
        }
        + [
            .init(0x2B, "end sentinel", anyByte, [0x3F], .text, shapesFormat: true),
            .init(0x2C, "format code", .bytes(4...4), Array("0000".utf8), .text),
            .init(0x2D, "end sentinel of track 1", anyByte, [0xFF], .text, shapesFormat: true),
            .init(0x2E, "end sentinel of track 2", anyByte, [0xFF], .text, shapesFormat: true),
            .init(0x2F, "end sentinel of track 3", anyByte, [0xFF], .text, shapesFormat: true),
            .init(0x30, "send the encryption counter", flag, [0x00], .text, shapesFormat: true),
            .init(0x31, "mask other cards", flag, [0x00], .all, shapesFormat: true),
            .init(0x32, "read direction (insert)", .byte(1...3), [0x02], .other),
            .init(0x33, "card inserted (insert)", flag, [0x00], .other, .readOnly),
            .init(0x34, "clear AAMVA data", flag, [0x00], .all, shapesFormat: true),
            .init(0x36, "MagneSafe 2.0 item 36", .bytes(0...50), [], .other),
            .init(0x37, "MagneSafe 2.0 item 37", .bytes(0...50), [], .other),
            .init(0x38, "SureSwipe report at level 2", flag, [0x00], .report),
            .init(0x39, "MagneSafe 2.0 item 39", .bytes(0...50), [], .other),
            .init(
                0x3A,
                "software id 2",
                .bytes(11...11),
                Array("21042840G01".utf8),
                .other,
                .readOnly
            ),
            .init(0x3B, "MagneSafe 2.0 item 3B", .bytes(0...50), [], .other),
        ]
        + (UInt8(0x3C)...0x4B).map { .init($0, "display text", .bytes(0...50), [], .other) }
        + [
            .init(0x50, "bundle seed id", .bytes(10...10), Array("W9342QFNVM".utf8), .idynamo),
            .init(
                0x51,
                "SDK protocol",
                .bytes(0...50),
                Array("com.magtek.idynamo".utf8),
                .idynamo
            ),
            .init(0x53, "delay between keys, ms", .byte(0...250), [0x0C], .other),
            .init(0x54, "card data variant", flag, [0x00], [.report, .keyboard, .idynamo]),
            .init(0xF0, "item F0", anyByte, [0x04], .all, .readOnly),
            .init(0xF1, "item F1", anyByte, [0x01], .all, .readOnly),
        ]

    private static let startSentinelNames = [
        "start sentinel of track 1", "start sentinel of track 2",
        "start sentinel of track 3", "start sentinel of track 3, AAMVA",
        "start sentinel of track 2, 7 bits", "start sentinel of track 3, 7 bits",
    ]
}
