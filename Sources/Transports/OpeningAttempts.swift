public import EventLoops

/// What stands in the way when the host wants to open a reader that was just attached.
///
/// Field bugs: libusb issue 940 (busy: a driver or an earlier process still has the interface), 168
/// and 1586 (the permission comes 5 to 200 ms after the hotplug event), WICG/webhid 87 (it never
/// comes: the rule is about another kind of node).
public struct OpeningFault: Hashable, Sendable {
    /// What it is.
    public enum Cause: String, CaseIterable, Hashable, Sendable {
        /// Another program has the interface.
        case busy
        /// This user may not open the node.
        case denied
        /// This user may not open the node yet.
        case late
    }

    /// How late a permission comes where nothing is said.
    public static let usualLateness = VirtualDuration.milliseconds(100)

    /// What it is.
    public var cause: Cause
    /// How long after the attach it is over; `nil` when it stays until the reader is pulled out.
    public var duration: VirtualDuration?

    /// Creates a fault; one that is `late` ends in any case.
    public init(_ cause: Cause, for duration: VirtualDuration? = nil) {
        self.cause = cause
        self.duration = duration ?? (cause == .late ? Self.usualLateness : nil)
    }

    /// What a transport says when it has given up.
    public var problem: TransportProblem {
        switch cause {
        case .busy: TransportProblem(.busy, "the reader is in use by another program")
        case .denied, .late: TransportProblem(.accessDenied, "this user may not open the reader")
        }
    }
}

/// How often a reader that refuses to be opened is tried, and when it is given up.
///
/// Both the USB transport and the simulated link go by it: ten attempts within two seconds, since
/// just after a plug-in the node's permissions or the kernel's driver may be in the way.
public struct OpeningAttempts: Hashable, Sendable {
    /// The pauses between attempts.
    public static let pauses: [VirtualDuration] = [5, 10, 20, 40, 80, 160, 320, 640, 640]
        .map { .milliseconds($0) }

    /// How many attempts have failed.
    public private(set) var failureCount = 0

    /// Creates a series of attempts.
    public init() {}

    /// Notes that an attempt failed; returns the pause before the next one, or `nil` when there is
    /// none.
    public mutating func failed() -> VirtualDuration? {
        failureCount += 1
        return failureCount <= Self.pauses.count ? Self.pauses[failureCount - 1] : nil
    }

    /// Returns how a series ends that begins at the attach, with a fault in the way.
    public static func end(
        of fault: OpeningFault
    ) -> (isOpen: Bool, after: VirtualDuration) {
        var attempts = OpeningAttempts()
        var time = VirtualDuration.zero
        while true {
            if let duration = fault.duration, time >= duration { return (true, time) }
            guard let pause = attempts.failed() else { return (false, time) }
            time = time + pause
        }
    }
}
