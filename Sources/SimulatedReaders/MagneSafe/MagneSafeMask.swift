/// How a MagneSafe reader hides a card's number and data in the masked tracks (property 0x07).
///
/// The property reads `LLTTcY`: digits kept at the front and at the end, the mask character, and
/// whether one digit in the middle makes the number pass the Luhn check. That digit stands at
/// index LL + half the middle's length; for numbers with an odd middle this is assumed. From the
/// first character that breaks the structure of a payment card the track is left clear, as readers
/// do.
/// Source: MagneSafe V5 Communication Reference Manual, property 0x07 and appendix E.
public struct MagneSafeMask: Hashable, Sendable {
    private let leadingCount: Int
    private let trailingCount: Int
    private let character: UInt8
    private let isLuhnCorrected: Bool
    private let keepsRestClear: Bool
    /// Whether the Luhn digit of a number with an odd middle stands one place further right.
    ///
    /// No manual shows such a number; the formula for even middles rounds down.
    public var roundsLuhnPositionUp = false

    /// The mask of a reader as it leaves the factory, `04040Y`.
    public static let factory = MagneSafeMask(
        leadingCount: 4,
        trailingCount: 4,
        character: 0x30,
        isLuhnCorrected: true,
        keepsRestClear: false
    )

    private init(
        leadingCount: Int,
        trailingCount: Int,
        character: UInt8,
        isLuhnCorrected: Bool,
        keepsRestClear: Bool
    ) {
        self.leadingCount = leadingCount
        self.trailingCount = trailingCount
        self.character = character
        self.isLuhnCorrected = isLuhnCorrected
        self.keepsRestClear = keepsRestClear
    }

    /// Reads the six characters of the property, such as `0604*N`, or returns `nil`.
    ///
    /// The correction applies to the mask character `0` only; `V` masks the number with `0` and
    /// leaves everything after it clear.
    public init?(property: String) {
        let text = Array(property.utf8)
        guard text.count == 6, text[..<4].allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }),
            (0x20..<0x7F).contains(text[4]), text[5] == 0x59 || text[5] == 0x4E
        else { return nil }
        self.init(
            leadingCount: Int(text[0] - 0x30) * 10 + Int(text[1] - 0x30),
            trailingCount: Int(text[2] - 0x30) * 10 + Int(text[3] - 0x30),
            character: text[4] == 0x56 ? 0x30 : text[4],
            isLuhnCorrected: text[5] == 0x59 && (text[4] == 0x30 || text[4] == 0x56),
            keepsRestClear: text[4] == 0x56
        )
    }

    /// The six characters of the property.
    public var property: [UInt8] {
        [
            0x30 + UInt8(leadingCount / 10), 0x30 + UInt8(leadingCount % 10),
            0x30 + UInt8(trailingCount / 10), 0x30 + UInt8(trailingCount % 10),
            keepsRestClear ? 0x56 : character, isLuhnCorrected ? 0x59 : 0x4E,
        ]
    }

    /// Returns track 1 masked: number and discretionary data hidden, name and date clear.
    public func track1(_ clear: [UInt8]) -> [UInt8] {
        guard clear.count > 2, clear[0] == 0x25, clear[1] == 0x42 else { return clear }
        var track = clear
        guard let first = maskNumber(of: &track, from: 2, separator: 0x5E),
            let second = track[(first + 1)...].firstIndex(of: 0x5E), second - first <= 27
        else { return track }
        maskRest(of: &track, from: second + 1, dateDigitCount: 4)
        return track
    }

    /// Returns track 2 masked: number and discretionary data hidden, date clear.
    public func track2(_ clear: [UInt8]) -> [UInt8] {
        guard clear.count > 1 else { return clear }
        var track = clear
        if let separator = maskNumber(of: &track, from: 1, separator: 0x3D) {
            maskRest(of: &track, from: separator + 1, dateDigitCount: 4)
        }
        return track
    }

    /// Returns track 3 masked: number and all that follows hidden, separators clear.
    public func track3(_ clear: [UInt8]) -> [UInt8] {
        guard clear.count > 1 else { return clear }
        var track = clear
        if let separator = maskNumber(of: &track, from: 1, separator: 0x3D) {
            maskRest(of: &track, from: separator + 1, dateDigitCount: 0)
        }
        return track
    }

    /// Returns track 2 of a driver's licence masked: number and rest hidden, the four digits of the
    /// expiry and the eight of the birth date clear.
    public func licenceTrack2(_ clear: [UInt8]) -> [UInt8] {
        guard clear.count > 1 else { return clear }
        var track = clear
        if let separator = maskNumber(of: &track, from: 1, separator: 0x3D) {
            maskRest(of: &track, from: separator + 1, dateDigitCount: 12)
        }
        return track
    }

    /// Returns a track with every character between its sentinels hidden.
    public func everything(_ clear: [UInt8]) -> [UInt8] {
        guard clear.count > 2 else { return clear }
        var track = clear
        for index in 1..<(track.count - 1) { track[index] = character }
        return track
    }

    /// Masks the digits up to a separator and returns its position, or `nil` without a number.
    private func maskNumber(
        of track: inout [UInt8],
        from start: Int,
        separator: UInt8
    ) -> Int? {
        var end = start
        while end < track.count, track[end] >= 0x30, track[end] <= 0x39 { end += 1 }
        guard end < track.count, track[end] == separator, end - start <= 19 else { return nil }
        let middleCount = end - start - leadingCount - trailingCount
        guard middleCount > 0 else { return end }
        let middle = (start + leadingCount)..<(end - trailingCount)
        for index in middle { track[index] = character }
        if isLuhnCorrected {
            correctLuhn(
                of: &track,
                start..<end,
                at: middle.lowerBound + (middleCount + (roundsLuhnPositionUp ? 1 : 0)) / 2
            )
        }
        return end
    }

    private func correctLuhn(of track: inout [UInt8], _ number: Range<Int>, at position: Int) {
        var sum = 0
        for index in number {
            let digit = Int(track[index] - 0x30)
            let isDoubled = (number.upperBound - 1 - index) & 1 == 1
            sum += isDoubled ? (digit > 4 ? digit * 2 - 9 : digit * 2) : digit
        }
        let missing = UInt8((10 - sum % 10) % 10)
        let isDoubled = (number.upperBound - 1 - position) & 1 == 1
        track[position] =
            0x30 + (isDoubled ? (missing & 1 == 0 ? missing / 2 : (missing + 9) / 2) : missing)
    }

    private func maskRest(of track: inout [UInt8], from start: Int, dateDigitCount: Int) {
        guard !keepsRestClear, start + dateDigitCount < track.count else { return }
        for index in (start + dateDigitCount)..<(track.count - 1) where track[index] != 0x3D {
            track[index] = character
        }
    }
}
