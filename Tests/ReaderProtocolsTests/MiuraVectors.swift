import CardData
import ReaderProtocols

/// Frames of the Miura Payment Interface, and the messages that they make.
///
/// M01: PayPal retail SDK. M02 to M17, M27: frames of the Miura Android SDK's unit tests. M18 to M26:
/// published bodies, of which the frames are derived with the rules that reproduce the published
/// ones. M28: a published BER-TLV object. C: derived from the command builders of the Miura Java SDK
/// 1-1i.
enum MiuraVectors {
    /// M01: RESET DEVICE, soft reset (probe).
    static let m01 = bytes(
        "010004D0000000D5"
    )

    /// M02: smallest legal response, success.
    static let m02 = bytes(
        "010002900093"
    )

    /// M03: success response with a 4-byte body.
    static let m03 = bytes(
        "01000610111213900097"
    )

    /// M04: same payload, chained bit set.
    static let m04 = bytes(
        "01010610111213900096"
    )

    /// M05: same payload, unsolicited.
    static let m05 = bytes(
        "014006101112139000D7"
    )

    /// M06: same payload, unsolicited and chained.
    static let m06 = bytes(
        "014106101112139000D6"
    )

    /// M07: two-byte payload.
    static let m07 = bytes(
        "010002506033"
    )

    /// M08: chained frame without status word.
    static let m08 = bytes(
        "010104C0C1C2C304"
    )

    /// M09: unsolicited two-byte payload.
    static let m09 = bytes(
        "014002505142"
    )

    /// M10: nine-byte payload.
    static let m10 = bytes(
        "0100095A5B5C5D5E5F609000F9"
    )

    /// M11: largest single frame (LEN FE = 254).
    static let m11 = bytes(
        "0100FE000102030405060708090A0B0C0D0E0F101112131415161718191A1B1C1D1E1F20"
            + "2122232425262728292A2B2C2D2E2F303132333435363738393A3B3C3D3E3F4041424344"
            + "45464748494A4B4C4D4E4F505152535455565758595A5B5C5D5E5F606162636465666768"
            + "696A6B6C6D6E6F707172737475767778797A7B7C7D7E7F808182838485868788898A8B8C"
            + "8D8E8F909192939495969798999A9B9C9D9E9FA0A1A2A3A4A5A6A7A8A9AAABACADAEAFB0"
            + "B1B2B3B4B5B6B7B8B9BABBBCBDBEBFC0C1C2C3C4C5C6C7C8C9CACBCCCDCECFD0D1D2D3D4"
            + "D5D6D7D8D9DADBDCDDDEDFE0E1E2E3E4E5E6E7E8E9EAEBECEDEEEFF0F1F2F3F4F5F6F7F8"
            + "F9FAFBFCFDFE"
    )

    /// M12: three frames on one stream: unsolicited, unsolicited+chained, solicited.
    static let m12 = bytes(
        "0140042021222345014105303132333471010002404102"
    )

    /// M13: chain of three frames on NAD 02 (RPI).
    static let m13 = bytes(
        "020102112232020102334476020002556633"
    )

    /// M14: negative: bad NAD.
    static let m14 = bytes(
        "000002506032"
    )

    /// M15: negative: bad PCB.
    static let m15 = bytes(
        "01FF025060CC"
    )

    /// M16: negative: bad LRC.
    static let m16 = bytes(
        "01000610111213900000"
    )

    /// M18: CARD STATUS event: chip card inserted.
    static let m18 = bytes(
        "014008E10448020302900077"
    )

    /// M19: KEYBOARD event: Cancel key.
    static let m19 = bytes(
        "014009E005DFA205011B90005F"
    )

    /// M20: PRINTER (sled) status event.
    static let m20 = bytes(
        "014009E605DFA4010103900043"
    )

    /// M21: RESET DEVICE response of a POSzle (RPI).
    static let m21 = bytes(
        "020034E1309F1E083034303030323033EF11DF0D084D3130302D525049DF7F03312D31EF"
            + "10DF0D074D3130302D4F53DF7F03312D369000A5"
    )

    /// M22: swipe on a reader without SRED keys (clear tracks).
    static let m22 = bytes(
        "0140A3E1819E480200075F21462542343736313733393030313031303031305E56495341"
            + "204143515549524552205445535420434152442030355E31353132323031313134333830"
            + "303537353030303030303F5F22253B343736313733393030313031303031303D31353132"
            + "323031313134333835373538393F3CDFAE22253B3437363137332A2A2A2A2A2A30303130"
            + "3D313531323230312A2A2A2A2A2A2A2A2A2A3F2A9000AD"
    )

    /// M23: SYSTEM CLOCK set.
    static let m23 = bytes(
        "010012D01000000DE00B9A038510269F2103012122A0"
    )

    /// M24: START TRANSACTION response: E4, go online, offline PIN OK (Maestro test card).
    static let m24 = bytes(
        "0101FEE482012950074D41455354524F571167999989000018123D25122200835506065A"
            + "0967999989000018123F5F20134D54495032362D204D41455354524F203132415F240325"
            + "12315F280200565F2A0208405F300202205F340101820278008407A00000000430609505"
            + "00000080009A031504219B02E8009C01009F02060000000010009F03060000000000009F"
            + "0607A00000000430609F090200029F10120210A7800F040000000000000000000000FF9F"
            + "12074D61657374726F9F1A0208409F1C0831303030333331369F1E083130303033333136"
            + "9F2608460245B808BCA1369F2701809F3303E0B8C89F34034403029F3501229F36020027"
            + "9F3704EA2CA20100313A7A9F410400000094DF280104DFAE5711679999FFFFFFF8123D25"
            + "12220083550606DFAE5A09679999FFFFFFF8123F900088"
    )

