import CaptureFiles
public import EventLoops
import Journal

/// What the app in the field saw beside what our SDK core tells of the same bytes.
public struct AppComparison: Sendable {
    /// What stands in one row.
    public enum Row: Hashable, Sendable {
        /// The core tells it and the app saw it.
        case both(RecordedRecord, AppLog.Entry)
        /// Both, but what is said of it differs: the attributes' names.
        case otherwise(RecordedRecord, AppLog.Entry, differing: [String])
        /// Only our core tells it: the app did not see it.
        case coreOnly(RecordedRecord)
        /// Only the app saw it: our core makes no such event of the bytes.
        case appOnly(AppLog.Entry)
        /// Something of the app's own that is no event of the SDK.
        case remark(AppLog.Entry)
    }

    /// The rows with their times since the run began, in order; `nil` where a log has no times.
    public let rows: [(time: VirtualDuration?, row: Row)]
    /// How far the app's clock is ahead of the capture's, the median of the events that both have;
    /// `nil` when there is none with a time.
    public let clockDifference: VirtualDuration?
    /// How many rows are not `both` or `remark`.
    public let differenceCount: Int
    /// How many events both have, equal in all that the app says.
    public let equalCount: Int

    /// Lays the two beside each other.
    ///
    /// Compared are the callbacks of the SDK that the log says it holds. Of what is said of an
    /// event, only what the app said is.
    /// - Parameters:
    ///   - records: The core's journal.
    ///   - log: The app's.
    ///   - beginNanoseconds: When the run began, in nanoseconds since 1970-01-01 UTC; `nil` for a
    ///     capture without dates.
    public init(_ records: [RecordedRecord], _ log: AppLog, beginNanoseconds: Int64?) {
        let events = records.filter { record in
            Vocabulary.record(spelled: record.name)?.source == .sdk
                && (log.loggedNames?.contains(record.name) ?? true)
        }
        let entries = log.entries.filter {
            Vocabulary.record(spelled: $0.name)?.source == .sdk
        }
        let alignment = Alignment(events.map(\.name), entries.map(\.name)) { _, _ in false }
        var differences: [Int64] = []
        for row in alignment.rows {
            guard case .both(let core, let app) = row,
                let time = entries[app].time?.nanosecondsSinceEpoch
            else { continue }
            differences.append(time &- (beginNanoseconds ?? 0) &- events[core].time)
        }
        differences.sort()
        let median = differences.isEmpty ? nil : differences[differences.count / 2]
        clockDifference = median.map { .nanoseconds($0) }

        func time(_ entry: AppLog.Entry) -> VirtualDuration? {
            entry.time?.nanosecondsSinceEpoch.map {
                .nanoseconds($0 &- (beginNanoseconds ?? 0) &- (median ?? 0))
            }
        }
        var rows: [(time: VirtualDuration?, row: Row)] = []
        var differenceCount = 0
        var equalCount = 0
        for row in alignment.rows {
            switch row {
            case .both(let core, let app), .changed(let core, let app):
                let differing = entries[app].attributes.filter { attribute in
                    events[core][attribute.name].map { $0 != attribute.value } ?? false
                }.map(\.name)
                let at = VirtualDuration.nanoseconds(events[core].time)
                if differing.isEmpty {
                    equalCount += 1
                    rows.append((at, .both(events[core], entries[app])))
                } else {
                    differenceCount += 1
                    rows.append(
                        (at, .otherwise(events[core], entries[app], differing: differing))
                    )
                }
            case .first(let core):
                differenceCount += 1
                rows.append((.nanoseconds(events[core].time), .coreOnly(events[core])))
            case .second(let app):
                differenceCount += 1
                rows.append((time(entries[app]), .appOnly(entries[app])))
            }
        }
        for entry in log.entries where Vocabulary.record(spelled: entry.name)?.source != .sdk {
            rows.append((time(entry), .remark(entry)))
        }
        // Rows of the same time keep their order; those without a time stay behind their neighbour.
        var last = VirtualDuration.zero
        var timed: [(key: VirtualDuration, index: Int)] = []
        for (index, row) in rows.enumerated() {
            last = row.time ?? last
            timed.append((last, index))
        }
        timed.sort { $0.key == $1.key ? $0.index < $1.index : $0.key < $1.key }
        self.rows = timed.map { rows[$0.index] }
        self.differenceCount = differenceCount
        self.equalCount = equalCount
    }
}
