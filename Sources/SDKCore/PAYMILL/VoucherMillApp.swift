import CardData
public import EventLoops
public import GatewayProtocols
public import Transports

/// An app without a merchant's server: it charges by PAYMILL's SDK, hands over what was bought, and
/// says then that the charge is consumed.
///
/// The machine performs no I/O and reads no clock. Purchases run one at a time.
///
/// | of a purchase | what follows |
/// | --- | --- |
/// | no device yet | the SDK is initialised |
/// | the SDK's success | finished(approved): handed over; then consumed |
/// | the SDK's failure, but for the connection | finished(error) |
/// | no answer | what is not consumed is listed, never charged again |
/// | in the list | finished(approved), then consumed |
/// | not in the last list | finished(notCharged), or (unknown) when a list had no answer |
///
/// At each launch the list is looked at: what was handed over is consumed, and the rest is handed
/// over first (recovered).
///
/// Source: PAYMILL guides, mobile SDK, "Consumable transactions"; the app VoucherMill is the
/// vendor's example of it.
public struct VoucherMillApp: Hashable, Sendable {
    /// What the app saves, which a new launch begins with.
    public struct Saved: Hashable, Sendable {
        /// The device; `nil` before the SDK was initialised.
        public internal(set) var device: PAYMILLDevice?
        /// The ids of charges that were handed over and are not known to be consumed.
        public internal(set) var handedOver: [String] = []

        /// Creates what a new installation has: nothing.
        public init() {}
    }

    /// What an exchange is about.
    public enum ExchangeKind: Hashable, Sendable, CaseIterable {
        /// A card becomes a token.
        case token
        /// The installation becomes a device.
        case device
        /// A charge.
        case sale
        /// What is not consumed.
        case query
        /// A charge is consumed.
        case consume
    }

    /// What the driver has to do, or to tell the user.
    public enum Action: Hashable, Sendable {
        /// Send a request; its outcome, or ``deadlineReached(at:)``, is awaited.
        case send(exchange: Int, kind: ExchangeKind, to: PMHost, HTTPRequest)
        /// An exchange was answered; the text says why it was no success.
        case answered(kind: ExchangeKind, error: String?)
        /// An exchange ended without an answer that can be used.
        case unanswered(kind: ExchangeKind, UnansweredReason)
        /// A list had the purchase that was looked for, or had not.
        case lookedUp(isFound: Bool)
        /// A purchase is done with.
        case purchaseFinished(HoneyStorePurchase, PurchaseResult)
        /// A charge of before was in the list, and is handed over now.
        case recovered(PMTransaction)
    }

    private enum Work: Hashable {
        case purchase(HoneyStorePurchase, PMPayer)
        case recovery
    }

    private enum State: Hashable {
        case idle
        case initialising(Work)
        case charging(HoneyStorePurchase)
        case pausing(HoneyStorePurchase, lookUp: Int, until: VirtualInstant)
        case lookingUp(HoneyStorePurchase, Int)
        case recovering
        case consuming([String])
    }

    private struct Exchange: Hashable {
        let number: Int
        let kind: ExchangeKind
    }

    /// The pause before each look-up, so also how many there are.
    private static let lookUpPauses: [VirtualDuration] = [.zero, .seconds(2), .seconds(5)]
    /// How many purchases may wait for the one at work.
    private static let maximumWaitingCount = 256

    /// What the app saves.
    public private(set) var saved: Saved
    private let publicKey: String
    private let testMode: Bool
    private var sdk: PMInstallation
    private var state = State.idle
    private var waiting: [Work] = []
    private var actions: [Action] = []
    /// The exchange at work, until its end was told.
    private var exchange: Exchange?
    private var hasLostLookUp = false

    /// Creates an app that was just launched.
    ///
    /// - Parameters:
    ///   - publicKey: The merchant's public key.
    ///   - testMode: Whether real cards are refused.
    ///   - saved: What was saved before.
    ///   - seconds: The calendar at the beginning of the run, in seconds since 1970 UTC.
    public init(
        publicKey: String,
        testMode: Bool = true,
        saved: Saved = Saved(),
        startSecondsSince1970 seconds: Int64
    ) {
        self.publicKey = publicKey
        self.testMode = testMode
        self.saved = saved
        sdk = PMInstallation(savedDevice: saved.device, startSecondsSince1970: seconds)
    }

    /// When to call ``deadlineReached(at:)``, or `nil` when nothing is awaited.
    public var nextDeadline: VirtualInstant? {
        if case .pausing(_, _, let until) = state { until } else { sdk.nextDeadline }
    }

