import CardData
import EventLoops

/// What a reader did in a probe, in words that two readers can be compared by.
///
/// What tells one reader from another of its kind (serial number, key serial number, the card's own
/// data) stands in ``identity`` and is not compared.
struct Observation: Equatable {
    /// What kind of thing it is.
    enum Kind: Equatable {
        /// It said something.
        case message
        /// It refused, damaged, came late or went: what a host treats as an error.
        case error
    }

    var kind: Kind
    /// What it did.
    var text: String
    /// How long after the probe's act.
    var delay: VirtualDuration
}

/// One probe of a suite: what is done, and what came of it.
struct ProbeResult: Equatable {
    /// What was done, such as `get property 03`.
    var name: String
    /// What the reader did, in order.
    var observations: [Observation] = []
    /// What tells it from others: names and values, in order.
    var identity: [(name: String, value: String)] = []
    /// Why it was left out; `nil` when it was done.
    var skipped: String?

    static func == (left: Self, right: Self) -> Bool {
        left.name == right.name && left.observations == right.observations
            && left.skipped == right.skipped
            && left.identity.elementsEqual(right.identity) {
                $0.name == $1.name && $0.value == $1.value
            }
    }
}

/// Where two readers went different ways.
struct ReaderDifference: Equatable {
    /// In which way.
    enum Kind: String, CaseIterable {
        /// One said something that the other did not.
        case messages
        /// They said the same in another order.
        case order
        /// They said the same at other times.
        case timing
        /// One refused, or went, where the other did not.
        case errors
    }

    var kind: Kind
    /// The probe's name.
    var probe: String
    /// What the reader did, and what the simulator did.
    var reader: String
    var simulator: String
}

/// Compares what a reader and its simulator did in the same probes.
struct ReaderComparison {
    /// By how much times may differ, beside a third of the longer one.
    var tolerance = VirtualDuration.milliseconds(20)

    func differences(
        _ reader: [ProbeResult],
        _ simulator: [ProbeResult]
    ) -> [ReaderDifference] {
        var found: [ReaderDifference] = []
        for probe in reader where probe.skipped == nil {
            guard let other = simulator.first(where: { $0.name == probe.name }) else { continue }
            compare(probe, other, &found)
        }
        return found
    }

    private func compare(
        _ reader: ProbeResult,
        _ simulator: ProbeResult,
        _ found: inout [ReaderDifference]
    ) {
        func note(_ kind: ReaderDifference.Kind, _ left: String, _ right: String) {
            found.append(
                ReaderDifference(kind: kind, probe: reader.name, reader: left, simulator: right)
            )
        }
        let left = reader.observations
        let right = simulator.observations
        let texts = (left.map(\.text), right.map(\.text))
        guard texts.0 != texts.1 else {
            for (mine, other) in zip(left, right) where isApart(mine.delay, other.delay) {
                let text = mine.text
                note(.timing, "\(text) after \(shown(mine.delay))", "after \(shown(other.delay))")
                break
            }
            return
        }
        if texts.0.sorted() == texts.1.sorted() {
            return note(.order, listed(texts.0), listed(texts.1))
        }
        let count = min(left.count, right.count)
        let first = (0..<count).first { left[$0].text != right[$0].text } ?? count
        let mine = first < left.count ? left[first] : nil
        let other = first < right.count ? right[first] : nil
        let isError = mine?.kind == .error || other?.kind == .error
        note(isError ? .errors : .messages, mine?.text ?? "nothing", other?.text ?? "nothing")
    }

    private func isApart(_ one: VirtualDuration, _ other: VirtualDuration) -> Bool {
        let (shorter, longer) = one < other ? (one, other) : (other, one)
        let gap = longer.nanoseconds - shorter.nanoseconds
        return gap > tolerance.nanoseconds && gap > longer.nanoseconds / 3
    }

    private func shown(_ duration: VirtualDuration) -> String {
        "\(duration.nanoseconds / 1_000_000) ms"
    }

    private func listed(_ texts: [String]) -> String { texts.joined(separator: "; ") }
}
