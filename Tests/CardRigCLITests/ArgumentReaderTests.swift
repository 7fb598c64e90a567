import Testing

@testable import CardRigCLI

@Suite("Argument reader")
struct ArgumentReaderTests {
    private func seed(_ arguments: String...) throws(UsageError) -> UInt64? {
        var reader = ArgumentReader(arguments)
        let seed = try reader.takeValue("--seed", expected: "a number") { UInt64($0) }
        _ = try reader.takePositionals()
        return seed
    }

    @Test func aValueFollowsItsOptionOrAnEqualsSign() throws {
        #expect(try seed("--seed", "7") == 7)
        #expect(try seed("--seed=7", "file") == 7)
        #expect(try seed("file") == nil)
    }

    @Test func aValueThatBeginsWithADashNeedsAnEqualsSign() throws {
        let error = #expect(throws: UsageError.self) { try seed("--seed", "-7") }
        #expect(error == .missingValue("--seed", expected: "a number", found: "-7"))
        #expect(
            error?.description == "the option --seed wants a number, found '-7'; "
                + "a value that begins with - is written --seed=-7"
        )
        var reader = ArgumentReader(["--record=-x"])
        let path = try reader.takeValue("--record", expected: "a file") { $0 }
        #expect(path == "-x")
    }

    @Test func whatFollowsTwoDashesIsNoOption() throws {
        var reader = ArgumentReader(["a", "--", "--seed", "7"])
        #expect(try reader.takeFlag("--seed") == false)
        let positionals = try reader.takePositionals()
        #expect(positionals == ["a", "--seed", "7"])
    }

    @Test func mistakesAreNamed() {
        #expect(throws: UsageError.missingValue("--seed", expected: "a number")) {
            try seed("--seed")
        }
        #expect(throws: UsageError.repeated("--seed")) { try seed("--seed", "1", "--seed=2") }
        #expect(
            throws: UsageError.invalidValue(option: "--seed", value: "x", expected: "a number")
        ) { try seed("--seed", "x") }
        #expect(throws: UsageError.unexpectedValue(option: "--json", value: "yes")) {
            var reader = ArgumentReader(["--json=yes"])
            _ = try reader.takeFlag("--json")
        }
    }

    @Test func anUnknownOptionGetsTheNearestNameWithinTwoEdits() {
        #expect(throws: UsageError.unknownOption("--sed", suggestion: "--seed")) {
            try seed("--sed=1")
        }
        #expect(throws: UsageError.unknownOption("--colour", suggestion: nil)) {
            try seed("--colour")
        }
    }

    @Test func equallyNearNamesAreTakenInTheirOrder() {
        #expect(nearest(to: "bb", among: ["bd", "bc"]) == "bc")
    }
}
