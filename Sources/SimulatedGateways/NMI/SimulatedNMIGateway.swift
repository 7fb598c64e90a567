public import CardCrypto
import CardData
public import EventLoops
import GatewayProtocols
public import Transports

/// An NMI gateway in test mode: card payments of every type, what follows them, and reports.
///
/// | request | answer |
/// | --- | --- |
/// | sale, auth, credit or offline of 1.00 or more | approved, `SUCCESS`; an auth is pending, the others await settlement |
/// | of less | declined, `DECLINE`, 200, in the ledger as failed |
/// | validate | approved; no money |
/// | capture of a pending auth, at most its amount | approved, awaits settlement, the auth's own id |
/// | void of what is pending or awaits settlement | approved, canceled, the transaction's own id |
/// | refund of at most what is left of it | approved, a new transaction |
/// | query | every transaction of the order, or the one with the id |
/// | a swipe that no key opens | the configured text and code, 300 at first |
/// | anything else | error 300 with the text that the gateway was seen to use |
///
/// Nothing is refused as a duplicate unless ``Configuration/duplicateWindow`` or the request asks
/// for it: the gateway books what it is asked to. Answers come with status 200 whatever they say.
///
/// | trigger | effect |
/// | --- | --- |
/// | address `888`, ZIP `77777` | AVS `Y`; another `N`, none empty |
/// | security code `999` | CVV `M`; another `N`, none empty |
/// | a number that fails the Luhn check | error 300 |
///
/// Source: Direct Post API manual, "Testing information", "Transaction types"; Query API manual.
public struct SimulatedNMIGateway: Hashable, Sendable {
    /// What is set.
    public let configuration: Configuration
    /// What was booked.
    public internal(set) var ledger: GatewayLedger
    /// How many requests came so far; those whose connection was refused did not.
    public internal(set) var requestCount = 0
    /// How many were sent, refused ones too.
    var sentCount = 0

    /// The faults that have not fired yet.
    private var faults: [GatewayFault]
    var nextReferenceNumber: UInt64
    /// The customers that are kept.
    var vault = CustomerVault()
    /// The plans and subscriptions that are kept.
    var recurring = RecurringBook()
    /// The events that nobody took yet.
    var webhooks = Self.webhooks
    var limiter = RateLimiter()
    var systemLimiter = RateLimiter()
    /// Whether replies say what was made of a card, for whoever keeps requests.
    public var keepsCardMemory = false
    /// What was made of the card of the request at work.
    var cardMemory: String?
    /// What is to be made of the card of the request at work, which is a kept one.
    var recalled: CardResolution?
    /// The next moment at which a day is settled.
    var nextCutOff: VirtualInstant
    /// The number of the next settlement batch.
    var nextBatchNumber = 1

    /// Creates a gateway with an empty ledger.
    public init(_ configuration: Configuration = Configuration(), faults: [GatewayFault] = []) {
        self.configuration = configuration
        self.faults = faults
        ledger = GatewayLedger(firstTransactionID: configuration.firstTransactionID)
        nextReferenceNumber = configuration.firstReferenceNumber
        nextCutOff = Self.firstCutOff(after: .zero, configuration)
    }

    /// Adds a fault, after those that wait already.
    public mutating func schedule(_ fault: GatewayFault) { faults.append(fault) }

    /// Settles what awaits settlement, as the cut-off of a day does.
    ///
    /// - Returns: A record for each transaction settled, in the order of booking.
    @discardableResult
    public mutating func settle(at now: VirtualInstant) -> [GatewayRecord] {
        guard ledger.awaitingSettlementCount > 0 else { return [] }
        var records: [GatewayRecord] = []
        var ids: [NMITransactionID] = []
        var sum: Int64 = 0
        let batch = nextBatchNumber
        nextBatchNumber += 1
        for entry in ledger.entries where entry.state == .pendingsettlement {
            let amount = entry.settlementAmount
            ledger.change(entry.transactionID) {
                $0.state = .complete
                var action = LedgerAction(type: .settle, amount: amount, instant: now)
                action.batchNumber = batch
                $0.actions.append(action)
            }
            if let settled = ledger.entry(entry.transactionID) { tell(of: settled, at: now) }
            ids.append(entry.transactionID)
            let isOut = entry.type == .refund || entry.type == .credit
            sum &+= isOut ? -amount.minorUnits : amount.minorUnits
            records.append(
                .settled(
                    transactionID: entry.transactionID,
                    amount: amount,
                    orderID: entry.orderID
                )
            )
        }
        tellOfBatch(batch, ids, Amount(minorUnits: sum), at: now)
        return records
    }

