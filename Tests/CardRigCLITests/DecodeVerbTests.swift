import CardData
import Reporting
import Testing

@testable import CardRigCLI

@Suite("cardrig decode")
struct DecodeVerbTests {
    private static let errors =
        "%E?;E?+E?|0600||||A1050000||B000795|21685F158B5C6BE0|FFFF9876543210E00008|9559||0000"

    private func run(
        _ arguments: [String],
        input: [UInt8] = []
    ) -> (code: Int32, output: String, error: String) {
        let streams = Streams.captured(input: input)
        let code = CardRigCommand.run(["decode"] + arguments, streams: streams)
        return (
            code.rawValue, String(decoding: streams.output, as: UTF8.self),
            String(decoding: streams.error, as: UTF8.self)
        )
    }

    @Test func aMessageIsListedWithOffsets() {
        let result = run(["magnesafe-stream", Self.errors])
        #expect(result.code == 0)
        #expect(result.error.isEmpty)
        #expect(
            result.output.contains(
                "    10      4  reader encryption status  0600  "
                    + "(initial key injected, encryption enabled)\n"
            )
        )
        #expect(result.output.contains("checksum                  9559  (right)\n"))
        let piped = run(["magnesafe-stream", "-"], input: Array((Self.errors + "\r\n").utf8))
        #expect(piped.code == 0)
        #expect(piped.output.hasPrefix(result.output.dropLast()))
    }

    @Test func hexadecimalMayStandForText() {
        let hexadecimal = Hexadecimal.encode(Array(Self.errors.utf8))
        #expect(
            run(["magnesafe-stream", hexadecimal]).output
                == run(["magnesafe-stream", Self.errors]).output
        )
    }

    @Test func aGatewaysFormsAreListedAndWhatIsWrongHasItsOffset() {
        let good = run(["nmi-request", "security_key=abc&type=void&transactionid=7&cvv=123"])
        #expect(good.code == 0)
        #expect(good.output.contains("security_key   3 characters  (the merchant's key)"))
        #expect(!good.output.contains("abc") && !good.output.contains("123"))
        let wrong = run(["nmi-request", "type=sale&amount=1.005"])
        #expect(wrong.code == 2)
        #expect(
            wrong.error
                == "cardrig: nmi-request: byte 17: expected an amount such as 10.99\n"
        )
        let answer = run(["nmi-response", "response=2&response_code=202&cvvresponse=N"])
        #expect(answer.code == 0)
        #expect(answer.output.contains("202  (Insufficient funds)"))
    }

    @Test func aReportMayComeInManyWays() {
        let report = [UInt8](repeating: 0, count: 337)
        let text = Hexadecimal.encode(report)
        let expected = run(["magnesafe-hid", text])
        #expect(expected.code == 0)
        #expect(run(["magnesafe-hid", "-"], input: report).output == expected.output)
        #expect(
            run(["magnesafe-hid", "-"], input: Array((text + "\n").utf8)).output
                == expected.output
        )
        let halves = [String(text.prefix(100)), String(text.dropFirst(100))]
        #expect(run(["magnesafe-hid"] + halves).output == expected.output)
    }

    @Test func whatIsWrongIsNamedWithItsOffset() {
        let cut = run(["magnesafe-stream", String(Self.errors.prefix(20))])
        #expect(cut.code == 2)
        #expect(
            cut.error
                == "cardrig: magnesafe-stream: byte 20: a message has 12 separators '|', and this "
                + "has 5\n"
        )
        #expect(cut.output.contains("track 1 masked"))
        #expect(run(["magnesafe-hid", "00 0x"]).error.contains("character 4: this is no hex"))
        #expect(run(["magnesafe-hid", "000"]).error.contains("character 3: the number of hex"))
        #expect(run(["magnesafe-hid", "0000"]).error.contains("byte 2: a report has 337, 856"))
        for arguments in [
            ["magnesafe-hid", "zz"], ["magnesafe-hid"], [], ["magnesafe-hdi", "00"],
            ["magnesafe-hid", "-", "00"], ["magnesafe-hid", "00", "--jsn"],
        ] {
            #expect(run(arguments).code == 2, "\(arguments)")
        }
        #expect(run(["magnesafe-hdi", "00"]).error.contains("did you mean 'magnesafe-hid'?"))
        #expect(run(["nonsense", "00"]).error.contains("magnesafe-stream"))
    }

    @Test func jsonHoldsTheSame() {
        let result = run(["magnesafe-stream", Self.errors, "--json"])
        #expect(result.code == 0)
        #expect(result.output.contains("\"protocol\": \"magnesafe-stream\""))
        #expect(result.output.contains("\"name\": \"format code\""))
        #expect(result.output.contains("\"problem\": null"))
        let broken = run(["magnesafe-hid", "00", "--json"])
        #expect(broken.code == 2)
        #expect(broken.output.contains("\"offset\": 1"))
    }

    @Test func inputIsBounded() {
        let huge = [UInt8](repeating: 0x30, count: DecodeVerb.inputLimit + 1)
        let result = run(["magnesafe-hid", "-"], input: huge)
        #expect(result.code == 2)
        #expect(result.error.contains("longer than a megabyte"))
    }

    @Test func everyProtocolRefusesWhatMeansNothing() {
        for entry in DecodeProtocol.all {
            #expect(run([entry.name, "?"]).code == 2)
            #expect(run([entry.name, "-"], input: []).code == 2)
            #expect(DecodeVerb.help.contains("  \(entry.name) "))
        }
    }
}
