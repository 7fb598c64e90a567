import EventLoops
import Journal

/// A pending event, for when it is, and whether nobody waits for it.
struct DeskTimer {
    var id: EventLoop<RigEvent>.EventID
    var instant: VirtualInstant
    var isIdle: Bool
}

extension Rig {
    /// Moves a timer to when it is wanted, and takes it away when it is wanted no more; one that is
    /// right stays.
    mutating func move(
        _ timer: DeskTimer?,
        to wanted: VirtualInstant?,
        isIdle: Bool = false,
        _ kind: RigEvent.Kind,
        at site: EventSite
    ) -> DeskTimer? {
        if let timer {
            if timer.isIdle == isIdle, timer.instant == wanted { return timer }
            loop.cancel(timer.id)
        }
        guard let wanted else { return nil }
        let id = loop.post(
            RigEvent(kind, step: journal.step),
            to: site,
            at: max(wanted, now),
            isBackground: isIdle
        )
        return DeskTimer(id: id, instant: wanted, isIdle: isIdle)
    }

    /// Moves the timer of a service's calendar to when something is due there by itself.
    ///
    /// Nobody waits for it but for the first attempt of a webhook.
    mutating func moveCalendar(
        _ timer: DeskTimer?,
        next: VirtualInstant?,
        webhook: VirtualInstant?,
        _ kind: RigEvent.Kind,
        at site: EventSite
    ) -> DeskTimer? {
        guard let webhook else { return move(timer, to: next, isIdle: true, kind, at: site) }
        return move(
            timer,
            to: min(next ?? webhook, webhook),
            isIdle: webhook > now,
            kind,
            at: site
        )
    }
}
