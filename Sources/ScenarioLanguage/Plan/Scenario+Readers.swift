import Journal

extension Scenario {
    /// Returns why the scenario cannot be played when each of its readers is a reader of another
    /// kind (`--reader sim:dynamag`), or `nil` when it can.
    ///
    /// An address may count units that only one kind has, and a fault may be one that the other
    /// kind's link cannot have.
    public func refusal(playedAs kind: ReaderKind) -> Refusal? {
        guard let other = rig.readers.first(where: { $0.kind != kind }) else { return nil }
        if other.kind == .miura || kind == .miura {
            return Refusal(
                level: .sim,
                location: other.location,
                reason: "no other reader can stand in for a payment reader, nor it for others"
            )
        }
        if other.kind == .securemag || kind == .securemag {
            return Refusal(
                level: .sim,
                location: other.location,
                reason: "no other reader sends the records of a securemag over USB, nor it theirs"
            )
        }
        if other.kind.isAudioJack || kind.isAudioJack {
            return Refusal(
                level: .sim,
                location: other.location,
                reason: "no other reader can stand in for one at the audio jack, nor it for others"
            )
        }
        if kind == .dynamag, rig.link.partByteCount != nil {
            return Refusal(
                level: .sim,
                location: other.location,
                reason: "the packets of a dynamag come whole or not at all"
            )
        }
        if kind != .dynamag, rig.link.opening != nil {
            return Refusal(
                level: .sim,
                location: other.location,
                reason: "only a dynamag's opening can be in somebody's way"
            )
        }
        for fault in rig.link.faults {
            if let reason = refusal(of: fault, kind) {
                return Refusal(level: .sim, location: other.location, reason: reason)
            }
        }
        return refusal(in: steps, kind)
    }

    private func refusal(in steps: [Step], _ kind: ReaderKind) -> Refusal? {
        for step in steps {
            if case .link(let fault) = step.action, let reason = refusal(of: fault, kind) {
                return Refusal(level: .sim, location: step.location, reason: reason)
            }
            if let refusal = refusal(in: step.action.innerSteps, kind) { return refusal }
        }
        return nil
    }

    private func refusal(of fault: LinkFaultPlan, _ kind: ReaderKind) -> String? {
        rig.readers[fault.reader].kind == kind ? nil : kind.refusal(of: fault)
    }
}
