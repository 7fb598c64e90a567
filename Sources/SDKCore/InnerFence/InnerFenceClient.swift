import EventLoops
public import GatewayProtocols

/// An app that charges through Inner Fence's Credit Card Terminal app: ChargeDemo.
///
/// It makes requests, hands them to the system as URLs, and takes the answers that come back as
/// URLs. What it saves outlives it: the nonce of the newest request (user defaults), and which
/// record asked for which order.
///
/// | input | events, in order |
/// | --- | --- |
/// | submit | openURL; or notInstalled, with the nonce saved all the same; or orderHeld |
/// | open, an answer to the newest request | answered |
/// | open, anything else for the app's action | refused; nothing else changes |
/// | open, another action | ignored |
///
/// An order whose answer has not come is not sent again by itself, since the terminal cannot be
/// asked: somebody has to look at it and say that it was not charged.
///
/// Source: innerfence/ChargeDemo, `IFChargeRequest.m`, `ChargeDemoAppDelegate+HandleURL.m`.
public struct InnerFenceClient: Hashable, Sendable {
    /// How the app is made.
    public struct Configuration: Hashable, Sendable {
        /// The class that it copied.
        public var version = InnerFenceVersion.corrected
        /// The scheme by which the system knows it.
        public var scheme = "com-innerfence-ChargeDemo"
        /// What its return URLs name, as the class's user compares it: exactly.
        public var action = "chargeResponse"
        /// Its name, displayed by the terminal app.
        public var appName = "ChargeDemo"
        /// Whether it declares the terminal's scheme; without, it is told that there is no terminal
        /// app although there is (iOS 9 and Android 11, and later).
        public var declaresTerminalScheme = true
        /// Where nonces are drawn from.
        public var seed: UInt64 = 0
        /// A mistake planted on purpose.
        public var plant: Plant?

        /// Creates the configuration of ChargeDemo.
        public init() {}
    }

    /// A charge that the app asked for.
    public struct Charge: Hashable, Sendable {
        /// How far it is.
        public enum State: Hashable, Sendable {
            /// No answer came: the terminal may have charged it, or may yet.
            case unanswered
            /// It never reached the terminal.
            case unsent
            /// It was answered.
            case answered(InnerFenceChargeResponse.Code)
            /// Somebody looked at the terminal: it was not charged.
            case writtenOff
        }

        /// The app's number for it, which travels as `record_id`.
        public var recordID: Int
        /// The merchant's number for what is paid.
        public var orderID: String
        /// How far it is.
        public var state: State
    }

    /// What the app does or learns.
    public enum Event: Hashable, Sendable {
        /// It hands a URL to the system for the terminal app.
        case openURL(String, orderID: String)
        /// It was told that there is no terminal app: `creditCardTerminalNotInstalled`.
        case notInstalled(orderID: String)
        /// It does not ask again for an order that was paid, or may have been.
        case orderHeld(orderID: String, isPaid: Bool)
        /// The answer to a charge.
        case answered(InnerFenceChargeResponse, orderID: String)
        /// A URL for the app's action that is not the answer to the newest request.
        case refused(Refusal)
        /// A URL that is not for the app's action.
        case ignored
    }

    /// Why an answer is refused.
    public enum Refusal: Hashable, Sendable {
        /// By the class.
        case byClass(InnerFenceResponseError)
        /// By the app: the record is not the one that waits.
        case otherRecord
    }

    /// How the app is made.
    public let configuration: Configuration
    /// The nonce of the newest request, as it is saved.
    public private(set) var savedNonce: String?
    /// The charges that the app asked for, the oldest first; at most ``keptChargeCount``.
    public private(set) var charges: [Charge] = []
    private var recordCount = 0
    private var generator: SplitMix64
    /// The request that was sent last, for mistakes that send it again.
    private var lastSent: Event?
    /// Nonces of before, for a mistake that believes them.
    private var olderNonces: [String] = []

    /// How many charges are kept.
    public static let keptChargeCount = 1_024

    /// Creates an app that asked for nothing yet.
    public init(_ configuration: Configuration) {
        self.configuration = configuration
        generator = SplitMix64(seed: configuration.seed)
    }

