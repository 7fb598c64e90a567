import CardCrypto
import CardData
import EventLoops
import GatewayProtocols
import JSON
import SimulatedGateways
import Testing
import Transports

@Suite("Simulated AgentCASH service")
struct SimulatedAgentCASHGatewayTests {
    typealias State = AgentCASHTransaction.State

    // MARK: States

    /// What each operation does in each state: the state after it, or the refusal.
    static let table: [(State, [(String, State?)])] = [
        (
            .authorised,
            [
                ("confirm", .authorised), ("reverse", .reversed), ("capture", .captured),
                ("refund", .released),
            ]
        ),
        (.captured, [("confirm", nil), ("reverse", nil), ("capture", nil), ("refund", .refunded)]),
        (.released, [("confirm", nil), ("reverse", nil), ("capture", nil), ("refund", nil)]),
        (.expired, [("confirm", nil), ("reverse", nil), ("capture", nil), ("refund", nil)]),
        (.reversed, [("confirm", nil), ("reverse", nil), ("capture", nil), ("refund", nil)]),
        (.refunded, [("confirm", nil), ("reverse", nil), ("capture", nil), ("refund", nil)]),
        (.declined, [("confirm", nil), ("reverse", nil), ("capture", nil), ("refund", nil)]),
        (.failed, [("confirm", nil), ("reverse", nil), ("capture", nil), ("refund", nil)]),
    ]

    @Test(arguments: table)
    func everyOperationInEveryStateIsDefined(
        _ state: State,
        _ operations: [(String, State?)]
    ) throws {
        for (name, after) in operations {
            var desk = Desk()
            let id = try desk.transaction(in: state)
            let response = desk.ask(Self.operation(name, id))
            let isRefused = response.status == 409
            #expect(isRefused == (after == nil), "\(name) in \(state)")
            #expect(desk.state(id) == after ?? state, "\(name) in \(state)")
        }
        #expect(Set(Self.table.map(\.0)) == Set(State.allCases))
    }

    private static func operation(_ name: String, _ id: UInt64) -> AgentCASHRequest {
        switch name {
        case "confirm": .confirm(id, signature: [])
        case "reverse": .reverse(id)
        case "capture": .capture(id, nil)
        default: .refund(id, nil)
        }
    }

    // MARK: Money

    @Test func lessThanTheWholeIsCapturedAndTheRestIsLetGo() throws {
        var desk = Desk()
        let id = try desk.transaction(in: .authorised)
        desk.records = []
        let response = desk.ask(.capture(id, Amount(minorUnits: 400)))
        #expect(response.status == 200)
        #expect(desk.changes == ["captured 4.00", "released 6.00"])
        #expect(desk.transaction(id)?.capturedAmount == Amount(minorUnits: 400))
    }

