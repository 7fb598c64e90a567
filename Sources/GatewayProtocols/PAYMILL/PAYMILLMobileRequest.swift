import CardData
public import JSON

/// A request of an app to PAYMILL's backend for apps, which charges without a merchant's server.
///
/// Of this host only paths are known, from the strings of the published SDKs: which method each
/// takes, its body and its answer are assumed, the names of the body's fields are strings again.
///
/// | path | method | asks for |
/// | --- | --- | --- |
/// | `/merchants/KEY/device` | POST | a device: its id and its key |
/// | `/transactions`, `/preauthorizations` | POST | money: amount, currency, description, token or payment, consumable |
/// | the same | GET | those of the device |
/// | `/transactions/non-consumed` | GET | those of the device that are not consumed |
/// | `/transactions/ID` | GET | one of them |
/// | `/transactions/ID/consume` | POST | that it is consumed |
/// | `/payments?token=KEY` | GET, POST | the cards in the device's safe; one more |
/// | `/payments/ID?token=KEY` | DELETE | that a card leaves it |
/// | `/payments/any` | GET, DELETE | whether there are any; that there are none |
///
/// All but the first are authorised by HTTP Basic with the device's id and key.
///
/// Source: string constants of PAYMILL iOS SDK 2.2.0 and Android SDK 1.2.0.
public struct PAYMILLMobileRequest: Hashable, Sendable {
    /// What is charged or held.
    public enum Resource: String, Hashable, Sendable, CaseIterable {
        /// Charges.
        case transactions
        /// Money that is held.
        case preauthorizations
    }

    /// What is asked.
    public enum Operation: Hashable, Sendable {
        /// Make a device of a merchant's app.
        case createDevice(publicKey: String)
        /// Charge, or hold money; one that is consumable is listed until it is consumed.
        case create(Resource, PAYMILLRequest.Money, isConsumable: Bool)
        /// Show one of the device's.
        case show(Resource, String)
        /// List those of the device.
        case list(Resource)
        /// List those of the device that are not consumed.
        case listNotConsumed(Resource)
        /// Say that what was paid for is done.
        case consume(Resource, String)
        /// Put a card into the device's safe; the key stands for the user's password.
        case savePayment(String, key: String)
        /// List the cards in the safe.
        case listPayments(key: String)
        /// Take a card out of the safe.
        case deletePayment(String, key: String)
        /// Say whether there is anything in the safe.
        case arePaymentsAvailable
        /// Empty the safe, whoever asks.
        case resetPayments
    }

    /// What is asked.
    public var operation: Operation

    /// Creates a request.
    public init(_ operation: Operation) { self.operation = operation }

    /// The path of the list of what is not consumed, behind the resource.
    static let notConsumed = "non-consumed"

    /// Whether a path is one of this host.
    public static func isMobile(_ path: String) -> Bool {
        let first = path.split(separator: "/", maxSplits: 1).first.map { String($0) } ?? ""
        return ["merchants", "payments"].contains(first) || Resource(rawValue: first) != nil
    }

    // MARK: Encoding

    /// The method, in capitals.
    public var method: String {
        switch operation {
        case .createDevice, .create, .consume, .savePayment: "POST"
        case .show, .list, .listNotConsumed, .listPayments, .arePaymentsAvailable: "GET"
        case .deletePayment, .resetPayments: "DELETE"
        }
    }

    /// The path.
    public var path: String {
        switch operation {
        case .createDevice(let key): "/merchants/\(key)/device"
        case .create(let resource, _, _), .list(let resource): "/\(resource.rawValue)"
        case .show(let resource, let id): "/\(resource.rawValue)/\(id)"
        case .listNotConsumed(let resource): "/\(resource.rawValue)/\(Self.notConsumed)"
        case .consume(let resource, let id): "/\(resource.rawValue)/\(id)/consume"
        case .savePayment, .listPayments: "/payments"
        case .deletePayment(let id, _): "/payments/\(id)"
        case .arePaymentsAvailable, .resetPayments: "/payments/any"
        }
    }

    /// The query; the key of the safe, which is a secret.
    public var query: String {
        switch operation {
        case .savePayment(_, let key), .listPayments(let key), .deletePayment(_, let key):
            "token=" + URIComponent.encode(key)
        case .createDevice, .create, .show, .list, .listNotConsumed, .consume,
            .arePaymentsAvailable, .resetPayments:
            ""
        }
    }

    /// The body, a form; empty where there is nothing to say.
    public var body: [UInt8] {
        switch operation {
        case .create(_, let money, let isConsumable):
            PAYMILLRequest(.charge(money)).body
                + Array("&consumable=\(isConsumable ? "true" : "false")".utf8)
        case .savePayment(let id, _): Array("id=\(URIComponent.encode(id))".utf8)
        case .createDevice, .show, .list, .listNotConsumed, .consume, .listPayments,
            .deletePayment, .arePaymentsAvailable, .resetPayments:
            []
        }
    }

    // MARK: Decoding