    /// Asks for a charge: `submit`.
    ///
    /// - Parameters:
    ///   - request: The fields. A return URL of `nil` asks for no answer; else the app's own record
    ///     is among its parameters.
    ///   - orderID: The merchant's number for what is paid.
    ///   - extraParameters: More that comes back with the answer.
    ///   - isInstalled: Whether the terminal app is there.
    ///   - isSureNotCharged: Whether somebody looked at the terminal and saw that an earlier
    ///     request for the order was not charged.
    /// - Returns: What the app does.
    public mutating func submit(
        _ request: InnerFenceChargeRequest,
        orderID: String,
        extraParameters: [InnerFenceParameter] = [],
        isInstalled: Bool,
        isSureNotCharged: Bool = false
    ) -> [Event] {
        if let held = hold(orderID, isSureNotCharged: isSureNotCharged) { return [held] }
        recordCount += 1
        var request = request
        if let returnURL = request[.returnURL] {
            let record = InnerFenceParameter("record_id", "\(recordCount)")
            request.setReturnURL(returnURL, extraParameters: [record] + extraParameters)
        }
        let nonce = InnerFenceNonce(using: &generator)
        let isNonceNeeded = request.attach(nonce, as: configuration.version)
        // Saved before anything says whether the terminal app is there, as the class does.
        if isNonceNeeded { savedNonce = nonce.description }
        if configuration.plant == .believesOlderNonces { olderNonces.append(nonce.description) }
        let isSeen = isInstalled && configuration.declaresTerminalScheme
        keep(Charge(recordID: recordCount, orderID: orderID, state: isSeen ? .unanswered : .unsent))
        guard isSeen else { return [.notInstalled(orderID: orderID)] }
        let url = request.url(as: configuration.version)
        let event = Event.openURL(url, orderID: orderID)
        lastSent = event
        return [event]
    }

    /// Takes a URL that the system hands to the app: `application:handleOpenURL:`.
    public mutating func open(_ url: [UInt8]) -> [Event] {
        guard let parts = try? InnerFenceURL(url), isAction(parts) else {
            // What no URL parser takes is refused by the class, not by the app.
            if (try? InnerFenceURL(url)) == nil { return refuse(read(url)) }
            return [.ignored]
        }
        switch read(url) {
        case .failure(let error): return refuse(.failure(error))
        case .success(let response): return take(response)
        }
    }

    /// Starts again after the app was killed: what was saved is there.
    public mutating func restart() -> [Event] {
        guard configuration.plant == .resendsAtLaunch, let sent = lastSent,
            charges.last?.state == .unanswered
        else { return [] }
        return [sent]
    }

    /// Whether a URL is for the app's action: the class's user compares the host exactly, the one
    /// on Windows with the small letters that .NET makes.
    private func isAction(_ url: InnerFenceURL) -> Bool {
        let host = String(decoding: url.host, as: UTF8.self)
        return configuration.version == .windows
            ? host == configuration.action.lowercased() : host == configuration.action
    }

    private mutating func read(
        _ url: [UInt8]
    ) -> Result<InnerFenceChargeResponse, InnerFenceResponseError> {
        do throws(InnerFenceResponseError) {
            if configuration.plant == .believesAnyNonce {
                savedNonce = nil
                return .success(
                    try InnerFenceChargeResponse(decoding: url, as: configuration.version)
                )
            }
            var nonce = savedNonce
            for older in olderNonces where holds(older, in: url) { nonce = older }
            defer {
                if configuration.plant != .keepsNonce { savedNonce = nonce }
            }
            return .success(
                try InnerFenceChargeResponse(
                    opening: url,
                    savedNonce: &nonce,
                    as: configuration.version
                )
            )
        } catch {
            return .failure(error)
        }
    }

    private func holds(_ nonce: String, in url: [UInt8]) -> Bool {
        String(decoding: url, as: UTF8.self).contains(nonce)
    }

    private mutating func refuse(
        _ result: Result<InnerFenceChargeResponse, InnerFenceResponseError>
    ) -> [Event] {
        guard case .failure(let error) = result else { return [.ignored] }
        let refused = Event.refused(.byClass(error))
        guard configuration.plant == .resendsAfterRefusal, let sent = lastSent else {
            return [refused]
        }
        return [refused, sent]
    }

    private mutating func take(_ response: InnerFenceChargeResponse) -> [Event] {
        let record = response.extraParameter("record_id").flatMap { text in
            text.utf8.allSatisfy { $0 >= 0x30 && $0 <= 0x39 } ? Int(text) : nil
        }
        let isForgiving =
            configuration.plant == .believesAnyNonce || configuration.plant == .keepsNonce
        var found = charges.lastIndex { $0.recordID == record }
        if configuration.plant == .believesOlderNonces { found = charges.indices.last }
        guard let index = found, charges[index].state == .unanswered || isForgiving else {
            return [.refused(.otherRecord)]
        }
        charges[index].state = .answered(response.code)
        return [.answered(response, orderID: charges[index].orderID)]
    }

    private mutating func hold(_ orderID: String, isSureNotCharged: Bool) -> Event? {
        guard configuration.plant != .sendsOrdersInDoubt else { return nil }
        for index in charges.indices where charges[index].orderID == orderID {
            switch charges[index].state {
            case .answered(.approved): return .orderHeld(orderID: orderID, isPaid: true)
            case .unanswered:
                guard isSureNotCharged else { return .orderHeld(orderID: orderID, isPaid: false) }
                charges[index].state = .writtenOff
            case .unsent, .answered, .writtenOff: break
            }
        }
        return nil
    }

    private mutating func keep(_ charge: Charge) {
        if charges.count == Self.keptChargeCount {
            charges.removeFirst(Self.keptChargeCount / 2)
        }
        charges.append(charge)
    }
}
