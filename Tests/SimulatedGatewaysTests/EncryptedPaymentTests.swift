import CardCrypto
import CardData
import EventLoops
import GatewayProtocols
import SimulatedGateways
import Testing
import Transports

/// `encrypted_payment` at the gateway that handed out the key.
@Suite("Encrypted payments at the gateway")
struct EncryptedPaymentTests {
    static func report(
        _ query: NMIQuery,
        _ gateway: inout SimulatedNMIGateway
    ) throws
        -> NMIQueryResponse
    {
        let request = NMIRequest(securityKey: key, operation: .query(query))
        return try parsedReport(gateway.receive(post(request), at: .zero, cache: cache))
    }

    static func encrypt(_ card: DirectPostCard, includingCVV: Bool = true) throws -> String {
        var gateway = SimulatedNMIGateway()
        let answer = try report(.report(.sdkKey, id: ""), &gateway)
        let key = try #require(answer.sdkKey)
        var encryption = PGEncrypt()
        try encryption.setKey(key)
        var generator = SplitMix64(seed: 7)
        return try encryption.encrypt(card, includingCVV: includingCVV, using: &generator)
    }

    static let keyed: DirectPostCard = {
        let pan = TestCard.named("visa").flatMap { Track2(parsing: $0.unmaskedTrack2) }?.pan
        return .keyed(
            unmaskedNumber: pan.map { Array($0.unmasked.utf8) },
            expirationDate: Array("1025".utf8),
            cvv: Array("999".utf8)
        )
    }()

    static func charge(
        _ value: String,
        _ configuration: SimulatedNMIGateway.Configuration = .init(),
        cvv: String? = nil
    ) throws -> (answer: NMIResponse, entry: LedgerEntry?) {
        var gateway = SimulatedNMIGateway(configuration)
        let request = pay(.sale, 100, "o", .encryptedPayment(Array(value.utf8)), cvv: cvv)
        let reply = gateway.receive(request, at: .zero, cache: cache)
        return (try NMIResponse(decoding: response(reply).body), gateway.ledger.entries.first)
    }

    @Test func aTypedCardIsReadWithItsSecurityCode() throws {
        let (answer, entry) = try Self.charge(Self.encrypt(Self.keyed))
        #expect(answer.kind == .approved)
        #expect(answer.cvvResponse == "M")
        #expect(entry?.maskedCardNumber?.description == "4xxxxxxxxxxx1111")
        #expect(entry?.expirationDate == ExpirationDate("1025"))
        #expect(entry?.entryMode == "Keyed")
    }

    @Test func theSecurityCodeMayComeBesideOrNotAtAll() throws {
        let value = try Self.encrypt(Self.keyed, includingCVV: false)
        #expect(try Self.charge(value).answer.cvvResponse == "")
        #expect(try Self.charge(value, cvv: "999").answer.cvvResponse == "M")
        // What was encrypted counts before what stands beside it.
        let both = try Self.encrypt(Self.keyed)
        #expect(try Self.charge(both, cvv: "1").answer.cvvResponse == "M")
    }

    @Test func swipesOfEveryKindAreReadInside() throws {
        let stripe = try #require(TestCard.named("visa"))
        let clear = DirectPostCard.swiped(
            unmaskedTrack1: stripe.unmaskedTrack1,
            unmaskedTrack2: stripe.unmaskedTrack2,
            unmaskedTrack3: nil
        )
        let tracks = swipe(variant: .dataRequest)
        let encrypted = DirectPostCard.encryptedSwipe(
            track1: tracks.track1,
            track2: tracks.track2,
            track3: [],
            ksn: tracks.ksn,
            cvv: []
        )
        for card in [clear, encrypted, .magneSafe(swipe())] {
            let (answer, entry) = try Self.charge(Self.encrypt(card))
            #expect(answer.kind == .approved)
            #expect(entry?.maskedCardNumber?.description == "4xxxxxxxxxxx1111")
            #expect(entry?.entryMode == "Swiped")
        }
    }

