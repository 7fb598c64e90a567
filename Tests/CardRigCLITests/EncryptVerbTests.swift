import CardData
import Kernel
import Reporting
import Testing

@testable import CardRigCLI

@Suite("cardrig encrypt, and decode of what it gives")
struct EncryptVerbTests {
    private struct Result {
        var code: Int32
        var output: String
        var error: String
    }

    private func run(_ arguments: [String], input: [UInt8] = []) -> Result {
        let streams = Streams.captured(input: input)
        let code = CardRigCommand.run(arguments, streams: streams)
        return Result(
            code: code.rawValue,
            output: String(decoding: streams.output, as: UTF8.self),
            error: String(decoding: streams.error, as: UTF8.self)
        )
    }

    /// A key pair that OpenSSL made now: the key string, and the path of the other half.
    private func makeKey(_ folder: TemporaryFolder) throws -> (text: String, path: String) {
        let line = """
            cd \(folder.path) && openssl req -x509 -newkey rsa:2048 -nodes -keyout key.pem \
            -outform DER -out key.der -days 1 -subj /CN=test 2>/dev/null
            """
        var child = try ChildProcess(["sh", "-c", line])
        let limit = MonotonicClock.now + 60_000_000_000
        guard try child.wait(untilMonotonicNanoseconds: limit) == .exited(0) else {
            return ("", "")
        }
        let certificate = try FileBytes.read(path: "\(folder.path)/key.der", limit: 1 << 16)
        return ("***7|\(Base64.text(of: certificate))***", "\(folder.path)/key.pem")
    }

