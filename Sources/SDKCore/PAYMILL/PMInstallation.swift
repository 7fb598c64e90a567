public import EventLoops
public import GatewayProtocols
public import Transports

/// PAYMILL's SDK as one installation of an app has it: who the device is, and the calls that charge
/// without a merchant's server.
///
/// The machine performs no I/O and reads no clock. Calls run side by side; each ends once.
///
/// | call | what follows |
/// | --- | --- |
/// | any but `initialise` before it succeeded | finished(notInitialised) |
/// | a charge by a method | a token at the bridge, then the charge |
/// | an answer that says no | finished(api), or (safeStore) of the safe |
/// | a charge that was declined | finished(api) with the code's text (assumed: never published) |
/// | refused, reset, timed out, nothing that can be read | finished(httpConnection) |
///
/// A charge whose answer was lost is among ``PMCall/nonConsumedTransactionsList`` when it was
/// consumable: nothing is sent again here.
///
/// Source: PAYMILL iOS SDK 2.2.0, `PMManager.h`; guides, mobile SDK, "Consumable transactions".
public struct PMInstallation: Hashable, Sendable {
    /// What the driver has to do, or to tell the app.
    public enum Action: Hashable, Sendable {
        /// Send a request; its outcome, or ``deadlineReached(at:)``, is awaited.
        case send(exchange: Int, to: PMHost, HTTPRequest)
        /// A call is done with.
        case finished(call: Int, PMCall, Result<PMValue, PMError>)
    }

    private struct Work: Hashable {
        let number: Int
        let call: PMCall
        let exchange: Int
        let deadline: VirtualInstant
        /// The token that was made for it, while the charge is under way.
        var token = ""
        /// Whether the bridge is asked, or the list of held money.
        var isAtBridge = false
        /// The charges that are not consumed, while the held money is asked for.
        var transactions: [PMTransaction]?
    }

    /// How long to wait for an answer (assumed).
    public var answerTimeout: VirtualDuration = .seconds(30)
    /// The calendar at the beginning of the run, in seconds since 1970 UTC.
    public var startSecondsSince1970: Int64
    /// The device; the app saves it, and a new installation has none.
    public private(set) var device: PAYMILLDevice?
    /// Whether it is initialised: `isInit`.
    public private(set) var isInit = false
    private var testMode = true
    private var publicKey = ""
    private var works: [Work] = []
    private var actions: [Action] = []
    private var callCount = 0
    private var exchangeCount = 0

    /// Creates the SDK of an app that was just launched.
    ///
    /// - Parameters:
    ///   - device: The device that was saved; `nil` in a new installation.
    ///   - seconds: The calendar at the beginning of the run, in seconds since 1970 UTC.
    public init(savedDevice device: PAYMILLDevice? = nil, startSecondsSince1970 seconds: Int64) {
        self.device = device
        startSecondsSince1970 = seconds
    }

    /// The device's id: `getDeviceId`; `nil` before there is one.
    public var deviceID: String? { device?.id }

    /// Whether a call is under way.
    public var isBusy: Bool { !works.isEmpty }

    /// When to call ``deadlineReached(at:)``, or `nil` when nothing is awaited.
    public var nextDeadline: VirtualInstant? { works.map(\.deadline).min() }

    /// Returns the next thing to do or to tell, or `nil` when an input is awaited.
    public mutating func nextAction() -> Action? {
        actions.isEmpty ? nil : actions.removeFirst()
    }

    /// Makes a call; returns its number, by which its end is told.
    @discardableResult
    public mutating func call(_ call: PMCall, at now: VirtualInstant) -> Int {
        callCount += 1
        let number = callCount
        switch call {
        case .initialise(let testMode, let key, let isNew),
            .initialiseAndList(let testMode, let key, let isNew):
            self.testMode = testMode
            publicKey = key
            guard !key.isEmpty else {
                finish(number, call, .failure(PMError(.wrongParameters, "the key is empty")))
                return number
            }
            guard device == nil || isNew else {
                initialised(number, call, at: now)
                return number
            }
            ask(.createDevice(publicKey: key), number, call, at: now)
        default:
            guard isInit else {
                finish(number, call, .failure(PMError(.notInitialised, "the SDK has no device")))
                return number
            }
            begin(number, call, at: now)
        }
        return number
    }

    /// Records how an exchange ended; late ends of exchanges that were given up are ignored.
    public mutating func outcome(_ outcome: HTTPOutcome, exchange: Int, at now: VirtualInstant) {
        guard let index = works.firstIndex(where: { $0.exchange == exchange }) else { return }
        let work = works.remove(at: index)
        switch outcome {
        case .refused, .reset, .timedOut: unanswered(work)
        case .answered(let response):
            guard response.status < 500 else { return unanswered(work) }
            do throws(PMError) {
                try answered(work, response, at: now)
            } catch {
                finish(work.number, work.call, .failure(error))
            }
        }
    }

