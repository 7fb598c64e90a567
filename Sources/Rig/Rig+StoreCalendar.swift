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
        store.calendar = moveCalendar(
            store.calendar,
            next: store.gateway.nextExpiry,
            webhook: store.gateway.webhooks.nextDue,
            .storeCalendar,
            at: RigComponent.gatewayCalendar
        )
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
