import CardData
import EventLoops
import GatewayProtocols
import SimulatedGateways
import Testing
import Transports

@Suite("Gateway faults")
struct GatewayFaultTests {
    static let declined = NMIResponseCode(rawValue: 202)!
    static let unreachable = NMIResponseCode(rawValue: 421)!

    /// Each answer, before and after booking, and what the ledger holds after it.
    static let cases: [(fault: GatewayFault, states: [LedgerState])] = [
        (GatewayFault(phase: .beforeBooking, answer: .decline(declined)), [.failed]),
        (GatewayFault(phase: .afterBooking, answer: .decline(declined)), [.pendingsettlement]),
        (GatewayFault(phase: .beforeBooking, answer: .error(unreachable)), []),
        (GatewayFault(phase: .afterBooking, answer: .error(unreachable)), [.pendingsettlement]),
        (GatewayFault(phase: .beforeBooking, answer: .timeout), []),
        (GatewayFault(phase: .afterBooking, answer: .timeout), [.pendingsettlement]),
        (GatewayFault(phase: .beforeBooking, answer: .reset), []),
        (GatewayFault(phase: .afterBooking, answer: .reset), [.pendingsettlement]),
        (GatewayFault(phase: .beforeBooking, answer: .httpStatus(500)), []),
        (GatewayFault(phase: .afterBooking, answer: .httpStatus(500)), [.pendingsettlement]),
        (GatewayFault(phase: .beforeBooking, answer: .garbage), []),
        (GatewayFault(phase: .afterBooking, answer: .garbage), [.pendingsettlement]),
        (GatewayFault(phase: .beforeBooking, answer: .httpApproval(500)), []),
        (GatewayFault(phase: .afterBooking, answer: .httpApproval(500)), [.pendingsettlement]),
        (GatewayFault(phase: .beforeBooking, answer: .otherOrder), [.pendingsettlement]),
        (GatewayFault(phase: .afterBooking, answer: .otherOrder), [.pendingsettlement]),
        (GatewayFault(phase: .beforeBooking, answer: .slow(.seconds(9))), [.pendingsettlement]),
        (GatewayFault(phase: .afterBooking, answer: .slow(.seconds(9))), [.pendingsettlement]),
    ]

