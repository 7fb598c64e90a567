import CardData
import EventLoops
import GatewayProtocols
import Journal
import SDKCore
public import SimulatedGateways

// Charges through Inner Fence's terminal app. Each method returns whether it could be done.
//
// The app and the terminal app hand each other URLs by the system, one event each. An answer that
// comes while the app does not run launches it, as the system does.
extension Rig {
    /// Whether the terminal app shows a charge, so that cards are its own.
    public var isTerminalOpen: Bool { terminal?.terminal.isOpen ?? false }

    /// What the gateway behind the terminal app booked, in order.
    public var terminalTransactions: [SimulatedTerminal.Transaction] {
        terminal?.terminal.transactions ?? []
    }

    /// Charges an order through the terminal app.
    public mutating func charge(_ charge: TerminalCharge) -> Bool {
        touched.formUnion(.payments)
        touched.formUnion(.readsTime)
        guard isAppAlive, terminal != nil else { return false }
        terminal?.orderCount += 1
        let order = charge.orderID ?? "\(terminal?.orderCount ?? 0)"
        var request = charge.request
        request[.invoiceNumber] = order
        journal.begin(.terminalRequested, at: now)
        if let amount = request[.amount].flatMap({ Amount($0) }) {
            journal.add(.amount, .amount(amount))
        }
        addOrderID(order)
        journal.add(.isSure, .flag(charge.isSure))
        journal.end()
        let isInstalled = terminal?.terminal.configuration.isInstalled ?? false
        let events = terminal?.client.submit(
            request,
            orderID: order,
            extraParameters: charge.extraParameters,
            isInstalled: isInstalled,
            isSureNotCharged: charge.isSure
        )
        take(events ?? [])
        return true
    }

    /// Hands a URL to the system, as some other program does.
    public mutating func openURL(_ url: String) -> Bool {
        touched.formUnion(.payments)
        touched.formUnion(.readsTime)
        guard terminal != nil else { return false }
        handOver(url, by: .other)
        return true
    }

    /// Hands the terminal app's last answer to the system again, if there was one.
    public mutating func openLastAnswer() -> Bool {
        terminal?.lastAnswer.map { openURL($0) } ?? false
    }

    /// Charges a test card at the terminal app, if a charge is on its screen.
    public mutating func payAtTerminal(_ name: String) -> Bool {
        touched.formUnion(.payments)
        touched.formUnion(.readsTime)
        guard isTerminalOpen, let stripe = TestCard.named(name),
            let track = Track2(parsing: stripe.unmaskedTrack2)
        else { return false }
        take(terminal?.terminal.pay(track.pan) ?? [])
        return true
    }

    /// Leaves the charge that the terminal app shows, if there is one.
    public mutating func leaveTerminal() -> Bool {
        touched.formUnion(.payments)
        touched.formUnion(.readsTime)
        guard isTerminalOpen else { return false }
        take(terminal?.terminal.leave() ?? [])
        return true
    }

    /// Lets the app that was launched again go on.
    mutating func restartTerminalClient() { take(terminal?.client.restart() ?? []) }

    // MARK: URLs

    /// A URL reaches the app whose scheme it has.
    mutating func urlArrives(_ number: Int) {
        touched = .everything
        guard let handover = terminal?.handovers[number - 1] else { return }
        terminal?.handovers[number - 1] = nil
        switch handover.target {
        case .terminal: take(terminal?.terminal.open(Array(handover.url.utf8)) ?? [])
        case .app:
            if !isAppAlive { launchApp() }
            take(terminal?.client.open(Array(handover.url.utf8)) ?? [])
        case .browser, .nothing: break
        }
    }

    private mutating func handOver(
        _ url: String,
        by origin: Symbol,
        after delay: VirtualDuration = .zero
    ) {
        guard let target = terminal?.target(of: url) else { return }
        let text = SafeText(scrubbing: url)
        let decoded = SafeText(scrubbing: Self.decoded(url))
        journal.begin(.urlOpened, at: now)
        journal.add(.by, .symbol(origin))
        journal.add(.into, .symbol(Symbol(target)))
        journal.add(.text, .text(text))
        journal.add(
            .hasClearCardData,
            .flag(
                text.description != url || decoded.description != Self.decoded(url)
                    || ClearCardScan.finds(in: url)
            )
        )
        journal.end()
        terminal?.handovers.append(
            TerminalDesk.Handover(
                url: url,
                target: target,
                isFromTerminal: origin == .terminal
            )
        )
        guard target == .app || target == .terminal else { return }
        loop.post(
            RigEvent(
                .urlArrives(number: terminal?.handovers.count ?? 0),
                step: journal.step
            ),
            to: RigComponent.urlArrival,
            in: TimeWindow(earliest: now + delay, latest: now + delay),
            // URLs that are handed over at once keep their order.
            chain: delay == .zero ? RigComponent.urlChain : 0
        )
    }

