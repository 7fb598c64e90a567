import CardData
import EventLoops
import GatewayProtocols

/// One request as the simulated gateway understands it, however wrong it is.
struct NMICall {
    /// Whether the one who asks is the merchant.
    enum Authentication {
        case accepted
        /// There are no credentials.
        case missing
        case unknownKey
        case wrongLogin
    }

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
        kind = Self.kind(fields, path: path)
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

    private static func kind(_ fields: FormFields?, path: String) -> GatewayRequestKind {
        if path == NMIRequest.queryPath { return .query }
        guard let fields, let index = fields.index(of: "type") else { return .sale }
        for kind in GatewayRequestKind.allCases
        where kind != .query && fields.hasValue(kind.rawValue, at: index) {
            return kind
        }
        return .sale
    }

    /// The fact that it came.
    var received: GatewayRecord {
        .requestReceived(number: number, kind: kind, amount: amount, orderID: orderID)
    }

    /// The amount asked for, where there is one that can be read.
    private var amount: Amount? {
        switch request {
        case .success(.payment(let payment)): payment.amount
        case .success(.followUp(let followUp)): followUp.amount
        case .success(.query): nil
        case .failure:
            switch kind {
            case .sale, .auth, .capture, .refund, .credit, .validate, .offline:
                fields?.value(of: "amount").flatMap { Amount($0) }
            case .void, .update, .query: nil
            }
        }
    }

    /// Compares the credentials with the merchant's.
    func authentication(
        _ configuration: SimulatedNMIGateway.Configuration
    ) -> Authentication {
        guard let fields else { return .missing }
        if let index = fields.index(of: "security_key"), !fields.value(at: index).isEmpty {
            return fields.hasValue(configuration.securityKey, at: index) ? .accepted : .unknownKey
        }
        guard let username = fields.index(of: "username"), !fields.value(at: username).isEmpty
        else { return .missing }
        guard fields.hasValue(configuration.username, at: username),
            let password = fields.index(of: "password"),
            fields.hasValue(configuration.password, at: password)
        else { return .wrongLogin }
        return .accepted
    }
}
