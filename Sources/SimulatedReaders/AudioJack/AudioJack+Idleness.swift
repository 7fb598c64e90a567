public import EventLoops

extension AudioJack {
    /// When what is under way goes on by itself, or `nil` when nothing is: something is being sent,
    /// a short tone sounds, a Shuttle boots, or an IPS is about to answer.
    ///
    /// What a limiter or a sleepy reader will do some day is no such thing: nobody waits for it.
    public var busyDeadline: VirtualInstant? {
        var next = outgoing?.due
        Self.keepEarlier(&next, testTone?.end)
        if let plugged {
            switch things[plugged] {
            case .headphones: break
            case .shuttle(let shuttle): Self.keepEarlier(&next, shuttle.nextDeadline)
            case .ips(let ips): Self.keepEarlier(&next, ips.answerDue)
            }
        }
        return next
    }
}
