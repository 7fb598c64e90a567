import CardCrypto
import CardData
import EventLoops
import GatewayProtocols
import SimulatedGateways
import Testing
import Transports

/// What the gateway makes of cards: published test numbers, typed in or swiped.
@Suite("Cards at the gateway")
struct CardReadingVectorsTests {
    static let foreignKey = CipherKey(left: 0x1111_2222_3333_4444, right: 0x5555_6666_7777_8888)

    static func charge(
        _ card: NMICardData,
        _ configuration: SimulatedNMIGateway.Configuration = .init()
    ) throws -> (answer: NMIResponse, entry: LedgerEntry?, report: NMIQueryResponse) {
        var gateway = SimulatedNMIGateway(configuration)
        let cache = CryptoCache()
        let reply = gateway.receive(pay(.sale, 100, "o", card), at: .zero, cache: cache)
        return (
            try NMIResponse(decoding: response(reply).body), gateway.ledger.entries.first,
            try parsedReport(gateway.receive(query("o"), at: .zero, cache: cache))
        )
    }

    static func keyed(_ number: String, _ date: String = "1025") -> NMICardData {
        .keyed(NMIKeyedCard(unmaskedNumber: Array(number.utf8), expiration: Array(date.utf8)))
    }

    /// Source: Direct Post API manual, "Testing information"; the Maestro number of that table
    /// fails the Luhn check and is left out.
    static let numbers: [(number: String, masked: String)] = [
        ("4111111111111111", "4xxxxxxxxxxx1111"), ("5431111111111111", "5xxxxxxxxxxx1111"),
        ("6011601160116611", "6xxxxxxxxxxx6611"), ("6011000991300009", "6xxxxxxxxxxx0009"),
        ("341111111111111", "3xxxxxxxxxx1111"), ("30205252489926", "3xxxxxxxxx9926"),
        ("3541963594572595", "3xxxxxxxxxxx2595"),
    ]

    @Test(arguments: numbers)
    func aTypedTestNumberIsApprovedAndReportedMasked(number: String, masked: String) throws {
        let (answer, entry, report) = try Self.charge(Self.keyed(number))
        #expect(answer.kind == .approved)
        #expect(entry?.maskedCardNumber?.description == masked)
        #expect(report.transactions[0].maskedCardNumber?.description == masked)
        #expect(report.transactions[0].expirationDate == ExpirationDate("1025"))
        #expect(report.transactions[0].entryMode == "Keyed")
        var dumped = ""
        dump(entry, to: &dumped)
        #expect(!dumped.contains(number))
    }

    static let wrong: [(card: NMICardData, text: String)] = [
        (keyed("4111111111111112"), "Invalid Credit Card Number"),
        (keyed(""), "Invalid Credit Card Number"),
        (keyed("411111111111"), "Invalid Credit Card Number"),
        (keyed("4111111111111111", ""), "ccexp is empty"),
        (keyed("4111111111111111", "1325"), "Invalid expiration date"),
        (
            .tracks(NMITracks(unmaskedTrack1: Array("null".utf8))), "Invalid Credit Card Number"
        ),
    ]

    @Test(arguments: wrong)
    func aWrongCardIsAnErrorThatBooksNothing(card: NMICardData, text: String) throws {
        let (answer, entry, _) = try Self.charge(card)
        #expect(answer.kind == .error)
        #expect(answer.responseCode == .rejected)
        #expect(answer.text == text + " REFID:3150000001")
        #expect(entry == nil)
    }

    @Test(arguments: TestCard.names)
    func whatTheReaderEncryptedIsReadUnderEitherVariant(name: String) throws {
        let stripe = try #require(TestCard.named(name))
        let track = try #require(Track2(parsing: stripe.unmaskedTrack2))
        for variant in [DUKPT.Variant.pin, .dataRequest] {
            let swipe = swipe(name, variant: variant)
            let (answer, entry, _) = try Self.charge(.magneSafe(swipe))
            guard track.pan.isLuhnValid else {
                // The card of MagTek's manual: opened, and found to have a wrong check digit.
                #expect(answer.text == "Invalid Credit Card Number REFID:3150000001")
                continue
            }
            #expect(answer.kind == .approved)
            #expect(entry?.entryMode == "Swiped")
            #expect(entry?.expirationDate == track.expirationDate)
            #expect(entry?.maskedCardNumber?.lastFour == String(track.pan.unmasked.suffix(4)))
        }
    }

