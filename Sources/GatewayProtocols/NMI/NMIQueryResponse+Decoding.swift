import CardData
import XML

extension NMIQueryResponse {
    /// The greatest number of transactions, actions and other items together accepted.
    public static let maximumItemCount = 100_000

    /// Reads a report from its body; elements of a kind that is not known here are passed over.
    ///
    /// - Throws: ``NMIQueryResponseError`` when the body is no XML, is too large, has a document
    ///   type, or has another root than `nm_response`.
    public init(decoding body: [UInt8]) throws(NMIQueryResponseError) {
        var assembler = ReportAssembler()
        do throws(XMLError) {
            var reader = try XMLReader(body)
            while let node = try reader.next() {
                guard assembler.take(node) else { break }
            }
        } catch {
            throw NMIQueryResponseError(
                code: error.code == .documentTooLong ? .tooLarge : .malformed,
                offset: error.offset
            )
        }
        if let code = assembler.mistake { throw NMIQueryResponseError(code: code, offset: 0) }
        self = assembler.report
    }
}

/// Why a body is not a report.
public struct NMIQueryResponseError: Error, Hashable, Sendable {
    /// The kind of mistake.
    public enum Code: Hashable, Sendable {
        /// The document is too long or holds too many items.
        case tooLarge
        /// The document is not well-formed, too deep or has a document type.
        case malformed
        /// The root element is not `nm_response`.
        case wrongRoot
    }

    /// The kind of mistake, for programs.
    public var code: Code
    /// About how many bytes had been read when the mistake was met; 0 when it is about the whole.
    public var offset: Int

    /// Creates an error.
    public init(code: Code, offset: Int) {
        self.code = code
        self.offset = offset
    }
}

/// Puts the report together, node by node.
private struct ReportAssembler {
    var report = NMIQueryResponse()
    var mistake: NMIQueryResponseError.Code?

    /// The elements that are open, outermost first.
    private var path: [String] = []
    private var text = ""
    private var transaction = NMITransaction(transactionID: nil, condition: .unknown)
    private var action = NMIAction(type: .other(""), amount: nil, isSuccess: false)
    private var item = NMIReportItem([])
    private var itemCount = 0

    /// Takes the next node; returns whether to go on.
    mutating func take(_ node: XMLReader.Node) -> Bool {
        switch node {
        case .start(let name): begin(name)
        case .text(let piece): if path.count > 1 { text += piece }
        case .end: end()
        }
        return mistake == nil
    }

    private mutating func begin(_ name: String) {
        path.append(name)
        text = ""
        switch path.count {
        case 1: if name != "nm_response" { mistake = .wrongRoot }
        case 2:
            transaction = NMITransaction(transactionID: nil, condition: .unknown)
            item = NMIReportItem([])
        case 3:
            action = NMIAction(type: .other(""), amount: nil, isSuccess: false)
            if path[1] == "customer_vault" { item = NMIReportItem([]) }
        default: break
        }
    }

    private mutating func end() {
        let name = path.removeLast()
        switch (path.count, path.count > 1 ? path[1] : "") {
        case (1, _): endTop(name)
        case (2, "transaction") where name == "action":
            transaction.actions.append(action)
            count()
        case (2, "transaction"): setTransactionField(name)
        case (3, "transaction") where path[2] == "action": setActionField(name)
        case (2, "customer_vault") where name == "customer":
            report.customers.append(item)
            count()
        case (3, "customer_vault"): setItemField(name)
        case (2, "subscription"), (2, "plan"): setItemField(name)
        case (3, "subscription"): setItemField("\(path[2])/\(name)")
        case (2, "account_details"):
            if !text.isEmpty {
                report.accountDetails.append(NMIResponse.Field(name: name, value: text))
                count()
            }
        default: break
        }
        text = ""
    }

    private mutating func endTop(_ name: String) {
        switch name {
        case "error_response": report.errorText = text
        case "sdk_key": report.sdkKey = text
        case "transaction": report.transactions.append(transaction)
        case "subscription": report.subscriptions.append(item)
        case "plan": report.plans.append(item)
        default: return
        }
        count()
    }

    /// Bounds the number of items, and of fields that are kept without being known.
    private mutating func count() {
        itemCount += 1
        if itemCount > NMIQueryResponse.maximumItemCount { mistake = .tooLarge }
    }

    private mutating func setItemField(_ name: String) {
        guard !text.isEmpty else { return }
        item.fields.append(NMIResponse.Field(name: name, value: text))
        count()
    }

    private mutating func setTransactionField(_ name: String) {
        switch name {
        case "transaction_id":
            transaction.transactionID = text.utf8.decimalValue.flatMap(NMITransactionID.init)
        case "condition": transaction.condition = NMICondition(rawValue: text) ?? .unknown
        case "order_id": transaction.orderID = text
        case "authorization_code": transaction.authCode = text
        case "cc_number": transaction.maskedCardNumber = MaskedCardNumber(text)
        case "cc_exp": transaction.expirationDate = ExpirationDate(text)
        case "avs_response": transaction.avsResponse = text
        case "csc_response": transaction.cvvResponse = text
        case "entry_mode": transaction.entryMode = text
        case "transaction_type": transaction.transactionType = text
        default:
            guard !text.isEmpty, path.count == 2 else { break }
            transaction.otherFields.append(NMIResponse.Field(name: name, value: text))
            count()
        }
    }

    private mutating func setActionField(_ name: String) {
        switch name {
        case "action_type": action.type = NMIAction.ActionType(name: text)
        case "amount": action.amount = Amount(text)
        case "success": action.isSuccess = text == "1"
        case "date": action.date = text
        case "response_text": action.responseText = text
        case "response_code":
            action.responseCode = Int(text).flatMap(NMIResponseCode.init(rawValue:))
        case "batch_id": action.batchID = text
        default:
            guard !text.isEmpty else { break }
            action.otherFields.append(NMIResponse.Field(name: name, value: text))
            count()
        }
    }
}