    /// M25: CONTINUE TRANSACTION, approved.
    static let m25 = bytes(
        "01000BDED2000006E0048A0230306C"
    )

    /// M26: ONLINE PIN response.
    static let m26 = bytes(
        "01001EE11ADFAE04088B68AF72199529B8DFAE050AFFFF0102628D120000019000AB"
    )

    /// M27: CONTINUE/START error: user cancelled or aborted.
    static let m27 = bytes(
        "0100029F41DD"
    )

    /// M28: TLV edge: zero-length child.
    static let m28 = bytes(
        "E3020100"
    )

    /// The derived command frames, by what they ask for.
    static let commands: [(name: String, bytes: [UInt8])] = [
        (
            "RESET DEVICE hard",
            bytes(
                "010004D0000100D4"
            )
        ),
        (
            "RESET DEVICE clear files",
            bytes(
                "010004D0000200D7"
            )
        ),
        (
            "GET CONFIGURATION",
            bytes(
                "010004D0010000D4"
            )
        ),
        (
            "GET DEVICE INFO",
            bytes(
                "010004D0020000D7"
            )
        ),
        (
            "CARD STATUS enable (chip + tracks 1,2)",
            bytes(
                "010004D0600D00B8"
            )
        ),
        (
            "CARD STATUS enable + ATR + tracks 1,2,3",
            bytes(
                "010004D0601F00AA"
            )
        ),
        (
            "CARD STATUS disable",
            bytes(
                "010004D0600000B5"
            )
        ),
        (
            "CARD STATUS SOLICITED tracks 1,2",
            bytes(
                "010004D0640C00BD"
            )
        ),
        (
            "KEYBOARD STATUS enable, backlight on",
            bytes(
                "010004D0610101B4"
            )
        ),
        (
            "BATTERY STATUS query",
            bytes(
                "010004D0620000B7"
            )
        ),
        (
            "BATTERY STATUS both events on",
            bytes(
                "010004D0620303B7"
            )
        ),
        (
            "SYSTEM CLOCK read",
            bytes(
                "010004D0100000C5"
            )
        ),
        (
            "ABORT",
            bytes(
                "010004D0FF00002A"
            )
        ),
        (
            "P2PE STATUS",
            bytes(
                "010004EEE000000B"
            )
        ),
        (
            "P2PE INITIALISE",
            bytes(
                "010004EEE100000A"
            )
        ),
        (
            "P2PE IMPORT",
            bytes(
                "010004EEE2000009"
            )
        ),
        (
            "P2PE GET KSN FOR MAC",
            bytes(
                "010004EEE500000E"
            )
        ),
        (
            "DISPLAY TEXT Hello world! big font, no backlight",
            bytes(
                "010011D20101000C48656C6C6F20776F726C6421EF"
            )
        ),
        (
            "SELECT FILE wifi.cfg truncate",
            bytes(
                "01000D00A4010008776966692E636667FC"
            )
        ),
        (
            "STREAM BINARY offset 0, 0x123 bytes, timeout 0x64",
            bytes(
                "01001A00D7000015E013DFA30103000000DFA30203000123DFA303016411"
            )
        ),
        (
            "READ BINARY offset 0, 252 bytes",
            bytes(
                "01000500B00000FC48"
            )
        ),
        (
            "READ BINARY offset 0x8000, 252 bytes (23-bit form)",
            bytes(
                "01000700B080800100FC4B"
            )
        ),
        (
            "START TRANSACTION purchase 4.56 GBP",
            bytes(
                "01002DDED1000028E0269C01009F02060000000004569A032601019F2103120000DFA204"
                    + "0101DFA20301005F2A020826D6"
            )
        ),
        (
            "START CONTACTLESS purchase 4.56 GBP, 60 s",
            bytes(
                "010029DEC1000024E0229C01009F02060000000004569A032601019F21031200005F2A02"
                    + "0826DFFF0102003CD3"
            )
        ),
        (
            "CASH DRAWER open (RPI)",
            bytes(
                "020004D0D0010007"
            )
        ),
        (
            "BAR CODE SCANNER on (RPI)",
            bytes(
                "020004D0D1010006"
            )
        ),
        (
            "PERIPHERAL STATUS (RPI)",
            bytes(
                "020004D0A0000076"
            )
        ),
        (
            "BLUETOOTH CONTROL info (RPI)",
            bytes(
                "020004D0BC00006A"
            )
        ),
    ]

    static func bytes(_ text: String) -> [UInt8] {
        var bytes: [UInt8] = []
        var high: UInt8?
        for character in text.utf8 {
            let value = character < 0x3A ? character - 0x30 : character - 0x37
            if let first = high {
                bytes.append(first << 4 | value)
                high = nil
            } else {
                high = value
            }
        }
        return bytes
    }
}
