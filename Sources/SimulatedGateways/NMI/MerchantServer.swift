public import CardData
public import GatewayProtocols
public import Transports

/// The merchant's own server between an app and the gateway: it holds the credentials, and takes
/// encrypted card data only.
///
/// It performs no I/O: whoever drives it carries its requests to the gateway, and the answers back.
///
/// | from the app | what it does |
/// | --- | --- |
/// | `cardData` (an `encrypted_payment`), or a reader's encrypted fields | posts it with its own credentials, a sale where no type is named |
/// | what needs no card: a capture, a refund, a void, a stored customer, a plan | posts it with its own credentials |
/// | a number, a code or a track of a card in clear, or a bank account | answers 400 and posts nothing |
/// | credentials, or what is no request | answers 400 and posts nothing |
/// | a query to the path of look-ups | asks the gateway |
///
/// Which user may do what is the merchant's affair: here everybody may.
///
/// | from the gateway | what the app gets |
/// | --- | --- |
/// | an answer | the same body and status |
/// | no connection | 503: nothing was charged |
/// | a lost connection or silence | 504: nobody knows; look it up |
///
/// Source: SDK document, "End-to-End Encryption", the script that takes `$_POST['cardData']`. The
/// statuses are assumed.
public struct MerchantServer: Hashable, Sendable {
    /// The path that the app posts to.
    public static let path = "/charge"
    /// The path to which the app posts a look-up, in the words of the Query API.
    public static let lookUpPath = "/order"

    /// What to do about a request of the app.
    public enum Action: Hashable, Sendable {
        /// Post this to the gateway.
        case post(HTTPRequest)
        /// Answer the app.
        case answer(HTTPResponse)
    }

    private let credentials: NMICredentials

    /// Creates a server of a merchant.
    public init(credentials: NMICredentials) { self.credentials = credentials }

    /// The request of an app.
    ///
    /// - Parameters:
    ///   - card: What pays: an encrypted payment or an encrypting reader's swipe.
    ///   - amount: The money.
    ///   - orderID: The app's name for the order.
    /// - Returns: The request, or `nil` for card data that the server does not take.
    public static func request(
        card: NMICardData,
        amount: Amount,
        orderID: String
    ) -> HTTPRequest? {
        var form = FormEncoder()
        form.append("amount", amount.description)
        form.append("orderid", orderID)
        switch card {
        case .encryptedPayment(let value): form.append("cardData", value)
        case .magneSafe, .encrypted:
            let payment = NMIPayment(.sale, amount: amount, card: card)
            let body = NMIRequest(securityKey: "", operation: .payment(payment)).body
            guard let fields = try? FormFields(decoding: body, as: .request) else { return nil }
            for index in 0..<fields.count {
                let name = String(decoding: fields.name(at: index), as: UTF8.self)
                if isReaderField(name) { form.append(name, Array(fields.value(at: index))) }
            }
        case .keyed, .tracks, .stored, .check: return nil
        }
        return HTTPRequest(path: path, contentType: FormEncoder.contentType, body: form.bytes)
    }

    /// Takes a request of the app.
    ///
    /// What goes to the gateway is written anew: fields that the gateway does not know stay behind.
    public func take(_ request: HTTPRequest) -> Action {
        let path: String
        switch request.path {
        case Self.path: path = NMIRequest.transactPath
        case Self.lookUpPath: path = NMIRequest.queryPath
        default: return .answer(Self.plain(404, "no such page"))
        }
        guard let fields = try? FormFields(decoding: request.body, as: .request) else {
            return .answer(Self.plain(400, "the request is no form"))
        }
        guard Self.credentialNames.allSatisfy({ fields.index(of: $0) == nil }) else {
            return .answer(Self.plain(400, "credentials are not for apps"))
        }
        guard !Self.hasClearCardData(fields) else {
            return .answer(Self.plain(400, "card data must not come in clear"))
        }
        guard let operation = operation(fields, path) else {
            return .answer(Self.plain(400, "this is no request"))
        }
        let own = NMIRequest(credentials, operation: operation)
        return .post(
            HTTPRequest(path: own.path, contentType: FormEncoder.contentType, body: own.body)
        )
    }

    private func operation(_ fields: FormFields, _ path: String) -> NMIRequest.Operation? {
        var form = FormEncoder()
        for index in 0..<fields.count {
            let name = String(decoding: fields.name(at: index), as: UTF8.self)
            form.append(
                name == "cardData" ? "encrypted_payment" : name,
                Array(fields.value(at: index))
            )
        }
        let operation = try? NMIRequest(decoding: form.bytes, path: path).operation
        if case .payment(let payment)? = operation, payment.card == nil { return nil }
        return operation
    }

    /// Whether a request of the app has a card number, a track, a security code or a bank
    /// account in clear.
    public static func hasClearCardData(_ request: HTTPRequest) -> Bool {
        guard let fields = try? FormFields(decoding: request.body, as: .request) else {
            return false
        }
        return hasClearCardData(fields)
    }

    private static func hasClearCardData(_ fields: FormFields) -> Bool {
        if clearNames.contains(where: { fields.index(of: $0) != nil }) { return true }
        for index in 0..<fields.count {
            let name = String(decoding: fields.name(at: index), as: UTF8.self)
            // What is encrypted has digits by chance.
            if isReaderField(name) || name == "cardData" || name.hasPrefix("encrypted_") {
                continue
            }
            let value = fields.value(at: index)
            if value.count <= 512, ClearCardScan.finds(in: String(decoding: value, as: UTF8.self)) {
                return true
            }
        }
        return false
    }

    /// The fields that show a card or a bank account.
    private static let clearNames = [
        "ccnumber", "ccexp", "cvv", "track_1", "track_2", "track_3", "checkaccount", "checkaba",
    ]
    private static let credentialNames = ["security_key", "username", "password"]

    /// The answer for the app when the exchange with the gateway is over.
    public func answer(to outcome: HTTPOutcome) -> HTTPResponse {
        switch outcome {
        case .answered(let response): response
        case .refused: Self.plain(503, "the gateway cannot be reached; nothing was charged")
        case .reset, .timedOut: Self.plain(504, "the gateway did not answer; look the order up")
        }
    }

    private static func isReaderField(_ name: String) -> Bool {
        name.hasPrefix("magnesafe_") || name.hasPrefix("encrypted_track_")
            || name == "encrypted_ksn"
    }

    private static func plain(_ status: Int, _ text: String) -> HTTPResponse {
        HTTPResponse(
            status: status,
            contentType: "text/plain; charset=UTF-8",
            body: Array(text.utf8)
        )
    }
}
