import Testing

@Suite("What the core does without")
struct CoreRulesTests {
    @Test func theCoreKeepsItsRules() {
        #expect(Checkout.files.flatMap(CoreRules.complaints) == [])
    }

    @Test(arguments: [
        "let text = String(format: \"%02x\", byte)",
        "import Foundation",
        "import Glibc",
        "Task { await run() }",
        "func run() async {}",
        "default: fatalError(\"no\")",
        "let value = try! decode()",
        "let text = \"\\(String(format: \"%d\", 1))\"",
        "let pick = Int.random(in: 0..<3)",
    ])
    func aBannedWordIsFound(source: String) {
        #expect(!complaints(source).isEmpty)
    }

    @Test(arguments: [
        "var open: [Int: String] = [:]\nfor (key, value) in open { use(key, value) }",
        "let seen: Set<Int>\nreturn seen.map { $0 + 1 }",
        "var names = Set<String>()\nlet first = names.first",
        "var table = [String: Int]()\nfor name in table.keys { use(name) }",
        "func f(table: [String: [Int]]) -> [[Int]] { Array(table.values.joined()) }",
        "var table = Dictionary(grouping: list, by: key)\ntable.forEach { use($0) }",
    ])
    func iterationWithoutAnOrderIsFound(source: String) {
        #expect(complaints(source).count == 1)
    }

    @Test(arguments: [
        "var open: [Int: String] = [:]\nopen[3] = nil\nif open.isEmpty { return }",
        "var open: [Int: String] = [:]\nfor key in open.keys.sorted() { use(key) }",
        "let seen: Set<Int>\nif seen.contains(3) { return }",
        "let list: [Int] = [a ? b : c]\nfor item in list { use(item) }",
        "let pairs: [(key: String, value: Int)] = []\nfor pair in pairs { use(pair) }",
        "// fatalError( and try! are named in a comment\nlet text = \"async Task {\"",
        "let asyncronous = myTask.x",
    ])
    func orderlyCodePasses(source: String) {
        #expect(complaints(source) == [])
    }

    @Test func theEdgesAreFree() {
        let file = TrackedFile("Sources/CardRigCLI/A.swift", text: "func run() async {}")
        #expect(CoreRules.complaints(file) == [])
    }

    private func complaints(_ source: String) -> [String] {
        CoreRules.complaints(TrackedFile("Sources/Laws/A.swift", text: source))
    }
}
