/// Who asks: a merchant's key, or the older name and password.
///
/// Both kinds stay accepted. No description shows the secret.
///
/// Source: Direct Post API manual, "Transaction variables"; active_merchant pull request 4302 for
/// the acceptance of both.
public enum NMICredentials: Hashable, Sendable {
    /// `security_key`; 32 characters in the published example.
    case securityKey(String)
    /// `username` and `password`.
    case login(username: String, password: String)

    /// Adds the fields to a body, in front of all others.
    package func append(to form: inout FormEncoder) {
        switch self {
        case .securityKey(let key): form.append("security_key", key)
        case .login(let username, let password):
            form.append("username", username)
            form.append("password", password)
        }
    }

    /// Reads the fields; a key counts before a name, and without any the key is empty.
    init(_ fields: FormFields) {
        if fields.index(of: "security_key") == nil, let username = fields.text(of: "username") {
            self = .login(username: username, password: fields.text(of: "password") ?? "")
        } else {
            self = .securityKey(fields.text(of: "security_key") ?? "")
        }
    }
}

extension NMICredentials: CustomStringConvertible, CustomDebugStringConvertible,
    CustomReflectable
{
    /// The kind of credentials, and no part of them.
    public var description: String {
        switch self {
        case .securityKey: "security key"
        case .login: "username and password"
        }
    }

    /// The same as ``description``.
    public var debugDescription: String { description }

    /// Shows nothing of the secret.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
