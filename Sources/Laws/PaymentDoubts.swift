import Journal

/// What was asked of the service of card payments without an answer, and whether its books were
/// asked.
struct PaymentDoubts: Sendable {
    /// What the look-ups said since the last one was asked.
    enum Answer: Hashable, Sendable {
        /// Nothing: there was none, it is under way, or its answer was lost.
        case none
        /// That there is nothing of it, or how it stands.
        case told
        /// That it was booked.
        case found
    }

    /// A request that changes something, or a look-up.
    struct Asked: Sendable {
        let number: AttributeValue
        let kind: Symbol
        /// What it is about: the reference of an authorisation, the id of a transaction.
        let about: AttributeValue?
    }

    /// A request whose answer was lost.
    struct Doubt: Sendable {
        let kind: Symbol
        let about: AttributeValue?
        /// The payment of the app that it belongs to; `nil` for a capture or a refund.
        let payment: Int?
        var lookUpCount = 0
        /// The look-ups that are under way; the app may ask about one thing for two requests at once.
        var lookUps: [AttributeValue] = []
        var answer = Answer.none
        /// Whether a look-up that never arrived may have been about it, after another was answered.
        var mayBeLost = false
    }

    private static let keptCount = 32

    private(set) var asked: [Asked] = []
    private(set) var doubts: [Doubt] = []

    /// Adopts a request; returns whether it is one in doubt that is sent again.
    mutating func request(_ request: Asked) -> Bool {
        if asked.count == Self.keptCount { asked.removeFirst() }
        asked.append(request)
        guard request.kind != .query else {
            for index in doubts.indices where Self.fits(doubts[index], request) {
                doubts[index].lookUpCount += 1
                if doubts[index].lookUps.count == Self.keptCount {
                    doubts[index].lookUps.removeFirst()
                }
                doubts[index].lookUps.append(request.number)
                doubts[index].answer = .none
            }
            return false
        }
        let index = doubts.lastIndex { $0.kind == request.kind && $0.about == request.about }
        guard let index else { return false }
        // A reversal that the books do not show may be asked for again.
        let isLookedUp = request.kind == .reverse && doubts[index].answer != .none
        doubts.remove(at: index)
        return !isLookedUp
    }

    /// Adopts an answer that the app can use.
    mutating func answer(_ number: AttributeValue?, _ response: AttributeValue?) {
        forget(number)
        guard let number else { return }
        for index in doubts.indices where doubts[index].lookUps.contains(number) {
            doubts[index].lookUps.removeAll { $0 == number }
            if response == .symbol(.error) { continue }
            doubts[index].answer = response == .symbol(.found) ? .found : .told
        }
    }

    /// Adopts that a request had no answer that can be used.
    mutating func lose(_ number: AttributeValue?, _ kind: Symbol, isRefused: Bool, payment: Int?) {
        let lost = forget(number)
        switch kind {
        case .query:
            // One that never arrived may be about anything.
            guard lost == nil else { return }
            for index in doubts.indices {
                doubts[index].lookUpCount += 1
                doubts[index].mayBeLost = true
            }
        case .authorise, .confirm, .reverse, .capture, .refund:
            if isRefused { return settle(payment) }
            if doubts.count == Self.keptCount { doubts.removeFirst() }
            doubts.append(Doubt(kind: kind, about: lost?.about, payment: payment))
        default: break
        }
    }

    /// The payment went on after a look-up that told how it stands.
    mutating func settle(_ payment: Int?) {
        guard let payment else { return }
        doubts.removeAll { $0.payment == payment && $0.answer != .none }
    }

    /// Takes the doubts that the end of a request must have cleared up.
    mutating func take(_ isMeant: (Doubt) -> Bool) -> [Doubt] {
        guard doubts.contains(where: isMeant) else { return [] }
        let taken = doubts.filter(isMeant)
        doubts.removeAll(where: isMeant)
        return taken
    }

    /// Forgets everything: the app that was in doubt is gone.
    mutating func forget() {
        asked = []
        doubts = []
    }

    @discardableResult
    private mutating func forget(_ number: AttributeValue?) -> Asked? {
        guard let number, let index = asked.lastIndex(where: { $0.number == number }) else {
            return nil
        }
        return asked.remove(at: index)
    }

    private static func fits(_ doubt: Doubt, _ lookUp: Asked) -> Bool {
        doubt.about == nil || lookUp.about == nil || doubt.about == lookUp.about
    }
}
