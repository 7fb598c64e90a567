import EventLoops
import Journal

/// Whether one reader settles in time after the last disturbance.
struct SettlingWatch: Sendable {
    private let bounds: [VirtualDuration]
    /// Whether it is a payment reader, at which a payment settles.
    let isPaymentReader: Bool
    private(set) var isAttached = false
    /// Whether a controller without delegate missed the reader that is there.
    private(set) var isMissed = false
    private var isPluggedIn: Bool
    /// Whether no hand plugged it in, and the host did not lose it, since the app was launched: a
    /// controller without delegate misses it once.
    private var mayBeMissed = true
    private var hasFailedActivation = false
    /// By when it must have settled; `nil` when nothing is to be awaited.
    private(set) var deadline: VirtualInstant?

    init(_ reader: String, _ audio: AudioSettings, isPluggedIn: Bool) {
        self.isPluggedIn = isPluggedIn
        bounds = SettlingBound.bounds(of: reader, audio)
        isPaymentReader = reader == SettlingBound.paymentReader
    }

    /// Notes a disturbance.
    mutating func disturb(_ disturbance: SettlingBound.Disturbance, at time: VirtualInstant) {
        if isPaymentReader, !SettlingBound.ofPayments.contains(disturbance) { return }
        let end = time + bounds[Int(disturbance.rawValue)]
        deadline = max(deadline ?? end, end)
    }

    /// A hand plugged it in; one that is there already stays as it is.
    mutating func plugIn() {
        if !isPluggedIn { mayBeMissed = false }
        isPluggedIn = true
    }

    mutating func unplug() { isPluggedIn = false }

    mutating func launch() { mayBeMissed = true }

    mutating func attach(_ app: AppState, at time: VirtualInstant) {
        isAttached = true
        hasFailedActivation = false
        isMissed = app.wasMadeWithoutDelegate && mayBeMissed
        disturb(.attach, at: time)
    }

    mutating func detach(at time: VirtualInstant) {
        isAttached = false
        isMissed = false
        mayBeMissed = false
        // What was to be opened is gone.
        deadline = nil
        disturb(.detach, at: time)
    }

    mutating func finishActivation(isSuccess: Bool) { hasFailedActivation = !isSuccess }

    /// Ends the wait.
    mutating func forget() { deadline = nil }

    /// Returns what is not as it must be, or `nil` when the reader has settled.
    func unsettled(_ state: ReaderState) -> StaticString? {
        if isAttached && !isMissed {
            if state.isReady || state.isConnected && hasFailedActivation { return nil }
            return state.isConnected
                ? "it was neither ready nor refused" : "it was attached and the app not told"
        }
        return state.isConnected ? "it was away and the app not told" : nil
    }
}
