import CardData
import Reporting
import Testing

@testable import CardRigCLI

/// The listings of Miura frames; see the vectors of ReaderProtocolsTests for where they come from.
@Suite("cardrig decode miura and ber-tlv")
struct DecodeMiuraVectorsTests {
    /// A swipe on a reader without keys.
    private static let swipe =
        "0140A3E1819E480200075F21462542343736313733393030313031303031305E56495341"
        + "204143515549524552205445535420434152442030355E31353132323031313134333830"
        + "303537353030303030303F5F22253B343736313733393030313031303031303D31353132"
        + "323031313134333835373538393F3CDFAE22253B3437363137332A2A2A2A2A2A30303130"
        + "3D313531323230312A2A2A2A2A2A2A2A2A2A3F2A9000AD"

    private func run(_ arguments: [String]) -> (code: Int32, lines: [String], error: String) {
        let streams = Streams.captured()
        let code = CardRigCommand.run(["decode"] + arguments, streams: streams)
        let output = String(decoding: streams.output, as: UTF8.self)
        return (
            code.rawValue, output.split(separator: "\n").map(String.init),
            String(decoding: streams.error, as: UTF8.self)
        )
    }

    @Test func aCommandAndASwipeAreListedAndTheCardIsMasked() {
        let result = run(["miura", "01 00 04 D0 60 0D 00 B8 " + Self.swipe])
        #expect(result.code == 0)
        #expect(result.error.isEmpty)
        #expect(
            result.lines == [
                "offset  bytes  field",
                "     0      8  frame                    010004  (reader)",
                "     3      4  command                  D0600D00  (CARD STATUS)",
                "     8    167  frame                    0140A3  (reader, unsolicited)",
                "    11    161  E1 Response Data         158 bytes  (template)",
                "    14      4    48 Card Status         0007  (swiped, track 1, track 2)",
                "    18     73    5F21 Track 1           %B4761730001000010^VISA ACQUIRER TEST "
                    + "CARD **^1512*******************?",
                "    91     40    5F22 Track 2           ;4761730001000010=1512**************<",
                "   131     41    DFAE22 Masked Track 2  ;476173******0010=1512***************",
                "   172      2  status word              9000  (success)",
            ]
        )
    }

    @Test func theDirectionCanBeGiven() {
        // As an answer these bytes have a body that is no BER-TLV and an unknown status word.
        let frame = "010004D0000000D5"
        #expect(run(["miura", frame, "--from", "host"]).lines.count == 3)
        let answer = run(["miura", frame, "--from", "reader"])
        #expect(answer.lines.last?.contains("not a status word that any source lists") == true)
        let wrong = run(["miura", Self.swipe, "--from", "host"])
        #expect(wrong.code == 2)
        #expect(
            wrong.error
                == "cardrig: miura: byte 1: PCB 40 is neither 00 nor 01, nor 40 or 41 from a "
                + "reader\n"
        )
        #expect(run(["ber-tlv", "E3020100", "--from", "host"]).code == 2)
        #expect(run(["miura", frame, "--from", "printer"]).code == 2)
    }

    @Test func aTransactionIsListedObjectByObject() {
        let result = run([
            "miura",
            "01002DDED1000028E0269C01009F02060000000004569A032601019F2103120000DFA2040101DFA2030100"
                + "5F2A020826D6",
        ])
        #expect(result.code == 0)
        #expect(
            result.lines == [
                "offset  bytes  field",
                "     0     49  frame                           01002D  (reader)",
                "     3      4  command                         DED10000  (START TRANSACTION)",
                "     8     40  E0 Command Data                 38 bytes  (template)",
                "    10      3    9C Transaction Type           00  (purchase)",
                "    13      9    9F02 Amount, Authorised (Numeric)  000000000456  (456 minor "
                    + "units)",
                "    22      5    9A Transaction Date           260101",
                "    27      6    9F21 Transaction Time         120000",
                "    33      5    DFA204 Application Selection  01",
                "    38      5    DFA203 Stop at Terminal Risk Management  00",
                "    43      5    5F2A Transaction Currency Code  0826  (ISO 4217 number 826)",
            ]
        )
    }

    @Test func objectsAreListedWithTheirNames() {
        let result = run(["ber-tlv", "E3 06 01 00 9F27 01 40 DFAE04 08 8B68AF72199529B8"])
        #expect(result.code == 0)
        #expect(
            result.lines == [
                "offset  bytes  field",
                "     0      8  E3 Transaction Approved         6 bytes  (template)",
                "     2      2    01                            empty",
                "     4      4    9F27 Cryptogram Information Data  40  (approved (TC))",
                "     8     12  DFAE04 Online PIN Data          8 bytes  (not shown)",
            ]
        )
        let cut = run(["ber-tlv", "E3 06 01 00 9F27 04 40"])
        #expect(cut.code == 2)
        #expect(
            cut.error == "cardrig: ber-tlv: byte 7: the value is longer than what there is\n"
        )
    }

    @Test func damageIsNamedWithItsByte() {
        let result = run(["miura", "01 00 06 10 11 12 13 90 00 00"])
        #expect(result.code == 2)
        #expect(
            result.error
                == "cardrig: miura: byte 9: the LRC is 00, and 97 would be right for the "
                + "frame at byte 0\n"
        )
        let cut = run(["miura", "01 00 06 10 11"])
        #expect(
            cut.error
                == "cardrig: miura: byte 5: LEN 06 of the frame at byte 0 makes 10 bytes, and the "
                + "input ends after 5\n"
        )
    }
}
