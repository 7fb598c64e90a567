import CardData
import EventLoops
import GatewayProtocols

/// One request as the simulated gateway understands it, however wrong it is.
struct NMICall {
    /// The number of the request, counted from 1.
    let number: Int
    /// When it came.
    let instant: VirtualInstant
    /// What it is about; decided by path and type alone.
    let kind: GatewayRequestKind
    /// The decoded fields; `nil` when the body is no form.
    let fields: FormFields?
    /// The echo for answers.
    let orderID: String
    /// The request, or why there is none.
    let request: Result<NMIRequest.Operation, NMIRequestError>

    init(_ fields: FormFields?, path: String, number: Int, instant: VirtualInstant) {
        self.fields = fields
        self.number = number
        self.instant = instant
        if path == NMIRequest.queryPath {
            kind = .query
        } else if let fields, let index = fields.index(of: "type"),
            fields.hasValue("void", at: index)
        {
            kind = .void
        } else {
            kind = .sale
        }
        orderID = fields?.text(of: kind == .query ? "order_id" : "orderid") ?? ""
        guard let fields else {
            request = .failure(NMIRequestError(code: .form(.wrongEscape), offset: 0))
            return
        }
        do throws(NMIRequestError) {
            request = .success(try NMIRequest(fields, path: path).operation)
        } catch {
            request = .failure(error)
        }
    }

    /// The fact that it came.
    var received: GatewayRecord {
        .requestReceived(number: number, kind: kind, amount: amount, orderID: orderID)
    }

    /// The amount asked for, where there is one that can be read.
    private var amount: Amount? {
        switch request {
        case .success(.sale(let sale)): sale.amount
        case .success(.void), .success(.query): nil
        case .failure: kind == .sale ? fields?.value(of: "amount").flatMap { Amount($0) } : nil
        }
    }

    /// Whether the request has a key, and the right one; `nil` when it has none at all.
    func hasKey(_ key: String) -> Bool? {
        guard let fields, let index = fields.index(of: "security_key"),
            !fields.value(at: index).isEmpty
        else { return nil }
        return fields.hasValue(key, at: index)
    }
}
