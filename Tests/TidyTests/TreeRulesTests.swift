import Testing

@Suite("Files of the repository")
struct TreeRulesTests {
    @Test func theCheckoutIsRead() {
        #expect(Checkout.files.contains { $0.path == "Package.swift" && !$0.bytes.isEmpty })
        #expect(Checkout.files.count > 50)
    }

    @Test(arguments: rules.indices)
    func theRuleHolds(rule: Int) {
        #expect(Checkout.files.flatMap(Self.rules[rule]) == [])
    }

    static let rules: [@Sendable (TrackedFile) -> [String]] = [
        TreeRules.clearCardNumbers, TreeRules.machineWords, TreeRules.longFile,
        TreeRules.blankInPath, TreeRules.silentError,
    ]

    @Test(arguments: [
        "README.md", "Docs/bounds.md", "Scenarios/a.yaml", "Captures/a.pcapng",
        "Tests/LawsTests/ATests.swift", "Sources/Laws/A.swift",
        "Tests/LawsTests/__Golden__/A/b.txt",
    ])
    func aClearCardNumberIsFound(path: String) {
        let file = TrackedFile(path, text: "card \(CardNumberVectors.published[0])^")
        #expect(TreeRules.clearCardNumbers(file) == ["\(path):1: a card number in clear"])
    }

    @Test(arguments: [
        ("Tests/LawsTests/CardVectors.swift", CardNumberVectors.published[0]),
        ("Sources/CardData/TestCardVectors.swift", CardNumberVectors.published[0]),
        ("README.md", "4111110000001111"),
        ("README.md", "9" + CardNumberVectors.published[0]),
    ])
    func vectorFilesAndMasksPass(path: String, text: String) {
        #expect(TreeRules.clearCardNumbers(TrackedFile(path, text: text)) == [])
    }

    @Test(arguments: ["cd /wo" + "rk/main", "pip from py" + "pi.org", "~ is /ro" + "ot/"])
    func aMachineWordIsFound(text: String) {
        #expect(TreeRules.machineWords(TrackedFile("Docs/a.md", text: text)).count == 1)
    }

    @Test(arguments: [
        ("struct A: Error {\n    var description: String\n}", 1),
        ("struct A: Error, CustomStringConvertible {\n    var description: String\n}", 0),
        ("struct A: Error {\n}\nvar description: String", 0),
        ("  enum A: Error { var reason: String }", 1),
    ])
    func anErrorThatDoesNotSayItsSentenceIsFound(text: String, count: Int) {
        #expect(TreeRules.silentError(TrackedFile("Sources/A/A.swift", text: text)).count == count)
    }

    @Test func aLongFileIsFound() {
        let text = String(repeating: "\n", count: TreeRules.lineLimit)
        #expect(TreeRules.longFile(TrackedFile("Sources/A/A.swift", text: text)) == [])
        #expect(TreeRules.longFile(TrackedFile("Sources/A/A.swift", text: text + "\n")).count == 1)
    }

    @Test func anExceptionThatIsNoLongerNeededIsRemoved() {
        for (path, _) in TreeRules.longFiles {
            let file = Checkout.files.first { $0.path == path }
            #expect((file?.lines.count ?? 0) > TreeRules.lineLimit, "\(path) needs no exception")
        }
    }

    @Test func aBlankInAPathIsFound() {
        #expect(TreeRules.blankInPath(TrackedFile("Docs/a b.md", text: "")).count == 1)
    }
}