    @Test(arguments: cases)
    func firesOnceAndBooksOnlyAfterItsPhase(fault: GatewayFault, states: [LedgerState]) throws {
        var gateway = SimulatedNMIGateway(SimulatedNMIGateway.Configuration(), faults: [fault])
        let reply = gateway.receive(sale(700, "o"), at: .zero, cache: cache)
        #expect(gateway.ledger.entries.map(\.state) == states)
        #expect(reply.records.count == 2 + states.count)
        #expect(reply.records[1] == .faultFired(number: 1, kind: .sale, fault))
        switch fault.answer {
        case .decline:
            let answer = try NMIResponse(decoding: response(reply).body)
            #expect(answer.kind == .declined)
            #expect(answer.responseCode == Self.declined)
            #expect(answer.text == "Insufficient funds")
            #expect(answer.transactionID == gateway.ledger.entries[0].transactionID)
        case .error:
            let answer = try NMIResponse(decoding: response(reply).body)
            #expect(answer.kind == .error)
            #expect(answer.responseCode == Self.unreachable)
            #expect(answer.transactionID == gateway.ledger.entries.first?.transactionID)
        case .timeout: #expect(reply.wire == .silence)
        case .reset: #expect(reply.wire == .reset(after: .milliseconds(150)))
        case .httpStatus: #expect(try response(reply).status == 500)
        case .garbage:
            #expect(throws: NMIResponseError.self) {
                try NMIResponse(decoding: response(reply).body)
            }
            #expect(throws: NMIQueryResponseError.self) {
                try NMIQueryResponse(decoding: response(reply).body)
            }
        case .httpApproval:
            let response = try response(reply)
            #expect(response.status == 500)
            let answer = try NMIResponse(decoding: response.body)
            #expect(answer.kind == .approved)
            #expect(answer.orderID == "o")
            #expect(answer.transactionID == SimulatedNMIGatewayTests.id1)
        case .otherOrder:
            let answer = try NMIResponse(decoding: response(reply).body)
            #expect(answer.kind == .approved)
            #expect(answer.orderID == "other-o")
        case .refused: Issue.record("it has no record of a request and a test of its own")
        case .slow:
            guard case .answer(let response, let delay) = reply.wire else { throw NoAnswer() }
            #expect(delay == .milliseconds(9_150))
            #expect(try NMIResponse(decoding: response.body).kind == .approved)
        }

        let next = gateway.receive(sale(700, "o"), at: .zero, cache: cache)
        #expect(try NMIResponse(decoding: response(next).body).kind == .approved)
    }

    @Test(arguments: [GatewayFault.Phase.beforeBooking, .afterBooking])
    func aRefusedConnectionCarriesNothing(phase: GatewayFault.Phase) throws {
        let fault = GatewayFault(request: 2, phase: phase, answer: .refused)
        var gateway = SimulatedNMIGateway(SimulatedNMIGateway.Configuration(), faults: [fault])
        let replies = (0..<3).map { _ in gateway.receive(query("o"), at: .zero, cache: cache) }
        #expect(replies[1].wire == .refused)
        #expect(replies[1].records == [.faultFired(number: 2, kind: .query, fault)])
        #expect(gateway.requestCount == 2)
        #expect(
            replies[2].records
                == [.requestReceived(number: 3, kind: .query, amount: nil, orderID: "o")]
        )
    }

    @Test func aLookUpCanBeAnsweredAboutAnotherOrderOrUnderAnErrorsStatus() throws {
        var gateway = SimulatedNMIGateway()
        _ = gateway.receive(sale(700, "o"), at: .zero, cache: cache)
        gateway.schedule(GatewayFault(kind: .query, answer: .otherOrder))
        gateway.schedule(GatewayFault(kind: .query, answer: .httpApproval(503)))
        let report = try parsedReport(gateway.receive(query("o"), at: .zero, cache: cache))
        #expect(report.transactions.map(\.orderID) == ["other-o"])
        let reply = gateway.receive(query("o"), at: .zero, cache: cache)
        #expect(try response(reply).status == 503)
        #expect(try parsedReport(reply).transactions.map(\.orderID) == ["o"])
    }

    @Test func faultsFindTheirRequestByNumberOrKind() throws {
        var gateway = SimulatedNMIGateway(
            SimulatedNMIGateway.Configuration(),
            faults: [
                GatewayFault(request: 3, answer: .reset),
                GatewayFault(kind: .query, answer: .timeout),
                GatewayFault(request: 4, kind: .void, answer: .garbage),
            ]
        )
        let requests = [
            sale(700, "o"), query("o"), sale(700, "o"), sale(700, "o"), query("o"),
        ]
        let wires = requests.map { gateway.receive($0, at: .zero, cache: cache).wire }
        #expect(wires[1] == .silence)
        #expect(wires[2] == .reset(after: .milliseconds(150)))
        for index in [0, 3, 4] {
            guard case .answer(let response, _) = wires[index] else { throw NoAnswer() }
            #expect(response.status == 200)
        }
    }

    @Test func faultsOfTheSameRequestWaitForEachOther() {
        var gateway = SimulatedNMIGateway()
        gateway.schedule(GatewayFault(kind: .query, answer: .timeout))
        gateway.schedule(GatewayFault(kind: .query, answer: .reset))
        let wires = (0..<2).map { _ in gateway.receive(query("o"), at: .zero, cache: cache).wire }
        #expect(wires == [.silence, .reset(after: .milliseconds(150))])
    }

    @Test(arguments: [GatewayFault.Phase.beforeBooking, .afterBooking])
    func aVoidIsCarriedOutOnlyAfterItsPhase(phase: GatewayFault.Phase) {
        var gateway = SimulatedNMIGateway()
        _ = gateway.receive(sale(700, "o"), at: .zero, cache: cache)
        gateway.schedule(GatewayFault(kind: .void, phase: phase, answer: .timeout))
        let reply = gateway.receive(void(SimulatedNMIGatewayTests.id1), at: .zero, cache: cache)
        #expect(reply.wire == .silence)
        let isDone = phase == .afterBooking
        #expect(gateway.ledger.entries.map(\.state) == [isDone ? .canceled : .pendingsettlement])
        #expect(reply.records.count == (isDone ? 3 : 2))
    }

    @Test func aQueryIsDeclinedWithAnErrorReport() throws {
        var gateway = SimulatedNMIGateway()
        gateway.schedule(GatewayFault(answer: .error(.rejected)))
        let report = try parsedReport(gateway.receive(query("o"), at: .zero, cache: cache))
        #expect(report.errorText == "Transaction was rejected by gateway REFID:3150000001")
    }
}