    /// The URL with every escape of a printable character undone; others stay.
    private static func decoded(_ url: String) -> String {
        var bytes: [UInt8] = []
        let raw = Array(url.utf8)
        var index = 0
        while index < raw.count {
            let digits = raw[index...].dropFirst().prefix(2)
            if raw[index] == UInt8(ascii: "%"), digits.count == 2,
                let byte = UInt8(String(decoding: digits, as: UTF8.self), radix: 16),
                (0x20..<0x7F).contains(byte)
            {
                bytes.append(byte)
                index += 3
            } else {
                bytes.append(raw[index])
                index += 1
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Hands an answer of the terminal app over, as the setup has it arrive.
    private mutating func deliver(_ answer: String) {
        terminal?.lastAnswer = answer
        switch terminal?.nextCallback() ?? .whole {
        case .whole: handOver(answer, by: .terminal)
        case .lost: break
        case .twice:
            handOver(answer, by: .terminal)
            handOver(answer, by: .terminal)
        case .cut(let byteCount): handOver(Self.cut(answer, byteCount), by: .terminal)
        case .cutThenWhole(let byteCount):
            handOver(Self.cut(answer, byteCount), by: .terminal)
            handOver(answer, by: .terminal)
        case .forged:
            handOver(Self.forgery(of: answer), by: .other)
            handOver(answer, by: .terminal)
        case .noNonce: handOver(changeNonce(of: answer) { _ in "" }, by: .terminal)
        case .otherNonce:
            let other = String(repeating: "N", count: InnerFenceNonce.characterCount)
            handOver(changeNonce(of: answer) { _ in other }, by: .terminal)
        case .otherCase:
            handOver(changeNonce(of: answer) { Self.otherCase($0) }, by: .terminal)
        case .badEscape: handOver(answer + "&note=100%", by: .terminal)
        case .late(let delay): handOver(answer, by: .terminal, after: delay)
        }
    }

    private static func cut(_ answer: String, _ byteCount: Int) -> String {
        String(decoding: answer.utf8.dropLast(byteCount), as: UTF8.self)
    }

    /// An approval that somebody makes up who knows the app's scheme and nothing else.
    private static func forgery(of answer: String) -> String {
        let start = answer.prefix { $0 != "?" }
        let nonce = String(repeating: "F", count: InnerFenceNonce.characterCount)
        return start + "?record_id=1&ifcc_request_nonce=\(nonce)&ifcc_responseType=approved"
            + "&ifcc_amount=0.01&ifcc_redactedCardNumber=XXXXXXXXXXXX0000"
    }

    private func changeNonce(of answer: String, _ change: (String) -> String) -> String {
        guard let nonce = terminal?.client.savedNonce, !nonce.isEmpty else { return answer }
        return answer.split(separator: nonce, omittingEmptySubsequences: false)
            .joined(separator: change(nonce))
    }

    private static func otherCase(_ text: String) -> String {
        text.lowercased() == text ? text.uppercased() : text.lowercased()
    }

    // MARK: What happens

    private mutating func take(_ events: [SimulatedTerminal.Event]) {
        for event in events {
            switch event {
            case .shown(let appName, let amount):
                let order = terminal?.terminal.shownInvoiceNumber ?? ""
                terminal?.shownOrder = order
                journal.begin(.terminalShown, at: now)
                if let amount { journal.add(.amount, .amount(amount)) }
                journal.add(.text, .text(SafeText(scrubbing: appName)))
                journal.end()
            case .refused(let error):
                journal.write(.terminalRefused, at: now, Attribute(.reason, .symbol(error.symbol)))
            case .unusable:
                journal.write(.terminalRefused, at: now, Attribute(.reason, .symbol(.badField)))
            case .booked(let transaction):
                journal.begin(.booked, at: now)
                journal.add(.type, .symbol(.sale))
                journal.add(.amount, .amount(transaction.amount))
                journal.add(.state, .symbol(.pendingsettlement))
                journal.add(.transactionID, .text(SafeText(scrubbing: transaction.id)))
                addOrderID(transaction.invoiceNumber)
                journal.end()
            case .declined:
                journal.write(
                    .terminalAnswered,
                    at: now,
                    Attribute(.response, .symbol(.declined))
                )
            case .failed:
                journal.write(.terminalAnswered, at: now, Attribute(.response, .symbol(.error)))
            case .receiptMailed: journal.write(.receiptMailed, at: now)
            case .closed: journal.write(.terminalClosed, at: now)
            case .calledBack(let url, let code):
                journal.begin(.terminalCalledBack, at: now)
                journal.add(.result, .symbol(Symbol(code)))
                if code == .approved, let last = terminalTransactions.last {
                    journal.add(.amount, .amount(last.amount))
                    journal.add(.transactionID, .text(SafeText(scrubbing: last.id)))
                }
                addOrderID(terminal?.shownOrder ?? "")
                journal.end()
                deliver(url)
            }
        }
    }

    private mutating func take(_ events: [InnerFenceClient.Event]) {
        for event in events {
            switch event {
            case .openURL(let url, _): handOver(url, by: .app)
            case .notInstalled(let order):
                journal.begin(.creditCardTerminalNotInstalled, at: now)
                addOrderID(order)
                journal.end()
            case .orderHeld(let order, let isPaid):
                journal.begin(.chargeHeld, at: now)
                addOrderID(order)
                journal.add(.reason, .symbol(isPaid ? .paid : .outcomeUnknown))
                journal.end()
            case .answered(let response, let order): write(response, order)
            case .refused(let refusal):
                journal.begin(.chargeResponseRefused, at: now)
                journal.add(.reason, .symbol(refusal.symbol))
                if let field = refusal.field {
                    journal.add(.field, .text(SafeText(scrubbing: field.wireName)))
                }
                journal.end()
            case .ignored: break
            }
        }
    }

    private mutating func write(_ response: InnerFenceChargeResponse, _ order: String) {
        journal.begin(.chargeResponse, at: now)
        journal.add(.result, .symbol(Symbol(response.code)))
        addAmount(.amount, response[.amount])
        addOrderID(order)
        addText(.transactionID, response[.transactionId])
        addText(.currency, response.currency)
        if let number = response[.redactedCardNumber] {
            let masked = MaskedCardNumber(number).map { SafeText($0) }
            journal.add(.redactedCardNumber, .text(masked ?? SafeText(scrubbing: number)))
        }
        addText(.cardType, response[.cardType])
        addAmount(.taxAmount, response[.taxAmount])
        addText(.taxRate, response[.taxRate])
        addAmount(.tipAmount, response[.tipAmount])
        let extra = response.extraParameters.filter { parameter in
            parameter.name != "record_id" && !parameter.name.hasSuffix("nonce")
        }
        if !extra.isEmpty {
            addText(.extraParams, extra.map { "\($0.name)=\($0.value)" }.joined(separator: " "))
        }
        journal.end()
    }

    private mutating func addText(_ name: AttributeName, _ value: String?) {
        if let value { journal.add(name, .text(SafeText(scrubbing: value))) }
    }

    private mutating func addAmount(_ name: AttributeName, _ value: String?) {
        if let amount = value.flatMap({ Amount($0) }) { journal.add(name, .amount(amount)) }
    }
}

extension Symbol {
    fileprivate init(_ target: TerminalDesk.Handover.Target) {
        switch target {
        case .terminal: self = .terminal
        case .app: self = .app
        case .browser: self = .browser
        case .nothing: self = .nothing
        }
    }

    fileprivate init(_ code: InnerFenceChargeResponse.Code) {
        switch code {
        case .approved: self = .approved
        case .cancelled: self = .cancelled
        case .declined: self = .declined
        case .error: self = .error
        }
    }
}

extension InnerFenceRequestError {
    fileprivate var symbol: Symbol {
        switch code {
        case .badURL, .otherScheme, .unknownAction: .badURL
        case .unknownVersion: .otherVersion
        case .undecodable, .tooManyPairs: .undecodable
        case .badReturnURL: .badField
        }
    }
}

extension InnerFenceClient.Refusal {
    fileprivate var symbol: Symbol {
        switch self {
        case .otherRecord: .otherRecord
        case .byClass(let error):
            switch error.code {
            case .noURL, .badURL, .noQuery: .badURL
            case .undecodable, .tooManyPairs, .badPair: .undecodable
            case .noOutstandingRequest: .noOutstandingRequest
            case .nonceMissing: .nonceMissing
            case .nonceMismatch: .nonceMismatch
            case .badField: .badField
            case .unknownType: .unknownType
            case .missing: .missingField
            case .unexpected: .unexpectedField
            }
        }
    }

    fileprivate var field: InnerFenceResponseField? {
        guard case .byClass(let error) = self else { return nil }
        switch error.code {
        case .badField(let field), .missing(let field), .unexpected(let field): return field
        case .noURL, .badURL, .noQuery, .undecodable, .tooManyPairs, .badPair,
            .noOutstandingRequest, .nonceMissing, .nonceMismatch, .unknownType:
            return nil
        }
    }
}
