/// The functions of a reader that commands set and get, as far as a Shuttle or a rig needs them; the
/// raw value is the number on the wire.
///
/// Source: SecureMag User Manual (MS246 manual 80096504-001), Appendix: Setting Configuration.
public enum IDTechFunction: UInt8, Hashable, Sendable, CaseIterable {
    /// Which tracks must be read.
    case trackSelection = 0x13
    /// All settings back to the factory's.
    case defaultSettings = 0x18
    /// Whether the head reads: `0` off, `1` on.
    case stripeReading = 0x1A
    /// Every setting, to read.
    case allSettings = 0x1F
    /// What ends a clear text, carriage return.
    case terminator = 0x21
    /// The firmware's version, to read.
    case firmwareVersion = 0x22
    /// The USB mode: `0` HID, `8` keyboard.
    case usbMode = 0x23
    /// Which key encrypts tracks: data or PIN.
    case keyType = 0x3E
    /// Clear digits at the start of the number, 0 to 6.
    case leadingClearDigits = 0x49
    /// Clear digits at its end, 0 to 4.
    case trailingClearDigits = 0x4A
    /// What stands for a hidden character.
    case maskCharacter = 0x4B
    /// The cipher: `1` triple DES, `2` AES (inferred).
    case cipher = 0x4C
    /// The serial number, to read.
    case serialNumber = 0x4E
    /// Whether the expiration date is shown: `0` hidden, `1` shown.
    case expirationDate = 0x50
    /// Which hashes are sent: `0` to `7`.
    case hashes = 0x5C
    /// Whether encrypted tracks have their LRC character: `0` no, `1` yes.
    case lrcCharacter = 0x6F
    /// The security level, to read: `0` keys used up, `1` clear, `2` key loaded, `3` encrypting,
    /// `4` authentication.
    case securityLevel = 0x7E
    /// Which tracks are encrypted whatever the card.
    case forcedEncryption = 0x84
    /// The layout: `0` original, `1` enhanced.
    case format = 0x85
    /// Which tracks are sent masked.
    case maskedTracks = 0x86
}
