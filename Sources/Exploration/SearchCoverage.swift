import EventLoops
public import Journal
import Rig
public import ScenarioLanguage
public import ScenarioRunner

/// What happened at least once in the runs of a search: fault points that fired, and transitions
/// between the SDK's events of each reader.
public struct SearchCoverage: Hashable, Sendable {
    /// How many readers are looked at.
    private static let readerBound = 64

    private var faults: UInt64 = 0
    /// For each reader and what it told last, one bit for each event that came then.
    private var transitions: [UInt16] = []

    /// Creates one of no runs.
    public init() {}

    /// Whether a fault point fired.
    public func hasFired(_ point: FaultPoint) -> Bool { faults & 1 << UInt64(point.number) != 0 }

    /// Whether a transition of a reader was seen.
    public func contains(_ transition: SDKTransition, of reader: Int) -> Bool {
        let index = reader * ReaderNews.allCases.count + Int(transition.from.rawValue)
        return transitions.indices.contains(index)
            && transitions[index] & 1 << UInt16(transition.to.rawValue) != 0
    }

    /// Adds what another search saw.
    public mutating func formUnion(_ other: Self) {
        faults |= other.faults
        for (index, bits) in other.transitions.enumerated() { add(bits, at: index) }
    }

    /// Adds what happened in a run, as far as its journal is readable.
    public mutating func note(_ result: RunResult) {
        for choice in result.choices.taken where choice.site.kind == .fault {
            guard let point = Rig.faultPoint(of: choice) else { continue }
            faults |= 1 << UInt64(point.number)
        }
        let journal = result.journal
        // What came before the oldest record is not known.
        let first: ReaderNews? = journal.oldestSequence == 0 ? .nothing : nil
        var last = [ReaderNews?](repeating: first, count: 1)
        for record in journal.readable {
            if record.name == .appLaunched {
                for reader in last.indices { last[reader] = .nothing }
                continue
            }
            guard let news = ReaderNews(record, of: journal),
                case .reader(let reader) = journal.value(.reader, of: record),
                (0..<Self.readerBound).contains(reader)
            else { continue }
            while last.count <= reader { last.append(first) }
            if let before = last[reader] {
                add(
                    1 << UInt16(news.rawValue),
                    at: reader * ReaderNews.allCases.count + Int(before.rawValue)
                )
            }
            last[reader] = news
        }
    }

    private mutating func add(_ bits: UInt16, at index: Int) {
        while transitions.count <= index { transitions.append(0) }
        transitions[index] |= bits
    }
}

extension SearchCoverage {
    /// The fault points that the scenario names and that never fired, each once, in its order.
    public func missingFaults(of prepared: PreparedScenario) -> [FaultPoint] {
        Self.namedFaults(of: prepared).filter { !hasFired($0) }
    }

    /// The fault points that the scenario names, each once, in its order.
    public static func namedFaults(of prepared: PreparedScenario) -> [FaultPoint] {
        var named: [FaultPoint] = []
        for flat in prepared.flat {
            guard case .faultPoints(let points) = flat.step.action else { continue }
            for point in points where !named.contains(point) { named.append(point) }
        }
        return named
    }

    /// The transitions that a reader can make and never made, in the order of the table.
    public func missingTransitions(of reader: Int, in rig: RigPlan) -> [SDKTransition] {
        SDKTransition.possible(for: rig.readers[reader], in: rig).filter {
            !contains($0, of: reader)
        }
    }
}
