public import EventLoops
public import Journal

/// How an app sets its SDK up for the audio jack each time it is launched, as far as the laws ask.
public struct AudioSettings: Hashable, Sendable {
    /// The kind of reader that is enabled: uniMag, ips, autodetectOnConnect or none.
    public var readerType: Symbol
    /// Whether swipes are requested again and again.
    public var alwaysAcceptsSwipes: Bool
    /// How long a request waits; what the SDK makes of it, 3 s to 20 s.
    public var swipeTimeout: VirtualDuration
    /// Whether a Shuttle is powered up without a prompt.
    public var activatesWithoutPrompting: Bool
    /// How long a Shuttle may take to answer the power tone.
    public var activationTimeout: VirtualDuration
    /// How long an IPS may take to answer a test.
    public var testTimeout: VirtualDuration
    /// Whether the kind that the app chose, or an autodetection found, is enabled at its next launch.
    public var savesReaderType = false
    /// Whether what the app chose of prompts holds at its next launch.
    public var savesMessageOptions = false

    /// Creates what the SDK does when the app says nothing; a `swipeTimeout` outside of 3 s to 20 s
    /// is brought inside.
    public init(
        readerType: Symbol = .uniMag,
        alwaysAcceptsSwipes: Bool = true,
        swipeTimeout: VirtualDuration = .seconds(20),
        activatesWithoutPrompting: Bool = false,
        activationTimeout: VirtualDuration = .seconds(10),
        testTimeout: VirtualDuration = .seconds(5)
    ) {
        self.readerType = readerType
        self.alwaysAcceptsSwipes = alwaysAcceptsSwipes
        self.swipeTimeout = Self.clamped(swipeTimeout)
        self.activatesWithoutPrompting = activatesWithoutPrompting
        self.activationTimeout = activationTimeout
        self.testTimeout = testTimeout
    }

    /// The time limit that holds when the app asks for another.
    ///
    /// Source: SDK document, `setSwipeTimeoutDuration:`.
    static func clamped(_ limit: VirtualDuration) -> VirtualDuration {
        max(.seconds(3), min(limit, .seconds(20)))
    }
}
