import EventLoops

extension FaultInjector where Base == LoopbackTransport {
    /// Puts a link with faults around a transport that is in use.
    ///
    /// - Parameters:
    ///   - base: The transport; its owner's credits become the link's.
    ///   - unitCount: How many units the owner took from it, so that addresses count from the
    ///     beginning of the run.
    ///   - byteCount: How many bytes the owner took from it.
    ///   - hostUnitCount: How many units the owner sent.
    ///   - hostByteCount: How many bytes the owner sent.
    package init(
        adopting base: LoopbackTransport,
        unitCount: Int,
        byteCount: Int,
        hostUnitCount: Int = 0,
        hostByteCount: Int = 0
    ) {
        self.init(around: base)
        credits = base.credits
        hostSeesReader = base.hostSeesReader
        metUnitCount = unitCount
        metByteCount = byteCount
        hostLine.metUnitCount = hostUnitCount
        hostLine.metByteCount = hostByteCount
    }
}

extension LoopbackTransport {
    /// How many units of the reader are on their way to the host.
    package var pendingUnitCount: Int { toHost.unitCount }
}

extension FaultInjector {
    /// Puts a link with faults around a transport that is in use and keeps its state to itself.
    ///
    /// - Parameters:
    ///   - base: The transport.
    ///   - credits: How many units its owner still allows.
    ///   - hostSeesReader: Whether its owner was told of an attach, and of no detach after it.
    ///   - unitCount: How many units the owner took from it.
    ///   - byteCount: How many bytes the owner took from it.
    package init(
        adopting base: Base,
        credits: Int,
        hostSeesReader: Bool,
        unitCount: Int,
        byteCount: Int
    ) {
        self.init(around: base)
        self.credits = credits
        self.hostSeesReader = hostSeesReader
        metUnitCount = unitCount
        metByteCount = byteCount
    }
}
