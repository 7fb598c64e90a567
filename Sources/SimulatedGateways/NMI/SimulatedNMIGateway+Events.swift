import CardData
import EventLoops
import GatewayProtocols
import JSON

/// The events that the merchant is told.
///
/// Source: Webhooks manual, "Event types" and the samples of bodies.
extension SimulatedNMIGateway {
    /// Tells of the last action of a transaction.
    mutating func tell(of entry: LedgerEntry, at now: VirtualInstant) {
        guard configuration.webhookURL != nil, let action = entry.actions.last else { return }
        let word: String =
            switch action.type {
            // The manual has no event of its own for it (assumed).
            case .other: "sale"
            case .sale, .auth, .capture, .void, .refund, .credit, .validate, .settle, .level3:
                action.type.name
            }
        let type: String
        if action.type == .settle {
            guard entry.check != nil else { return }
            type = "transaction.check.status.settle"
        } else {
            type = "transaction.\(word).\(action.isSuccess ? "success" : "failure")"
        }
        post(type, body(of: entry, action), at: now)
    }

    /// Tells of a settled batch.
    mutating func tellOfBatch(
        _ number: Int,
        _ ids: [NMITransactionID],
        _ amount: Amount,
        at now: VirtualInstant
    ) {
        guard configuration.webhookURL != nil else { return }
        let members: [JSONMember] = [
            .init("batch_id", .string(String(number))), merchant,
            .init("count", .integer(Int64(ids.count))),
            .init("amount", .string(amount.description)),
            .init("transaction_ids", .array(ids.prefix(10_000).map { .string($0.description) })),
        ]
        post("settlement.batch.complete", .object(members), at: now)
    }

    /// Tells of a new plan.
    mutating func tell(of plan: NMIPlan, at now: VirtualInstant) {
        guard configuration.webhookURL != nil else { return }
        post("recurring.plan.add", .object([merchant, .init("plan", Self.json(plan))]), at: now)
    }

    /// Tells of a subscription: `add`, `update` or `delete`.
    mutating func tell(of subscription: Subscription, _ word: String, at now: VirtualInstant) {
        guard configuration.webhookURL != nil else { return }
        let members: [JSONMember] = [
            merchant, .init("subscription_id", .string(subscription.id)),
            .init("order_id", .string(subscription.orderID)),
            .init("plan", Self.json(subscription.plan)),
        ]
        post("recurring.subscription.\(word)", .object(members), at: now)
    }

    private mutating func post(_ type: String, _ body: JSONValue, at now: VirtualInstant) {
        guard let url = configuration.webhookURL,
            configuration.webhookEvents.isEmpty || configuration.webhookEvents.contains(type)
        else { return }
        let seed = configuration.webhookSeed &+ UInt64(webhooks.count + 1) << 32
        var random = SplitMix64(seed: seed)
        let digits = Array(Self.hexadecimal(random.next()) + Self.hexadecimal(random.next()))
        // A UUID of version 4.
        let id =
            String(digits[..<8]) + "-" + String(digits[8..<12]) + "-4" + String(digits[13..<16])
            + "-8" + String(digits[17..<20]) + "-" + String(digits[20..<32])
        let event = NMIWebhookEvent(eventID: id, type: type, body: body)
        webhooks.add(type, url: url, body: event.bytes, at: now)
    }

    private var merchant: JSONMember {
        .init(
            "merchant",
            .object([.init("id", .string("1234")), .init("name", .string("Test Account"))])
        )
    }

    private static func json(_ plan: NMIPlan) -> JSONValue {
        var members: [JSONMember] = [
            .init("id", .string(plan.id)), .init("name", .string(plan.name)),
            .init("amount", .string(plan.amount.description)),
            .init("payments", .string(plan.paymentCount == 0 ? "" : String(plan.paymentCount))),
        ]
        switch plan.schedule {
        case .days(let count): members.append(.init("day_frequency", .string(String(count))))
        case .months(let count, let day):
            members.append(.init("month_frequency", .string(String(count))))
            members.append(.init("day_of_month", .string(String(day))))
        }
        return .object(members)
    }

