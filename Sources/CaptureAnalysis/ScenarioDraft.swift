import CardData
import EventLoops
import ReaderProtocols
import Transports

/// The plainest scenario in which a conversation can be played: the app does what its commands show,
/// and waits as long as the capture takes.
public struct ScenarioDraft: Sendable {
    /// The scenario, as YAML.
    public let text: String

    /// Writes the scenario; `nil` when no reader of the scenario language speaks so.
    public init?(_ conversation: Conversation, source: String) {
        guard let wire = conversation.wire else { return nil }
        let end = conversation.events.last?.offset ?? .zero
        var text = "scenario: What the SDK core makes of a capture\n"
        switch wire {
        case .magneSafeReports, .magneSafeStream:
            text += "rig: { reader: \(wire == .magneSafeStream ? "idynamo" : "dynamag") }\n"
            text += "events: loose\nsteps:\n"
            text += "  - wait: \(Self.wait(end + .seconds(1)))\n"
        case .miura:
            text += "rig: { reader: miura, gateway: agentcash }\nevents: loose\nsteps:\n"
            var passed = VirtualDuration.zero
            for payment in Self.payments(in: conversation) {
                let pause = VirtualDuration.nanoseconds(
                    max(0, payment.offset.nanoseconds - passed.nanoseconds)
                )
                if pause >= .milliseconds(1) { text += "  - wait: \(Self.wait(pause))\n" }
                passed = max(passed, payment.offset)
                text += "  - charge: { amount: \(payment.amount)"
                text += payment.currency.map { ", currency: \($0)" } ?? ""
                text += " }\n"
            }
            let rest = VirtualDuration.nanoseconds(end.nanoseconds - passed.nanoseconds)
            text += "  - wait: \(Self.wait(rest + .seconds(1)))\n"
        case .idTech:
            return nil
        }
        self.text = text
    }

    /// A length of time as scenarios write it, at least a millisecond.
    static func wait(_ duration: VirtualDuration) -> String {
        "\(max(1, duration.nanoseconds / 1_000_000))ms"
    }

    /// A payment that the host began.
    struct Payment: Hashable, Sendable {
        /// When the app wanted it: before the first command of the link in which it was.
        var offset: VirtualDuration
        var amount: Amount
        var currency: String?
    }

    /// The payments for which the host asked the reader, in order.
    static func payments(in conversation: Conversation) -> [Payment] {
        var decoder = MiuraDecoder(.toReader, policy: .resync)
        var payments: [Payment] = []
        // The SDK makes its link when a payment begins.
        var begin: VirtualDuration?
        for event in conversation.events {
            switch event.content {
            case .attached:
                begin = event.offset
            case .toReader(let unit):
                decoder.append(unit.payload)
                while let reading = decoder.next() {
                    guard case .message(let message) = reading,
                        let payment = payment(in: message, at: begin ?? event.offset)
                    else { continue }
                    payments.append(payment)
                    begin = nil
                }
            case .detached, .fromReader, .featureFinished: break
            }
        }
        return payments
    }

    private static func payment(
        in message: MiuraMessage,
        at offset: VirtualDuration
    ) -> Payment? {
        guard let apdu = try? MiuraAPDU(message.payload), let command = try? MiuraCommand(apdu)
        else { return nil }
        switch command {
        case .startTransaction(let transaction), .startContactless(let transaction):
            return Payment(
                offset: offset,
                amount: Amount(minorUnits: Int64(transaction.amountMinorUnits)),
                currency: currency(transaction.currency)
            )
        default: return nil
        }
    }

    private static func currency(_ number: Int) -> String? {
        switch number {
        case 826: "GBP"
        case 978: "EUR"
        case 840: "USD"
        default: nil
        }
    }
}