    @Test func moreThanIsLeftIsNeverPaidBack() throws {
        var desk = Desk()
        let id = try desk.transaction(in: .captured)
        #expect(desk.ask(.refund(id, Amount(minorUnits: 400))).status == 200)
        #expect(desk.state(id) == .captured)
        #expect(desk.ask(.refund(id, Amount(minorUnits: 601))).status == 422)
        #expect(desk.ask(.refund(id, Amount(minorUnits: 600))).status == 200)
        #expect(desk.state(id) == .refunded)
        #expect(
            desk.ask(.capture(try desk.transaction(in: .authorised), Amount(minorUnits: 1_001)))
                .status == 422
        )
    }

    @Test func oneThatIsToBeCapturedAtOnceIsCapturedWhenItIsConfirmed() {
        var desk = Desk()
        var authorisation = Desk.authorisation()
        authorisation.capturesAtOnce = true
        let id = desk.authorise(authorisation)
        #expect(desk.state(id) == .authorised)
        #expect(desk.ask(.confirm(id, signature: [9, 9])).status == 200)
        #expect(desk.state(id) == .captured)
        #expect(desk.transaction(id)?.signatureURL == "https://agentcash.invalid/signatures/\(id)")
        #expect(desk.gateway.ledger.entry(id)?.signature == [9, 9])
    }

    @Test func anAuthorisationExpiresAfterSevenDays() throws {
        var desk = Desk()
        let id = try desk.transaction(in: .authorised)
        let expiry = VirtualInstant.zero + .seconds(7 * 86_400)
        #expect(desk.gateway.nextExpiry() == expiry)
        #expect(desk.gateway.advance(to: .zero + .seconds(7 * 86_400 - 1)).isEmpty)
        #expect(desk.gateway.advance(to: expiry).count == 1)
        #expect(desk.state(id) == .expired)
        #expect(desk.gateway.nextExpiry() == nil)
    }

    @Test func theSameExternalIDIsBookedAgainAndASearchFindsAll() {
        var desk = Desk()
        _ = desk.authorise(Desk.authorisation())
        _ = desk.authorise(Desk.authorisation())
        let found = desk.ask(.search(.externalID("invoice 1")))
        let json = try? JSONValue(reading: found.body)
        #expect(json?["transactions"]?.values?.count == 2)
        #expect(
            (try? JSONValue(reading: desk.ask(.search(.reference("none"))).body))?["transactions"]?
                .values == []
        )
    }

    // MARK: Cards

    @Test func aCardThatNoKeyOpensIsBookedAsFailed() {
        var desk = Desk()
        var authorisation = Desk.authorisation()
        authorisation.card.encryptedCard[0] ^= 1
        let id = desk.authorise(authorisation)
        #expect(desk.state(id) == .failed)
        #expect(desk.transaction(id)?.responseCode == "96")
    }

    @Test(arguments: [("1234", State.authorised), ("1235", .declined), ("12345", .declined)])
    func theIssuerChecksAnOnlinePIN(_ pin: String, _ state: State) {
        var desk = Desk()
        var authorisation = Desk.authorisation()
        authorisation.card.verification = .onlinePIN
        authorisation.card.pinKeySerialNumber = Desk.ksn
        authorisation.card.pinBlock = desk.pinBlock(pin)
        let id = desk.authorise(authorisation)
        #expect(desk.state(id) == state)
    }

    @Test(arguments: [
        ([0x80, 0, 0xA0, 0x80, 0], State.declined), ([0x80, 0, 0x20, 0x80, 0], .authorised),
        ([0x80, 0, 0x80, 0x80], .authorised),
    ])
    func theIssuerDeclinesACardholderWhomNothingVerified(_ results: [UInt8], _ state: State) {
        var desk = Desk()
        var authorisation = Desk.authorisation()
        authorisation.card.chipData = [0x95, UInt8(results.count)] + results
        let id = desk.authorise(authorisation)
        #expect(desk.state(id) == state)
        if state == .declined { #expect(desk.transaction(id)?.responseCode == "75") }
    }

    // MARK: Faults

    @Test(arguments: GatewayFault.Answer.someOfEach)
    func whatIsAnsweredAfterBookingIsBooked(_ answer: GatewayFault.Answer) {
        var desk = Desk()
        desk.gateway.schedule(GatewayFault(kind: .auth, phase: .afterBooking, answer: answer))
        _ = desk.ask(.authorise(Desk.authorisation()))
        let isBooked = answer != .refused
        #expect(desk.gateway.ledger.entries.count == (isBooked ? 1 : 0))
    }

    @Test(arguments: GatewayFault.Answer.someOfEach)
    func whatIsAnsweredBeforeBookingTakesNoMoney(_ answer: GatewayFault.Answer) {
        var desk = Desk()
        desk.gateway.schedule(GatewayFault(kind: .auth, phase: .beforeBooking, answer: answer))
        _ = desk.ask(.authorise(Desk.authorisation()))
        let takesMoney = desk.gateway.ledger.entries.contains {
            $0.transaction.state == .authorised
        }
        switch answer {
        case .slow, .otherOrder: #expect(takesMoney)
        default: #expect(!takesMoney)
        }
    }

    @Test func aWrongPasswordBooksNothing() {
        var desk = Desk()
        desk.credentials.password = "guess"
        #expect(desk.ask(.authorise(Desk.authorisation())).status == 401)
        #expect(desk.gateway.ledger.entries.isEmpty)
    }

    // MARK: Webhooks

    @Test func eachChangeIsToldOnceAndTriedAgainUntilItIsTaken() throws {
        var desk = Desk()
        var authorisation = Desk.authorisation()
        authorisation.webhookURL = "http://shop.invalid/hook?x=1"
        let id = desk.authorise(authorisation)
        _ = desk.ask(.capture(id, nil))
        _ = desk.ask(.refund(id, Amount(minorUnits: 1)))
        var events: [String] = []
        while let attempt = desk.gateway.webhooks.nextAttempt(at: .zero) {
            events.append(attempt.event)
            #expect(attempt.request.path == "/hook?x=1")
            desk.gateway.webhooks.ended(
                attempt.number,
                status: attempt.number == 2 ? 500 : 204,
                at: .zero
            )
        }
        #expect(
            events == ["transaction.authorised", "transaction.captured", "transaction.refunded"]
        )
        let retry = try #require(desk.gateway.webhooks.nextDue)
        #expect(retry == .zero + .seconds(10))
        var times: [VirtualInstant] = []
        while let due = desk.gateway.webhooks.nextDue {
            times.append(due)
            let next = desk.gateway.webhooks.nextAttempt(at: due)
            let attempt = try #require(next)
            #expect(attempt.event == "transaction.captured")
            desk.gateway.webhooks.ended(attempt.number, status: nil, at: due)
        }
        #expect(times.map { $0 - .zero } == [.seconds(10), .seconds(70), .seconds(670)])
        #expect(desk.gateway.webhooks.lostCount == 1)
    }

    /// Blocks of cards and PINs must not outlive the authorisation, not even in a journal.
    @Test func aKeptRequestLeadsToTheSameBooksWithoutTheCard() throws {
        var right = Desk.authorisation()
        right.card.chipData = [0x95, 0x05, 0, 0, 0x80, 0, 0, 0x5A, 0x02, 0x47, 0x61]
        right.card.verification = .onlinePIN
        right.card.pinBlock = Desk().pinBlock("1234")
        right.card.pinKeySerialNumber = Desk.ksn
        var wrong = right
        wrong.card.chipData = []
        wrong.card.pinBlock = Desk().pinBlock("4321")
        var foreign = Desk.authorisation()
        foreign.card.encryptedCard[0] ^= 1
        for authorisation in [right, wrong, foreign, Desk.authorisation()] {
            let asked = AgentCASHRequest.authorise(authorisation)
            let request = Desk().request(asked)
            var first = SimulatedAgentCASHGateway()
            let reply = first.receive(request, at: .zero, cache: cache)
            let kept = SimulatedAgentCASHGateway.keepable(request)
            let text = String(decoding: kept.body, as: UTF8.self)
            for secret in [authorisation.card.encryptedCard, authorisation.card.pinBlock]
            where !secret.isEmpty {
                #expect(!text.contains(Hexadecimal.encode(secret)))
            }
            #expect(!text.contains("5A02"))
            var second = SimulatedAgentCASHGateway()
            _ = second.receive(kept, at: .zero, cache: cache, recalling: reply.cardMemory)
            #expect(second == first)
            #expect(!second.ledger.entries.isEmpty)
        }
        let broken = HTTPRequest(path: "/v1/x", contentType: "", body: Array("987".utf8))
        #expect(SimulatedAgentCASHGateway.keepable(broken).body.isEmpty)
    }
}

