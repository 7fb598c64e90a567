import CardCrypto
import CardData
import EventLoops
import Journal
import Rig
public import ScenarioLanguage
import ScenarioRunner
import Transports

/// Plays one swipe once for every byte of it, with the link cut or a read split there.
///
/// | sweep | what must hold |
/// | --- | --- |
/// | cut | no law is broken; the cut swipe gives no card, or the whole one when it was already whole; after the reader was put back, the next swipe gives its card |
/// | split | exactly the events of an undisturbed swipe |
public enum ByteSweep {
    /// What a sweep found.
    public struct Result: Sendable {
        /// How many positions were played.
        public var positionCount = 0
        /// How many of them gave the first swipe's card in spite of the fault.
        public var cardCount = 0
        /// What did not hold, at most ten, each with its position.
        public var complaints: [String] = []

        mutating func complain(_ position: Int, _ text: String) {
            if complaints.count < 10 { complaints.append("at byte \(position): \(text)") }
        }
    }

    /// Cuts the link before each byte of a swipe, puts the reader back and swipes again.
    public static func cut(_ kind: ReaderKind, packetByteCount: Int = 8) -> Result {
        var found = Result()
        let cache = CryptoCache()
        for position in 0...byteCount(of: kind, packetByteCount, cache) {
            found.positionCount += 1
            let result = run(
                cutScenario(kind),
                RigOptions(
                    packetByteCount: packetByteCount,
                    choices: .natural,
                    linkFaults: [LinkFault(.cut, at: .byte(position + 1))]
                ),
                cache
            )
            for failure in result.failures { found.complain(position, failure.explanation) }
            let cards = cardsRead(result)
            if cards.count == 2 { found.cardCount += 1 }
            if cards.count < 1 || cards.count > 2 {
                found.complain(position, "expected 1 or 2 cards, found \(cards.count)")
            }
            if cards.contains(where: { $0 != cards[0] }) {
                found.complain(position, "the swipes gave different cards")
            }
        }
        return found
    }

    /// Splits the transfer that holds each byte of a swipe before that byte, with no time between
    /// the pieces.
    public static func split(_ kind: ReaderKind, packetByteCount: Int = 8) -> Result {
        var found = Result()
        let cache = CryptoCache()
        let undisturbed = run(swipeScenario(kind), options(packetByteCount, []), cache)
        let expected = sdkEvents(undisturbed)
        let sizes = unitByteCounts(of: kind, packetByteCount, cache)
        var position = 0
        for (unit, size) in sizes.enumerated() {
            for offset in 0..<size {
                defer { position += 1 }
                guard offset > 0 else { continue }
                found.positionCount += 1
                let fault = LinkFault(.split(at: offset, gap: .zero), at: .unit(unit + 1))
                let result = run(swipeScenario(kind), options(packetByteCount, [fault]), cache)
                for failure in result.failures { found.complain(position, failure.explanation) }
                if sdkEvents(result) != expected {
                    found.complain(position, "the split gave other events")
                } else {
                    found.cardCount += 1
                }
            }
        }
        return found
    }

    // MARK: Runs

    private static func options(_ packetByteCount: Int, _ faults: [LinkFault]) -> RigOptions {
        RigOptions(packetByteCount: packetByteCount, choices: .natural, linkFaults: faults)
    }

    private static func run(
        _ scenario: Scenario,
        _ options: RigOptions,
        _ cache: CryptoCache
    ) -> RunResult {
        play(
            PreparedScenario(scenario),
            on: Rig(RigConfiguration(scenario.rig, options: options), cache: cache)
        )
    }

    private static func step(_ action: StepAction) -> Step {
        Step(action, location: SourceLocation(line: 1, column: 1), words: "sweep")
    }

    private static func scenario(_ kind: ReaderKind, _ actions: [StepAction]) -> Scenario {
        Scenario(
            file: "sweep",
            name: "sweep",
            rig: RigPlan(readers: [ReaderPlan(name: kind.rawValue, kind: kind)]),
            steps: actions.map(step),
            allowsUnexpectedEvents: true
        )
    }

    private static func swipeScenario(_ kind: ReaderKind) -> Scenario {
        scenario(
            kind,
            [
                .plugIn(reader: 0), .swipe(SwipePlan(reader: 0, card: "visa")),
                .settle(within: nil),
            ]
        )
    }

    private static func cutScenario(_ kind: ReaderKind) -> Scenario {
        scenario(
            kind,
            [
                .plugIn(reader: 0), .swipe(SwipePlan(reader: 0, card: "visa")),
                .settle(within: nil), .unplug(reader: 0), .plugIn(reader: 0),
                .swipe(SwipePlan(reader: 0, card: "visa")), .settle(within: nil),
            ]
        )
    }

    private static func unitByteCounts(
        of kind: ReaderKind,
        _ packetByteCount: Int,
        _ cache: CryptoCache
    ) -> [Int] {
        var options = options(packetByteCount, [])
        options.isRecorded = true
        let result = run(swipeScenario(kind), options, cache)
        return (result.wireTap?.entries ?? []).compactMap { entry in
            if case .fromReader(let unit) = entry.traffic { unit.payload.count } else { nil }
        }
    }

    private static func byteCount(
        of kind: ReaderKind,
        _ packetByteCount: Int,
        _ cache: CryptoCache
    ) -> Int {
        unitByteCounts(of: kind, packetByteCount, cache).reduce(0, +)
    }

    private static func cardsRead(_ result: RunResult) -> [AttributeValue?] {
        result.journal.readable.filter {
            $0.name == .didSwipeCard && result.journal.value(.card, of: $0) != .symbol(.none)
        }.map { result.journal.value(.maskedCardNumber, of: $0) }
    }

    private static func sdkEvents(_ result: RunResult) -> [[Attribute]] {
        result.journal.readable.filter { $0.source == .sdk }.map {
            [Attribute(.text, .integer(Int64($0.name.rawValue)))]
                + Array(result.journal.attributes(of: $0))
        }
    }
}
