import CardData
import Testing

@Suite("Safe text of numbers whose digits are held apart")
struct SafeTextSpacedVectorsTests {
    @Test(arguments: [
        ".", "_", "/", "+", "%2B", "%2b", "%C2%A0", "%c2%a0", "%20", "%2520", "%25C2%25A0",
        "%252520", "%2E", "%5F", "%2F", "\u{A0}", "\u{202F}", "\u{2011}", "\u{2014}", "\t", "\n",
        ",", ":", ";", "|", "~", "  ", "%20%20", "__", "(", "%09", " ", "-",
    ])
    func whateverStandsBetweenGroupsOfFourTheMiddleIsHidden(_ separator: String) {
        let number = ["4111", "1111", "1111", "1111"].joined(separator: separator)
        for text in [number, "a \(number)", "n=\(number)&b=1", "1.00/\(number)", "\(number)/12"] {
            let safe = SafeText(scrubbing: text).description
            let stars = safe.utf8.filter { $0 == UInt8(ascii: "*") }.count
            #expect(stars >= 6 && stars <= 10, "\(safe)")
            #expect(SafeText(scrubbing: safe).description == safe)
        }
    }

    @Test func theFirstSixAndTheLastFourStay() {
        let vectors = [
            ("4111.1111.1111.1111", "4111.11**.****.1111"),
            ("4111%201111%201111%201111", "4111%2011**%20****%201111"),
            ("3782+822463+10005", "3782+82****+*0005"),
            ("4.1.1.1.1.1.1.1.1.1.1.1.1.1.1.1", "4.1.1.1.1.1.*.*.*.*.*.*.1.1.1.1"),
            ("4111_1111/1111+1111", "4111_11**/****+1111"),
            ("%34111.1111.1111.1111", "%34111.11**.****.1111"),
            ("41111111%31111.1111", "411111**%3****.1111"),
        ]
        for (text, safe) in vectors {
            #expect(SafeText(scrubbing: text).description == safe)
        }
    }

    @Test func ofAnEscapedTrackTheIssuersDataIsHiddenToo() {
        let track = ";4111111111111111%3D151210112345?"
        #expect(SafeText(scrubbing: track).description == ";411111******1111%3D1512********?")
    }

    @Test(arguments: [
        "10.99, 20.00, 30.00 and 40.00", "2026-11-30T22:50:35.123", "192.168.100.200:8080",
        "2014-06-01 00:00:00.000", "r:41f1b1c1d1e1f1a1b1c1", "tok_4f1a2b3c4d5e6f7a8b9c",
        "411111******1111", "XXXXXXXXXXXX1111", "4111.1111.1111.1112", "4111.1111.1111",
        "4111.11**.****.1111", "00:00:04.111 111.1 ms, 1,111,111 bytes", "1.0.0/2.2.1/19.4",
    ])
    func amountsTimesAndIdsStay(_ text: String) {
        #expect(SafeText(scrubbing: text).description == text)
    }
}
