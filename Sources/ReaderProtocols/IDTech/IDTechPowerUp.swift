/// The text with which a reader of the UniMag family announces itself when it gets power.
///
/// The library tells families apart by it; the exact text is not published, so it is a setting of
/// the simulated reader and only its beginning is looked at.
/// Source: names in ID TECH's UniMag library for Android; the letters of the text are inferred from
/// them.
public enum IDTechPowerUp: Hashable, Sendable, CaseIterable {
    /// The bootloader.
    case bootloader
    /// A reader that tells the speed of its line.
    case baud
    /// A reader of the MSR1xx family.
    case msr1xx
    /// A reader of the MSR2xx family.
    case msr2xx
    /// A reader of the MSR3xx family.
    case msr3xx

    /// What the text begins with.
    public var beginning: String {
        switch self {
        case .bootloader: "BLM"
        case .baud: "BAUD"
        case .msr1xx: "MSR1"
        case .msr2xx: "MSR2"
        case .msr3xx: "MSR3"
        }
    }

    /// The longest text that is taken for an announcement, in bytes.
    static let maximumByteCount = 64

    /// Reads a line without its carriage return; `nil` for another text.
    public init?(_ line: some Collection<UInt8>) {
        let bytes = Array(line.prefix(Self.maximumByteCount))
        guard let kind = Self.allCases.first(where: { bytes.starts(with: $0.beginning.utf8) })
        else {
            return nil
        }
        self = kind
    }

    /// The line that a reader sends: text and carriage return.
    public static func packet(_ text: String) -> [UInt8] {
        Array(text.utf8.prefix(maximumByteCount - 1)) + [0x0D]
    }
}
