import MagneticStripe
import Rig
import ScenarioLanguage
import SimulatedReaders

extension SwipeQuality {
    /// What a scenario says of a swipe.
    init(_ plan: SwipePlan) {
        self = plan.stripe.map { .physical(SwipeMotion($0)) } ?? SwipeQuality(plan.quality) ?? .good
    }
}

extension SwipeMotion {
    fileprivate init(_ plan: StripePlan) {
        self.init()
        speedHundredths = plan.speed * 100
        endSpeedHundredths = (plan.endSpeed ?? plan.speed) * 100
        joltPercent = plan.joltPercent
        isReversed = plan.isBackward
        noisePerMille = plan.noisePercent * 10
        jitterPerMille = plan.jitterPercent * 10
        strengthPercent = plan.strengthPercent
        if let clip = plan.clipPercent { clipPerMille = clip * 10 }
        dropouts = plan.holes.map { hole in
            Dropout(
                track: hole.track.flatMap { StripeTrack(rawValue: $0) },
                startNanometres: hole.startMillimetres * 1_000_000,
                lengthNanometres: hole.lengthMillimetres * 1_000_000
            )
        }
        seed = plan.seed ?? 0
    }
}
