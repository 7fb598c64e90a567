import EventLoops
import Journal

/// Finds out whether a scenario can run with its gateway on a web server, in real time.
///
/// Readers and links stay simulated there, so everything about them can be played; the gateway's
/// calendar and its choices are the server's own.
enum GatewayLevelDerivation {
    /// The longest pause that is waited for in real time.
    static let longestPause = VirtualDuration.seconds(60)

    /// Returns why the scenario cannot run at the level `http`, in the order of the file.
    static func refusals(rig: RigPlan, steps: [Step]) -> [Refusal] {
        var refusals: [Refusal] = []
        func refuse(_ location: SourceLocation, _ reason: String) {
            refusals.append(Refusal(level: .http, location: location, reason: reason))
        }
        guard let first = steps.first?.location ?? rig.readers.first?.location else { return [] }
        switch rig.gateway {
        case .nmi: break
        case .agentcash: refuse(first, "the AgentCASH of a run is in this process")
        case .innerfence: refuse(first, "the terminal app of a run is in this process")
        case .paymill: refuse(first, "the PAYMILL of a run is in this process")
        case nil: refuse(first, "there is no gateway to be asked")
        }
        if rig.account != NMIAccountPlan() {
            refuse(first, "the account at a gateway on a web server is the server's own")
        }
        if rig.merchantServer != .none {
            refuse(first, "the merchant's server of a run is in this process")
        }
        if rig.clockSecondsSince1970 != nil {
            refuse(first, "the calendar of a gateway on a web server is its own")
        }
        func look(_ step: Step) {
            if case .gateway(let fault) = step.action, fault.answer == .refused {
                refuse(step.location, "a connection that was made cannot be refused any more")
            }
            if case .wait(let pause) = step.action, pause > longestPause {
                refuse(step.location, "a pause of \(pause.text) would last so long")
            }
            switch step.action {
            case .anyTime, .sometime: refuse(step.location, Self.momentReason)
            case .faultPoints(let points) where points.contains(where: \.isGateway):
                refuse(step.location, Self.momentReason)
            default: step.action.innerSteps.forEach(look)
            }
        }
        steps.forEach(look)
        return refusals
    }

    private static let momentReason =
        "at a gateway on a web server nobody picks the moment: the world outside does"
}