    @Test(
        .enabled(
            if: (try? ChildProcess(["openssl", "version"])) != nil,
            "openssl is not installed"
        )
    )
    func whatIsEncryptedIsTakenApartAgainAndMasked() throws {
        let folder = TemporaryFolder()
        let (key, path) = try makeKey(folder)
        let made = run([
            "encrypt", "--key", key, "--card", "visa", "--cvv", "999", "--seed", "7",
        ])
        #expect(made.code == 0)
        #expect(made.error.isEmpty)
        let value = String(made.output.dropLast())
        #expect(value.utf8.count == 592)
        let parts = run(["decode", "pgencrypt", value])
        #expect(parts.code == 0)
        #expect(parts.output.contains("     0      4  format"))
        #expect(parts.output.contains("     7      1  key number     7  (whose key it is)\n"))
        #expect(
            parts.output.contains(
                "encrypted key  256 bytes  (an AES key of 32 bytes under RSA with 2048 bits)\n"
            )
        )
        #expect(parts.output.contains("cryptogram     48 bytes  (3 blocks of AES)\n"))
        #expect(!parts.output.contains("ccnumber"))
        let opened = run(["decode", "pgencrypt", value, "--private-key", path])
        #expect(opened.code == 0)
        #expect(opened.output.contains("ccnumber       411111...1111  (the card's number)\n"))
        #expect(opened.output.contains("ccexp          1225  (the month of expiry, MMYY)\n"))
        #expect(opened.output.contains("cvv            3 digits  (the card's security code)\n"))
        #expect(!opened.output.contains("999"))
        let swiped = run(["encrypt", "--key=\(key)", "--card=visa", "--swiped"])
        let tracks = run(
            ["decode", "pgencrypt", "-", "--private-key", path],
            input: Array(swiped.output.utf8)
        )
        #expect(tracks.code == 0)
        #expect(tracks.output.contains("characters  (track 2 in clear)\n"))
        // Another key does not open it.
        let other = TemporaryFolder()
        let foreign = try makeKey(other)
        let refused = run(["decode", "pgencrypt", value, "--private-key", foreign.path])
        #expect(refused.code == 2)
        #expect(
            refused.error
                == "cardrig: pgencrypt: byte 0: the private key does not open it, or it was damaged\n"
        )
        // With a seed it is the same again, without one it is not.
        let again = run([
            "encrypt", "--key", key, "--card", "visa", "--cvv", "999", "--seed", "7",
        ])
        #expect(again.output == made.output)
        let fresh = run(["encrypt", "--key", key, "--card", "visa", "--cvv", "999"])
        #expect(fresh.output != made.output)
    }

    static let mistakes: [(arguments: [String], error: String)] = [
        ([], "encrypt wants --key with the merchant's key"),
        (
            ["--key", "invalid", "--card", "visa"],
            "--key: character 0: the key must begin and end with three asterisks"
        ),
        (
            ["--key", "***1|QUJD***", "--card", "visa"],
            "--key: character 5: expected an X.509 certificate with an RSA key of 1024 to 4096 "
                + "bits after `|`"
        ),
        (
            ["--key", "***1|QUJD***", "--cvv", "12"],
            "the option --cvv wants a security code of 3 or 4 digits, found something else"
        ),
        (["visa"], "encrypt takes options only: --key KEYSTRING --card NAME"),
        (["--kye", "1"], "there is no option '--kye'; did you mean '--key'?"),
    ]

    @Test(arguments: mistakes)
    func aMistakeIsNamedWithWhatWouldBeRight(arguments: [String], error: String) {
        let result = run(["encrypt"] + arguments)
        #expect(result.code == 2)
        #expect(result.error == "cardrig: \(error)\n")
        #expect(result.output.isEmpty)
    }

    @Test func theVendorsFailureTextIsNoEncryptedPayment() {
        let result = run(["decode", "pgencrypt", "Encryption Failed"])
        #expect(result.code == 2)
        #expect(
            result.error == "cardrig: pgencrypt: byte 0: this is the vendor's text for a missing "
                + "key, not a cryptogram\n"
        )
        let misplaced = run(["decode", "nmi-response", "response=1", "--private-key", "k"])
        #expect(misplaced.code == 2)
        #expect(misplaced.error.contains("--private-key does not go with nmi-response"))
        let missing = run(["decode", "pgencrypt", "QUJD", "--private-key", "/nonexistent"])
        #expect(missing.code == 2)
        #expect(missing.error.hasPrefix("cardrig: --private-key: "))
    }

    static let report = """
        <?xml version="1.0" encoding="UTF-8"?>
        <nm_response><transaction><transaction_id>7</transaction_id>\
        <condition>complete</condition><cc_number>4xxxxxxxxxxx1111</cc_number>\
        <action><amount>11.00</amount><action_type>settle</action_type>\
        <success>1</success></action></transaction></nm_response>
        """

    @Test func aReportIsListedElementByElement() {
        let result = run(["decode", "nmi-query", Self.report])
        #expect(result.code == 0)
        #expect(
            result.output == """
                offset  bytes  field
                    64      0  transaction                     1  (begins)
                    81      1  transaction/transaction_id      7
                   110      8  transaction/condition           complete  (settled)
                   141     16  transaction/cc_number           4xxxxxxxxxxx1111  (masked by the gateway)
                   176      0  transaction/action              1  (begins)
                   185      5  transaction/action/amount       11.00
                   212      6  transaction/action/action_type  settle  (the money moved)
                   241      1  transaction/action/success      1  (succeeded)

                """
        )
        let key = run([
            "decode", "nmi-query", "<nm_response><sdk_key>***1|QUJD***</sdk_key></nm_response>",
        ])
        #expect(key.output.contains("sdk_key  12 characters  (the merchant's key for PGEncrypt)"))
        let wrong = run(["decode", "nmi-query", "<html></html>"])
        #expect(wrong.code == 2)
        #expect(
            wrong.error
                == "cardrig: nmi-query: byte 0: expected the root `nm_response`, found `html`\n"
        )
        let broken = run(["decode", "nmi-query", "<nm_response><transaction>"])
        #expect(broken.code == 2)
        #expect(broken.error.contains("this is no well-formed XML"))
        #expect(
            broken.error.contains(
                "the document ends inside `nm_response/transaction`, and `</transaction>` is expected"
            )
        )
        // A moment may pass for a card number by its digits, and is shown; a number in its place not.
        for second in 0..<60 {
            let moment = "202611302228" + (second < 10 ? "0" : "") + "\(second)"
            let document =
                "<nm_response><transaction><action><date>\(moment)</date></action>"
                + "</transaction></nm_response>"
            #expect(run(["decode", "nmi-query", document]).output.contains(moment))
        }
        let number = TestCard.named("visa").flatMap { Track2(parsing: $0.unmaskedTrack2) }?.pan
            .unmasked
        let hidden = run([
            "decode", "nmi-query", "<nm_response><date>\(number ?? "")</date></nm_response>",
        ])
        #expect(hidden.code == 0 && !hidden.output.contains(number ?? ""))
        let card = run([
            "decode", "nmi-query",
            "<nm_response><transaction><cc_number>\(number ?? "")</cc_number></transaction>"
                + "</nm_response>",
        ])
        #expect(card.output.contains("411111******1111  (not masked"))
        let empty = run(["decode", "nmi-query", "<nm_response></nm_response>"])
        #expect(empty.code == 0)
    }

    @Test(
        arguments: [
            ("R1dT*w==", "byte 4: expected base 64, found a character that it has not"),
            ("R1dTQ", "byte 5: expected base 64, found 5 characters, which is no multiple of 4"),
            ("R1dTQ3wx", "byte 0: expected six parts between `|`, found 2"),
            // GWSC|2|7|a|b|c
            ("R1dTQ3wyfDd8YXxifGM=", "byte 5: expected the version 1, found 2"),
            // GWSC|1|7|QUJD|b|c
            (
                "R1dTQ3wxfDd8UVVKRHxifGM=",
                "byte 9: expected the encrypted key, base 64 of 128 to 512 bytes, found base 64 of "
                    + "3 bytes"
            ),
        ]
    )
    func aDamagedValueSaysWhereAndWhatWasFound(value: String, problem: String) {
        let result = run(["decode", "pgencrypt", value])
        #expect(result.code == 2)
        #expect(result.error == "cardrig: pgencrypt: \(problem)\n")
    }

    /// What is typed in the wrong place may be a card: no complaint says it again.
    @Test(arguments: [
        ["encrypt", "--key", "K", "--card", "NUMBER"], ["encrypt", "--key", "K", "--cvv", "98765"],
        ["encrypt", "--key", "K", "--cvv", "-98765"], ["encrypt", "--key", "NUMBER"],
        ["encrypt", "--NUMBER"], ["encrypt", "--swiped=NUMBER"],
        ["encrypt", "--expires", "NUMBER"],
        ["NUMBER"], ["serve", "NUMBER"], ["serve", "gateway", "NUMBER"], ["decode", "NUMBER"],
        ["run", "NUMBER"], ["check", "NUMBER"], ["list", "NUMBER"],
        ["serve", "terminal", "--set", "card=NUMBER"], ["explore", "--seed", "NUMBER"],
    ])
    func noComplaintSaysCardDataAgain(arguments: [String]) throws {
        let card = try #require(TestCard.named("visa"))
        let number = try #require(Track2(parsing: card.unmaskedTrack2)?.pan.unmasked)
        let result = run(
            arguments.map {
                $0 == "NUMBER"
                    ? number
                    : $0 == "--NUMBER"
                        ? "--" + number
                        : $0.hasSuffix("=NUMBER") ? String($0.dropLast(6)) + number : $0
            }
        )
        #expect(result.code != 0 && !result.error.isEmpty)
        #expect(!result.error.contains(number) && !result.output.contains(number))
        #expect(!result.error.contains("98765"))
    }
}
