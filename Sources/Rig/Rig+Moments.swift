public import EventLoops
public import Journal
import SDKCore
import SimulatedGateways
import SimulatedReaders
import Transports

// What comes at a moment, or in a case, that the seed or the search picks.
extension Rig {
    /// Posts events of the scenario's own that keep their order, for any moment from now to the
    /// end; they do not count as pending.
    ///
    /// A source that keeps windows open picks among all moments. A seed first picks how far they
    /// may be away, so that near moments are as likely as far ones.
    public mutating func scheduleAnyTime(_ tokens: [(token: Int, step: Int)]) {
        guard let first = tokens.first else { return }
        var latest = loop.bounds.latest
        if !loop.choices.keepsWindows {
            let key = EventKey(
                site: RigComponent.scriptStep,
                ordinal: UInt32(truncatingIfNeeded: first.token)
            )
            let reach = loop.choices.choose(.instant, key: key, among: Self.reaches.count)
            latest = now + Self.reaches[reach]
        }
        let window = TimeWindow(earliest: now, latest: latest)
        for (token, step) in tokens {
            let id = loop.post(
                RigEvent(.script(token), step: step),
                to: RigComponent.scriptStep,
                in: window,
                chain: RigComponent.actChain(first.token),
                isBackground: true
            )
            openMoments.append(id)
        }
    }

    /// Lets what may come at any moment come within a time from now: nothing else is waited for,
    /// and what goes on by itself for ever, such as the renewal of a request, must not go before it
    /// for ever.
    public mutating func closeMoments(within limit: VirtualDuration) {
        for id in openMoments { loop.closeWindow(of: id, at: now + limit) }
        openMoments = []
    }

    /// Posts events of the scenario's own that keep their order, for a window.
    public mutating func schedule(_ tokens: [(token: Int, step: Int)], in window: TimeWindow) {
        for (token, step) in tokens {
            loop.post(
                RigEvent(.script(token), step: step),
                to: RigComponent.scriptStep,
                in: window,
                chain: RigComponent.actChain(tokens[0].token)
            )
        }
    }

    private static let reaches: [VirtualDuration] = [
        .milliseconds(10), .milliseconds(100), .seconds(1), .seconds(10), .seconds(100),
    ]

    // MARK: Fault points

    /// Lets each of these faults come once from now on, or not; one that may already is not doubled.
    public mutating func allow(_ points: [FaultPoint]) {
        for point in points where !faultPoints.contains(point) { faultPoints.append(point) }
    }

    /// How far the keys of one choice about faults are from those of the next.
    private static let faultKeyCount: UInt32 = 16

    /// The fault that came by a choice; `nil` when none did.
    public static func faultPoint(of choice: TakenChoice) -> FaultPoint? {
        guard choice.site.kind == .fault, choice.alternatives.indices.contains(choice.index)
        else { return nil }
        let number = Int(choice.alternatives[choice.index].key.ordinal % faultKeyCount) - 1
        return FaultPoint.allCases.indices.contains(number) ? FaultPoint.allCases[number] : nil
    }

    /// Picks one of the faults that may come here, or none, which is the natural choice.
    mutating func fault(where isMeant: (FaultPoint) -> Bool) -> FaultPoint? {
        guard !faultPoints.isEmpty else { return nil }
        let open = faultPoints.filter(isMeant)
        guard !open.isEmpty else { return nil }
        let numbers = [0] + open.map { UInt32($0.number) + 1 }
        let base = faultCount &* Self.faultKeyCount
        faultCount &+= 1
        let alternatives = numbers.map { number in
            Alternative(
                key: EventKey(site: RigComponent.faultPoint, ordinal: base &+ number),
                chain: 0,
                footprint: Footprint()
            )
        }
        let index = loop.choices.choose(
            .fault,
            key: alternatives[0].key,
            among: alternatives.count,
            alternatives
        )
        guard index > 0 else { return nil }
        let point = open[index - 1]
        faultPoints.removeAll { $0 == point }
        return point
    }

    /// Asks for a fault of the link of a reader whose card is about to be swiped, and arms it.
    mutating func armLinkFault(_ reader: Int) {
        guard !faultPoints.isEmpty, stations[reader].isPluggedIn, stations[reader].due == nil,
            !stations[reader].isLive
        else { return }
        let isStream = ![.reports, .idTechReports].contains(stations[reader].path)
        let point = fault { point in
            point == .linkCutBeforeReport || (point == .linkDuplicatesRecord && isStream)
        }
        guard let point else { return }
        let unit = linkPosition(of: reader).unitCount + 1
        let action: LinkFault.Action = point == .linkDuplicatesRecord ? .duplicate : .cut
        inject(LinkFault(action, at: .unit(unit)), reader: reader)
    }

    /// Asks for a fault of the request that is about to reach the gateway, and arms it.
    mutating func armGatewayFault() {
        guard !faultPoints.isEmpty, let point = fault(where: \.isGateway) else { return }
        let number = requestCount + 1
        let fault =
            switch point {
            case .gatewayTimeoutAfterBooking:
                GatewayFault(request: number, phase: .afterBooking, answer: .timeout)
            case .gatewayResetAfterBooking:
                GatewayFault(request: number, phase: .afterBooking, answer: .reset)
            case .gatewayGarbageAfterBooking:
                GatewayFault(request: number, phase: .afterBooking, answer: .garbage)
            case .gatewayTimeoutBeforeBooking, .linkCutBeforeReport, .linkDuplicatesRecord:
                GatewayFault(request: number, phase: .beforeBooking, answer: .timeout)
            }
        if let store {
            store.gateway.schedule(fault)
        } else if payments != nil {
            payments?.gateway.schedule(fault)
        } else {
            agentcash?.gateway.schedule(fault)
        }
    }
}
