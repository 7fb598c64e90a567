import Journal

/// Finds out where a scenario can run, from what its steps ask for.
///
/// Everything can be simulated. At a reader on USB, a serial line or the network hands do the
/// cardholder's steps, one at a time and when they are asked to; the gateway stays in process there,
/// so that its faults can always be played. `GatewayLevelDerivation` says what a gateway on a web
/// server cannot do.
enum LevelDerivation {
    /// What a hand knows of a reader at a step.
    private enum Plug { case plugged, unplugged, unknown }

    /// Returns why the scenario cannot run at a level, in the order of the file.
    static func refusals(rig: RigPlan, steps: [Step]) -> [Refusal] {
        var refusals: [Refusal] = []
        func refuse(_ location: SourceLocation, _ reason: String) {
            for level in Level.live {
                refusals.append(Refusal(level: level, location: location, reason: reason))
            }
        }
        if rig.readers.isEmpty, let first = steps.first {
            refuse(first.location, "there is no reader that could be a real one")
        }
        if rig.readers.count > 1 {
            refuse(
                rig.readers[1].location,
                "a run on real readers has one reader, this rig has \(rig.readers.count)"
            )
        }
        for reader in rig.readers where reader.isAttachedAtStart && reader.kind != .miura {
            refuse(
                reader.location,
                "a reader that is attached before the first step would need a hand before the run"
            )
        }
        for reader in rig.readers {
            let (levels, reason) = paths(of: reader.kind)
            for level in Level.live where !levels.contains(level) {
                refusals.append(Refusal(level: level, location: reader.location, reason: reason))
            }
        }
        if let first = steps.first, plugsInLater(steps, rig.readers) {
            refuse(
                first.location,
                "the reader may be there already, and would be seen before this step"
            )
        }
        var plugs = rig.readers.map { $0.isAttachedAtStart ? Plug.plugged : .unplugged }
        if !rig.link.isNatural, let reader = rig.readers.first {
            refuse(reader.location, Self.linkReason)
        }
        func visit(_ steps: [Step]) {
            for step in steps {
                switch step.action {
                case .plugIn(let reader): set(&plugs, reader, .plugged)
                case .unplug(let reader): set(&plugs, reader, .unplugged)
                case .swipe(let swipe):
                    if swipe.stripe != nil {
                        refuse(
                            step.location,
                            "no hand swipes a card by numbers; write good, reversed or another word"
                        )
                    }
                    if plugs.indices.contains(swipe.reader), plugs[swipe.reader] == .unplugged {
                        refuse(
                            step.location,
                            "a swipe on a reader that is not plugged in leaves no trace to go on from"
                        )
                    }
                case .race(_, let racing):
                    if racing.count(where: { isHandStep($0.action) }) > 1 {
                        refuse(step.location, "one person cannot race two steps of the hand")
                    }
                    for step in racing { forget(&plugs, step.action) }
                case .anyTime(let acts), .sometime(_, let acts):
                    if acts.contains(where: { isHandStep($0.action) }) {
                        refuse(step.location, "a hand acts when it is asked to, not at any moment")
                    }
                    for act in acts {
                        if case .link = act.action { refuse(step.location, Self.linkReason) }
                        forget(&plugs, act.action)
                    }
                case .faultPoints(let points):
                    if !points.allSatisfy(\.isGateway) { refuse(step.location, Self.linkReason) }
                case .link(let fault):
                    for (level, reason) in Self.refusals(of: fault, rig) {
                        refusals.append(
                            Refusal(level: level, location: step.location, reason: reason)
                        )
                    }
                case .on(let reaction):
                    if let step = reaction.steps.first(where: { isHandStep($0.action) }) {
                        refuse(step.location, "a hand cannot act from inside a callback")
                    }
                case .block(let steps): visit(steps)
                case .repeat(let plan): visit(plan.steps)
                case .plugInObject, .unplugJack, .insert, .tap, .removeCard, .keys, .power, .care,
                    .capture, .refund, .sign, .enterCard, .authorize, .answer, .set, .phoneCall,
                    .charge, .void, .merchant, .store, .terminal, .scan, .call,
                    .app, .gateway, .expect, .await, .expectAny, .unordered, .until, .never,
                    .count, .expectState, .wait, .settle:
                    break
                }
            }
        }
        visit(steps)
        return refusals + GatewayLevelDerivation.refusals(rig: rig, steps: steps)
    }

