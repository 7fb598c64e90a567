import HTTPServer
import Kernel
import LiveTransports
import ScenarioLanguage
import SimulatedGateways

/// The arguments of `serve gateway`.
struct ServeGatewayOptions {
    var settings: ServedGatewaySettings
    var address: SocketAddress
    var certificate: (chain: String, key: String)?
    /// What is wrong when certificate and key cannot be used together.
    private(set) var unfitting = ""
    var statePath: String?
    var allowsAdmin: Bool
    var limits = HTTPServerLimits()
    /// Where the calendar begins, in seconds since 1970 UTC; `nil` is the clock on the wall.
    var clock: Int64?
    var isDescription: Bool
    var wantsJSON: Bool
    /// What is served, in the word that was given.
    var name: String

    static let addressForm = "HOST:PORT of this machine, as in 127.0.0.1:8080"

    init(_ reader: consuming ArgumentReader) throws(UsageError) {
        allowsAdmin = try reader.takeFlag("--admin")
        isDescription = try reader.takeFlag("--describe")
        wantsJSON = try reader.takeFlag("--json")
        clock = try reader.takeValue(
            "--clock",
            expected: "a moment such as 2019-12-01T00:00:00Z"
        ) { ClockText.secondsSince1970($0) }
        let selector = try reader.takeValue("--http", expected: Self.addressForm) {
            try? TCPSelector(listeningAt: $0)
        }
        let certificatePath = try reader.takeValue(
            "--tls",
            expected: "a file with the certificate in PEM, and behind it one with the key",
            RunOptions.word
        )
        // A file is written anew and renamed: behind a link that is the file it leads to.
        statePath = try reader.takeValue("--state", expected: "a file", RunOptions.word).map {
            Paths.resolved($0) ?? $0
        }
        let webhook = try reader.takeValue(
            "--webhook",
            expected: "a web address, as in http://127.0.0.1:9000/events"
        ) { $0.hasPrefix("http://") || $0.hasPrefix("https://") ? $0 : nil }
        let changes = try ServeOptions.settings(
            try reader.takeValue("--set", expected: "NAME=VALUE[,NAME=VALUE...]", RunOptions.word)
        )
        var words = try reader.takePositionals()
        // The key's file stands behind the certificate's.
        var keyPath: String?
        if certificatePath != nil {
            guard words.count == 3 else {
                throw .wrong("--tls wants two files: --tls CERTIFICATE KEY")
            }
            keyPath = words.remove(at: words.firstIndex { Self.isFile($0) } ?? 2)
        }
        guard words.first == "gateway", words.count == 2 else {
            throw .wrong("serve gateway wants one of \(Self.names)")
        }
        name = words[1]
        guard !wantsJSON || isDescription else { throw .wrong("--json goes with --describe") }
        let gateways: [ServedGateway]
        if words[1] == "all" {
            gateways = ServedGateway.allCases
        } else if let gateway = ServedGateway(rawValue: words[1]) {
            gateways = [gateway]
        } else {
            throw .wrong("there is no gateway '\(words[1])' to serve; there is \(Self.names)")
        }
        try CredentialsCheck.run { ProcessEnvironment.value(of: $0) }
        settings = ServedGatewaySettings(gateways) { ProcessEnvironment.value(of: $0) }
        for (name, value) in changes {
            let offered = ServedGatewayDescription(settings: settings).options
            guard let option = offered.first(where: { $0.name == name }) else {
                let hint = nearest(to: name, among: offered.map(\.name)).map {
                    "; did you mean '\($0)'?"
                }
                throw .wrong(
                    "--set: the gateway has no option '\(name)'"
                        + (hint ?? "; `serve gateway \(words[1]) --describe` lists them")
                )
            }
            guard settings.set(name, to: value) else {
                throw .invalidValue(option: "--set \(name)", value: value, expected: option.form)
            }
        }
        guard webhook == nil || settings.nmi != nil else {
            throw .wrong(
                "--webhook is for nmi; AgentCASH is told the address with each payment, PAYMILL by "
                    + "POST /v2/webhooks"
            )
        }
        settings.nmi?.webhookURL = webhook
        // A description is served nowhere.
        let place = isDescription ? try? TCPSelector(listeningAt: "127.0.0.1:0") : selector
        guard let selector = place else {
            throw .wrong("serve gateway: say where, with --http HOST:PORT")
        }
        let host = selector.host == "localhost" ? "127.0.0.1" : selector.host
        guard let found = SocketAddress.inDigits(host: host, port: selector.port).first else {
            throw .invalidValue(
                option: "--http",
                value: selector.host,
                expected: "an address of this machine in digits, or localhost"
            )
        }
        address = found
        settings.paymill?.isEncrypted = certificatePath != nil
        if let certificatePath, let keyPath {
            let chain = try Self.text(certificatePath)
            try Self.check(chain, of: certificatePath, holds: "CERTIFICATE", "certificate")
            let key = try Self.text(keyPath)
            try Self.check(key, of: keyPath, holds: "PRIVATE KEY", "private key")
            guard !key.contains("ENCRYPTED") else {
                throw .wrong("--tls: the private key of \(keyPath) has a passphrase; take it off")
            }
            certificate = (chain, key)
            unfitting = "--tls: \(keyPath) does not fit \(certificatePath)"
        }
    }

    private static let names =
        (ServedGateway.allCases.map(\.rawValue) + ["all"]).joined(separator: ", ")

    private static func isFile(_ word: String) -> Bool {
        word != "gateway" && word != "all" && ServedGateway(rawValue: word) == nil
    }

    private static func text(_ path: String) throws(UsageError) -> String {
        do throws(KernelError) {
            let bytes = try FileBytes.read(path: path, limit: 1_048_576)
            return String(decoding: bytes, as: UTF8.self)
        } catch {
            throw .wrong("--tls: \(error)")
        }
    }

    /// Sees that a file is what the place in the command line wants.
    private static func check(
        _ text: String,
        of path: String,
        holds label: String,
        _ name: String
    ) throws(UsageError) {
        let lines = text.split(whereSeparator: \.isNewline)
        let isThere = lines.contains {
            $0.hasPrefix("-----BEGIN ") && $0.hasSuffix(label + "-----")
        }
        guard isThere else { throw .wrong("--tls: \(path) is no \(name) in PEM") }
    }
}