    /// Returns the next thing to do or to tell, or `nil` when an input is awaited.
    public mutating func nextAction() -> Action? {
        actions.isEmpty ? nil : actions.removeFirst()
    }

    /// Buys something with what was typed in, after what waits already.
    public mutating func buy(
        _ purchase: HoneyStorePurchase,
        with instrument: PAYMILLInstrument?,
        at now: VirtualInstant
    ) {
        do throws(PMError) {
            guard let instrument else { throw PMError(.wrongParameters, "there is no card") }
            let method = try PMPaymentMethod(typed: instrument)
            take(.purchase(purchase, .method(method)), at: now)
        } catch {
            actions.append(.purchaseFinished(purchase, .error(error.message)))
        }
    }

    /// Looks at what was charged before this launch; nothing where there is no device.
    public mutating func recover(at now: VirtualInstant) {
        guard saved.device != nil else { return }
        take(.recovery, at: now)
    }

    /// Records how an exchange ended; late ends are ignored.
    public mutating func outcome(_ outcome: HTTPOutcome, exchange: Int, at now: VirtualInstant) {
        guard let current = self.exchange, current.number == exchange else { return }
        switch outcome {
        case .refused: end(.refused)
        case .reset: end(.reset)
        case .timedOut: end(.timedOut)
        case .answered(let response) where response.status >= 500:
            end(.httpError(status: response.status))
        case .answered: break
        }
        sdk.outcome(outcome, exchange: exchange, at: now)
        carryOut(at: now)
    }

    /// Records that time has passed; earlier than ``nextDeadline`` it changes nothing.
    public mutating func deadlineReached(at now: VirtualInstant) {
        guard let nextDeadline, now >= nextDeadline else { return }
        if case .pausing(let purchase, let number, _) = state {
            list(purchase, number, at: now)
        } else {
            end(.timedOut)
            sdk.deadlineReached(at: now)
        }
        carryOut(at: now)
    }

    // MARK: Work

    private mutating func take(_ work: Work, at now: VirtualInstant) {
        guard case .idle = state else {
            if waiting.count < Self.maximumWaitingCount {
                waiting.append(work)
            } else if case .purchase(let purchase, _) = work {
                let text = "too many calls are waiting"
                actions.append(.purchaseFinished(purchase, .error(text)))
            }
            return
        }
        begin(work, at: now)
        carryOut(at: now)
    }

    private mutating func begin(_ work: Work, at now: VirtualInstant) {
        guard sdk.isInit else {
            state = .initialising(work)
            sdk.call(
                .initialise(testMode: testMode, publicKey: publicKey, newDeviceID: false),
                at: now
            )
            return
        }
        switch work {
        case .recovery:
            state = .recovering
            sdk.call(.nonConsumedTransactionsList, at: now)
        case .purchase(let purchase, let payer):
            do throws(PMError) {
                let parameters = try PMFactory.genPaymentParams(
                    currency: purchase.currency,
                    amount: purchase.amount.minorUnits,
                    description: purchase.orderID
                )
                state = .charging(purchase)
                sdk.call(.transaction(payer, parameters, isConsumable: true), at: now)
            } catch {
                finish(purchase, .error(error.message), at: now)
            }
        }
    }

    private mutating func next(at now: VirtualInstant) {
        state = .idle
        if !waiting.isEmpty { begin(waiting.removeFirst(), at: now) }
    }

    private mutating func finish(
        _ purchase: HoneyStorePurchase,
        _ result: PurchaseResult,
        at now: VirtualInstant
    ) {
        actions.append(.purchaseFinished(purchase, result))
        next(at: now)
    }

    /// Tells that the exchange at work has no answer.
    private mutating func end(_ reason: UnansweredReason) {
        guard let exchange else { return }
        self.exchange = nil
        actions.append(.unanswered(kind: exchange.kind, reason))
    }

    /// Does what the SDK asks for, and takes what it tells.
    private mutating func carryOut(at now: VirtualInstant) {
        while let action = sdk.nextAction() {
            switch action {
            case .send(let number, let host, let request):
                // A token was made: the charge itself is next.
                tellAnswer(error: nil)
                let kind = kind(to: host)
                exchange = Exchange(number: number, kind: kind)
                actions.append(.send(exchange: number, kind: kind, to: host, request))
            case .finished(_, _, let result):
                saved.device = sdk.device
                if case .failure(let error) = result {
                    if error.kind == .httpConnection {
                        end(.garbage)
                    } else {
                        tellAnswer(error: error.message)
                    }
                } else {
                    tellAnswer(error: nil)
                }
                finished(result, at: now)
            }
        }
    }