    /// Where a reader of a kind, or one that stands in for it, can be; and why nowhere else.
    private static func paths(of kind: ReaderKind) -> (levels: [Level], reason: String) {
        switch kind {
        // Its stream can be served anywhere, and its USB sibling stands in for it.
        case .idynamo: (Level.live, "")
        case .dynamag: ([.usb], "the reports of a Dynamag come over USB only")
        case .securemag: ([.usb], "the reports of a SecureMag come over USB only")
        case .shuttle, .ips: ([], "a reader at the audio jack has no endpoint of its own")
        case .miura:
            ([.serial, .tcp, .rfc2217], "a Miura is reached over a serial line or the network")
        }
    }

    private static let linkReason =
        "the links that can be disturbed are those of simulated readers"

    /// How many bytes a packet must hold so that a simulated Dynamag's report is one, as it always
    /// is where a host's controller puts packets together.
    private static let wholeReportByteCount = 887

    /// Returns at which levels a fault of a link cannot be played, and why.
    ///
    /// On USB a hand stands in the way of opening, and whole reports can be disturbed on the host's
    /// side.
    private static func refusals(
        of fault: LinkFaultPlan,
        _ rig: RigPlan
    ) -> [(level: Level, reason: String)] {
        let others = Level.live.filter { $0 != .usb }
        guard rig.readers.indices.contains(fault.reader) else { return [] }
        let reader = rig.readers[fault.reader]
        switch fault.action {
        case .open:
            return others.map { ($0, "only on USB can a hand stand in the way of opening") }
        case .drop, .duplicate, .delay:
            let isWhole = (reader.packetByteCount ?? 0) >= wholeReportByteCount
            guard fault.address.unit == .report, fault.address.byte == nil, isWhole else {
                if reader.kind.sendsReports, fault.address.unit == .report {
                    let reason =
                        "a host gets whole reports from a real reader, this one sends packets: with "
                        + "packetByteCount: 1024 its reports are whole, too"
                    return [(.usb, reason)] + others.map { ($0, linkReason) }
                }
                break
            }
            return others.map { ($0, linkReason) }
        case .split, .merge, .corrupt, .cut:
            break
        }
        return Level.live.map { ($0, linkReason) }
    }

    /// Whether something comes before the step that plugs a reader in which the SDK sees by itself;
    /// a payment reader is looked for by a payment only, and is there from the start.
    private static func plugsInLater(_ steps: [Step], _ readers: [ReaderPlan]) -> Bool {
        if case .plugIn = steps.first?.action { return false }
        return steps.contains { step in
            guard case .plugIn(let reader) = step.action else { return false }
            return !readers.indices.contains(reader) || readers[reader].kind != .miura
        }
    }

    private static func isHandStep(_ action: StepAction) -> Bool {
        switch action {
        case .plugIn, .plugInObject, .unplug, .unplugJack, .swipe, .insert, .tap, .removeCard,
            .keys, .power:
            true
        case .link(let fault):
            if case .open = fault.action { true } else { false }
        case .care, .capture, .refund, .sign, .enterCard, .authorize, .answer, .set, .phoneCall,
            .charge,
            .void, .merchant, .store, .terminal, .scan, .call, .app,
            .gateway, .expect,
            .await, .expectAny, .unordered,
            .until, .never, .count, .expectState, .on, .block, .repeat, .race, .anyTime, .sometime,
            .faultPoints, .wait, .settle:
            false
        }
    }

    /// Notes that a race may have moved the reader.
    private static func forget(_ plugs: inout [Plug], _ action: StepAction) {
        switch action {
        case .plugIn(let reader), .unplug(let reader): set(&plugs, reader, .unknown)
        case .plugInObject, .unplugJack, .insert, .tap, .removeCard, .keys, .power, .care, .capture,
            .refund, .sign, .enterCard, .authorize, .answer, .set, .phoneCall, .swipe, .charge,
            .void, .merchant, .store, .terminal, .scan, .call,
            .app, .link, .gateway, .expect, .await, .expectAny,
            .unordered, .until, .never, .count, .expectState, .on, .block, .repeat, .race, .anyTime,
            .sometime, .faultPoints, .wait, .settle:
            break
        }
    }

    private static func set(_ plugs: inout [Plug], _ reader: Int, _ plug: Plug) {
        if plugs.indices.contains(reader) { plugs[reader] = plug }
    }
}
