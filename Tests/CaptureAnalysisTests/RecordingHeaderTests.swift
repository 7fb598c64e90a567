import CaptureAnalysis
import Testing

@Suite("Recording header")
struct RecordingHeaderTests {
    private let header = RecordingHeader(
        keepsCardData: false,
        beginNanoseconds: 1_717_405_200_000_000_007,
        scenarioPath: "Scenarios/idynamo/charged.yaml",
        cell: 3,
        options: ["--reader", "sim:dynamag", "--seed", "7"],
        scenarioText: "scenario: Ü\nsteps:\n  - plug in\n"
    )

    @Test func whatIsWrittenIsRead() {
        #expect(RecordingHeader(comments: header.comments) == header)
    }

    @Test func aLongScenarioIsCutIntoPiecesAtCharacters() {
        var long = header
        long.scenarioText = String(repeating: "ü€𝄞x", count: 4_000)
        #expect(long.comments.count > 10)
        #expect(long.comments.allSatisfy { $0.utf8.count <= 4_096 })
        #expect(RecordingHeader(comments: long.comments) == long)
    }

    @Test func aScenarioOfAMegabyteIsLeftOut() {
        var long = header
        long.scenarioText = String(repeating: "x", count: 1 << 20)
        #expect(RecordingHeader(comments: long.comments)?.scenarioText == "")
    }

    @Test func commentsOfOthersAreNoHeader() {
        #expect(RecordingHeader(comments: ["begin: 1.000000000", "scenario: x"]) == nil)
    }

    @Test(arguments: ["begin: x", "begin: 1.5", "begin: -1.000000000", "begin: 1"])
    func aBeginThatIsNoneIsZero(_ comment: String) {
        let comments = ["cardrig recording 1", comment]
        #expect(RecordingHeader(comments: comments)?.beginNanoseconds == 0)
    }
}
