import CardData
import EventLoops
import GatewayProtocols
import Journal
import SimulatedGateways
import Transports

// What the NMI gateway does by itself: its cut-offs, and the webhooks to the merchant's server.
extension Rig {
    /// Looks at the gateway's calendar again when something is due there by itself.
    mutating func watchGateway() {
        guard payments?.remote == nil else { return }
        let calendar = moveCalendar(
            payments?.calendar,
            next: payments?.gateway.nextCalendarInstant,
            webhook: payments?.gateway.nextWebhookInstant,
            .gatewayCalendar,
            at: RigComponent.gatewayCalendar
        )
        payments?.calendar = calendar
    }

    mutating func gatewayCalendarDue() {
        touched.formUnion(.payments)
        touched.formUnion(.readsTime)
        let now = now
        payments?.calendar = nil
        for record in payments?.gateway.advance(to: now) ?? [] { write(record) }
        while let post = payments?.gateway.nextWebhook(at: now) {
            let status = payments?.webhookStatus() ?? 0
            if post.attempt == 1 { payments?.sentWebhookCount += 1 }
            write(post, status)
            payments?.gateway.webhookEnded(
                post.number,
                status: status == 0 ? nil : status,
                at: now
            )
        }
        watchGateway()
    }

    /// Takes a webhook as the merchant's server does: by its raw bytes and the shared key.
    private mutating func write(_ post: WebhookQueue.Attempt, _ status: Int) {
        let key = payments?.gateway.configuration.webhookSigningKey ?? ""
        let header = post.request.fields.first { $0.name == SimulatedNMIGateway.signatureFieldName }
        let body = post.request.body
        let signature = header.flatMap { NMIWebhookSignature(header: $0.value) }
        let event = try? NMIWebhookEvent(decoding: body)
        journal.begin(.webhookDelivered, at: now)
        journal.add(.number, .integer(Int64(post.number)))
        addTransactionID(event?.transactionID)
        journal.add(.attempt, .integer(Int64(post.attempt)))
        journal.add(.event, .text(SafeText(scrubbing: event?.type ?? "")))
        journal.add(.status, .integer(Int64(status)))
        journal.add(.isSigned, .flag(signature?.isValid(for: body, key: key) ?? false))
        journal.end()
    }
}
