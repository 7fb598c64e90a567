import Testing

@testable import CaptureAnalysis

@Suite("Alignment")
struct AlignmentTests {
    private func rows(_ first: String, _ second: String) -> [Alignment.Row] {
        let left = Array(first)
        let right = Array(second)
        return Alignment(left, right) { left[$0].isLetter == right[$1].isLetter }.rows
    }

    @Test func equalListsStandRowByRow() {
        #expect(rows("abc", "abc") == [.both(0, 0), .both(1, 1), .both(2, 2)])
        #expect(rows("", "").isEmpty)
    }

    @Test func whatOneListLacksStandsAlone() {
        #expect(rows("a1b", "ab") == [.both(0, 0), .first(1), .both(2, 1)])
        #expect(rows("ab", "a1b") == [.both(0, 0), .second(1), .both(1, 2)])
    }

    @Test func whatIsOfOneSortStandsSideBySide() {
        #expect(rows("axb", "ayb") == [.both(0, 0), .changed(1, 1), .both(2, 2)])
    }

    @Test(arguments: [1, 600, 2_000])
    func everyIndexStandsOnceAndInOrderHoweverLongTheListsAre(_ count: Int) {
        let first = (0..<count).map { $0 * 7 % 50 }
        let second = (0..<count + 40).map { $0 * 11 % 50 }
        let rows = Alignment(first, second) { _, _ in false }.rows
        var left: [Int] = []
        var right: [Int] = []
        for row in rows {
            switch row {
            case .both(let l, let r), .changed(let l, let r):
                left.append(l)
                right.append(r)
            case .first(let l): left.append(l)
            case .second(let r): right.append(r)
            }
        }
        #expect(left == Array(first.indices))
        #expect(right == Array(second.indices))
    }
}