    private mutating func tellAnswer(error: String?) {
        guard let exchange else { return }
        self.exchange = nil
        // What a list says is told when it was looked through.
        if exchange.kind == .query, error == nil { return }
        actions.append(.answered(kind: exchange.kind, error: error))
    }

    private func kind(to host: PMHost) -> ExchangeKind {
        if host == .bridge { return .token }
        switch state {
        case .initialising: return .device
        case .charging: return .sale
        case .lookingUp, .pausing, .recovering: return .query
        case .consuming, .idle: return .consume
        }
    }

    private mutating func finished(_ result: Result<PMValue, PMError>, at now: VirtualInstant) {
        switch state {
        case .idle, .pausing: break
        case .initialising(let work):
            switch (result, work) {
            case (.success, _): begin(work, at: now)
            case (.failure(let error), .purchase(let purchase, _)):
                finish(purchase, .error(error.message), at: now)
            case (.failure, .recovery): next(at: now)
            }
        case .charging(let purchase):
            switch result {
            case .success(.transaction(let transaction)):
                handOver(purchase, transaction.id, at: now)
            case .success: finish(purchase, .unknown, at: now)
            case .failure(let error) where error.kind == .httpConnection:
                hasLostLookUp = false
                lookUp(purchase, 0, at: now)
            case .failure(let error): finish(purchase, .error(error.message), at: now)
            }
        case .lookingUp(let purchase, let number): lookedUp(purchase, number, result, at: now)
        case .recovering: recovered(result, at: now)
        case .consuming(let ids):
            if case .success = result, let id = ids.first {
                saved.handedOver.removeAll { $0 == id }
            }
            consume(Array(ids.dropFirst()), at: now)
        }
    }

    /// The purchase is paid: what was bought is handed over, and only then the charge consumed.
    private mutating func handOver(
        _ purchase: HoneyStorePurchase,
        _ id: String,
        at now: VirtualInstant
    ) {
        saved.handedOver.append(id)
        actions.append(.purchaseFinished(purchase, .approved))
        consume([id], at: now)
    }

    private mutating func consume(_ ids: [String], at now: VirtualInstant) {
        guard let id = ids.first else { return next(at: now) }
        state = .consuming(ids)
        sdk.call(.consumeTransaction(id), at: now)
    }

    // MARK: Lists

    private mutating func lookUp(
        _ purchase: HoneyStorePurchase,
        _ number: Int,
        at now: VirtualInstant
    ) {
        guard number < Self.lookUpPauses.count else {
            return finish(purchase, hasLostLookUp ? .unknown : .notCharged, at: now)
        }
        let pause = Self.lookUpPauses[number]
        if pause > .zero {
            state = .pausing(purchase, lookUp: number, until: now + pause)
        } else {
            list(purchase, number, at: now)
        }
    }

    private mutating func list(
        _ purchase: HoneyStorePurchase,
        _ number: Int,
        at now: VirtualInstant
    ) {
        state = .lookingUp(purchase, number)
        sdk.call(.nonConsumedTransactionsList, at: now)
    }

    private mutating func lookedUp(
        _ purchase: HoneyStorePurchase,
        _ number: Int,
        _ result: Result<PMValue, PMError>,
        at now: VirtualInstant
    ) {
        guard case .success(.transactions(let transactions)) = result else {
            hasLostLookUp = true
            return lookUp(purchase, number + 1, at: now)
        }
        hasLostLookUp = false
        let own = transactions.last { transaction in
            transaction.description == purchase.orderID
                && transaction.originAmount == Int(clamping: purchase.amount.minorUnits)
                && !saved.handedOver.contains(transaction.id)
        }
        actions.append(.lookedUp(isFound: own != nil))
        if let own {
            handOver(purchase, own.id, at: now)
        } else {
            lookUp(purchase, number + 1, at: now)
        }
    }

    private mutating func recovered(_ result: Result<PMValue, PMError>, at now: VirtualInstant) {
        guard case .success(.transactions(let transactions)) = result else {
            return next(at: now)
        }
        actions.append(.lookedUp(isFound: !transactions.isEmpty))
        for transaction in transactions where !saved.handedOver.contains(transaction.id) {
            saved.handedOver.append(transaction.id)
            actions.append(.recovered(transaction))
        }
        // What is not in the list any more was consumed, though its answer was lost.
        let listed = transactions.map(\.id)
        saved.handedOver.removeAll { !listed.contains($0) }
        consume(listed, at: now)
    }
}
