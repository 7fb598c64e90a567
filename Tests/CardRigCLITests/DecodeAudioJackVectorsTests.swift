import CardData
import Reporting
import Testing

@testable import CardRigCLI

/// The listings of packets of the audio jack; see the vectors of ReaderProtocolsTests for where
/// the packets come from.
@Suite("cardrig decode idtech and ips")
struct DecodeAudioJackVectorsTests {
    private static let record =
        "02F600801F4823008383252A343236362A2A2A2A2A2A2A2A393939395E42555348204A522F47454F"
        + "52474520572E4D525E2A2A2A2A2A2A2A2A2A2A2A2A2A2A2A2A2A2A2A2A2A2A2A2A2A2A2A2A2A2A2A"
        + "3F2A3B343236362A2A2A2A2A2A2A2A393939393D2A2A2A2A2A2A2A2A2A2A2A2A2A2A2A3F2AED9DB7"
        + "28814F150D177F769B0441C52B2B1994C83D058F1DDA5DAA6753CF0F61BB7690C7E8A276D3D60651"
        + "3D1F8B79423C70594A0849CBB4C7B5A8DAC2B1A21B11F1C47EF4F12AC0F3A615D24BEC42E0E3CEE2"
        + "2BF6050DA4364D12826AD1960AAF74AFA014B6FAFBC5F07D353C3F84113030313233343536373862"
        + "994901190000000004718303"

    private static let packet =
        "00010200104111111111251243415244"
        + "2F54455354" + String(repeating: "20", count: 17) + "FFFF9876543210E00001"
        + "B0B1B2B3B4B5B6B7B8B9BABBBCBDBEBFC0C1C2C3C4C5C6C7C8C9CACBCCCDCECFD0D1D2D3D4D5D6D7"
        + "D0D1D2D3D4D5D6D7D8D9DADBDCDDDEDFE0E1E2E3E4E5E6E7E8E9EAEBECEDEEEFF0F1F2F3F4F5F6F7"

    private func run(_ arguments: [String]) -> (code: Int32, output: String, error: String) {
        let streams = Streams.captured()
        let code = CardRigCommand.run(["decode"] + arguments, streams: streams)
        return (
            code.rawValue, String(decoding: streams.output, as: UTF8.self),
            String(decoding: streams.error, as: UTF8.self)
        )
    }

