public import CardData
public import EventLoops
public import GatewayProtocols
import JSON
public import Transports

/// The HoneyStore's backend: Parse's users, the four products and the cloud functions, which ask
/// PAYMILL with the merchant's private key.
///
/// It performs no I/O and reads no clock: whoever drives it carries its requests to the gateway and
/// the answers back.
///
/// | from the app | what it does |
/// | --- | --- |
/// | sign up | makes a client at PAYMILL, then the user; without a client there is no user |
/// | createTransactionWithToken | keeps the token's card for the user's client, then charges it |
/// | createTransactionWithPayment | looks whether the card is the user's, then charges it |
/// | getPayments | lists the cards of the user's client |
/// | getTransactions | finds the user's charges with a description (ours) |
///
/// A charge whose answer is lost is looked up by client and description, and never sent again. What
/// is found counts when amount, currency and payment are its own and no other call is known to have
/// made it; where another of the same kind is not known, neither is this one. With
/// ``HoneyStoreDefects`` it does what the published one does.
///
/// Source: the HoneyStore example, `Parse/main.js`; SDK document, "Setting up the backend".
public struct HoneyStoreBackend: Hashable, Sendable {
    /// What can be set.
    public struct Configuration: Hashable, Sendable {
        /// The merchant's private key; a secret.
        public var privateKey: String
        /// The version of PAYMILL's interface; the published wrapper talks to v2.
        public var version = PAYMILLVersion.v2
        /// What is wrong with it.
        public var defects: HoneyStoreDefects = []
        /// Whether an order without a product is taken; its amount is then the app's.
        public var takesFreeAmounts = false
        /// How long it waits for the gateway (assumed).
        public var answerTimeout = VirtualDuration.seconds(20)
        /// The pause before each look-up, so also how many there are.
        public var lookUpPauses: [VirtualDuration] = [.zero, .seconds(2)]
        /// How long a function of Parse may take; it ends one that never answers.
        ///
        /// Source: Parse Cloud Code guide, "Resource limits": 15 s.
        public var functionTimeout = VirtualDuration.seconds(15)
        /// The most users.
        public var maximumUserCount = 100_000
        /// From where sessions are drawn; it is not the gateway's, so that ids of clients say
        /// nothing of sessions.
        public var seed: UInt64 = 0

        /// Creates the usual configuration.
        public init(privateKey: String) { self.privateKey = privateKey }
    }

    /// What the driver has to do.
    public enum Action: Hashable, Sendable {
        /// Post this to the gateway; its outcome is awaited.
        case post(post: Int, kind: PAYMILLRequestKind, HTTPRequest)
        /// A post was answered.
        case answered(post: Int, kind: PAYMILLRequestKind, PAYMILLResponse)
        /// A post ended without an answer that can be used.
        case unanswered(post: Int, kind: PAYMILLRequestKind, LostAnswer)
        /// Answer a call of the app.
        case answer(call: Int, HTTPResponse)
        /// An order of the merchant's office is done with.
        case finished(order: Int, OfficeOrder, OfficeResult)
    }

    /// A user.
    struct User: Hashable {
        var name: String
        var password: String
        var email: String
        var clientID: String
        var session: String
    }

    /// What is set.
    public let configuration: Configuration
    var users: [User] = []
    var tasks: [HoneyStoreTask] = []
    var actions: [Action] = []
    /// The purchases, and how they ended.
    var orders = HoneyStoreOrders()
    private var postCount = 0
    private var officeCount = 0
    private var sessionCount: UInt64 = 0

    /// Creates a backend without users.
    public init(_ configuration: Configuration) { self.configuration = configuration }

    /// The id of a user's client at PAYMILL.
    public func clientID(of username: String) -> String? {
        users.first { $0.name == username }?.clientID
    }

    /// The session of a user, by which requests are told to be that user's.
    public func session(of username: String) -> String? {
        users.first { $0.name == username }?.session
    }

    /// When to call ``deadlineReached(at:)``, or `nil` when nothing is awaited.
    public var nextDeadline: VirtualInstant? { tasks.compactMap(\.deadline).min() }

    /// Whether something is at work.
    public var isBusy: Bool { !tasks.isEmpty }

    /// Returns the next thing to do, or `nil` when an input is awaited.
    public mutating func nextAction() -> Action? {
        actions.isEmpty ? nil : actions.removeFirst()
    }

    /// Takes a call of the app, which has a number by which it is answered.
    public mutating func take(_ request: HTTPRequest, call: Int, at now: VirtualInstant) {
        do throws(HoneyStoreError) {
            let asked = try HoneyStoreRequest(
                method: request.method,
                path: request.path,
                body: request.body
            )
            let session = request.field(HoneyStoreRequest.sessionField.lowercased()) ?? ""
            let user = users.firstIndex { !session.isEmpty && $0.session == session }
            try begin(asked, user, call, at: now)
        } catch {
            answer(call, error)
        }
    }

    /// Takes an order of the merchant's office.
    ///
    /// - Returns: Its number, counted from 1.
    public mutating func take(_ order: OfficeOrder, at now: VirtualInstant) -> Int {
        officeCount += 1
        start(
            HoneyStoreTask(caller: .office(officeCount, order), work: .office(order, nil)),
            .find(order.orderID),
            at: now
        )
        return officeCount
    }

