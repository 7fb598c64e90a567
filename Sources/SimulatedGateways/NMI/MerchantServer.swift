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
/// | `cardData` (an `encrypted_payment`), or a reader's encrypted fields | posts a sale with its own credentials |
/// | `ccnumber`, `cvv` or a track in clear | answers 400 and posts nothing |
/// | credentials, or a type other than sale or auth | answers 400 and posts nothing |
/// | `orderid` to the path of look-ups | asks the gateway for the order's transactions |
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
    /// The path to which the app posts a look-up, by `orderid`.
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
    public func take(_ request: HTTPRequest) -> Action {
        if request.path == Self.lookUpPath { return lookUp(request) }
        guard request.path == Self.path else { return .answer(Self.plain(404, "no such page")) }
        guard let fields = try? FormFields(decoding: request.body, as: .request) else {
            return .answer(Self.plain(400, "the request is no form"))
        }
        var form = FormEncoder()
        credentials.append(to: &form)
        var type = "sale"
        var hasCard = false
        for index in 0..<fields.count {
            let name = String(decoding: fields.name(at: index), as: UTF8.self)
            let value = Array(fields.value(at: index))
            switch name {
            case "cardData", "encrypted_payment":
                form.append("encrypted_payment", value)
                hasCard = true
            case "type":
                type = String(decoding: value, as: UTF8.self)
                guard type == "sale" || type == "auth" else {
                    return .answer(Self.plain(400, "this type is not for apps"))
                }
            case "amount", "orderid": form.append(name, value)
            case "ccnumber", "ccexp", "cvv", "track_1", "track_2", "track_3":
                return .answer(Self.plain(400, "card data must not come in clear"))
            case let name where Self.isReaderField(name):
                form.append(name, value)
                hasCard = true
            default: return .answer(Self.plain(400, "this field is not for apps"))
            }
        }
        guard hasCard else { return .answer(Self.plain(400, "cardData is missing")) }
        form.append("type", type)
        return .post(
            HTTPRequest(
                path: NMIRequest.transactPath,
                contentType: FormEncoder.contentType,
                body: form.bytes
            )
        )
    }

    private func lookUp(_ request: HTTPRequest) -> Action {
        guard let fields = try? FormFields(decoding: request.body, as: .request),
            fields.count == 1, let orderID = fields.text(of: "orderid"), !orderID.isEmpty
        else { return .answer(Self.plain(400, "a look-up has an orderid")) }
        let query = NMIRequest(credentials, operation: .query(.orderID(orderID)))
        return .post(
            HTTPRequest(
                path: query.path,
                contentType: FormEncoder.contentType,
                body: query.body
            )
        )
    }

    /// Whether a request of the app has a card number, a track or a security code in clear.
    public static func hasClearCardData(_ request: HTTPRequest) -> Bool {
        guard let fields = try? FormFields(decoding: request.body, as: .request) else {
            return false
        }
        return clearNames.contains { fields.index(of: $0) != nil }
    }

    private static let clearNames = ["ccnumber", "ccexp", "cvv", "track_1", "track_2", "track_3"]

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
