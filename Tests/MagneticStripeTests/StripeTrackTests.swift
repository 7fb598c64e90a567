import Testing

@testable import MagneticStripe

@Suite struct StripeTrackTests {
    static let vectors: [(StripeTrack, String, String)] = [
        (.one, StripeVectors.track1, StripeVectors.track1Bits),
        (.two, StripeVectors.track2, StripeVectors.track2Bits),
        (.one, StripeVectors.magTekTrack1, StripeVectors.magTekTrack1Bits),
    ]

    @Test(arguments: 0..<3)
    func bitsAreThoseOfThePublishedCards(index: Int) {
        let (track, text, expected) = Self.vectors[index]
        let bits = track.bits(of: text.utf8)
        #expect(bits?.map { $0 ? "1" : "0" }.joined() == expected)
    }

    @Test(arguments: 0..<3)
    func bitsAmongZerosGiveTheText(index: Int) throws {
        let (track, text, _) = Self.vectors[index]
        let bits = try #require(track.bits(of: text.utf8))
        let zeros = [Bool](repeating: false, count: 13)
        #expect(track.text(in: zeros + bits + zeros) == Array(text.utf8))
        #expect(track.text(in: bits) == Array(text.utf8))
    }

    @Test(arguments: 0..<3)
    func anyWrongBitIsNoticed(index: Int) throws {
        let (track, text, _) = Self.vectors[index]
        let bits = try #require(track.bits(of: text.utf8))
        for place in bits.indices {
            var damaged = bits
            damaged[place].toggle()
            #expect(track.text(in: damaged) == nil)
        }
    }

    @Test func textThatTheTrackCannotHoldHasNoBits() {
        #expect(StripeTrack.two.bits(of: "1;?".utf8) == nil)
        #expect(StripeTrack.two.bits(of: ";12".utf8) == nil)
        #expect(StripeTrack.one.bits(of: "%b?".utf8) == nil)
        #expect(
            StripeTrack.two.bits(of: (";" + String(repeating: "1", count: 38) + "?").utf8) == nil
        )
        #expect(StripeTrack.two.bits(of: "".utf8) == nil)
    }

    @Test func aLicenceHasSevenBitsOnTrack3() throws {
        let text = Array("%  982300000      D               180160BROBLU?".utf8)
        let bits = try #require(StripeTrack.three.bits(of: text))
        #expect(bits.count == (text.count + 1) * 7)
        #expect(StripeTrack.three.text(in: bits) == text)
    }

    @Test func shortTextsAmongOnesAreTakenForNoise() throws {
        let bits = try #require(StripeTrack.two.bits(of: ";12345?".utf8))
        let zeros = [Bool](repeating: false, count: 12)
        var noisy = zeros
        noisy[5] = true
        #expect(StripeTrack.two.text(in: zeros + bits + zeros) == Array(";12345?".utf8))
        #expect(StripeTrack.two.text(in: noisy + bits + zeros) == nil)
        let empty = try #require(StripeTrack.two.bits(of: ";?".utf8))
        #expect(StripeTrack.two.text(in: zeros + empty + zeros) == nil)
    }
}