    /// Records that time has passed; earlier than ``nextDeadline`` it changes nothing.
    public mutating func deadlineReached(at now: VirtualInstant) {
        while let index = works.firstIndex(where: { $0.deadline <= now }) {
            unanswered(works.remove(at: index))
        }
    }

    // MARK: Calls

    private mutating func begin(_ number: Int, _ call: PMCall, at now: VirtualInstant) {
        let operation: PAYMILLMobileRequest.Operation
        switch call {
        case .initialise, .initialiseAndList: return
        case .newDeviceID: operation = .createDevice(publicKey: publicKey)
        case .transaction(let payer, let parameters, let isConsumable):
            return pay(number, call, payer, parameters, .transactions, isConsumable, at: now)
        case .preauthorization(let payer, let parameters, let isConsumable):
            return pay(number, call, payer, parameters, .preauthorizations, isConsumable, at: now)
        case .generateToken(let method, let parameters):
            return makeToken(number, call, method, parameters, at: now)
        case .transactionsList: operation = .list(.transactions)
        case .transactionForID(let id): operation = .show(.transactions, id)
        case .preauthorizationsList: operation = .list(.preauthorizations)
        case .preauthorizationForID(let id): operation = .show(.preauthorizations, id)
        case .nonConsumedTransactionsList: operation = .listNotConsumed(.transactions)
        case .nonConsumedPreauthorizationsList: operation = .listNotConsumed(.preauthorizations)
        case .consumeTransaction(let id): operation = .consume(.transactions, id)
        case .consumePreauthorization(let id): operation = .consume(.preauthorizations, id)
        case .savePayment(let id, let password): operation = .savePayment(id, key: password)
        case .paymentsList(let password): operation = .listPayments(key: password)
        case .arePaymentsAvailable: operation = .arePaymentsAvailable
        case .resetPayments: operation = .resetPayments
        case .deletePayment(let id, let password): operation = .deletePayment(id, key: password)
        }
        ask(operation, number, call, at: now)
    }

    private mutating func pay(
        _ number: Int,
        _ call: PMCall,
        _ payer: PMPayer,
        _ parameters: PMPaymentParams,
        _ resource: PAYMILLMobileRequest.Resource,
        _ isConsumable: Bool,
        at now: VirtualInstant
    ) {
        let source: PAYMILLRequest.Source
        switch payer {
        case .method(let method): return makeToken(number, call, method, parameters, at: now)
        case .token(let token): source = .token(token)
        case .payment(let id): source = .payment(id)
        }
        let money = PAYMILLRequest.Money(
            amount: parameters.money,
            currency: parameters.currency,
            source: source,
            description: parameters.description
        )
        ask(.create(resource, money, isConsumable: isConsumable), number, call, at: now)
    }

    private mutating func makeToken(
        _ number: Int,
        _ call: PMCall,
        _ method: PMPaymentMethod,
        _ parameters: PMPaymentParams?,
        at now: VirtualInstant
    ) {
        do throws(PMError) {
            let http = try PMManager.tokenExchange(
                publicKey: publicKey,
                testMode: testMode,
                method: method,
                parameters: parameters,
                startSecondsSince1970: startSecondsSince1970,
                at: now
            )
            send(http, to: .bridge, number, call, at: now)
        } catch {
            finish(number, call, .failure(error))
        }
    }

    private mutating func ask(
        _ operation: PAYMILLMobileRequest.Operation,
        _ number: Int,
        _ call: PMCall,
        _ transactions: [PMTransaction]? = nil,
        at now: VirtualInstant
    ) {
        let request = PAYMILLMobileRequest(operation)
        var http = HTTPRequest(
            method: request.method,
            path: request.path,
            contentType: request.body.isEmpty ? "" : FormEncoder.contentType,
            body: request.body
        )
        http.query = request.query
        if let device { http.fields.append(HTTPField("Authorization", device.authorization)) }
        send(http, to: .mobile, number, call, transactions, at: now)
    }

    private mutating func send(
        _ request: HTTPRequest,
        to host: PMHost,
        _ number: Int,
        _ call: PMCall,
        _ transactions: [PMTransaction]? = nil,
        at now: VirtualInstant
    ) {
        exchangeCount += 1
        var work = Work(
            number: number,
            call: call,
            exchange: exchangeCount,
            deadline: now + answerTimeout
        )
        work.isAtBridge = host == .bridge
        work.transactions = transactions
        works.append(work)
        actions.append(.send(exchange: exchangeCount, to: host, request))
    }

