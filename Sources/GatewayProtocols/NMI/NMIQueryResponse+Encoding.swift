import CardData

extension NMIQueryResponse {
    /// The body of the report: a declaration of version 1.0 in UTF-8, then `nm_response`.
    ///
    /// Elements without a value are left out. Characters that XML 1.0 cannot hold become `?`.
    public var body: [UInt8] {
        var writer = ReportWriter()
        writer.raw("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<nm_response>")
        if let errorText { writer.element("error_response", errorText) }
        if let sdkKey { writer.element("sdk_key", sdkKey) }
        for transaction in transactions { writer.write(transaction) }
        if !customers.isEmpty {
            writer.raw("<customer_vault>")
            for customer in customers {
                writer.write(customer, as: "customer", idName: "customer_vault_id")
            }
            writer.raw("</customer_vault>")
        }
        for subscription in subscriptions {
            writer.write(subscription, as: "subscription", idName: "subscription_id")
        }
        for plan in plans { writer.write(plan, as: "plan", idName: nil) }
        if !accountDetails.isEmpty {
            writer.raw("<account_details>")
            for field in accountDetails { writer.element(field.name, field.value) }
            writer.raw("</account_details>")
        }
        writer.raw("</nm_response>\n")
        return writer.bytes
    }
}

/// Writes the elements of a report.
private struct ReportWriter {
    var bytes: [UInt8] = []

    mutating func raw(_ text: String) { bytes.append(contentsOf: text.utf8) }

    mutating func element(_ name: String, _ value: String) {
        guard !value.isEmpty else { return }
        raw("<")
        raw(name)
        raw(">")
        escape(value)
        raw("</")
        raw(name)
        raw(">")
    }

    mutating func write(_ transaction: NMITransaction) {
        raw("<transaction>")
        element("transaction_id", transaction.transactionID?.description ?? "")
        element("transaction_type", transaction.transactionType)
        element("condition", transaction.condition.rawValue)
        element("order_id", transaction.orderID)
        element("authorization_code", transaction.authCode)
        element("cc_number", transaction.maskedCardNumber?.description ?? "")
        element("cc_exp", transaction.expirationDate?.description ?? "")
        element("avs_response", transaction.avsResponse)
        element("csc_response", transaction.cvvResponse)
        element("entry_mode", transaction.entryMode)
        for field in transaction.otherFields { element(field.name, field.value) }
        for action in transaction.actions { write(action) }
        raw("</transaction>")
    }

    /// Writes an item; runs of elements that lie in the same one stand in it together.
    mutating func write(_ item: NMIReportItem, as name: String, idName: String?) {
        raw("<\(name)")
        if let idName, let id = item[idName] {
            raw(" id=\"")
            escape(id)
            raw("\"")
        }
        raw(">")
        var open = ""
        for field in item.fields {
            let parts = field.name.split(separator: "/", maxSplits: 1)
            let outer = parts.count == 2 ? String(parts[0]) : ""
            if outer != open {
                if !open.isEmpty { raw("</\(open)>") }
                if !outer.isEmpty { raw("<\(outer)>") }
                open = outer
            }
            element(String(parts.last ?? ""), field.value)
        }
        if !open.isEmpty { raw("</\(open)>") }
        raw("</\(name)>")
    }

    private mutating func write(_ action: NMIAction) {
        raw("<action>")
        element("amount", action.amount?.description ?? "")
        element("action_type", action.type.name)
        element("date", action.date)
        element("success", action.isSuccess ? "1" : "0")
        element("response_text", action.responseText)
        element("batch_id", action.batchID)
        element("response_code", action.responseCode?.description ?? "")
        for field in action.otherFields { element(field.name, field.value) }
        raw("</action>")
    }

    private mutating func escape(_ text: String) {
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": raw("&amp;")
            case "<": raw("&lt;")
            case ">": raw("&gt;")
            case "\"": raw("&quot;")
            case "\r": raw("&#13;")
            case "\t", "\n": bytes.append(UInt8(scalar.value))
            case "\0"..." ": bytes.append(UInt8(ascii: scalar == " " ? " " : "?"))
            case "\u{FFFE}", "\u{FFFF}": bytes.append(UInt8(ascii: "?"))
            default:
                bytes.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
            }
        }
    }
}
