import EventLoops
import ScenarioRunner

/// Plays one order of each set of orders that differ only in independent events: a stateless search
/// with dynamic partial-order reduction and sleep sets.
///
/// After each run every race in its trace (two events that depend on one another, neither because
/// of the other, with nothing between that orders them) asks for a run in which they come the other
/// way round. What was tried at a choice sleeps in the runs that follow there, until something that
/// depends on it comes.
///
/// Source: Flanagan and Godefroid, "Dynamic partial-order reduction for model checking software"
/// (2005); Abdulla, Aronis, Jonsson and Sagonas, "Optimal dynamic partial order reduction" (2014),
/// source sets.
struct ExhaustiveSearch {
    /// A choice of the order that is being varied.
    private struct Node {
        var alternatives: [Alternative]
        var index: Int
        /// Whether it is about which event comes, and not about what the event does.
        var isOrder: Bool
        /// What slept when the choice was first met.
        var asleep: [Alternative]
        /// What was tried, with what it touched.
        var tried: [Alternative] = []
        /// The indices that a race asks for.
        var wanted: [Int] = []
    }

    private var nodes: [Node] = []
    private(set) var isComplete = false

    /// The choices of the next run, and what sleeps there.
    private(set) var prefix: [Int] = []
    private(set) var asleep: [Alternative] = []

    /// Learns from a run and finds the next one; `false` when there is none.
    mutating func learn(_ trace: [TracedEvent], _ taken: [TakenChoice]) -> Bool {
        for choice in taken.dropFirst(nodes.count) {
            nodes.append(
                Node(
                    alternatives: choice.alternatives,
                    index: choice.index,
                    isOrder: choice.site.kind == .order,
                    asleep: choice.asleep,
                    // Whether a fault comes is no race: both ways are played.
                    wanted: choice.site.kind == .order ? [] : Array(0..<choice.count)
                )
            )
        }
        noteFootprints(trace)
        findRaces(in: trace)
        return backtrack()
    }

    /// Writes the footprints of the run's events beside the alternatives they were.
    private mutating func noteFootprints(_ trace: [TracedEvent]) {
        for traced in trace {
            guard let choice = traced.choice, choice < nodes.count else { continue }
            nodes[choice].alternatives[nodes[choice].index].footprint.formUnion(
                traced.event.footprint
            )
        }
    }

    private mutating func backtrack() -> Bool {
        while var node = nodes.popLast() {
            node.tried.append(node.alternatives[node.index])
            let next = node.wanted.first { index in
                let process = node.alternatives[index].process
                if !node.isOrder { return index > node.index }
                return !node.tried.contains { $0.process == process }
                    && !node.asleep.contains { $0.process == process }
            }
            guard let next else { continue }
            node.index = next
            nodes.append(node)
            prefix = nodes.map(\.index)
            asleep = node.isOrder ? node.asleep + node.tried : node.asleep
            return true
        }
        isComplete = true
        return false
    }

    // MARK: Races

    private mutating func findRaces(in trace: [TracedEvent]) {
        let order = HappensBefore(trace)
        for later in trace.indices {
            for earlier in 0..<later {
                guard let choice = trace[earlier].choice, choice < nodes.count,
                    order.isRace(earlier, later)
                else { continue }
                want(later, instead: earlier, at: choice, in: trace, order)
            }
        }
    }

    /// Asks at a choice for an alternative that lets the later event come before the earlier one.
    private mutating func want(
        _ later: Int,
        instead earlier: Int,
        at choice: Int,
        in trace: [TracedEvent],
        _ order: HappensBefore
    ) {
        let rest = ((earlier + 1)...later).filter {
            $0 == later || (!trace[$0].isCanceled && !order.comesBefore(earlier, $0))
        }
        let initials = rest.filter { event in
            !rest.contains { $0 != event && order.comesBefore($0, event) }
        }
        let processes = initials.map { trace[$0].event.process }
        let node = nodes[choice]
        let fitting = node.alternatives.indices.filter {
            processes.contains(node.alternatives[$0].process)
        }
        let isKnown = fitting.contains { index in
            node.wanted.contains(index)
                || node.tried.contains { $0.process == node.alternatives[index].process }
        }
        if isKnown { return }
        if let first = fitting.first {
            nodes[choice].wanted.append(first)
        } else {
            for index in node.alternatives.indices where index != node.index {
                if !node.wanted.contains(index) { nodes[choice].wanted.append(index) }
            }
        }
    }
}

/// Which events of a trace come before which in every order that leads to the same: what was posted
/// because of the other, what belongs to one process, what touches the same.
struct HappensBefore {
    private let wordCount: Int
    /// For each event one bit for each event before it, itself included.
    private var bits: [UInt64]
    private let trace: [TracedEvent]

    init(_ trace: [TracedEvent]) {
        self.trace = trace
        wordCount = (trace.count + 63) / 64
        bits = [UInt64](repeating: 0, count: trace.count * wordCount)
        for event in trace.indices {
            set(event, event)
            if let cause = trace[event].cause { include(cause, in: event) }
            for earlier in (0..<event).reversed()
            where !trace[earlier].isCanceled && !comesBefore(earlier, event) {
                if trace[earlier].event.depends(on: trace[event].event) {
                    include(earlier, in: event)
                }
            }
        }
    }

    func comesBefore(_ earlier: Int, _ later: Int) -> Bool {
        bits[later * wordCount + earlier / 64] & 1 << UInt64(earlier % 64) != 0
    }

    /// Whether two events depend on one another and nothing else orders them.
    func isRace(_ earlier: Int, _ later: Int) -> Bool {
        guard !trace[earlier].isCanceled,
            trace[earlier].event.depends(on: trace[later].event),
            trace[earlier].event.process != trace[later].event.process,
            trace[later].cause != earlier
        else { return false }
        // What was taken back long before its time could not have come first.
        if trace[later].isCanceled, trace[later].window.earliest > trace[earlier].window.latest {
            return false
        }
        for between in (earlier + 1)..<later
        where comesBefore(earlier, between) && comesBefore(between, later) {
            return false
        }
        return true
    }

    private mutating func set(_ event: Int, _ bit: Int) {
        bits[event * wordCount + bit / 64] |= 1 << UInt64(bit % 64)
    }

    private mutating func include(_ earlier: Int, in later: Int) {
        for word in 0..<wordCount {
            bits[later * wordCount + word] |= bits[earlier * wordCount + word]
        }
    }
}
