import CardData

extension NMIQueryResponse {
    /// The body of the report: a declaration of version 1.0 in UTF-8, then `nm_response`.
    ///
    /// Elements without a value are left out. Characters that XML 1.0 cannot hold become `?`.
    public var body: [UInt8] {
        var writer = ReportWriter()
        writer.raw("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<nm_response>")
        if let errorText { writer.element("error_response", errorText) }
        for transaction in transactions { writer.write(transaction) }
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
        element("transaction_type", "cc")
        element("condition", transaction.condition.rawValue)
        element("order_id", transaction.orderID)
        element("authorization_code", transaction.authCode)
        element("cc_number", transaction.maskedCardNumber?.description ?? "")
        element("cc_exp", transaction.expirationDate?.description ?? "")
        element("avs_response", transaction.avsResponse)
        element("csc_response", transaction.cvvResponse)
        element("entry_mode", transaction.entryMode)
        for action in transaction.actions { write(action) }
        raw("</transaction>")
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
        raw("</action>")
    }

    private mutating func escape(_ text: String) {
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": raw("&amp;")
            case "<": raw("&lt;")
            case ">": raw("&gt;")
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
