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
                == "cardrig: idtech: byte 60: the length (bytes 1 and 2: F6 00) is 246, which makes a "
                + "record of 252 bytes; the input ends after 60; 36 00 (54) would fit what is here\n"
        )
        #expect(cut.output.contains("track 1 length"))
        var digits = Array(Self.record)
        digits[21] = "B"
        let changed = run(["idtech", String(digits)])
        #expect(changed.code == 2)
        #expect(
            changed.error
                == "cardrig: idtech: byte 249: the LRC is 71, and 7F would be right\n"
                + "cardrig: idtech: byte 250: the checksum is 83, and 89 would be right\n"
        )
        #expect(changed.output.contains("71  (wrong: 7F would be right)"))
        let longer = run(["idtech", Self.record + "0D0A"])
        #expect(longer.error.contains("byte 252: the packet ends before this byte"))
        #expect(run(["idtech", "FF"]).error.contains("byte 0: no packet, answer, command"))
        #expect(run(["ips", String(Self.packet.dropLast(2))]).error.contains("byte 127: a packet"))
        let two = Self.packet.replacing("0200104111", with: "020019A111")
        #expect(
            run(["ips", two]).error
                == "cardrig: ips: byte 4: a card number has 12 to 19 digits, and this says 25\n"
                + "cardrig: ips: byte 5: two decimal digits are expected, found A1\n"
        )
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
        #expect(run(["idtech", "06027E0133034C"]).error.contains("byte 6: the LRC is 4C"))
    }

    private func problem(_ message: String) -> String {
        let result = run(["idtech", message])
        #expect(result.code == 2)
        return result.error
    }

    @Test func aLengthThatDoesNotFitIsNamedWithTheOneThatWould() {
        let long = "02FA" + Self.record.dropFirst(4)
        #expect(
            problem(long)
                == "cardrig: idtech: byte 1: the length (bytes 1 and 2: FA 00) is 250, which makes a "
                + "record of 256 bytes; here are 252; F6 00 (246) would fit what is here\n"
        )
        let end = Self.record.dropLast(2) + "00"
        #expect(
            problem(String(end))
                == "cardrig: idtech: byte 251: the end byte 03 is expected here, found 00\n"
        )
        let flags = problem(Self.record.replacing("02F600801F48", with: "02F600801F47"))
        #expect(flags.contains("byte 1: the length (bytes 1 and 2: F6 00) is 246 and does not fit"))
        #expect(flags.contains("they have 245 bytes, F5 00"))
        #expect(flags.contains("byte 249: the LRC is 71, and 7E would be right"))
    }

    @Test func anUnknownEncodeTypeListsThoseThereAre() {
        let error = problem("02F6008A" + Self.record.dropFirst(8))
        #expect(error.contains("byte 3: the card encode type 8A is none; in the enhanced format"))
        #expect(error.contains("80 ISO/ABA, a payment card; 81 AAMVA, a driver's licence; 83"))
    }

    @Test func aDamagedCommandIsACommand() {
        for message in ["0252220370", "02522203", "025222", "0252"] {
            #expect(run(["idtech", message]).output.contains("52  (get)"), "\(message)")
        }
        #expect(problem("0252220370").contains("byte 4: the LRC is 70, and 71 would be right"))
        #expect(
            problem("02522203").contains("byte 4: the LRC of a command is missing, and 71 would be")
        )
        #expect(problem("025222").contains("byte 3: a command ends with 03 and its LRC, 71: both"))
        #expect(
            problem("0252220471").contains("byte 3: the end byte 03 is expected here, found 04")
        )
        #expect(problem("0252").contains("byte 2: a function is expected here"))
        #expect(problem("02534C0232032D").contains("byte 3: the value has 2 bytes by its length"))
    }

    /// The rows of a listing without its heading: name, value and meaning, one blank between.
    private func rows(_ message: String) -> [String] {
        let result = run(["idtech", message])
        #expect(result.code == 0, "\(result.error)")
        return result.output.split(separator: "\n").dropFirst().map { line in
            line.split(separator: " ").joined(separator: " ")
        }
    }

    @Test func settingsAreListedByFunctionLengthAndValue() {
        #expect(
            rows("06027E0133034D") == [
                "0 1 answer 06 (acknowledged)", "1 1 start 02", "2 1 function 7E (securityLevel)",
                "3 1 length 1", "4 1 value 3", "5 1 end 03", "6 1 LRC 4D (right)",
            ]
        )
        #expect(
            rows("06022301300313")[2...4] == [
                "2 1 function 23 (usbMode)", "3 1 length 1", "4 1 value 0",
            ]
        )
        #expect(rows("06024E0B0A303031323334353637380346").contains("3 1 length 11"))
        #expect(
            rows("0253490106031C") == [
                "0 1 start 02", "1 1 command 53 (set)", "2 1 function 49 (leadingClearDigits)",
                "3 1 length 1", "4 1 value 6", "5 1 end 03", "6 1 LRC 1C (right)",
            ]
        )
    }

    @Test(
        arguments: [
            "06", "15", "00", "06EE", "0600", "061234", "06563231", "06027E0133034D", "0252220371",
            "06024E0B0A303031323334353637380346", "02534C0132032D", "025318034A", "024649030E",
            "06024944205445434820556E694D61672049492056322E31300344", record,
            "021E00831E000D0082003B303132333435363738393F35303031323334353637382AF003",
            "%E?;E?\r", ";0123456789?\r",
        ]
    )
    func everyByteIsInExactlyOneRow(message: String) throws {
        let result = run(["idtech", message, "--json"])
        let listing = result.output.split(separator: "\n")
        func numbers(_ key: String) -> [Int] {
            listing.filter { $0.contains("\"\(key)\":") }.compactMap {
                Int($0.split(separator: ":")[1].filter { "0123456789".contains($0) })
            }
        }
        let counts = numbers("byteCount")
        #expect(counts.dropFirst().reduce(0, +) == counts.first)
    }

    @Test func answersThatSayNoAreFailed() {
        #expect(rows("06563231").first == "0 1 answer 06 (failed: the reader is in its bootloader)")
        #expect(rows("06563231").last == "2 2 file version 2.1")
        #expect(rows("06EE") == ["0 1 answer 06 (failed)", "1 1 result EE (calibration failed)"])
        #expect(rows("00") == ["0 1 answer 00 (timeout: no answer came)"])
        #expect(rows("061234").last?.hasPrefix("1 2 value 1234 (battery level") == true)
    }

    @Test func tracksThatAreClearAreNotCalledMasked() {
        let licence = "021E00831E000D0082003B303132333435363738393F35303031323334353637382AF003"
        let row = rows(licence).first { $0.contains("track 2 ;") }
        #expect(row?.hasSuffix("(clear in the text, masked here)") == true)
        #expect(!rows(licence).contains { $0.contains("0123456789") })
        #expect(rows(Self.record).contains { $0.contains("track 1 masked %*4266") })
    }
}