    // MARK: Answers

    private mutating func answered(
        _ work: Work,
        _ response: HTTPResponse,
        at now: VirtualInstant
    ) throws(PMError) {
        let (number, call) = (work.number, work.call)
        if work.isAtBridge {
            return tokenMade(work, try PMManager.token(decoding: response.body), at: now)
        }
        guard let answer = PAYMILLResponse(status: response.status, body: response.body) else {
            throw PMError(.httpConnection, "the answer cannot be read")
        }
        if case .refused(let refusal) = answer { throw PMError(refusal) }
        switch call {
        case .initialise, .initialiseAndList:
            if let transactions = work.transactions {
                let held = try Self.transactions(answer)
                let value = PMValue.notConsumed(transactions: transactions, preauthorizations: held)
                return finish(number, call, .success(value))
            }
            if isInit {
                let found = try Self.transactions(answer)
                return ask(.listNotConsumed(.preauthorizations), number, call, found, at: now)
            }
            device = try Self.needed(answer.device)
            initialised(number, call, at: now)
        case .newDeviceID:
            let made = try Self.needed(answer.device)
            device = made
            finish(number, call, .success(.text(made.id)))
        case .transaction, .preauthorization:
            let transaction = try Self.needed(answer.transaction)
            guard transaction.responseCode.isSuccess else {
                let code = transaction.responseCode
                throw PMError(.api, code.text ?? String(code.rawValue))
            }
            finish(number, call, .success(.transaction(PMTransaction(transaction))))
        case .generateToken: break
        case .transactionForID, .preauthorizationForID:
            let transaction = try Self.needed(answer.transaction)
            finish(number, call, .success(.transaction(PMTransaction(transaction))))
        case .transactionsList, .preauthorizationsList, .nonConsumedTransactionsList,
            .nonConsumedPreauthorizationsList:
            finish(number, call, .success(.transactions(try Self.transactions(answer))))
        case .consumeTransaction, .consumePreauthorization:
            finish(number, call, .success(.text(try Self.needed(answer.text))))
        case .savePayment, .deletePayment:
            let payment = try Self.needed(answer.payment)
            finish(number, call, .success(.payment(PMPayment(payment))))
        case .paymentsList:
            let payments = try Self.needed(answer.payments)
            finish(number, call, .success(.payments(payments.map { PMPayment($0) })))
        case .arePaymentsAvailable, .resetPayments:
            finish(number, call, .success(.flag(try Self.needed(answer.flag))))
        }
    }

    /// The SDK has a device: the call ends, or what is not consumed is asked for.
    private mutating func initialised(_ number: Int, _ call: PMCall, at now: VirtualInstant) {
        isInit = true
        guard case .initialiseAndList = call else {
            return finish(number, call, .success(.flag(true)))
        }
        ask(.listNotConsumed(.transactions), number, call, at: now)
    }

    private mutating func tokenMade(_ work: Work, _ token: String, at now: VirtualInstant) {
        switch work.call {
        case .transaction(_, let parameters, let isConsumable):
            pay(
                work.number,
                work.call,
                .token(token),
                parameters,
                .transactions,
                isConsumable,
                at: now
            )
        case .preauthorization(_, let parameters, let isConsumable):
            pay(
                work.number,
                work.call,
                .token(token),
                parameters,
                .preauthorizations,
                isConsumable,
                at: now
            )
        default: finish(work.number, work.call, .success(.text(token)))
        }
    }

    private mutating func unanswered(_ work: Work) {
        let error = PMError(.httpConnection, "no answer")
        finish(work.number, work.call, .failure(error))
    }

    private mutating func finish(
        _ number: Int,
        _ call: PMCall,
        _ result: Result<PMValue, PMError>
    ) {
        actions.append(.finished(call: number, call, result))
    }

    private static func transactions(
        _ answer: PAYMILLResponse
    ) throws(PMError) -> [PMTransaction] {
        try needed(answer.transactions).map { PMTransaction($0) }
    }

    private static func needed<Value>(_ value: Value?) throws(PMError) -> Value {
        guard let value else { throw PMError(.api, "the answer cannot be read") }
        return value
    }
}

extension PMError {
    /// What the backend for apps refused.
    fileprivate init(_ refusal: PAYMILLRefusal) {
        let exception: String
        switch refusal.message {
        case .text(_, let name): exception = name
        case .field: exception = ""
        }
        let error = SafeStoreError(rawValue: exception)
        self.init(error == nil ? .api : .safeStore, refusal.text)
        safeStoreError = error
    }
}
