/// One event as it was taken, for the explorer: what came before it because of what.
public struct TracedEvent: Sendable {
    /// The event, with what it touched.
    public var event: Alternative
    /// The time in which it could have come.
    public var window: TimeWindow
    /// The event during which it was posted, an index into the trace; `nil` before the first.
    public var cause: Int?
    /// The choice that took it, an index into ``ChoiceSource/taken``; `nil` when nothing else was
    /// due.
    public var choice: Int?
    /// Whether it never came, since the event before it took it back: what it would have touched is
    /// what that event touched.
    public var isCanceled = false
}