    /// Reads a request; who asks is looked at before.
    ///
    /// - Throws: ``PAYMILLRefusal`` for a path that is none, and then for a parameter.
    public init(
        method: String,
        path: String,
        query: String,
        body: [UInt8]
    ) throws(PAYMILLRefusal) {
        let parts = path.split(separator: "/").map { String($0) }
        let asked = try PAYMILLParameters(reading: Array(query.utf8), .v2)
        switch (method, parts.first, parts.count) {
        case ("POST", "merchants", 3) where parts[2] == "device":
            operation = .createDevice(publicKey: parts[1])
        case ("GET", "payments", 2) where parts[1] == "any": operation = .arePaymentsAvailable
        case ("DELETE", "payments", 2) where parts[1] == "any": operation = .resetPayments
        case ("GET", "payments", 1): operation = .listPayments(key: try asked.needed("token"))
        case ("DELETE", "payments", 2):
            operation = .deletePayment(parts[1], key: try asked.needed("token"))
        case ("POST", "payments", 1):
            let fields = try PAYMILLParameters(reading: body, .v2)
            operation = .savePayment(
                try fields.needed("id"),
                key: try asked.needed("token")
            )
        case (_, let name?, 1...3):
            guard let resource = Resource(rawValue: name) else { throw .noSuchMethod }
            switch (method, parts.count) {
            case ("POST", 1):
                let fields = try PAYMILLParameters(reading: body, .v2)
                operation = .create(
                    resource,
                    try fields.money(isHeld: resource == .preauthorizations),
                    isConsumable: try fields.flag("consumable") ?? false
                )
            case ("GET", 1): operation = .list(resource)
            case ("GET", 2) where parts[1] == Self.notConsumed:
                operation = .listNotConsumed(resource)
            case ("GET", 2): operation = .show(resource, parts[1])
            case ("POST", 3) where parts[2] == "consume":
                operation = .consume(resource, parts[1])
            default: throw .noSuchMethod
            }
        default: throw .noSuchMethod
        }
    }
}

/// An installation of an app, as PAYMILL's backend for apps knows it.
public struct PAYMILLDevice: Hashable, Sendable {
    /// Its id, which an app may show.
    public var id: String
    /// Its key; a secret.
    public var unmaskedKey: String

    /// Creates a device.
    public init(id: String, unmaskedKey: String) {
        self.id = id
        self.unmaskedKey = unmaskedKey
    }

    /// Reads a device; `nil` when it is none.
    public init?(_ json: JSONValue) {
        guard let id = json["id"]?.text, let key = json["device_key"]?.text else { return nil }
        self.init(id: id, unmaskedKey: key)
    }

    /// The device as the backend answers it.
    public var json: JSONValue {
        .members(("id", .string(id)), ("device_key", .string(unmaskedKey)))
    }

    /// The value of the header field `Authorization`.
    public var authorization: String {
        PAYMILLPrivateKey.authorization(id, password: unmaskedKey)
    }

    /// Reads the value of the header field `Authorization`; `nil` when it is no such pair.
    public init?(authorization: String) {
        guard authorization.lowercased().hasPrefix("basic "),
            let bytes = Base64.decode(authorization.dropFirst(6).utf8),
            let colon = bytes.firstIndex(of: UInt8(ascii: ":"))
        else { return nil }
        id = String(decoding: bytes[..<colon], as: UTF8.self)
        unmaskedKey = String(decoding: bytes[(colon + 1)...], as: UTF8.self)
    }
}

extension PAYMILLDevice: CustomStringConvertible, CustomReflectable {
    /// The id; never the key.
    public var description: String { "device \(id)" }

    /// Nothing, so that no dump shows the key.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

// What the backend for apps answers, beside what the REST interface does.
extension PAYMILLResponse {
    /// The device that was made.
    public var device: PAYMILLDevice? { data.flatMap { PAYMILLDevice($0) } }

    /// The id of what was consumed.
    public var text: String? { data?.text }

    /// Whether it was done, or whether there are any.
    public var flag: Bool? { data?.bool }

    /// The cards of a safe; `nil` when it is no list, or one of them cannot be read.
    public var payments: [PAYMILLPayment]? {
        guard let values = data?.values else { return nil }
        let payments = values.compactMap { PAYMILLPayment($0) }
        return payments.count == values.count ? payments : nil
    }
}

extension PAYMILLRefusal {
    /// What was paid for is done already.
    public static let consumedBefore = PAYMILLRefusal(
        status: 409,
        "It was consumed before, or need not be",
        exception: "already_consumed"
    )
    /// The merchant's account is not connected to the app that charges for apps.
    public static let noMobileApp = PAYMILLRefusal(
        status: 403,
        "The Mobile App is not connected to the account",
        exception: "app_not_connected"
    )
    /// The key of a safe is not that by which it was made.
    public static let wrongSafeKey = PAYMILLRefusal(
        status: 403,
        "Incorrect password",
        exception: "SafeStoreIncorrectPassword"
    )
    /// A safe was asked with a wrong key too often.
    public static let safeBlocked = PAYMILLRefusal(
        status: 403,
        "The safe store is blocked",
        exception: "ProxySafeStoreBlocked"
    )
}
