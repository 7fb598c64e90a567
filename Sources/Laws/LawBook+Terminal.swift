import Journal

// The laws of charges through Inner Fence's terminal app.
extension LawBook {
    mutating func observeTerminal(_ record: Record, in journal: Journal) {
        let order = journal.value(.orderID, of: record)
        switch record.name {
        case .terminalRequested:
            terminal.ask(order, isSure: journal.value(.isSure, of: record) == .flag(true))
        case .creditCardTerminalNotInstalled: terminal.giveUp(order)
        case .terminalCalledBack: terminal.answer(order, answer(of: record, in: journal))
        case .chargeResponse:
            guard !terminal.take(order, answer(of: record, in: journal)) else { return }
            report(
                .answersAreGenuine,
                at: record,
                reader: nil,
                """
                an answer that the app takes is one that the terminal app gave for that order, \
                once, but this one is not
                """
            )
        case .urlOpened:
            terminal.isPresent = true
            guard journal.value(.hasClearCardData, of: record) == .flag(true),
                journal.value(.by, of: record) != .symbol(.other)
            else { return }
            report(
                .noCardDataToMerchant,
                at: record,
                reader: nil,
                "no card number and no track travels in a URL, but this one had some"
            )
        default: break
        }
    }

    /// Looks at a charge that the terminal app's gateway booked.
    mutating func bookAtTerminal(_ record: Record, in journal: Journal) {
        let order = terminal.book(journal.value(.orderID, of: record))
        guard order.askedCount > 0, order.bookedCount > order.askedCount else { return }
        report(
            .chargedAtMostOnce,
            at: record,
            reader: nil,
            """
            an order is charged at most once until somebody knows that it was not charged, but \
            this one was booked \(order.bookedCount) times
            """
        )
    }

    private func answer(of record: Record, in journal: Journal) -> TerminalAccount.Answer {
        TerminalAccount.Answer(
            result: journal.value(.result, of: record),
            amount: journal.value(.amount, of: record)
        )
    }
}
