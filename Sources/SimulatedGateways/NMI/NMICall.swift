import CardData
import EventLoops
import GatewayProtocols
import Transports

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
    /// Why the request is not even read, in the words of the answer; `nil` when it is.
    let formText: String?

    /// Takes a request off the wire.
    init(
        _ request: HTTPRequest,
        number: Int,
        instant: VirtualInstant,
        _ configuration: SimulatedNMIGateway.Configuration
    ) {
        do throws(FormError) {
            let fields = try FormFields(decoding: request.body, as: .request)
            let text =
                NMIRequestLimits.text(contentType: request.contentType)
                ?? NMIRequestLimits.text(fields, configuration.repeatedFields)
            self.init(fields, path: request.path, number: number, instant: instant, text)
        } catch {
            let text = NMIRequestLimits.text(error)
            self.init(nil, path: request.path, number: number, instant: instant, text)
        }
    }

    /// What the gateway does by its calendar.
    init(at instant: VirtualInstant) {
        self.init(nil, path: NMIRequest.transactPath, number: 0, instant: instant, nil)
    }

    private init(
        _ fields: FormFields?,
        path: String,
        number: Int,
        instant: VirtualInstant,
        _ formText: String?
    ) {
        self.fields = fields
        self.number = number
        self.instant = instant
        self.formText = formText
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
        guard let fields else { return .sale }
        guard let index = fields.index(of: "type"), !fields.value(at: index).isEmpty else {
            if fields.value(of: "customer_vault")?.isEmpty == false { return .vault }
            return fields.value(of: "recurring")?.isEmpty == false ? .recurring : .sale
        }
        for kind in GatewayRequestKind.allCases
        where ![.query, .vault, .recurring].contains(kind)
            && fields.hasValue(kind.rawValue, at: index)
        {
            return kind
        }
        return .sale
    }

    /// What an answer echoes as `type`.
    var typeEcho: String {
        switch kind {
        case .vault, .recurring: ""
        case .sale, .void, .query, .auth, .capture, .refund, .credit, .validate, .offline, .update:
            kind.rawValue
        }
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
        case .success(.query), .success(.vault), .success(.recurring),
            .success(.completePartialPayment):
            nil
        case .failure:
            switch kind {
            case .sale, .auth, .capture, .refund, .credit, .validate, .offline:
                fields?.value(of: "amount").flatMap { Amount($0) }
            case .void, .update, .query, .vault, .recurring: nil
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
