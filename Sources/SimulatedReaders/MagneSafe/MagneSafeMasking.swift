/// How a reader hides cards of each kind in the masked tracks (properties 0x07, 0x08, 0x31, 0x34).
///
/// | card | known by | masked |
/// | --- | --- | --- |
/// | payment card | track 1 begins `%B`, or track 2 is a number and `=` | number and issuer's data |
/// | driver's licence | issuer 604425 or 636000 to 636062 on track 2, or a 7-bit track 3 | tracks 1 and 3, number, rest; dates clear |
/// | another | neither | nothing, or every character with property 0x31 |
///
/// Track 1 of a payment card that does not begin with `B` is never masked.
/// Source: MagneSafe V5 Communication Reference Manual 99875475, appendix E and properties 0x07,
/// 0x08, 0x31 and 0x34.
public struct MagneSafeMasking: Hashable, Sendable {
    /// What a card is to the mask.
    public enum CardKind: Hashable, Sendable {
        /// ISO/ABA.
        case payment
        /// AAMVA.
        case licence
        /// Another that decodes.
        case other
    }

    /// Property 0x07: payment cards.
    public var payment = MagneSafeMask.factory
    /// Property 0x08: driver's licences.
    public var licence = MagneSafeMask.factory
    /// Property 0x31: whether other cards are hidden altogether.
    public var masksOtherCards = false
    /// Property 0x34: whether driver's licences stay clear.
    public var clearsLicences = false

    /// The masking of the factory.
    public init() {}

    /// Tells what kind of card has these tracks, sentinels included; empty tracks are blank.
    public static func kind(track1: [UInt8], track2: [UInt8], track3: [UInt8]) -> CardKind {
        if let first = track3.first, first == 0x25 || first == 0x23 { return .licence }
        if isLicence(track2) { return .licence }
        if track1.count > 2, track1[0] == 0x25, track1[1] == 0x42 { return .payment }
        var end = 1
        while end < track2.count, track2[end] >= 0x30, track2[end] <= 0x39 { end += 1 }
        let isPayment = end > 1 && end <= 20 && end < track2.count && track2[end] == 0x3D
        return isPayment ? .payment : .other
    }

    private static func isLicence(_ track2: [UInt8]) -> Bool {
        guard track2.count > 7, track2[1] == 0x36 else { return false }
        var issuer = 0
        for byte in track2[1..<7] {
            guard byte >= 0x30, byte <= 0x39 else { return false }
            issuer = issuer * 10 + Int(byte - 0x30)
        }
        return issuer == 604_425 || (636_000...636_062).contains(issuer)
    }

    /// Returns track 1 as a reader shows it.
    public func track1(_ clear: [UInt8], of kind: CardKind) -> [UInt8] {
        switch kind {
        case .payment: payment.track1(clear)
        case .licence: clearsLicences ? clear : licence.everything(clear)
        case .other: other(clear)
        }
    }

    /// Returns track 2 as a reader shows it.
    public func track2(_ clear: [UInt8], of kind: CardKind) -> [UInt8] {
        switch kind {
        case .payment: payment.track2(clear)
        case .licence: clearsLicences ? clear : licence.licenceTrack2(clear)
        case .other: other(clear)
        }
    }

    /// Returns track 3 as a reader shows it.
    public func track3(_ clear: [UInt8], of kind: CardKind) -> [UInt8] {
        switch kind {
        case .payment: payment.track3(clear)
        case .licence: clearsLicences ? clear : licence.everything(clear)
        case .other: other(clear)
        }
    }

    /// `0` for every character, whatever the mask character is.
    private func other(_ clear: [UInt8]) -> [UInt8] {
        masksOtherCards ? MagneSafeMask.factory.everything(clear) : clear
    }
}
