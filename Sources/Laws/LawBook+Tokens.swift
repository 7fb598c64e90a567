import Journal

// What the laws ask of PAYMILL's tokens.
extension LawBook {
    /// Looks at a record that is about a token.
    mutating func observeToken(_ record: Record, in journal: Journal) {
        guard let number = Self.integer(.token, of: record, in: journal) else { return }
        switch record.name {
        case .tokenCreated: tokens.create(number, at: record.time)
        case .chargeRequested, .authorizationRequested: tokens.ask(number)
        case .merchantServerReceived:
            guard tokens.send(number) else { return }
            report(
                .tokenUsedOnce,
                at: record,
                reader: nil,
                """
                a token is sent to the merchant's server once, or as often as it was asked for, \
                but token \(number) was sent again
                """
            )
        case .tokenUsed:
            let (isAgain, isLate) = tokens.use(number, at: record.time)
            guard isAgain || isLate else { return }
            report(
                .tokenUsedOnce,
                at: record,
                reader: nil,
                """
                a token is good once and for 5 minutes, but token \(number) was taken \
                \(isAgain ? "again" : "after them")
                """
            )
        default: break
        }
    }
}
