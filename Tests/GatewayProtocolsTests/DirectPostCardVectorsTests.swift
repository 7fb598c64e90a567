import GatewayProtocols
import Testing

/// The strings that the vendor's card objects give.
///
/// Source: observed on the vendor's Android library, objects made with these values.
@Suite("Cards for Direct Post")
struct DirectPostCardVectorsTests {
    private static func keyed(_ number: String?, _ date: String?, _ cvv: String?) -> DirectPostCard
    {
        .keyed(
            unmaskedNumber: number.map(bytes),
            expirationDate: date.map(bytes),
            cvv: cvv.map(bytes)
        )
    }

    private static func swiped(
        _ track1: String?,
        _ track2: String?,
        _ track3: String?
    )
        -> DirectPostCard
    {
        .swiped(
            unmaskedTrack1: track1.map(bytes),
            unmaskedTrack2: track2.map(bytes),
            unmaskedTrack3: track3.map(bytes),
            cvv: bytes("999")
        )
    }

    private static let encrypted = DirectPostCard.encryptedSwipe(
        track1: bytes("T1"),
        track2: bytes("T2"),
        track3: bytes("T3"),
        ksn: bytes("KSN"),
        cvv: bytes("999")
    )

    static let strings: [(card: DirectPostCard, includesCVV: Bool, text: String)] = [
        (
            keyed("4111111111111111", "1025", "999"), true,
            "ccnumber=4111111111111111&ccexp=1025&cvv=999"
        ),
        (keyed("4111111111111111", "1025", "999"), false, "ccnumber=4111111111111111&ccexp=1025"),
        (
            keyed("4111111111111111", "1025", ""), true,
            "ccnumber=4111111111111111&ccexp=1025&cvv="
        ),
        (
            keyed("4111 1111-1111 1111", "10/25", "9&9"), true,
            "ccnumber=4111 1111-1111 1111&ccexp=10/25&cvv=9&9"
        ),
        (keyed(nil, nil, nil), true, "ccnumber=null&ccexp=null"),
        (swiped("A", "B", "C"), false, "track_1=A&track_2=B&track_3=C"),
        (
            .swiped(unmaskedTrack1: nil, unmaskedTrack2: bytes("B"), unmaskedTrack3: nil), true,
            "track_1=null&track_2=B"
        ),
        (
            encrypted, true,
            "encrypted_track_1=T1&encrypted_track_2=T2&encrypted_track_3=T3&encrypted_ksn=KSN"
                + "&cvv=999"
        ),
        (
            .encryptedSwipe(track1: bytes("T1"), track2: nil, track3: nil, ksn: bytes("KSN")), true,
            "encrypted_track_1=T1&encrypted_ksn=KSN"
        ),
        (
            .encryptedSwipe(track1: nil, track2: nil, track3: nil, ksn: nil), true,
            "encrypted_track_1=null"
        ),
        (
            .keyed(
                unmaskedNumber: bytes("6"),
                expirationDate: bytes("1025"),
                cvv: bytes("1"),
                startDate: bytes("0120"),
                issueNumber: bytes("3")
            ), true, "ccnumber=6&ccexp=1025&cvv=1&cc_start_date=0120&cc_issue_number=3"
        ),
        (
            .magneSafe(
                MagneSafeSwipeFields(
                    track2: bytes("AB"),
                    ksn: bytes("CD"),
                    magnePrintStatus: bytes("EF")
                )
            ), true,
            "magnesafe_track_1=null&magnesafe_track_2=AB&magnesafe_ksn=CD"
                + "&magnesafe_magneprint_status=EF"
        ),
    ]

    @Test(arguments: strings)
    func aCardGivesTheStringOfTheVendorsLibrary(
        card: DirectPostCard,
        includesCVV: Bool,
        text: String
    ) {
        let given = card.unmaskedText(includingCVV: includesCVV)
        #expect(String(decoding: given, as: UTF8.self) == text)
        #expect("\(card)" == "card for Direct Post")
        var dumped = ""
        dump(card, to: &dumped)
        #expect(!dumped.contains("4111"))
    }
}