    @Test func aShuttlesRecordIsListedWhole() {
        let result = run(["idtech", Self.record])
        #expect(result.code == 0)
        #expect(result.error.isEmpty)
        #expect(
            result.output.split(separator: "\n").map(String.init) == [
                "offset  bytes  field",
                "     0      1  start                    02",
                "     1      2  length                   246  (of the card data)",
                "     3      1  card encode type         80  (enhanced format: ISO/ABA,"
                    + " a payment card)",
                "     4      1  track status             1F  (track 1 decoded, track 2 "
                    + "decoded, track 3 blank)",
                "     5      1  track 1 length           72",
                "     6      1  track 2 length           35",
                "     7      1  track 3 length           0",
                "     8      1  field byte 1             83  (T1+T2 masked, TDES, data "
                    + "key, serial number)",
                "     9      1  field byte 2             83  (T1+T2 encrypted, KSN)",
                "    10     72  track 1 masked           %*4266********9999^BUSH JR/GEO"
                    + "RGE W.MR^*******************************?*",
                "    82     35  track 2 masked           ;4266********9999=************"
                    + "***?*",
                "   117     72  track 1 encrypted        ED9DB728814F150D177F769B0441C5"
                    + "2B2B1994C83D058F1DDA5DAA6753CF0F61BB7690C7E8A276D3D606513D1F8B79423C70"
                    + "594A0849CBB4C7B5A8DAC2B1A21B11F1C47EF4F12AC0  (72 bytes)",
                "   189     40  track 2 encrypted        F3A615D24BEC42E0E3CEE22BF6050D"
                    + "A4364D12826AD1960AAF74AFA014B6FAFBC5F07D353C3F8411  (40 bytes)",
                "   229     10  serial number            0012345678",
                "   239     10  DUKPT key serial number  62994901190000000004",
                "   249      1  LRC                      71  (right)",
                "   250      1  checksum                 83  (right)",
                "   251      1  end                      03",
            ]
        )
    }

    @Test func anIPSPacketIsListedWhole() {
        let result = run(["ips", Self.packet])
        #expect(result.code == 0)
        #expect(result.error.isEmpty)
        #expect(
            result.output.split(separator: "\n").map(String.init) == [
                "offset  bytes  field",
                "     0      1  byte 0                   00",
                "     1      1  version                  01",
                "     2      1  encryption mode          02  (DUKPT)",
                "     3      1  byte 3                   00",
                "     4      1  card number length       16",
                "     5      3  first six digits         411111",
                "     8      2  last four digits         1111",
                "    10      2  expiration date          2512  (YYMM)",
                "    12     26  cardholder name          CARD/TEST",
                "    38     10  DUKPT key serial number  FFFF9876543210E00001",
                "    48     40  track 2 encrypted        B0B1B2B3B4B5B6B7B8B9BABBBCBDBE"
                    + "BFC0C1C2C3C4C5C6C7C8C9CACBCCCDCECFD0D1D2D3D4D5D6D7  (40 bytes)",
                "    88     40  track 1 encrypted        D0D1D2D3D4D5D6D7D8D9DADBDCDDDE"
                    + "DFE0E1E2E3E4E5E6E7E8E9EAEBECEDEEEFF0F1F2F3F4F5F6F7  (40 bytes)",
            ]
        )
    }

    @Test func whatIsWrongWithARecordIsNamedWithItsByte() {
        let cut = run(["idtech", String(Self.record.prefix(120))])
        #expect(cut.code == 2)
        #expect(
            cut.error
                == "cardrig: idtech: byte 60: more bytes are expected, and the input ends\n"
        )
        #expect(cut.output.contains("track 1 length"))
        var digits = Array(Self.record)
        digits[21] = "B"
        let changed = run(["idtech", String(digits)])
        #expect(changed.code == 2)
        #expect(changed.error == "cardrig: idtech: byte 249: the LRC is wrong\n")
        #expect(changed.output.contains("71  (wrong)"))
        let longer = run(["idtech", Self.record + "0D0A"])
        #expect(longer.error.contains("byte 252: the packet ends before this byte"))
        #expect(run(["idtech", "FF"]).error.contains("byte 0: no packet, answer, command"))
        #expect(run(["ips", String(Self.packet.dropLast(2))]).error.contains("byte 127: a packet"))
        let month = Self.packet.replacing("11112512", with: "11112513")
        #expect(run(["ips", month]).error.contains("byte 11: the second half of a date"))
    }

    @Test func answersCommandsAndTextsAreListed() {
        #expect(run(["idtech", "06"]).output.contains("answer  06  (acknowledged)"))
        #expect(run(["idtech", "15"]).output.contains("15  (refused)"))
        let version = run(["idtech", "06024944205445434820556E694D61672049492056322E31300344"])
        #expect(version.output.contains("data    ID TECH UniMag II V2.10\n"))
        #expect(run(["idtech", "0252220371"]).output.contains("22  (firmwareVersion)"))
        #expect(run(["idtech", "02534C0132032D"]).output.contains("4C  (cipher)"))
        #expect(run(["idtech", "%E?;E?"]).output.contains("could not read the swipe"))
        let clear = run(["idtech", "%B4266841088889999^BUSH JR/GEORGE W.MR^0809101100001100?\r"])
        #expect(clear.code == 0)
        #expect(clear.output.contains("track 1  %B426684000"))
        #expect(clear.output.contains("^BUSH JR/GEORGE W.MR^0809************?"))
        #expect(!clear.output.contains("8889999"))
        #expect(run(["idtech", "06027E0133034C"]).error.contains("byte 6: the LRC is wrong"))
    }
}
