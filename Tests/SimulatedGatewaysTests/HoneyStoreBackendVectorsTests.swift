import CardData
import EventLoops
import GatewayProtocols
import SimulatedGateways
import Testing
import Transports

@Suite("HoneyStore's backend")
struct HoneyStoreBackendTests {
    /// A backend with a user, and a gateway whose charges may be lost.
    private struct World {
        /// What becomes of a charge.
        enum Fate { case answered, lostBefore, lostAfter }

        var gateway = SimulatedPAYMILLGateway(SimulatedPAYMILLGateway.Configuration())
        var backend: HoneyStoreBackend
        var now = VirtualInstant.zero
        var callCount = 0
        var session = ""

        init(takesFreeAmounts: Bool? = nil) throws {
            var configuration = HoneyStoreBackend.Configuration(
                privateKey: gateway.configuration.privateKey
            )
            if let takesFreeAmounts { configuration.takesFreeAmounts = takesFreeAmounts }
            backend = HoneyStoreBackend(configuration)
            let request = HoneyStoreRequest.signUp(username: "ada", password: "p", email: "a@b.c")
            _ = try call(request)
            session = backend.session(of: "ada") ?? ""
        }

        mutating func call(
            _ request: HoneyStoreRequest,
            _ fate: Fate = .answered
        ) throws -> HoneyStoreAnswer {
            callCount += 1
            now = now + .seconds(1)
            var http = HTTPRequest(
                method: request.method,
                path: request.path,
                contentType: HoneyStoreRequest.contentType,
                body: request.body
            )
            http.fields.append(
                HTTPField(HoneyStoreRequest.sessionField.lowercased(), session)
            )
            backend.take(http, call: callCount, at: now)
            for _ in 0..<100 {
                guard let action = backend.nextAction() else {
                    guard let deadline = backend.nextDeadline else { break }
                    now = deadline
                    backend.deadlineReached(at: now)
                    continue
                }
                switch action {
                case .answer(callCount, let response):
                    return try #require(HoneyStoreAnswer(decoding: response.body))
                case .post(let post, let kind, let http):
                    let isLost = fate != .answered && kind == .sale
                    if isLost, fate == .lostBefore {
                        backend.outcome(.reset, post: post, at: now)
                        continue
                    }
                    guard case .answer(let response, _) = gateway.receive(http, at: now).wire else {
                        break
                    }
                    backend.outcome(isLost ? .reset : .answered(response), post: post, at: now)
                case .answer, .answered, .unanswered, .finished: break
                }
            }
            throw SimulatedPAYMILLGatewayTests.NoAnswer()
        }

        /// Buys acacia honey by a new token, or a card that is kept.
        mutating func buy(
            _ fate: Fate,
            _ reference: String = "",
            product: String = "acacia",
            payment: String? = nil
        ) throws -> HoneyStoreAnswer {
            let price = try #require(HoneyStoreProduct.named("acacia")).price
            let order = HoneyStoreOrder(
                amount: price,
                currency: "EUR",
                description: "same",
                product: product,
                reference: reference
            )
            if let payment { return try call(.createTransactionWithPayment(payment, order), fate) }
            let token = try SimulatedPAYMILLGatewayTests.token(&gateway, at: now).result.get().id
            return try call(.createTransactionWithToken(token, order), fate)
        }

        func isSuccess(_ answer: HoneyStoreAnswer) -> Bool {
            if case .result = answer { return true }
            return false
        }
    }

    @Test(arguments: [false, true])
    func aPurchaseThatWasNotBookedIsNotTakenForAnEqualOne(isKept: Bool) throws {
        var world = try World()
        var answer = try world.buy(.answered)
        #expect(world.isSuccess(answer))
        var payment: String?
        if isKept, case .result(let cards) = try world.call(.payments) {
            payment = cards.newestCard
            #expect(payment != nil)
            answer = try world.buy(.answered, payment: payment)
            #expect(world.isSuccess(answer))
        }
        answer = try world.buy(.lostBefore, payment: payment)
        guard case .failed(let error) = answer else {
            return #expect(Bool(false), "a purchase that was not booked has succeeded")
        }
        #expect(error.text.contains("nothing was charged"))
        answer = try world.buy(.lostAfter, payment: payment)
        #expect(world.isSuccess(answer))
    }

    @Test func aLookUpTellsOfTheCallWithItsReference() throws {
        var world = try World()
        _ = try world.buy(.answered, "r1")
        _ = try world.buy(.lostBefore, "r2")
        for (reference, count) in [("r1", 1), ("r2", 0), ("r3", 0), ("", 1)] {
            let answer = try world.call(.transactions(description: "same", reference: reference))
            guard case .result(let list) = answer else {
                return #expect(Bool(false), "\(answer)")
            }
            #expect(list.listedCount == count, "\(reference)")
        }
    }

    @Test func anOrderWithoutAProductIsRefusedUnlessItIsAllowed() throws {
        var world = try World()
        guard case .failed(let error) = try world.buy(.answered, product: "") else {
            return #expect(Bool(false), "a free amount was taken")
        }
        #expect(error.code == .scriptFailed)
        var free = try World(takesFreeAmounts: true)
        let answer = try free.buy(.answered, product: "")
        #expect(free.isSuccess(answer))
    }
}