extension GatewayFault.Answer {
    static let someOfEach: [Self] = [
        .decline(.declined), .error(.rejected), .timeout, .reset, .httpStatus(500),
        .httpApproval(500), .garbage, .otherOrder, .refused, .slow(.seconds(1)),
    ]
}

/// A merchant who asks the service.
private struct Desk {
    static let ksn: [UInt8] = [0xFF, 0xFF, 0x98, 0x76, 0x54, 0x32, 0x10, 0xE0, 0x00, 0x08]

    var gateway = SimulatedAgentCASHGateway()
    var credentials = AgentCASHCredentials(username: "cardrig", password: "cardrig-demo")
    var records: [AgentCASHRecord] = []
    let cache = CryptoCache()

    static func authorisation() -> AgentCASHAuthorisation {
        let cache = CryptoCache()
        let track = TestCard.named("visa")?.unmaskedTrack2 ?? []
        let text = [0x5F, 0x22, UInt8(track.count)] + track
        let padded = text + Array(repeating: 0, count: (8 - text.count % 8) % 8)
        let key = KSN(ksn).map {
            cache.derive(.publishedTestKey, ksn: $0, variant: .dataRequest)
        }
        return AgentCASHAuthorisation(
            amount: Amount(minorUnits: 1_000),
            currency: "GBP",
            capturesAtOnce: false,
            externalID: "invoice 1",
            reference: "r-1",
            card: AgentCASHCard(
                entryMode: .magstripe,
                verification: .signature,
                encryptedCard: key.map { cache.encrypt(padded, key: $0) } ?? [],
                keySerialNumber: ksn
            )
        )
    }

