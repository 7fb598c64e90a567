import EventLoops
import Journal

/// Finds out whether a scenario can run with its payment reader outside of this process.
///
/// Such a reader is as it was set up, shows what it shows to whoever stands there, and lives in real
/// time; what it says to the SDK is all that is known of it here.
enum PaymentLevelDerivation {
    /// Returns why the scenario cannot run at a real reader, in the order of the file.
    static func refusals(
        rig: RigPlan,
        steps: [Step],
        never: [RecordPattern],
        counts: [CountPattern]
    ) -> [Refusal] {
        guard let reader = rig.readers.first(where: { $0.kind == .miura }) else { return [] }
        var refusals: [Refusal] = []
        func refuse(_ location: SourceLocation, _ reason: String) {
            for level in Level.live {
                refusals.append(Refusal(level: level, location: location, reason: reason))
            }
        }
        if reader.miura != MiuraPlan() || reader.audio != AudioReaderPlan() {
            refuse(reader.location, "only a simulated reader can be set up like this")
        }
        func look(_ pattern: RecordPattern) {
            if isInside(pattern.name) { refuse(pattern.location, insideReason) }
        }
        func look(_ step: Step) {
            switch step.action {
            case .expect(let patterns, _, _), .unordered(let patterns, _, _), .never(let patterns):
                patterns.forEach(look)
            case .await(let pattern, _, _), .until(let pattern, _, _): look(pattern)
            case .expectAny(let branches, _, _): branches.forEach { $0.forEach(look) }
            case .count(let counts): counts.forEach { look($0.pattern) }
            case .on(let reaction): look(reaction.pattern)
            case .care: refuse(step.location, careReason)
            case .wait(let pause) where pause > GatewayLevelDerivation.longestPause:
                refuse(step.location, "a pause of \(pause.text) would last so long")
            default: break
            }
            step.action.innerSteps.forEach(look)
        }
        steps.forEach(look)
        never.forEach(look)
        counts.forEach { look($0.pattern) }
        return refusals
    }

    private static let careReason =
        "files are loaded into simulated readers, and only they leave their network at a step"
    private static let insideReason =
        "what a reader shows and waits for is known of simulated readers only"

    /// Whether only a simulated reader tells of it.
    private static func isInside(_ name: RecordName) -> Bool {
        switch name {
        case .displayed, .pinAsked, .choiceAsked, .cardDecided: true
        default: false
        }
    }
}