    @Test func eitherTrackIsEnoughAndDigitsMayBeOfEitherCase() throws {
        var first = swipe()
        first.track2 = []
        var second = swipe()
        second.track1 = []
        second.track2 = Array(String(decoding: second.track2, as: UTF8.self).lowercased().utf8)
        second.ksn = Array(String(decoding: second.ksn, as: UTF8.self).lowercased().utf8)
        for swipe in [first, second] {
            let (answer, entry, _) = try Self.charge(.magneSafe(swipe))
            #expect(answer.kind == .approved)
            #expect(entry?.maskedCardNumber?.description == "4xxxxxxxxxxx1111")
        }
        let other = NMIEncryptedTracks(track2: second.track2, ksn: second.ksn)
        #expect(try Self.charge(.encrypted(other)).answer.kind == .approved)
    }

    @Test func clearTracksAreReadToo() throws {
        let stripe = try #require(TestCard.named("visa"))
        let tracks = NMITracks(
            unmaskedTrack1: stripe.unmaskedTrack1,
            unmaskedTrack2: stripe.unmaskedTrack2
        )
        let (answer, entry, _) = try Self.charge(.tracks(tracks))
        #expect(answer.kind == .approved)
        #expect(entry?.maskedCardNumber?.description == "4xxxxxxxxxxx1111")
    }

    /// A wrong key serial number, a damaged track, a foreign key, and swapped tracks.
    static let unusable: [MagneSafeSwipeFields] = {
        var wrongKSN = swipe()
        wrongKSN.ksn[19] = UInt8(ascii: "9")
        var damaged = swipe()
        damaged.track2[20] = damaged.track2[20] == 0x30 ? 0x31 : 0x30
        var damagedFirst = swipe()
        damagedFirst.track1[0] = damagedFirst.track1[0] == 0x30 ? 0x31 : 0x30
        var cut = swipe()
        cut.track2 = Array(cut.track2.dropLast(16))
        var swapped = swipe()
        (swapped.track1, swapped.track2) = (swapped.track2, swapped.track1)
        return [wrongKSN, damaged, damagedFirst, cut, swapped, swipe(key: foreignKey)]
    }()

    @Test(arguments: unusable)
    func aSwipeThatNoKeyOpensIsAnErrorWithTheConfiguredText(
        swipe: MagneSafeSwipeFields
    ) throws {
        var configuration = SimulatedNMIGateway.Configuration()
        configuration.swipeErrorText = "No"
        let (answer, entry, _) = try Self.charge(.magneSafe(swipe), configuration)
        #expect(answer.kind == .error)
        #expect(answer.responseCode == .rejected)
        #expect(answer.text == "No REFID:3150000001")
        #expect(answer.transactionID == nil)
        #expect(entry == nil)
    }

    @Test func theCodeOfAnUnusableSwipeMayBeADecline() throws {
        var configuration = SimulatedNMIGateway.Configuration()
        configuration.swipeErrorCode = try #require(NMIResponseCode(rawValue: 220))
        let (answer, entry, _) = try Self.charge(
            .magneSafe(swipe(key: Self.foreignKey)),
            configuration
        )
        #expect(answer.kind == .declined)
        #expect(answer.text == "Unable to decrypt swipe data")
        #expect(entry?.state == .failed)
        #expect(answer.transactionID == entry?.transactionID)
    }

    @Test func aSecondKeyOpensTheOtherReadersSwipesAndWithoutKeysNothingIsOpened() throws {
        var configuration = SimulatedNMIGateway.Configuration()
        configuration.baseDerivationKeys.append(Self.foreignKey)
        let foreign = NMICardData.magneSafe(swipe(key: Self.foreignKey))
        let (answer, entry, _) = try Self.charge(foreign, configuration)
        #expect(answer.kind == .approved)
        #expect(entry?.maskedCardNumber?.description == "4xxxxxxxxxxx1111")
        configuration.baseDerivationKeys = []
        let unopened = try Self.charge(foreign, configuration)
        #expect(unopened.answer.kind == .approved)
        #expect(unopened.entry?.maskedCardNumber == nil)
    }

    @Test func noDamageOfASwipeTrapsOrIsTakenForTheCard() throws {
        let cache = CryptoCache()
        var gateway = SimulatedNMIGateway()
        let good = swipe()
        var state: UInt64 = 3
        for _ in 0..<400 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            var bad = good
            let place = Int(state >> 33) % bad.track2.count
            let digit = Hexadecimal.digit(UInt8(state >> 24 & 0xF))
            guard digit != bad.track2[place] else { continue }
            bad.track2[place] = digit
            let reply = gateway.receive(
                pay(.sale, 100, "o", .magneSafe(bad)),
                at: .zero,
                cache: cache
            )
            #expect(try NMIResponse(decoding: response(reply).body).kind == .error)
        }
        #expect(gateway.ledger.entries.isEmpty)
    }
}
