public import EventLoops
public import ReaderProtocols

/// Which reading of the SDK document holds at the audio jack where it leaves a question open.
///
/// The defaults are CardRig's own, those of its semantics, section 2; what neither page says is
/// marked as assumed.
public struct AudioJackProfile: Hashable, Sendable {
    /// What an autodetection leaves behind that found nothing.
    public enum AutodetectFailure: Hashable, Sendable, CaseIterable {
        /// The type is ``AudioJackReaderType/none``; one that detects on connect stays so.
        case selectsNone
        /// The type is the one of before, and its reader connected, not activated.
        case restoresType
    }

    /// What other audio that takes the route does to a Shuttle that is activated.
    public enum Interruption: Hashable, Sendable, CaseIterable {
        /// becameUnready(canceled) if ready, and deactivated; when the route is back it powers up
        /// again, with a new prompt, if activateReaderOnAttach is set.
        case deactivates
        /// No event; when the route is back the tone begins again.
        case isSilent
    }

    /// Whether the unready that ends a request comes before the didSwipeCard; `false` by default.
    public var isUnreadyBeforeSwipe: Bool
    /// Whether a power-down tells disconnected before it tells connected again; `false` by default.
    ///
    /// Source: the newer manual: disconnect, then reconnect.
    public var disconnectsAtPowerDown: Bool
    /// Whether the app must call powerUpDevice itself where the SDK would prompt; `false` by default.
    ///
    /// Source: the document's other sentence on activateReaderWithoutPromptingUser.
    public var appPowersUpInsteadOfPrompt: Bool
    /// Whether an autodetection tries an IPS Enterprise before the IPS; `false` by default.
    ///
    /// None ever answers here. Source: the newer manual.
    public var triesEnterpriseFirst: Bool
    /// What an autodetection leaves behind that found nothing.
    ///
    /// ``AutodetectFailure/selectsNone`` by default (assumed: "the appropriate value").
    public var autodetectFailure: AutodetectFailure
    /// How many autodetections end with `fail` though a reader answers; 0 by default.
    ///
    /// Source: SDK document: "the most common failure type".
    public var missedAutodetectCount: Int
    /// The library that keeps the audio route once it was loaded; none by default.
    ///
    /// It is unloaded as any other, and then no other hears anything. Source: SDK document: "may
    /// not always unload cleanly".
    public var stuckLibrary: AudioLibrary?
    /// What a power-up that the app cancels during the tone tells as its result.
    ///
    /// `nil`, nothing, by default (assumed: the document has no such result).
    public var canceledActivationResult: ActivationResult?
    /// What other audio does; ``Interruption/deactivates`` by default (assumed).
    public var interruption: Interruption
    /// The lowest volume at which a Shuttle is tried, in percent: below it, volumeTooLow.
    ///
    /// 80 by default (assumed: the document asks for the maximum, libraries in the field refuse
    /// low volumes only).
    public var lowestVolumePercent: Int
    /// How long a Shuttle may take to answer the tone; 10 s by default (assumed: no source).
    public var activationTimeout: VirtualDuration
    /// How long an IPS may take to answer the test; 5 s.
    ///
    /// Source: SDK document, `beginTestCommunication:`.
    public var communicationTestTimeout: VirtualDuration
    /// How long a record may pause before it counts as cut; 500 ms by default (assumed).
    public var longestSilence: VirtualDuration
    /// How long a reader is silent between two records at least; 100 ms by default (assumed).
    ///
    /// A record without a length ends with it, and so does what follows a damaged one.
    public var shortestPause: VirtualDuration
    /// How records become cards; ``PacketReading/careful`` by default.
    public var reading: PacketReading

    /// Creates the usual reading.
    public init() {
        isUnreadyBeforeSwipe = false
        disconnectsAtPowerDown = false
        appPowersUpInsteadOfPrompt = false
        triesEnterpriseFirst = false
        autodetectFailure = .selectsNone
        missedAutodetectCount = 0
        stuckLibrary = nil
        canceledActivationResult = nil
        interruption = .deactivates
        lowestVolumePercent = 80
        activationTimeout = .milliseconds(10_000)
        communicationTestTimeout = .milliseconds(5_000)
        longestSilence = .milliseconds(500)
        shortestPause = .milliseconds(100)
        reading = .careful
    }
}
