import CardCrypto
import CardData
import Kernel
import Testing

/// The real part opposite: OpenSSL's command line, which makes keys and opens what we encrypt.
private enum OpenSSL {
    static let isPresent = (try? run("command -v openssl > /dev/null")) == true
    static let absence = "openssl is not installed"

    /// Runs a line of shell in a new folder; returns whether it succeeded.
    static func run(_ line: String, in folder: String = "/tmp") throws -> Bool {
        var child = try ChildProcess(["sh", "-c", "cd \(folder) && \(line)"])
        let limit = MonotonicClock.now + 60_000_000_000
        return try child.wait(untilMonotonicNanoseconds: limit) == .exited(0)
    }
}

/// A folder that goes with its owner.
private struct Workplace: ~Copyable {
    let path: String

    init(_ name: String) throws {
        path = "/tmp/cardrig-openssl-tests.\(ProcessEnvironment.processID).\(name)"
        _ = try OpenSSL.run("mkdir -p \(path)")
    }

    deinit { _ = try? OpenSSL.run("rm -r \(path)") }

    func read(_ name: String) throws -> [UInt8] {
        try FileBytes.read(path: "\(path)/\(name)", limit: 1 << 20)
    }
}

@Suite("PGEncrypt and OpenSSL", .serialized, .enabled(if: OpenSSL.isPresent, "\(OpenSSL.absence)"))
struct OpenSSLTests {
    private static let makeKey = """
        openssl req -x509 -newkey rsa:2048 -nodes -keyout key.pem -outform DER -out key.der \
        -days 1 -subj /CN=test 2>/dev/null
        """

    @Test func itsCommandLineDecryptsWhatWeEncryptForAFreshKey() throws {
        let folder = try Workplace("decrypts")
        #expect(try OpenSSL.run(Self.makeKey, in: folder.path))
        let key = try PGEncryptKey(number: "41", certificate: folder.read("key.der"))
        var generator = SystemRandomNumberGenerator()
        for text in ["", "ccnumber=9&ccexp=1025&cvv=999", String(repeating: "x", count: 1_600)] {
            let value = try PGEncrypt(PGEncryptKey(key.text))
                .encrypt(Array(text.utf8), using: &generator)
            try FileBytes.write(Array(value.utf8), to: "\(folder.path)/value")
            // Nothing of ours takes part from here on.
            let line = """
                base64 -d < value > inner && \
                [ "$(cut -d '|' -f 1-3 < inner)" = 'GWSC|1|41' ] && \
                cut -d '|' -f 4 < inner | base64 -d | openssl pkeyutl -decrypt -inkey key.pem \
                -pkeyopt rsa_padding_mode:pkcs1 -out aes && \
                cut -d '|' -f 6 < inner | base64 -d | openssl enc -d -aes-256-cbc \
                -K "$(od -An -v -tx1 < aes | tr -d ' \\n')" \
                -iv "$(cut -d '|' -f 5 < inner | base64 -d | od -An -v -tx1 | tr -d ' \\n')" \
                -out text
                """
            #expect(try OpenSSL.run(line, in: folder.path))
            #expect(try folder.read("text") == Array(text.utf8))
        }
    }

    @Test func theGatewaysHalfOpensItInPEMAndDERAndAnotherDoesNot() throws {
        let folder = try Workplace("halves")
        let convert = """
            openssl pkey -in key.pem -outform DER -out private.der && \
            openssl genrsa -out other.pem 2048 2>/dev/null && \
            openssl pkey -in key.pem -aes256 -passout pass:secret -out locked.pem && \
            openssl ecparam -name prime256v1 -genkey -noout -out curve.pem
            """
        #expect(try OpenSSL.run("\(Self.makeKey) && \(convert)", in: folder.path))
        let key = try PGEncryptKey(number: "41", certificate: folder.read("key.der"))
        var generator = SystemRandomNumberGenerator()
        let value = try PGEncrypt(key).encrypt([1, 2, 3], using: &generator)
        let payment = try PGEncryptedPayment(Array(value.utf8))
        for name in ["key.pem", "private.der"] {
            let half = try #require(try PGEncryptPrivateKey(folder.read(name)))
            #expect(try half.unmaskedText(of: payment) == [1, 2, 3])
            #expect(PGEncryptKeyPair(key: key, privateKey: half) != nil)
        }
        let other = try #require(try PGEncryptPrivateKey(folder.read("other.pem")))
        #expect(throws: PGEncryptedPaymentError.undecryptable) {
            try other.unmaskedText(of: payment)
        }
        #expect(PGEncryptKeyPair(key: key, privateKey: other) == nil)
        // A key with a passphrase is refused at once, without asking for it; and a curve's key.
        #expect(PGEncryptPrivateKey(try folder.read("locked.pem")) == nil)
        #expect(PGEncryptPrivateKey(try folder.read("curve.pem")) == nil)
        #expect(PGEncryptPrivateKey([]) == nil)
        #expect(PGEncryptPrivateKey(Array("-----BEGIN PRIVATE KEY-----".utf8)) == nil)
    }

    @Test func aDamagedValueOpensToNothing() throws {
        let folder = try Workplace("damaged")
        #expect(try OpenSSL.run(Self.makeKey, in: folder.path))
        let key = try PGEncryptKey(number: "41", certificate: folder.read("key.der"))
        let half = try #require(try PGEncryptPrivateKey(folder.read("key.pem")))
        var generator = SystemRandomNumberGenerator()
        let value = try PGEncrypt(key).encrypt(Array("ccexp=1025".utf8), using: &generator)
        let payment = try PGEncryptedPayment(Array(value.utf8))
        for index in stride(from: 0, to: 256, by: 51) {
            var damaged = payment
            damaged.encryptedKey[index] ^= 0x10
            #expect(throws: PGEncryptedPaymentError.undecryptable) {
                try half.unmaskedText(of: damaged)
            }
        }
        var damaged = payment
        damaged.encryptedKey.removeLast()
        #expect(throws: PGEncryptedPaymentError.undecryptable) {
            try half.unmaskedText(of: damaged)
        }
        damaged.encryptedKey = [UInt8](repeating: 0xFF, count: 256)
        #expect(throws: PGEncryptedPaymentError.undecryptable) {
            try half.unmaskedText(of: damaged)
        }
    }
}
