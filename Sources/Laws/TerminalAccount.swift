import Journal

/// What is known of the orders that go through Inner Fence's terminal app, in flat memory.
struct TerminalAccount: Sendable {
    /// One order.
    struct Order: Sendable {
        let id: AttributeValue?
        /// How often it was asked for with nothing that says it is paid, or may be.
        var askedCount = 0
        /// How often it was booked.
        var bookedCount = 0
        /// Whether it was asked for and no answer was taken since.
        var isUnanswered = false
        /// Whether an approval was taken.
        var isPaid = false
        /// Answers of the terminal app that no answer of the app's belongs to yet.
        var answers: [Answer] = []
    }

    /// An answer as the terminal app gave it.
    struct Answer: Equatable, Sendable {
        let result: AttributeValue?
        let amount: AttributeValue?
    }

    static let keptCount = 256
    static let keptAnswerCount = 16

    private(set) var orders: [Order] = []
    /// Whether apps hand each other URLs in this run, so that what is booked is the terminal's.
    var isPresent = false

    /// Adopts what the app was asked for.
    mutating func ask(_ id: AttributeValue?, isSure: Bool) {
        isPresent = true
        let index = index(of: id)
        let order = orders[index]
        guard !order.isPaid, !order.isUnanswered || isSure else { return }
        orders[index].askedCount += 1
        orders[index].isUnanswered = true
    }

    /// Adopts that nothing was sent: there is no terminal app to be seen.
    mutating func giveUp(_ id: AttributeValue?) { orders[index(of: id)].isUnanswered = false }

    /// Adopts what was booked, and returns the order.
    mutating func book(_ id: AttributeValue?) -> Order {
        let index = index(of: id)
        orders[index].bookedCount += 1
        return orders[index]
    }

    /// Adopts an answer that the terminal app gave.
    mutating func answer(_ id: AttributeValue?, _ answer: Answer) {
        let index = index(of: id)
        if orders[index].answers.count == Self.keptAnswerCount {
            orders[index].answers.removeFirst()
        }
        orders[index].answers.append(answer)
    }

    /// Adopts an answer that the app took, and returns whether the terminal app gave it.
    mutating func take(_ id: AttributeValue?, _ answer: Answer) -> Bool {
        let index = index(of: id)
        orders[index].isUnanswered = false
        if answer.result == .symbol(.approved) { orders[index].isPaid = true }
        guard let place = orders[index].answers.firstIndex(of: answer) else { return false }
        orders[index].answers.remove(at: place)
        return true
    }

    private mutating func index(of id: AttributeValue?) -> Int {
        if let index = orders.lastIndex(where: { $0.id == id }) { return index }
        if orders.count == Self.keptCount { orders.removeFirst(Self.keptCount / 2) }
        orders.append(Order(id: id))
        return orders.count - 1
    }
}
