/// The fields of a charge request, in the order in which the class for iOS writes them.
///
/// Source: innerfence/ChargeDemo, `IFChargeRequest.h`, and README, section PROTOCOL REQUEST.
public enum InnerFenceRequestField: String, CaseIterable, Hashable, Sendable {
    case returnAppName
    case returnURL
    case returnImmediately
    case address
    case amount
    case amountFixed
    case city
    case company
    case country
    case currency
    case description
    case email
    case firstName
    case invoiceNumber
    case lastName
    case phone
    case state
    case taxRate
    case zip
    /// Asks for the answer in FileMaker's form; part of the protocol, but no class writes it.
    case fm

    /// How many characters the class's header allows; `nil` names no limit.
    ///
    /// No class checks it.
    public var characterLimit: Int? {
        switch self {
        case .returnAppName, .returnURL, .returnImmediately, .amountFixed, .taxRate, .fm: nil
        case .amount: 15
        case .address, .country: 60
        case .city, .state: 40
        case .company, .firstName, .lastName: 50
        case .currency: 3
        case .description, .email: 255
        case .invoiceNumber, .zip: 20
        case .phone: 25
        }
    }

    var index: Int { Self.allCases.firstIndex(of: self) ?? 0 }

    /// The order of the class for Windows: by name.
    static let windowsOrder = allCases.sorted { $0.rawValue < $1.rawValue }
}

/// One named value of a URL's query.
public struct InnerFenceParameter: Hashable, Sendable {
    /// The name.
    public var name: String
    /// The value.
    public var value: String

    /// Creates a parameter.
    public init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }
}

/// A request to the Credit Card Terminal app for a charge: `IFChargeRequest`.
///
/// The class checks nothing: values go out as they are, percent-encoded. `nil` and empty values are
/// left out (on Windows empty ones stay).
public struct InnerFenceChargeRequest: Hashable, Sendable {
    /// Scheme, action and version of the protocol, before the query.
    ///
    /// Source: innerfence/ChargeDemo, README, section PROTOCOL REQUEST.
    public static let baseURL = "com-innerfence-ccterminal://charge/1.0.0/"
    /// The scheme that the terminal app is opened by.
    public static let terminalScheme = "com-innerfence-ccterminal"

    private var values: [String?] = Array(
        repeating: nil,
        count: InnerFenceRequestField.allCases.count
    )

    /// Creates a request without fields.
    public init() {}

    /// The value of a field as the app set it, or `nil`.
    public subscript(field: InnerFenceRequestField) -> String? {
        get { values[field.index] }
        set { values[field.index] = newValue }
    }

    /// Sets the return URL with parameters that come back in the answer's
    /// ``InnerFenceChargeResponse/extraParameters``: `setReturnURL:withExtraParams:`.
    ///
    /// Parameters without a value are left out, names are not encoded, and the order is the one
    /// given (the class's is that of a dictionary).
    public mutating func setReturnURL(
        _ url: String,
        extraParameters: [InnerFenceParameter]
    ) {
        var text = url
        for parameter in extraParameters where !parameter.value.isEmpty {
            Self.append(parameter, to: &text)
        }
        self[.returnURL] = text
    }

    /// Adds the nonce to the return URL, as `submit` does; without a return URL nothing happens.
    ///
    /// Doing so twice adds two, of which the parser takes the last.
    /// - Returns: Whether the nonce is part of the request, so that it has to be saved.
    public mutating func attach(
        _ nonce: InnerFenceNonce,
        as version: InnerFenceVersion = .published2014
    ) -> Bool {
        guard var text = self[.returnURL], !text.isEmpty else { return false }
        let parameter = InnerFenceParameter(version.nonceName, nonce.description)
        if version == .windows { text = Self.normalised(text) }
        Self.append(parameter, to: &text)
        self[.returnURL] = text
        return true
    }

    /// The URL that opens the terminal app: `requestURL`.
    ///
    /// - Parameter version: The class that builds it. Fields that it does not have are left out,
    ///   but for `fm`, which an app can always write itself.
    /// - Returns: The URL, in ASCII.
    public func url(as version: InnerFenceVersion = .published2014) -> String {
        var bytes = Array(Self.baseURL.utf8)
        let isWindows = version == .windows
        let order =
            isWindows
            ? InnerFenceRequestField.windowsOrder : InnerFenceRequestField.allCases
        var separator = UInt8(ascii: "?")
        for field in order {
            guard let value = self[field], isWindows || !value.isEmpty,
                field == .fm || version.writes(field)
            else { continue }
            bytes.append(separator)
            bytes.append(contentsOf: field.rawValue.utf8)
            bytes.append(UInt8(ascii: "="))
            InnerFenceEscaping.append(value.utf8, to: &bytes)
            separator = UInt8(ascii: "&")
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// What the class for Android puts into the extras of its intent, instead of a URL.
    ///
    /// Source: innerfence/ChargeDemo-android, `ChargeRequest.java`: the names of the URL, without a
    /// return URL and without a nonce.
    public var androidExtras: [InnerFenceParameter] {
        InnerFenceRequestField.allCases.compactMap { field in
            guard field != .returnURL, let value = self[field] else { return nil }
            return InnerFenceParameter(field.rawValue, value)
        }
    }

    /// The fields that are longer than the class's header allows, which nothing refuses.
    public var fieldsBeyondLimit: [InnerFenceRequestField] {
        InnerFenceRequestField.allCases.filter { field in
            guard let limit = field.characterLimit, let value = self[field] else { return false }
            return value.count > limit
        }
    }

    /// Appends with `&` where there is a `?` already, else with `?`, wherever in the text it stands:
    /// after a fragment the parameters are lost, as they are in the class.
    private static func append(_ parameter: InnerFenceParameter, to url: inout String) {
        url += url.utf8.contains(UInt8(ascii: "?")) ? "&" : "?"
        url += parameter.name + "=" + InnerFenceEscaping.encode(parameter.value)
    }

    /// What .NET makes of a return URL: the host in small letters, `/` where there is no path, no
    /// fragment (inferred from the platform's behaviour).
    private static func normalised(_ text: String) -> String {
        guard let url = try? InnerFenceURL(text) else { return text }
        var bytes = Array(url.scheme.map(\.asciiLowercase)) + Array("://".utf8)
        bytes += url.host.map(\.asciiLowercase)
        bytes += url.path.isEmpty ? [UInt8(ascii: "/")] : Array(url.path)
        if url.hasQuery { bytes += [UInt8(ascii: "?")] + Array(url.query) }
        return String(decoding: bytes, as: UTF8.self)
    }
}
