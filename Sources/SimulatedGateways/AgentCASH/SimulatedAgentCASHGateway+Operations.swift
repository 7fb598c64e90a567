import CardCrypto
import CardData
import EventLoops
import GatewayProtocols
import JSON
import Transports

extension SimulatedAgentCASHGateway {
    /// Carries a request out as a service without faults does.
    mutating func carryOut(_ call: inout AgentCASHCall, _ cache: CryptoCache) -> HTTPResponse {
        do throws(AgentCASHError) {
            switch try call.asked.get() {
            case .authorise(let authorisation):
                return Self.answer(authorise(authorisation, &call, cache), status: 201)
            case .confirm(let id, let signature):
                return Self.answer(try confirm(id, signature, &call))
            case .reverse(let id):
                let entry = try entry(id, in: .authorised)
                let amount = entry.transaction.amount
                call.records.append(move(id, to: .reversed, amount, call.number, at: call.instant))
                return Self.answer(try transaction(id))
            case .capture(let id, let amount):
                let entry = try entry(id, in: .authorised)
                call.records += try capture(entry, amount, call.number, at: call.instant)
                return Self.answer(try transaction(id))
            case .refund(let id, let amount):
                call.records.append(try refund(id, amount, &call))
                return Self.answer(try transaction(id))
            case .transaction(let id): return Self.answer(try transaction(id))
            case .search(let search): return answer(search)
            }
        } catch {
            return Self.answer(error)
        }
    }

    // MARK: Operations

    private mutating func authorise(
        _ authorisation: AgentCASHAuthorisation,
        _ call: inout AgentCASHCall,
        _ cache: CryptoCache
    ) -> AgentCASHTransaction {
        let reading =
            call.reading
            ?? AgentCASHCardReading(
                authorisation.card,
                keys: configuration.baseDerivationKeys,
                issuerPIN: configuration.issuerPIN,
                cache: cache
            )
        call.reading = reading
        let objects = (try? TLV.objects(in: authorisation.card.chipData)) ?? []
        let (state, code): (AgentCASHTransaction.State, String) =
            switch reading {
            case .card where objects.sayCardholderIsNotVerified: (.declined, "75")
            case .unreadable where !configuration.takesUnopenedCards: (.failed, "96")
            case .wrongPIN: (.declined, "55")
            case .card, .unreadable: call.isDeclined ? (.declined, "05") : (.authorised, "00")
            }
        var transaction = AgentCASHTransaction(
            id: ledger.nextID,
            state: state,
            authorisation: authorisation,
            responseCode: code
        )
        transaction.applicationLabel = objects.printableText(.applicationLabel)
        transaction.applicationID = objects.hexadecimal(.fileName)
        transaction.cryptogram = objects.hexadecimal(.cryptogram)
        transaction.verificationResults = objects.hexadecimal(.verificationResults)
        transaction.scheme = Self.scheme(reading, authorisation.card)
        transaction.merchantName = configuration.merchantName
        transaction.terminalID = "00000001"
        transaction.date = date(at: call.instant)
        if state == .authorised {
            let digits = String(1_000_000 + transaction.id % 1_000_000)
            transaction.authorisationCode = String(digits.dropFirst())
        }
        ledger.book(
            AgentCASHLedger.Entry(
                transaction: transaction,
                capturesAtOnce: authorisation.capturesAtOnce,
                webhookURL: authorisation.webhookURL,
                instant: call.instant
            )
        )
        call.records.append(
            .booked(
                number: call.number,
                transaction,
                capturesAtOnce: authorisation.capturesAtOnce
            )
        )
        notify(transaction.id, at: call.instant)
        return transaction
    }

    private mutating func confirm(
        _ id: UInt64,
        _ signature: [UInt8],
        _ call: inout AgentCASHCall
    ) throws(AgentCASHError) -> AgentCASHTransaction {
        let entry = try entry(id, in: .authorised)
        if !signature.isEmpty {
            let address = configuration.signatureAddress + "\(id)"
            ledger.change(id) {
                $0.signature = signature
                $0.transaction.signatureURL = address
            }
        }
        if entry.capturesAtOnce {
            call.records += try capture(entry, nil, call.number, at: call.instant)
        }
        return try transaction(id)
    }

    private mutating func capture(
        _ entry: AgentCASHLedger.Entry,
        _ amount: Amount?,
        _ number: Int,
        at now: VirtualInstant
    ) throws(AgentCASHError) -> [AgentCASHRecord] {
        let authorised = entry.transaction.amount
        let amount = amount ?? authorised
        guard amount <= authorised else {
            throw AgentCASHError(.amountTooHigh, member: "amount")
        }
        let id = entry.transaction.id
        ledger.change(id) { $0.transaction.capturedAmount = amount }
        var records = [move(id, to: .captured, amount, number, at: now)]
        let rest = Amount(minorUnits: authorised.minorUnits - amount.minorUnits)
        if rest.minorUnits > 0, let transaction = try? transaction(id) {
            records.append(.changed(number: number, transaction, to: .released, amount: rest))
            notify(id, event: .released, at: now)
        }
        return records
    }