    @Test func readingItAsAFormWithEscapesSpoilsATrackInClear() throws {
        let stripe = try #require(TestCard.named("visa"))
        // `%B4` becomes one byte; track 2 is left, unless it is missing too.
        let card = DirectPostCard.swiped(
            unmaskedTrack1: stripe.unmaskedTrack1,
            unmaskedTrack2: nil,
            unmaskedTrack3: nil
        )
        var configuration = SimulatedNMIGateway.Configuration()
        #expect(try Self.charge(Self.encrypt(card), configuration).answer.kind == .approved)
        configuration.decodesEncryptedPayments = true
        let answer = try Self.charge(Self.encrypt(card), configuration).answer
        #expect(answer.text == "Invalid Credit Card Number REFID:3150000001")
        #expect(try Self.charge(Self.encrypt(Self.keyed), configuration).answer.kind == .approved)
    }

    @Test func onlyCardFieldsInsideAreLookedAt() throws {
        let pan = try #require(
            TestCard.named("visa").flatMap { Track2(parsing: $0.unmaskedTrack2) }
        )
        var gateway = SimulatedNMIGateway()
        let report = try Self.report(.report(.sdkKey, id: ""), &gateway)
        let key = try #require(report.sdkKey)
        var generator = SplitMix64(seed: 1)
        let text = "ccnumber=\(pan.pan.unmasked)&ccexp=1025&amount=0.01&type=void&orderid=inner"
        let value = try PGEncrypt(PGEncryptKey(key)).encrypt(Array(text.utf8), using: &generator)
        let (answer, entry) = try Self.charge(value)
        #expect(answer.kind == .approved)
        #expect(entry?.amount == Amount(minorUnits: 100))
        #expect(entry?.orderID == "o")
    }

    static let problems: [(value: String, text: String)] = [
        ("Encryption Failed", "this is the vendor's text for a missing key, not a cryptogram"),
        ("Encryption_Failed", "this is the vendor's text for a missing key, not a cryptogram"),
        ("null", "expected six parts between `|`"),
        ("!", "expected base 64"),
    ]

    @Test(arguments: problems)
    func whatIsNoEncryptedPaymentIsRefusedWithItsReason(value: String, text: String) throws {
        let (answer, entry) = try Self.charge(value)
        #expect(answer.kind == .error)
        #expect(answer.responseCode == .rejected)
        #expect(answer.text == "Invalid encrypted_payment: \(text) REFID:3150000001")
        #expect(answer.transactionID == nil)
        #expect(entry == nil)
    }

    @Test func aForeignKeyAndADamagedValueAreRefused() throws {
        let value = try Self.encrypt(Self.keyed)
        var payment = try PGEncryptedPayment(Array(value.utf8))
        payment.keyNumber = "778"
        #expect(
            try Self.charge(payment.text).answer.text
                == "Invalid encrypted_payment: the key is not the merchant's REFID:3150000001"
        )
        payment.keyNumber = "777"
        payment.encryptedKey[9] ^= 1
        #expect(
            try Self.charge(payment.text).answer.text
                == "Invalid encrypted_payment: the private key does not open it, or it was damaged "
                + "REFID:3150000001"
        )
        var configuration = SimulatedNMIGateway.Configuration()
        configuration.keyPair = nil
        configuration.encryptedPaymentErrorText = "No"
        #expect(
            try Self.charge(value, configuration).answer.text
                == "No: the merchant has no key REFID:3150000001"
        )
    }

    @Test func noDamageTrapsOrIsTakenForTheCard() throws {
        let value = Array(try Self.encrypt(Self.keyed).utf8)
        var random = SplitMix64(seed: 3)
        for _ in 0..<60 {
            var bad = value
            let place = Int(random.next(below: UInt64(bad.count)))
            bad[place] = Base64.encode([UInt8(random.next(below: 64)) << 2])[0]
            guard bad != value else { continue }
            let (answer, entry) = try Self.charge(String(decoding: bad, as: UTF8.self))
            // A change of the vector changes the first block only, and may leave a card's number
            // that passes the check; nothing else gets through.
            #expect(answer.kind == .error || entry?.amount == Amount(minorUnits: 100))
        }
    }

    @Test func aRunsSeedDecidesTheWholeValue() throws {
        #expect(try Self.encrypt(Self.keyed) == Self.encrypt(Self.keyed))
    }
}
