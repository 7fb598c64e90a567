import Testing

@testable import Kernel

@Suite("Line pattern")
struct LinePatternTests {
    private func groups(_ pattern: String, _ line: String) throws -> [String?]? {
        let bytes = Array(line.utf8)
        return try LinePattern(pattern).match(bytes[...])?.map { place in
            place.map { String(decoding: bytes[$0], as: UTF8.self) }
        }
    }

    @Test func groupsAreTheTextInTheirBrackets() throws {
        #expect(try groups("a(b+)c|d(e)", "xabbc") == ["abbc", "bb", nil])
        #expect(try groups("^x", "ax") == nil)
    }

    @Test func placesCountFromTheBeginningOfTheWholeText() throws {
        let bytes = Array("one two".utf8)
        #expect(try LinePattern("two").match(bytes[4...]) == [4..<7])
    }

    @Test(arguments: ["", "(", "a{2,1}", "[", #"(a)\1"#, "a{300}", "((a{20}){20})", "a\0b"])
    func whatIsWrongOrTooMuchIsRefused(_ pattern: String) {
        #expect(throws: LinePattern.Problem.self) { try LinePattern(pattern) }
    }

    @Test func aPatternThatLetsOthersRunForEverEndsAtOnce() throws {
        let line = String(repeating: "a", count: 4_000) + "b"
        #expect(try groups("^(a+)+$", line) == nil)
    }
}