    /// Takes a request as it comes off the wire and says what to do about it.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - now: When it comes.
    ///   - cache: The worker's crypto cache, with which swipes are opened.
    /// - Returns: What the client sees of it, and what happened.
    /// - Complexity: O(*n*) in the bytes of the request; a look-up is O(*m*) in the ledger's
    ///   entries.
    public mutating func receive(
        _ request: HTTPRequest,
        at now: VirtualInstant,
        cache: CryptoCache
    ) -> GatewayReply {
        var reply = work(request, at: now, cache: cache)
        reply.cardMemory = cardMemory.take()
        return reply
    }

    /// Does again what was done about a request that was kept without its card.
    ///
    /// - Parameters:
    ///   - request: What ``keepable(_:memory:)`` returned.
    ///   - now: When it came.
    ///   - cache: The worker's crypto cache.
    ///   - memory: What was made of the card then.
    /// - Returns: What the client sees of it, and what happened.
    public mutating func receive(
        _ request: HTTPRequest,
        at now: VirtualInstant,
        cache: CryptoCache,
        recalling memory: String?
    ) -> GatewayReply {
        recalled = memory.flatMap { resolution(recalling: $0) }
        defer { recalled = nil }
        return receive(request, at: now, cache: cache)
    }

    private mutating func work(
        _ request: HTTPRequest,
        at now: VirtualInstant,
        cache: CryptoCache
    ) -> GatewayReply {
        sentCount += 1
        let overdue = advance(to: now)
        let call = NMICall(request, number: sentCount, instant: now, configuration)
        let fault = takeFault(for: call)
        if let fault, fault.answer == .refused {
            let record = GatewayRecord.faultFired(number: call.number, kind: call.kind, fault)
            return GatewayReply(wire: .refused, overdue + [record])
        }
        requestCount += 1
        var records = overdue.isEmpty ? [call.received] : overdue + [call.received]
        records.reserveCapacity(3)

        if let response = refuseByRate(call) {
            return GatewayReply(wire: .answer(response, after: configuration.latency), records)
        }
        guard let fault else {
            let response = carryOut(call, cache, &records)
            return GatewayReply(wire: .answer(response, after: configuration.latency), records)
        }
        records.append(.faultFired(number: call.number, kind: call.kind, fault))
        return GatewayReply(wire: carryOut(call, with: fault, cache, &records), records)
    }

    /// The next ticket number for the end of an error text.
    mutating func referenceNumber() -> UInt64 {
        defer { nextReferenceNumber &+= 1 }
        return nextReferenceNumber
    }

    private mutating func takeFault(for call: NMICall) -> GatewayFault? {
        guard !faults.isEmpty else { return nil }
        let index = faults.firstIndex { $0.matches(number: call.number, kind: call.kind) }
        return index.map { faults.remove(at: $0) }
    }

    private mutating func carryOut(
        _ call: NMICall,
        with fault: GatewayFault,
        _ cache: CryptoCache,
        _ records: inout [GatewayRecord]
    ) -> GatewayReply.Wire {
        let latency = configuration.latency
        switch fault.answer {
        case .slow(let delay):
            return .answer(carryOut(call, cache, &records), after: latency + delay)
        case .otherOrder:
            let response = carryOut(call, cache, &records)
            return .answer(aboutAnotherOrder(response, call), after: latency)
        case .decline, .error, .timeout, .reset, .httpStatus, .httpApproval, .garbage, .refused:
            break
        }
        let ledgerCount = ledger.entries.count
        if fault.phase == .afterBooking { _ = carryOut(call, cache, &records) }
        let isBooked = ledger.entries.count > ledgerCount
        let bookedID = isBooked ? ledger.entries.last?.transactionID : nil
        switch fault.answer {
        case .decline(let code):
            if fault.phase == .beforeBooking {
                return .answer(decline(call, code, cache, &records), after: latency)
            }
            return .answer(answer(call, .declined, code, id: bookedID), after: latency)
        case .error(let code):
            return .answer(answer(call, .error, code, id: bookedID), after: latency)
        case .timeout: return .silence
        case .reset: return .reset(after: latency)
        case .httpStatus(let status):
            let response = HTTPResponse(status: status, contentType: "", body: [])
            return .answer(response, after: latency)
        case .httpApproval(let status):
            var response = approval(of: call, bookedID, cache)
            response.status = status
            return .answer(response, after: latency)
        case .garbage: return .answer(Self.garbage, after: latency)
        case .refused: return .refused
        case .slow, .otherOrder: return .silence
        }
    }

    private static let garbage = HTTPResponse(
        contentType: "text/html; charset=UTF-8",
        body: Array("<html><body>Service is being restarted</body></html>".utf8)
    )
}

extension GatewayReply {
    fileprivate init(wire: Wire, _ records: [GatewayRecord]) {
        self.init(wire: wire, records: records)
    }
}
