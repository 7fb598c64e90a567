import CardCrypto
import CardData
import EventLoops
import GatewayProtocols
import Reporting

/// `cardrig encrypt`: gives what the SDK's PGEncrypt makes of a test card.
struct EncryptVerb: Verb {
    static let name = "encrypt"
    static let summary = "Encrypts a test card for an NMI gateway, as the SDK does."
    static let help = """
        Usage: cardrig encrypt --key KEYSTRING --card NAME [--cvv CODE] [--expires MMYY]
                               [--swiped] [--seed N]

        Prints the value of the field encrypted_payment: the card of that name as one that was
        typed in, or with --swiped its stripe, encrypted for the merchant whose key string it is
        (***number|certificate***, from the gateway's report sdk_key). Without --cvv no security
        code goes with it. Each call gives another value, unless a seed is given. Only test cards
        can be named; `cardrig decode pgencrypt` takes the value apart.

          --key KEYSTRING   The merchant's key.
          --card NAME       One of: \(TestCard.names.joined(separator: ", "))
          --cvv CODE        The security code to send.
          --expires MMYY    Another month of expiry than the card's.
          --swiped          The tracks in place of number and date.
          --seed N          Key, vector and padding from this number: for tests only.

          Example: ./cardrig encrypt --key "$(cat key.txt)" --card visa --cvv 999

        """

    private let key: PGEncryptKey
    private let card: DirectPostCard
    private let includesCVV: Bool
    private let seed: UInt64?

    init(_ reader: consuming ArgumentReader) throws(UsageError) {
        let keyText = try reader.takeValue("--key", expected: "a key string", isSecret: true) { $0 }
        let name = try reader.takeValue("--card", expected: "the name of a test card") { $0 }
        let cvv = try reader.takeValue(
            "--cvv",
            expected: "a security code of 3 or 4 digits",
            isSecret: true
        ) {
            let isCode = (3...4).contains($0.utf8.count) && $0.utf8.allSatisfy(Self.isDigit)
            return isCode ? Array($0.utf8) : nil
        }
        let expires = try reader.takeValue("--expires", expected: "a month such as 1225") {
            ExpirationDate($0)
        }
        let isSwiped = try reader.takeFlag("--swiped")
        seed = try reader.takeValue("--seed", expected: "an unsigned integer") { UInt64($0) }
        guard try reader.takePositionals().isEmpty else {
            throw .wrong("encrypt takes options only: --key KEYSTRING --card NAME")
        }
        guard let keyText else { throw .wrong("encrypt wants --key with the merchant's key") }
        guard let name else {
            throw .wrong("encrypt wants --card: " + TestCard.names.joined(separator: ", "))
        }
        do throws(PGEncryptKeyError) {
            key = try PGEncryptKey(keyText)
        } catch {
            throw .wrong("--key: character \(error.offset): \(error.description)")
        }
        guard let stripe = TestCard.named(name) else {
            let hint = nearest(to: name, among: TestCard.names).map { "; did you mean '\($0)'?" }
            let rest = "; the cards are " + TestCard.names.joined(separator: ", ")
            throw .wrong("there is no test card '\(name)'" + (hint ?? rest))
        }
        guard !isSwiped || expires == nil else {
            throw .wrong("--expires does not go with --swiped: the date is on the stripe")
        }
        card = try Self.card(stripe, isSwiped: isSwiped, expires: expires, cvv: cvv)
        includesCVV = cvv != nil
    }

    private static func card(
        _ stripe: TestCard,
        isSwiped: Bool,
        expires: ExpirationDate?,
        cvv: [UInt8]?
    ) throws(UsageError) -> DirectPostCard {
        if isSwiped {
            func track(_ bytes: [UInt8]) -> [UInt8]? { bytes.isEmpty ? nil : bytes }
            return .swiped(
                unmaskedTrack1: track(stripe.unmaskedTrack1),
                unmaskedTrack2: track(stripe.unmaskedTrack2),
                unmaskedTrack3: track(stripe.unmaskedTrack3),
                cvv: cvv
            )
        }
        guard let track = Track2(parsing: stripe.unmaskedTrack2),
            let date = expires ?? track.expirationDate
        else { throw .wrong("the test card '\(stripe.name)' has no number and date to type in") }
        return .keyed(
            unmaskedNumber: Array(track.pan.unmasked.utf8),
            expirationDate: Array(date.description.utf8),
            cvv: cvv
        )
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

    func run(_ streams: Streams) -> ExitCode {
        do throws(PGEncryptError) {
            streams.write(try value() + "\n")
            return .held
        } catch {
            streams.complain(error.description)
            return .wrong
        }
    }

    private func value() throws(PGEncryptError) -> String {
        let encryption = PGEncrypt(key)
        if let seed {
            var generator = SplitMix64(seed: seed)
            return try encryption.encrypt(card, includingCVV: includesCVV, using: &generator)
        }
        var generator = SystemRandomNumberGenerator()
        return try encryption.encrypt(card, includingCVV: includesCVV, using: &generator)
    }
}
