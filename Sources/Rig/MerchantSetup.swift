import CardCrypto
import CardData
public import GatewayProtocols
import SimulatedGateways

/// The merchant that an NMI gateway serves: how its app is set up, and its own server.
public struct MerchantSetup: Hashable, Sendable {
    /// With which key the app encrypts cards that are typed in.
    public enum Key: Hashable, Sendable {
        /// The merchant's, as the gateway's report `sdk_key` gives it.
        case right
        /// That of another merchant.
        case foreign
        /// The merchant's, and one character of what it gives is changed on its way.
        case damaged
        /// None that can be used: the SDK of old gives the text `Encryption Failed`, which the app
        /// posts.
        case unusable
    }

    /// With which key the app encrypts.
    public var key = Key.right
    /// How the app logs in; `nil` is with the gateway's security key.
    public var credentials: NMICredentials?
    /// Whether the app sends encrypted card data to the merchant's server, which asks the gateway.
    public var isRelayed = false
    /// What the merchant's server answers to webhooks, in order, the last one for ever; 0 is no
    /// answer.
    public var webhookStatuses: [Int] = []

    /// Creates a merchant whose app asks the gateway itself.
    public init() {}

    /// What PGEncrypt gave where it could not use its key.
    ///
    /// Source: observed with the vendor's Android library; react-native-nmi-bridge posts it.
    static let failedEncryption = Array("Encryption Failed".utf8)

    /// The key of a merchant who is somebody else, number 778, with an RSA key of 2,048 bits whose
    /// private half nobody kept.
    static let foreignKey: PGEncryptKey? = {
        guard let certificate = Base64.decode(foreignCertificate.utf8) else { return nil }
        return try? PGEncryptKey(number: "778", certificate: certificate)
    }()

    private static let foreignCertificate = """
        MIIDVjCCAj6gAwIBAgIBATANBgkqhkiG9w0BAQsFADBDMQswCQYDVQQGEwJVUzEVMBMGA1UECgwMQ2FyZFJp\
        ZyBUZXN0MR0wGwYDVQQDDBRnYXRld2F5LmNhcmRyaWcudGVzdDAgFw0yNjExMzAxMjM2NTZaGA8yMTI2MTEw\
        NjEyMzY1NlowQzELMAkGA1UEBhMCVVMxFTATBgNVBAoMDENhcmRSaWcgVGVzdDEdMBsGA1UEAwwUZ2F0ZXdh\
        eS5jYXJkcmlnLnRlc3QwggEiMA0GCSqGSIb3DQEBAQUAA4IBDwAwggEKAoIBAQCN6YsZTFQyN7XeBI9jl8bg\
        DHxtex3Ux5aVdfeZjy7/BQX2mZkhfQ9ANjT5lZmrklHrWTQNygc5LBOC/6yvmXg9yYcWVR1llW609asbD7o+\
        9+F9sQdBhclPlT6dHuiQXA8NL+J9McuvXy5x3jhqW21I48BYp5xBGvv8SiwHxf4en287j6nfOUJjt36uS6E6\
        s1Hv3Nm5HTzdBXLXYVM9145PdeaegAruJ1tz/KSZ+vLxhiZ8rsxSOVFUZoXLNJCWIhS13rmJ2mj0iAhvTLdY\
        vbKAgZ5nLdfHZD9OotQ2BQCPRzh3bE2jzc4WGGB6EJfDXOQaj1aJjMnUOX5LECN0p0V3AgMBAAGjUzBRMB0G\
        A1UdDgQWBBQu8U9p1eXk23XenajNfyBB+oaUlzAfBgNVHSMEGDAWgBQu8U9p1eXk23XenajNfyBB+oaUlzAP\
        BgNVHRMBAf8EBTADAQH/MA0GCSqGSIb3DQEBCwUAA4IBAQBGn/kKUwy9MtQOMdSmFGGE24ysLldlEWLL4+QB\
        kh250Kd8TkfExICz+vW6Pc70bnHppVg+jqs7bDPrUF7lia35M4C3ISFTG3xCOYhugfOhzNALZ8AmQMz8sUGy\
        iiI3Pdd+JBA0lAyxbIMFhHRonhefYHewtTi+aLa4QEPjF3ufyVzzwrCEMzMMdojUSXfrKKtM35BOXv3vLS4v\
        O83BwofqKjcf8mJe8TxUpJfLf7lk0SzqUp7M6k8KZafcYbUiCZzqVZyULDHROPUw8OEvAkBE+w5TJF393yZz\
        DxWRyd9azWSQUMVAE1gAeOD323ygGO7ifcWLc2ShXKyknxMVQqS3
        """
}
