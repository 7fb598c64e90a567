import CardCrypto
import EventLoops
import Journal
import Rig
import ScenarioLanguage
import ScenarioRunner
import Testing
import Transports

/// Every fault of a link at the units of a swipe, on every reader: no law breaks, and the swipe
/// after it gives its card. Packets are not split: USB knows no half packets.
@Suite("Link faults")
struct LinkFaultTests {
    struct Link: Sendable, CustomTestStringConvertible {
        var kind: ReaderKind
        var packetByteCount: Int
        var unitCount: Int

        /// The first units, the last ones, and each seventh between.
        var units: [Int] {
            (1...unitCount).filter { $0 <= 3 || $0 > unitCount - 3 || $0 % 7 == 0 }
        }

        var testDescription: String { "\(kind.rawValue) in units of \(packetByteCount)" }
    }

    static let links = [
        Link(kind: .idynamo, packetByteCount: 500, unitCount: 1),
        Link(kind: .dynamag, packetByteCount: 8, unitCount: 111),
        Link(kind: .dynamag, packetByteCount: 64, unitCount: 14),
    ]

    static let actions: [LinkFault.Action] = [
        .drop, .duplicate, .cut, .delay(.milliseconds(3)), .delay(.seconds(2)),
        .split(at: 1, gap: .zero), .split(at: 4, gap: .milliseconds(20)),
        .split(at: 4, gap: .seconds(2)), .merge(within: .milliseconds(5)),
        .merge(within: .milliseconds(40)), .corrupt(at: 0, xor: 0xFF), .corrupt(at: 3, xor: 0x01),
    ]

    private static let text = """
        scenario: Three swipes, and the reader put back before the last
        rig: { reader: idynamo }
        steps:
          - plug in
          - swipe: { card: visa }
          - settle
          - swipe: { card: mastercard }
          - settle
          - unplug
          - plug in
          - swipe: { card: visa }
          - settle
        events: loose
        """

    private func play(_ link: Link, _ faults: [LinkFault], _ cache: CryptoCache) throws -> RunResult
    {
        let parsed = ScenarioParser.parse(file: "text", bytes: Array(Self.text.utf8))
        return ScenarioFolder.play(
            try #require(parsed.scenario),
            RigOptions(
                simulatedAs: link.kind,
                packetByteCount: min(link.packetByteCount, 64),
                linkFaults: faults
            ),
            cache: cache
        )
    }

    private func cards(_ result: RunResult) -> [AttributeValue?] {
        result.journal.readable.filter { $0.name == .didSwipeCard }
            .map { result.journal.value(.maskedCardNumber, of: $0) }
    }

    @Test(arguments: links, actions)
    func aFaultAtAnyUnitBreaksNoLaw(link: Link, action: LinkFault.Action) throws {
        if case .split = action, link.kind == .dynamag { return }
        let cache = CryptoCache()
        let undisturbed = cards(try play(link, [], cache))
        #expect(undisturbed.count == 3 && !undisturbed.contains(nil))
        for unit in link.units {
            let result = try play(link, [LinkFault(action, at: .unit(unit))], cache)
            let seen = cards(result)
            #expect(result.failures.map(\.explanation) == [], "unit \(unit)")
            #expect(seen.last == undisturbed.last, "unit \(unit)")
            #expect(seen.count <= 3, "unit \(unit)")
            if action != .cut {
                #expect(seen.suffix(2) == undisturbed.suffix(2), "unit \(unit)")
            }
        }
    }
}
