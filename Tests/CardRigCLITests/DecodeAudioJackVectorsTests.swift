import CardData
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
        "0001020010411111111125124341524"
        + "42F54455354" + String(repeating: "20", count: 17) + "FFFF9876543210E00001"
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
            result.output == """
                GOLDEN-RECORD
                """
        )
    }

    @Test func anIPSPacketIsListedWhole() {
        let result = run(["ips", Self.packet])
        #expect(result.code == 0)
        #expect(result.error.isEmpty)
        #expect(
            result.output == """
                GOLDEN-PACKET
                """
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
        let month = Self.packet.replacing("412512", with: "412513")
        #expect(run(["ips", month.replacing("11112512", with: "11112513")]).error.contains("byte 11: "))
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
        #expect(clear.output.contains("^BUSH JR/GEORGE W.MR^0809****************?"))
        #expect(!clear.output.contains("8889999"))
        #expect(run(["idtech", "06027E0133034C"]).error.contains("byte 6: the LRC is wrong"))
    }
}
