import CaptureFiles
import Testing

@testable import CaptureAnalysis

@Suite("App log")
struct AppLogTests {
    @Test(
        arguments: [
            ("1970-01-02T00:00:01.5Z", 86_401, 500_000_000, true),
            ("2024-06-03 09:00:00,250", 1_717_405_200, 250_000_000, true),
            ("2024-06-03T11:00:00.250+02:00", 1_717_405_200, 250_000_000, true),
            ("09:00:00.000000001", 32_400, 1, false),
            ("12.25", 12, 250_000_000, false),
            ("06-03 00:00:01", 153 * 86_400 + 1, 0, false),
        ] as [(String, Int64, UInt32, Bool)]
    )
    func timesAreReadInTheFormsOfLogs(
        _ text: String,
        _ seconds: Int64,
        _ nanoseconds: UInt32,
        _ isDate: Bool
    ) {
        let time = LogTime(text)
        #expect(time?.time == CaptureTime(seconds: seconds, nanoseconds: nanoseconds))
        #expect(time?.isDate == isDate)
    }

    @Test(arguments: [
        "", "x", "25:00:00", "2024-13-01 00:00:00", "2024-06-03", "12:60:00", "9:1:1",
    ])
    func whatIsNoTimeIsNone(_ text: String) {
        #expect(LogTime(text) == nil)
    }

    @Test func linesThatAreNoEventAreCounted() {
        let text = #"""
            {"events": ["didSwipeCard"]}
            {"event": "didSwipeCard", "card": "none", "tries": 2, "isLast": true}
            not json
            {"card": "none"}

            {"event": "didSwipeCard", "time": "yesterday"}
            """#
        let log = AppLog(jsonLines: Array(text.utf8))
        #expect(log.loggedNames == ["didSwipeCard"])
        #expect(
            log.entries.map(\.description) == ["didSwipeCard card: none, tries: 2, isLast: true"]
        )
        #expect(log.unreadLines == [3, 4, 6])
    }
}
