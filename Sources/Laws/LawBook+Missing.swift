import Journal

// Swipes that ought to have had a callback and had none.
extension LawBook {
    mutating func closePeriod(of index: Int, at record: Record) {
        guard readers[index].swipes.owedCount > 0 else { return }
        reportMissing(of: index, before: "\(record.name)", at: record)
        readers[index].swipes.endPeriod()
    }

    mutating func reportMissing(of index: Int, before end: String, at record: Record?) {
        let (first, last) = readers[index].swipes.owedNumbers
        let count = readers[index].swipes.owedCount
        let swipes =
            first == last ? "swipe \(first)" : "\(count) of the swipes \(first) to \(last)"
        report(
            .oneCallbackPerSwipe,
            at: record,
            reader: index,
            """
            a swipe that arrives whole while the reader is ready gives one didSwipeCard, but \
            \(swipes) had none before \(end)
            """
        )
    }
}