    private func body(of entry: LedgerEntry, _ action: LedgerAction) -> JSONValue {
        func text(_ name: String, _ value: String) -> JSONMember {
            .init(name, .string(value))
        }
        func detail(_ name: String, _ detail: NMIDetail) -> JSONMember {
            text(name, entry.details[detail] ?? "")
        }
        let address: [JSONMember] = [
            detail("first_name", .firstName), detail("last_name", .lastName),
            detail("address_1", .address1), detail("address_2", .address2),
            detail("company", .company), detail("city", .city), detail("state", .state),
            detail("postal_code", .zip), detail("country", .country), detail("email", .email),
            detail("phone", .phone), detail("fax", .fax),
        ]
        return .object([
            merchant,
            .init("features", .object([.init("is_test_mode", .bool(configuration.isTestMode))])),
            text("transaction_id", entry.transactionID.description),
            text("transaction_type", entry.transactionType),
            text("condition", entry.state.rawValue), detail("processor_id", .processor),
            detail("ponumber", .purchaseOrder), detail("order_description", .orderDescription),
            text("order_id", entry.orderID), text("customerid", entry.customerID),
            detail("shipping", .shipping), text("currency", entry.details[.currency] ?? "USD"),
            detail("tax", .tax), detail("tip", .tip),
            text("requested_amount", (entry.requestedAmount ?? entry.amount).description),
            text("partial_payment_id", entry.partialPaymentID),
            text("authorization_code", entry.authCode),
            .init("billing_address", .object(address)), payer(of: entry),
            .init(
                "action",
                .object([
                    text("amount", action.amount.description),
                    text("action_type", action.type.name), text("date", date(action.instant)),
                    text("success", action.isSuccess ? "1" : "0"),
                    detail("ip_address", .ipAddress), text("source", entry.source),
                    text("username", configuration.username),
                    text("response_text", action.responseText),
                    text("response_code", action.responseCode.description),
                ])
            ),
        ])
    }

    private func payer(of entry: LedgerEntry) -> JSONMember {
        func text(_ name: String, _ value: String) -> JSONMember {
            .init(name, .string(value))
        }
        if let check = entry.check {
            return .init(
                "check",
                .object([
                    text("check_account", check.maskedAccount.description),
                    text("check_aba", String(decoding: check.routingNumber, as: UTF8.self)),
                    text("check_name", check.name),
                    text("account_holder_type", check.holderType.rawValue),
                    text("account_type", check.accountType.rawValue),
                    text("sec_code", check.standardEntryClass.rawValue),
                ])
            )
        }
        let mode = entry.entryMode == "Swiped" ? "3" : entry.entryMode == "Keyed" ? "4" : "0"
        return .init(
            "card",
            .object([
                text("cc_number", entry.pan?.maskedInEvents ?? ""),
                text("cc_exp", entry.expirationDate?.description ?? ""),
                text("avs_response", entry.avsResponse), text("csc_response", entry.cvvResponse),
                text("entry_mode", mode), text("cc_bin", entry.pan?.issuerDigits ?? ""),
                text("cc_type", entry.pan?.brand ?? ""),
            ])
        )
    }
}

extension LedgerEntry {
    /// `ck` for a check, else `cc`.
    var transactionType: String { check == nil ? "cc" : "ck" }
}

extension LedgerAction {
    /// The text that reports show for it.
    var responseText: String {
        guard isSuccess else { return responseCode.meaning }
        return type == .settle ? "ACCEPTED" : "SUCCESS"
    }
}

extension PAN {
    /// The number as events show it: first six and last four digits, `*` between.
    var maskedInEvents: String {
        let digits = Array(unmasked)
        let hidden = String(repeating: "*", count: digits.count - 10)
        return String(digits[..<6]) + hidden + String(digits[(digits.count - 4)...])
    }

    /// The first six digits, which name the issuer.
    var issuerDigits: String { String(unmasked.prefix(6)) }

    /// The brand in the gateway's words, or empty.
    var brand: String {
        let digits = unmasked
        switch digits.first {
        case "4": return "visa"
        case "5": return "mc"
        case "6": return digits.hasPrefix("67") ? "maestro" : "discover"
        case "3":
            return digits.hasPrefix("35")
                ? "jcb" : digits.hasPrefix("34") || digits.hasPrefix("37") ? "amex" : "diners"
        default: return ""
        }
    }
}
