import EventLoops
import Journal

// The app, and whether readers settle in time.
extension LawBook {
    // MARK: The app

    mutating func adopt(_ record: Record, in journal: Journal) {
        app.adopt(record, in: journal)
        for index in readers.indices {
            switch record.name {
            case .appLaunched:
                readers[index].state = ReaderState()
                readers[index].swipes.endSession()
                readers[index].settling.launch()
                readers[index].settling.disturb(.launch, at: record.time)
            case .appKilled:
                readers[index].state = ReaderState()
                readers[index].swipes.endSession()
            case .appSentToBackground:
                break
            case .appBroughtToForeground:
                readers[index].settling.disturb(.foreground, at: record.time)
            case .delegateSet:
                if app.hasDelegate {
                    readers[index].settling.disturb(.delegate, at: record.time)
                } else {
                    readers[index].swipes.excuse()
                }
            default:
                readers[index].swipes.excuse()
            }
        }
        if record.name == .appKilled { doubt.forget() }
        aim()
    }

    // MARK: Settling

    /// Finds the earliest deadline.
    mutating func aim() {
        earliestDeadline = .distantFuture
        guard !isLive, !off.contains(.settles) else { return }
        for reader in readers {
            guard let deadline = reader.settling.deadline else { continue }
            earliestDeadline = min(earliestDeadline, deadline)
        }
    }

    mutating func checkSettling(before record: Record) {
        for index in readers.indices {
            guard let deadline = readers[index].settling.deadline, record.time > deadline else {
                continue
            }
            // Nobody is told while nobody listens; whoever listens again begins a new wait.
            if app.isAwake { settle(index, at: record) }
            readers[index].settling.forget()
        }
        aim()
    }

    mutating func settle(_ index: Int, at record: Record?) {
        guard let unsettled = readers[index].settling.unsettled(readers[index].state) else {
            return
        }
        report(
            .settles,
            at: record,
            reader: index,
            """
            a reader is ready again or in a final state when the last fault is over, but in its \
            time \(unsettled)
            """
        )
    }
}