    /// Records how a post ended.
    public mutating func outcome(_ outcome: HTTPOutcome, post: Int, at now: VirtualInstant) {
        guard let index = tasks.firstIndex(where: { $0.post == post }) else { return }
        let task = tasks.remove(at: index)
        let response: HTTPResponse
        switch outcome {
        case .refused: return lost(task, .refused, at: now)
        case .reset: return lost(task, .reset, at: now)
        case .timedOut: return lost(task, .timedOut, at: now)
        case .answered(let answer): response = answer
        }
        guard response.status < 500 else {
            return lost(task, .httpError(status: response.status), at: now)
        }
        guard let answer = PAYMILLResponse(status: response.status, body: response.body) else {
            return lost(task, .garbage, at: now)
        }
        actions.append(.answered(post: post, kind: task.kind, answer))
        answered(task, answer, status: response.status, at: now)
    }

    /// Records that time has passed.
    public mutating func deadlineReached(at now: VirtualInstant) {
        while let index = tasks.firstIndex(where: { $0.deadline.map { $0 <= now } ?? false }) {
            let task = tasks.remove(at: index)
            switch task.wait {
            case .answer: lost(task, .timedOut, at: now)
            case .pause: start(task, task.step, at: now)
            // Parse ends a function that never answers.
            case .never: answer(task, HoneyStoreError(.timeout, "request timed out"))
            }
        }
    }

    /// A new session, drawn from the seed.
    mutating func newSession() -> String {
        sessionCount += 1
        var generator = SplitMix64(seed: configuration.seed &+ 0x5E55_1014 &+ sessionCount)
        var text = "r:"
        for _ in 0..<2 {
            let digits = String(generator.next(), radix: 16)
            text += String(repeating: "0", count: 16 - digits.utf8.count) + digits
        }
        return text
    }

    // MARK: Posts

    /// Sends the request of a step, or waits for the moment of a look-up.
    mutating func start(
        _ task: HoneyStoreTask,
        _ step: HoneyStoreTask.Step,
        at now: VirtualInstant
    ) {
        var task = task
        let operation = step.operation
        let request = PAYMILLRequest(operation, version: configuration.version)
        postCount += 1
        task.step = step
        task.post = postCount
        task.kind = PAYMILLRequestKind(operation)
        task.wait = .answer
        task.deadline = now + configuration.answerTimeout
        tasks.append(task)
        var http = HTTPRequest(
            method: request.method,
            path: request.path,
            contentType: request.body.isEmpty ? "" : FormEncoder.contentType,
            fields: [
                HTTPField(
                    "Authorization",
                    PAYMILLPrivateKey.authorization(configuration.privateKey)
                )
            ],
            body: request.body
        )
        http.query = request.query
        actions.append(.post(post: postCount, kind: task.kind, http))
    }

    /// Waits for the moment of the next look-up.
    mutating func pause(
        _ task: HoneyStoreTask,
        _ step: HoneyStoreTask.Step,
        for pause: VirtualDuration,
        at now: VirtualInstant
    ) {
        guard pause > .zero else { return start(task, step, at: now) }
        var task = task
        task.step = step
        task.post = 0
        task.wait = .pause
        task.deadline = now + pause
        tasks.append(task)
    }

    // MARK: Answers

    mutating func answer(_ call: Int, _ error: HoneyStoreError) {
        actions.append(
            .answer(
                call: call,
                HTTPResponse(
                    status: error.status,
                    contentType: HoneyStoreRequest.contentType,
                    body: error.body
                )
            )
        )
    }

    mutating func answer(_ call: Int, _ json: JSONValue, status: Int = 200) {
        actions.append(
            .answer(
                call: call,
                HTTPResponse(
                    status: status,
                    contentType: HoneyStoreRequest.contentType,
                    body: json.encoded
                )
            )
        )
    }

    mutating func answer(_ task: HoneyStoreTask, _ error: HoneyStoreError) {
        // Whatever ended it before it was known to be booked, or not known, booked nothing.
        if case .purchase(let user, let order, _, _) = task.work {
            orders.endOpen(order, user: user)
        }
        switch task.caller {
        case .app(let call): answer(call, error)
        case .office(let number, let order):
            actions.append(.finished(order: number, order, .error(error.text)))
        }
    }

    mutating func answer(_ task: HoneyStoreTask, result: JSONValue) {
        guard case .app(let call) = task.caller else { return }
        answer(call, .members(("result", result)))
    }
}

/// Why a post gave no answer that can be used.
public enum LostAnswer: Hashable, Sendable {
    /// Nothing came in time.
    case timedOut
    /// The connection was lost.
    case reset
    /// The connection was never made: nothing left.
    case refused
    /// What came is no answer.
    case garbage
    /// What came is no answer, and its status says so.
    case httpError(status: Int)
}

/// What the merchant's office does with an order, which it finds by its description.
public enum OfficeOrder: Hashable, Sendable {
    /// Take the money that is held; `nil` is all of it.
    case capture(orderID: String, Amount?)
    /// Give held money up.
    case void(orderID: String)
    /// Pay back; `nil` is all that is left.
    case refund(orderID: String, Amount?)

    /// The order.
    public var orderID: String {
        switch self {
        case .capture(let id, _), .void(let id), .refund(let id, _): id
        }
    }
}

/// What the merchant's office knows of an order when it has done all it can.
public enum OfficeResult: Hashable, Sendable {
    /// Done, with this transaction and this money.
    case approved(transactionID: String, Amount)
    /// The issuer said no.
    case declined(PAYMILLResponseCode)
    /// It was not carried out.
    case error(String)
    /// The answer was lost, and so were those of the look-ups.
    case unknown
}
