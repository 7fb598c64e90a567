import CardData
import EventLoops
import GatewayProtocols
import Journal
import SDKCore
import SimulatedGateways
import Transports

// What comes by itself at the HoneyStore and at PAYMILL: the ends of waiting, expiries, webhooks.
extension Rig {
    mutating func storeDeadline() {
        touched.formUnion(.payments)
        touched.formUnion(.readsTime)
        store?.deadline = nil
        guard isAppAlive else { return }
        store?.app.deadlineReached(at: now)
        carryOutStore()
    }

    mutating func backendDeadline() {
        touched.formUnion(.payments)
        touched.formUnion(.readsTime)
        store?.backendDeadline = nil
        store?.backend.deadlineReached(at: now)
        carryOutBackend()
    }

    /// Looks at the gateway's calendar again when something is due there by itself.
    mutating func watchStoreCalendar() {
        guard let store else { return }
        var wanted = store.gateway.nextExpiry
        var isIdle = true
        if let due = store.gateway.webhooks.nextDue {
            wanted = min(wanted ?? due, due)
            isIdle = due > now
        }
        if let calendar = store.calendar {
            if calendar.isIdle == isIdle, calendar.instant == wanted { return }
            loop.cancel(calendar.id)
            store.calendar = nil
        }
        guard let wanted else { return }
        let id = loop.post(
            RigEvent(.storeCalendar, step: journal.step),
            to: RigComponent.gatewayCalendar,
            at: max(wanted, now),
            isBackground: isIdle
        )
        store.calendar = AgentCASHDesk.Timer(id: id, instant: wanted, isIdle: isIdle)
    }

    mutating func storeCalendarDue() {
        touched.formUnion(.payments)
        touched.formUnion(.readsTime)
        guard let store else { return }
        let now = now
        store.calendar = nil
        for record in store.gateway.advance(to: now) { write(record) }
        while let attempt = store.gateway.webhooks.nextAttempt(at: now) {
            let status = store.webhookStatus()
            if attempt.attempt == 1 { store.sentWebhookCount += 1 }
            write(attempt, status == 0 ? nil : status)
            store.gateway.webhookEnded(attempt.number, status: status == 0 ? nil : status, at: now)
        }
        watchStoreCalendar()
    }
}
