import EventLoops
import Journal

/// Finds out whether a scenario can run with its gateway on a web server, in real time.
///
/// Readers and links stay simulated there, so everything about them can be played; the gateway's
/// calendar and its choices are the server's own.
enum GatewayLevelDerivation {
    /// The longest pause that is waited for in real time.
    static let longestPause = VirtualDuration.seconds(60)
    /// The longest time within which something is awaited there: what takes longer comes by the
    /// gateway's calendar.
    static let longestWait = VirtualDuration.seconds(600)

    /// Returns why the scenario cannot run at the level `http`, in the order of the file.
    static func refusals(rig: RigPlan, steps: [Step]) -> [Refusal] {
        var refusals: [Refusal] = []
        func refuse(_ location: SourceLocation, _ reason: String) {
            refusals.append(Refusal(level: .http, location: location, reason: reason))
        }
        guard let first = steps.first?.location ?? rig.readers.first?.location else { return [] }
        switch rig.gateway {
        case .nmi, .agentcash: break
        case .innerfence: refuse(first, "the terminal app of a run is in this process")
        case .paymill: refuse(first, "the PAYMILL of a run is in this process")
        case nil: refuse(first, "there is no gateway to be asked")
        }
        if !rig.account.webhookStatuses.isEmpty || !rig.account.webhookEvents.isEmpty {
            refuse(first, webhookReason)
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
            if let limit = step.action.limit, limit > longestWait {
                refuse(step.location, "what comes within \(limit.text) would last so long")
            }
            switch step.action {
            case .charge(let plan) where plan.payment?.webhookURL.isEmpty == false:
                refuse(step.location, webhookReason)
            case .anyTime, .sometime: refuse(step.location, Self.momentReason)
            case .faultPoints(let points) where points.contains(where: \.isGateway):
                refuse(step.location, Self.momentReason)
            default: step.action.innerSteps.forEach(look)
            }
        }
        steps.forEach(look)
        return refusals
    }

    private static let webhookReason =
        "the merchant's server that takes webhooks is in this process"

    private static let momentReason =
        "at a gateway on a web server nobody picks the moment: the world outside does"
}

extension StepAction {
    /// Within what time records are awaited, where the step says so.
    fileprivate var limit: VirtualDuration? {
        switch self {
        case .expect(_, let within, _), .await(_, let within, _), .expectAny(_, let within, _),
            .unordered(_, let within, _), .until(_, let within, _):
            within
        default: nil
        }
    }
}
