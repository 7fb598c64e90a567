import Kernel

/// Whether the environment's credentials and certificates can be used at all: what is wrong with them
/// would else be seen only in what a server answers.
enum CredentialsCheck {
    private static let secrets = [
        "CARDRIG_NMI_SECURITY_KEY", "CARDRIG_NMI_USERNAME", "CARDRIG_NMI_PASSWORD",
        "CARDRIG_NMI_WEBHOOK_KEY", "CARDRIG_AGENTCASH_USERNAME", "CARDRIG_AGENTCASH_PASSWORD",
        "CARDRIG_PAYMILL_PUBLIC_KEY", "CARDRIG_PAYMILL_PRIVATE_KEY",
    ]

    private static let certificates = "CARDRIG_TRUSTED_CERTIFICATES"
    private static let certificateByteLimit = 16 << 20

    /// Looks at what is set.
    ///
    /// - Parameter environment: The value of a variable; `nil` when it is not set.
    /// - Throws: `UsageError` with the variable that is wrong, and never with its value but for a
    ///   file's name.
    static func run(_ environment: (String) -> String?) throws(UsageError) {
        for name in secrets {
            guard let value = environment(name) else { continue }
            guard !value.isEmpty else {
                throw .wrong("\(name) is set and empty; unset it, or give it a value")
            }
            guard value.unicodeScalars.allSatisfy({ $0.value >= 0x20 && $0.value != 0x7F }) else {
                throw .wrong("\(name) has a control character, such as a line feed at its end")
            }
        }
        for gateway in ["NMI", "AGENTCASH"] {
            let name = "CARDRIG_\(gateway)_USERNAME"
            let password = "CARDRIG_\(gateway)_PASSWORD"
            if (environment(name) == nil) != (environment(password) == nil) {
                throw .wrong("\(name) and \(password) go together; one of them is not set")
            }
        }
        // RFC 7617, 2: the first colon ends the user's name.
        if environment("CARDRIG_AGENTCASH_USERNAME")?.contains(":") == true {
            throw .wrong(
                "CARDRIG_AGENTCASH_USERNAME has a colon, which Basic authentication forbids"
            )
        }
        try checkCertificates(environment(certificates))
    }

    private static func checkCertificates(_ path: String?) throws(UsageError) {
        guard let path else { return }
        let bytes: [UInt8]
        do throws(KernelError) {
            bytes = try FileBytes.read(path: path, limit: certificateByteLimit)
        } catch {
            throw .wrong("\(certificates): \(error)")
        }
        guard bytes.contains(Array("-----BEGIN CERTIFICATE-----".utf8)) else {
            throw .wrong("\(certificates): \(path) holds no certificate in PEM")
        }
    }
}
