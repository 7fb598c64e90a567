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