    private mutating func refund(
        _ id: UInt64,
        _ amount: Amount?,
        _ call: inout AgentCASHCall
    ) throws(AgentCASHError) -> AgentCASHRecord {
        guard let entry = ledger.entry(id) else { throw AgentCASHError(.noSuchTransaction) }
        let transaction = entry.transaction
        switch transaction.state {
        case .authorised:
            guard amount == nil || amount == transaction.amount else {
                throw AgentCASHError(.wrongState, member: "amount")
            }
            return move(id, to: .released, transaction.amount, call.number, at: call.instant)
        case .captured:
            let rest = transaction.refundableAmount
            let amount = amount ?? rest
            guard amount <= rest, amount.minorUnits > 0 else {
                throw AgentCASHError(.amountTooHigh, member: "amount")
            }
            ledger.change(id) { $0.transaction.refundedAmount.minorUnits += amount.minorUnits }
            if amount == rest {
                return move(id, to: .refunded, amount, call.number, at: call.instant)
            }
            notify(id, event: .refunded, at: call.instant)
            return .changed(
                number: call.number,
                try self.transaction(id),
                to: .refunded,
                amount: amount
            )
        case .released, .expired, .reversed, .refunded, .declined, .failed:
            throw AgentCASHError(.wrongState)
        }
    }

    /// Moves a transaction to a state and tells who wants to know.
    mutating func move(
        _ id: UInt64,
        to state: AgentCASHTransaction.State,
        _ amount: Amount,
        _ number: Int?,
        at now: VirtualInstant
    ) -> AgentCASHRecord {
        ledger.change(id) { $0.transaction.state = state }
        notify(id, at: now)
        let entry = ledger.entries[Int(id - configuration.firstTransactionID)]
        return .changed(number: number, entry.transaction, to: state, amount: amount)
    }

    // MARK: Answers

    private func entry(
        _ id: UInt64,
        in state: AgentCASHTransaction.State
    ) throws(AgentCASHError) -> AgentCASHLedger.Entry {
        guard let entry = ledger.entry(id) else { throw AgentCASHError(.noSuchTransaction) }
        guard entry.transaction.state == state else { throw AgentCASHError(.wrongState) }
        return entry
    }

    private func transaction(_ id: UInt64) throws(AgentCASHError) -> AgentCASHTransaction {
        guard let entry = ledger.entry(id) else { throw AgentCASHError(.noSuchTransaction) }
        return entry.transaction
    }

    private func answer(_ search: AgentCASHSearch) -> HTTPResponse {
        let found = ledger.entries.filter { entry in
            switch search {
            case .reference(let text): entry.transaction.reference == text
            case .externalID(let text): entry.transaction.externalID == text
            }
        }
        let json = JSONValue.members(
            ("transactions", .array(found.suffix(100).map(\.transaction.json)))
        )
        return HTTPResponse(
            status: 200,
            contentType: AgentCASHRequest.contentType,
            body: json.encoded
        )
    }

    private static func answer(
        _ transaction: AgentCASHTransaction,
        status: Int = 200
    ) -> HTTPResponse {
        HTTPResponse(
            status: status,
            contentType: AgentCASHRequest.contentType,
            body: transaction.json.encoded
        )
    }

    /// The answer for a request that is refused.
    static func answer(_ error: AgentCASHError) -> HTTPResponse {
        HTTPResponse(
            status: error.code.status,
            contentType: AgentCASHRequest.contentType,
            body: error.json.encoded
        )
    }

    // MARK: Events

    /// Queues the event of what a transaction became, if anybody wants to know.
    private mutating func notify(
        _ id: UInt64,
        event: AgentCASHTransaction.State? = nil,
        at now: VirtualInstant
    ) {
        guard let entry = ledger.entry(id), !entry.webhookURL.isEmpty else { return }
        let name = "transaction.\((event ?? entry.transaction.state).rawValue)"
        let webhook = AgentCASHWebhook(
            event: name,
            date: date(at: now),
            transaction: entry.transaction
        )
        webhooks.add(
            name,
            url: entry.webhookURL,
            contentType: AgentCASHRequest.contentType,
            body: webhook.json.encoded,
            at: now
        )
    }

    private func date(at now: VirtualInstant) -> String {
        let seconds = (now - .zero).nanoseconds / 1_000_000_000
        let digits = UTCDate.digits(
            secondsSince1970: configuration.startSecondsSince1970 + seconds
        )
        let characters = Array(digits)
        let part = { (range: Range<Int>) in String(characters[range]) }
        return "\(part(0..<4))-\(part(4..<6))-\(part(6..<8))"
            + "T\(part(8..<10)):\(part(10..<12)):\(part(12..<14))Z"
    }

    /// The scheme by the number's first digits.
    ///
    /// Source: ISO/IEC 7812, the ranges of the four schemes of the SDK's market.
    private static func scheme(_ reading: AgentCASHCardReading, _ card: AgentCASHCard) -> String {
        let first = (card.maskedCardNumber?.description ?? "").prefix(2)
        return switch first {
        case _ where first.hasPrefix("4"): "Visa"
        case "51", "52", "53", "54", "55", "22", "23", "24", "25", "26", "27": "Mastercard"
        case "50", "56", "57", "58", "63", "67": "Maestro"
        case "34", "37": "American Express"
        default: ""
        }
    }
}