    func pinBlock(_ pin: String) -> [UInt8] {
        let digits = TestCard.named("visa")?.unmaskedTrack2.dropFirst()
            .prefix { $0 != UInt8(ascii: "=") }
        let account = [0, 0, 0, 0] + Array(digits ?? []).dropLast().suffix(12).map { $0 & 0xF }
        var nibbles = [0, UInt8(pin.utf8.count)] + pin.utf8.map { $0 & 0xF }
        while nibbles.count < 16 { nibbles.append(0xF) }
        var clear: [UInt8] = []
        for index in stride(from: 0, to: 16, by: 2) {
            let high: UInt8 = nibbles[index] ^ account[index]
            let low: UInt8 = nibbles[index + 1] ^ account[index + 1]
            clear.append(high << 4 | low)
        }
        guard let ksn = KSN(Self.ksn) else { return [] }
        let key = cache.derive(.publishedTestKey, ksn: ksn, variant: .pin)
        return cache.encrypt(clear, key: key)
    }

    func request(_ request: AgentCASHRequest) -> HTTPRequest {
        HTTPRequest(
            method: request.method,
            path: request.path,
            contentType: request.method == "GET" ? "" : AgentCASHRequest.contentType,
            fields: [HTTPField("Authorization", credentials.authorization)],
            body: request.body
        )
    }

    mutating func ask(_ request: AgentCASHRequest) -> HTTPResponse {
        let reply = gateway.receive(self.request(request), at: .zero, cache: cache)
        records += reply.records
        if case .answer(let response, _) = reply.wire { return response }
        return HTTPResponse(status: 0, contentType: "", body: [])
    }

    mutating func authorise(_ authorisation: AgentCASHAuthorisation) -> UInt64 {
        _ = ask(.authorise(authorisation))
        return gateway.ledger.entries.last?.transaction.id ?? 0
    }

    /// Makes a transaction and brings it into a state.
    mutating func transaction(in state: AgentCASHTransaction.State) throws -> UInt64 {
        if state == .declined {
            gateway.schedule(GatewayFault(kind: .auth, answer: .decline(.declined)))
        }
        var authorisation = Self.authorisation()
        if state == .failed { authorisation.card.encryptedCard.removeLast(8) }
        if state == .failed { authorisation.card.encryptedCard[0] ^= 1 }
        let id = authorise(authorisation)
        switch state {
        case .authorised, .declined, .failed: break
        case .captured: _ = ask(.capture(id, nil))
        case .released: _ = ask(.refund(id, nil))
        case .reversed: _ = ask(.reverse(id))
        case .expired: _ = gateway.advance(to: .zero + .seconds(8 * 86_400))
        case .refunded:
            _ = ask(.capture(id, nil))
            _ = ask(.refund(id, nil))
        }
        try #require(self.state(id) == state)
        return id
    }

    func transaction(_ id: UInt64) -> AgentCASHTransaction? {
        gateway.ledger.entry(id)?.transaction
    }

    func state(_ id: UInt64) -> AgentCASHTransaction.State? { transaction(id)?.state }

    /// The changes of state, with the money.
    var changes: [String] {
        records.compactMap { record in
            if case .changed(_, _, let state, let amount) = record {
                "\(state.rawValue) \(amount)"
            } else {
                nil
            }
        }
    }
}
