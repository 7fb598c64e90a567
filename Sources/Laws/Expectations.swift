public import Journal

/// The checks of a scenario, as one value that the runner drives.
///
/// Give it each record once, in order, with ``observe(_:in:)``. ``begin(_:in:)`` starts a check;
/// records that came before and that no step took count for it. ``status`` tells how it stands.
///
/// | check | takes |
/// | --- | --- |
/// | `expect` | exactly the next counted records, in order |
/// | `await` | the counted record named; others before it pass |
/// | `until` | nothing; the counted records before the one named pass |
/// | `unordered` | exactly the next counted records, in any order |
/// | `expect-any` | the branch that is complete once no longer one can be; see ``giveUp(_:in:)`` |
///
/// Records that are not counted are matched by their own names only: `expect` compares the next
/// record of the name, `await` lets those of the name pass that do not match. They are taken in the
/// order of time: after `chargeFinished`, an answer that came before it is past.
///
/// A `misuse` is the app's mistake, so nothing lets it pass that does not name it: not `await`, not
/// `until`, and not `events: loose`. A `count` that names it is enough.
///
/// Times are the runner's business. Memory does not grow with the run: a record that no step took
/// stays in the journal as long as that keeps it, and afterwards can only be unexpected.
public struct Expectations: Sendable {
    /// How the check begun last stands.
    public private(set) var status = CheckStatus.satisfied
    /// The branch that the last `expect-any` took, from 0; `nil` while it waits, when it failed and
    /// for other checks.
    public private(set) var takenBranch: Int?
    /// What came although a `never` forbids it: for each pattern the first record.
    public private(set) var forbiddenFailures: [CheckFailure] = []

    /// The sequence number of the record that a check took last.
    public var lastTaken: Int? { cursor.lastTaken }

    private var cursor: QueueCursor
    private var observedCount = 0
    private var work = Work.none
    /// What `expect` still takes, or the one pattern of `await`.
    private var walk = PatternWalk([])
    /// The misuses that no `count` names and that the position has not passed; at most
    /// ``longestMisuseList``, of which the last is then the newest.
    private var openMisuses: [Int] = []
    /// While `await` waits: the last record of the name that did not match.
    private var nearest: Int?
    private var branches: [Branch] = []
    private var unordered = UnorderedMatch([])
    private var forbidden: [Forbidden]
    /// Whether some forbidden pattern has that name.
    private var isNameForbidden: [Bool]
    private let text: RecordText

    private enum Work: Hashable, Sendable { case none, expect, await, until, expectAny, unordered }

    private struct Forbidden: Sendable {
        var pattern: RecordPattern
        var scope: Int
    }

    private struct Branch: Hashable, Sendable {
        var walk: PatternWalk
        var cursor: QueueCursor

        mutating func advance(below limit: Int, in journal: Journal) {
            walk.advance(&cursor, below: limit, in: journal)
            cursor.passUncounted(below: limit, in: journal)
        }
    }

    /// Creates the checks at the beginning of a run.
    ///
    /// - Parameters:
    ///   - readerNames: The names of the rig's readers, by their index, for descriptions.
    ///   - never: What must not come in the whole run.
    ///   - countsDialogues: Whether prompts and alerts are counted like events of the SDK, since
    ///     nobody answers them but the scenario (`prompts: ask`).
    public init(
        readerNames: [String],
        never: [RecordPattern] = [],
        countsDialogues: Bool = false
    ) {
        cursor = QueueCursor(countsDialogues: countsDialogues)
        text = RecordText(readerNames: readerNames)
        forbidden = []
        isNameForbidden = []
        forbid(never)
    }

    /// Forbids records from now on, to the end of the run or of a scope.
    public mutating func forbid(_ patterns: [RecordPattern], scope: Int = 0) {
        guard !patterns.isEmpty else { return }
        if isNameForbidden.isEmpty {
            isNameForbidden = Array(repeating: false, count: RecordName.allCases.count)
        }
        for pattern in patterns { isNameForbidden[Int(pattern.name.rawValue)] = true }
        forbidden += patterns.map { Forbidden(pattern: $0, scope: scope) }
    }

    /// Ends a scope: what was forbidden in it, and not found, may come again.
    public mutating func endScope(_ scope: Int) {
        forbidden.removeAll { $0.scope == scope }
    }

    private static let longestMisuseList = 256

    /// Looks at the next record of the journal.
    ///
    /// - Parameters:
    ///   - record: The record.
    ///   - journal: The journal of the run.
    ///   - isCounted: Whether a `count`, or the `until` of a repeat, names it; a misuse may then
    ///     come without another check of it.
    /// - Complexity: O(1) while no check waits.
    public mutating func observe(
        _ record: Record,
        in journal: Journal,
        isCounted: Bool = false
    ) {
        observedCount = record.sequence + 1
        if record.name == .misuse, !isCounted { note(misuse: record.sequence, in: journal) }
        if !isNameForbidden.isEmpty, isNameForbidden[Int(record.name.rawValue)] {
            compareForbidden(record, in: journal)
        }
        advance(in: journal)
    }

    /// Begins a check, which takes the place of the one before it.
    public mutating func begin(_ check: Check, in journal: Journal) {
        takenBranch = nil
        status = .waiting
        nearest = nil
        branches.removeAll()
        switch check {
        case .expect(let patterns):
            work = .expect
            walk = PatternWalk(patterns)
        case .await(let pattern):
            work = .await
            walk = PatternWalk([pattern])
        case .until(let pattern):
            work = .until
            walk = PatternWalk([pattern])
        case .unordered(let patterns):
            work = .unordered
            unordered = UnorderedMatch(patterns)
        case .expectAny(let patterns):
            work = .expectAny
            branches = patterns.map { Branch(walk: PatternWalk($0), cursor: cursor) }
        }
        advance(in: journal)
    }

    /// Ends a check that waits: it fails, or takes the longest complete branch of an `expect-any`.
    public mutating func giveUp(_ reason: GiveUpReason, in journal: Journal) {
        switch work {
        case .none: return
        case .unordered:
            fail(missing: unordered.open, reason, in: journal)
        case .expect, .await, .until:
            if let pending = walk.pending { fail(missing: [pending], reason, in: journal) }
        case .expectAny:
            if let longest = longestComplete {
                take(longest)
            } else {
                let open = branches.filter(\.walk.isOpen).compactMap(\.walk.pending)
                fail(missing: open, reason, in: journal)
            }
        }
    }

    /// Returns the first counted record that no step took, as a failure, at the end of the run.
    ///
    /// - Parameters:
    ///   - allowsUnexpected: Whether such records are allowed (`events: loose`), but for a misuse.
    ///   - journal: The journal of the run.
    /// - Returns: The failure, at that record, or `nil` when there is none.
    public mutating func finish(
        allowsUnexpected: Bool,
        in journal: Journal
    ) -> CheckFailure? {
        guard let first = cursor.firstCounted(below: observedCount, in: journal) else { return nil }
        var found: Int? = first
        if allowsUnexpected {
            found = openMisuses.first { $0 >= first }
        } else if journal.record(first)?.name == .misuse, !openMisuses.contains(first) {
            found = firstUnexpected(after: first, in: journal)
        }
        guard let found else { return nil }
        let isMisuse = journal.record(found)?.name == .misuse
        let limit = isMisuse ? "no misuse that no check names" : "nothing more"
        return CheckFailure(
            kind: .unexpected,
            expected: [],
            found: found,
            description: "expected \(limit), found \(describe(found, in: journal))"
        )
    }

    /// Returns the first counted record after one that is no misuse that was counted.
    private func firstUnexpected(after first: Int, in journal: Journal) -> Int? {
        var walked = cursor
        var found: Int? = first
        while let sequence = found, let name = journal.record(sequence)?.name, name == .misuse,
            !openMisuses.contains(sequence)
        {
            walked.take(sequence, like: name, isPassed: true)
            found = walked.firstCounted(below: observedCount, in: journal)
        }
        return found
    }

    private mutating func note(misuse sequence: Int, in journal: Journal) {
        if let first = cursor.firstCounted(below: sequence, in: journal) {
            openMisuses.removeAll { $0 < first }
        } else {
            openMisuses.removeAll()
        }
        if openMisuses.count == Self.longestMisuseList { openMisuses.removeLast() }
        openMisuses.append(sequence)
    }

    // MARK: Advancing

    private mutating func advance(in journal: Journal) {
        switch work {
        case .none: break
        case .expect: advanceExpect(in: journal)
        case .await: advanceAwait(in: journal)
        case .until: advanceAwait(in: journal, takes: false)
        case .unordered: advanceUnordered(in: journal)
        case .expectAny: advanceBranches(in: journal)
        }
        cursor.passUncounted(below: observedCount, in: journal)
    }

    private mutating func advanceExpect(in journal: Journal) {
        walk.advance(&cursor, below: observedCount, in: journal)
        if walk.isComplete {
            satisfy()
        } else if let found = walk.mismatch, let pending = walk.pending {
            fail([pending], found, in: journal)
        }
    }

    private mutating func advanceUnordered(in journal: Journal) {
        while !unordered.isComplete {
            var isStuck = true
            for pattern in unordered.open {
                let name = pattern.name
                guard let found = cursor.next(like: name, below: observedCount, in: journal)
                else { continue }
                guard let record = journal.record(found), unordered.take(record, in: journal)
                else {
                    fail(unordered.open, found, in: journal)
                    return
                }
                cursor.take(found, like: record.name)
                isStuck = false
                break
            }
            if isStuck { return }
        }
        satisfy()
    }

    private mutating func advanceAwait(in journal: Journal, takes: Bool = true) {
        guard let name = walk.pending?.name else { return }
        while let found = cursor.next(like: name, below: observedCount, in: journal) {
            let record = journal.record(found)
            if let record, walk.patterns[0].matches(record, in: journal) {
                if takes { cursor.take(found, like: name) } else { cursor.note(found) }
                satisfy()
                return
            }
            if record?.name == .misuse, openMisuses.contains(found) {
                fail(walk.patterns, found, in: journal)
                return
            }
            cursor.take(found, like: name, isPassed: true)
            if record?.name == name { nearest = found }
        }
    }

    private mutating func advanceBranches(in journal: Journal) {
        var isOpen = false
        for index in branches.indices {
            branches[index].advance(below: observedCount, in: journal)
            if branches[index].walk.isOpen { isOpen = true }
        }
        if isOpen { return }
        if let longest = longestComplete {
            take(longest)
        } else {
            // The branches that got farthest say best what was asked for.
            let farthest = branches.compactMap(\.walk.mismatch).max()
            let last = branches.filter { $0.walk.mismatch == farthest }
            fail(last.compactMap(\.walk.pending), farthest, in: journal)
        }
    }

    private var longestComplete: Int? {
        var longest: Int?
        for (index, branch) in branches.enumerated() where branch.walk.isComplete {
            if let best = longest, branches[best].walk.doneCount >= branch.walk.doneCount {
                continue
            }
            longest = index
        }
        return longest
    }

    private mutating func take(_ index: Int) {
        cursor = branches[index].cursor
        takenBranch = index
        satisfy()
    }

    private mutating func satisfy() {
        status = .satisfied
        work = .none
    }

    private mutating func compareForbidden(_ record: Record, in journal: Journal) {
        guard let index = forbidden.firstIndex(where: { $0.pattern.matches(record, in: journal) })
        else {
            return
        }
        let pattern = forbidden.remove(at: index).pattern
        forbiddenFailures.append(
            CheckFailure(
                kind: .forbidden,
                expected: [pattern],
                found: record.sequence,
                description:
                    "expected never \(text.pattern(pattern)), found "
                    + describe(record.sequence, comparedWith: [pattern], in: journal)
            )
        )
    }

    // MARK: Failing

    private mutating func fail(_ expected: [RecordPattern], _ found: Int?, in journal: Journal) {
        var description = "expected \(Self.alternatives(expected, text))"
        if let found {
            description += ", found \(describe(found, comparedWith: expected, in: journal))"
        }
        end(
            CheckFailure(
                kind: .mismatch,
                expected: expected,
                found: found,
                description: description
            )
        )
    }

    private mutating func fail(
        missing expected: [RecordPattern],
        _ reason: GiveUpReason,
        in journal: Journal
    ) {
        var description = "expected \(Self.alternatives(expected, text))"
        switch reason {
        case .nothingPending: description += ", but nothing more came"
        case .timeLimit(let limit):
            description += " within \(RecordText.duration(limit)), but it did not come"
        }
        if let nearest {
            description +=
                "; the last was \(describe(nearest, comparedWith: expected, in: journal))"
        }
        end(
            CheckFailure(
                kind: .missing(reason),
                expected: expected,
                found: nil,
                description: description
            )
        )
    }

    private mutating func end(_ failure: CheckFailure) {
        status = .failed(failure)
        work = .none
    }

    private static func alternatives(_ patterns: [RecordPattern], _ text: RecordText) -> String {
        var spelled: [String] = []
        for pattern in patterns {
            let one = text.pattern(pattern)
            if !spelled.contains(one) { spelled.append(one) }
        }
        return spelled.joined(separator: " or ")
    }

    /// Describes a record: with what a pattern of its name compares, or else with what tells it
    /// from others of its name.
    private func describe(
        _ sequence: Int,
        comparedWith patterns: [RecordPattern] = [],
        in journal: Journal
    ) -> String {
        guard let record = journal.record(sequence) else {
            return "an event that the journal no longer holds"
        }
        let compared = patterns.filter { $0.name == record.name }.flatMap(\.attributes).map(\.name)
        let attributes = text.attributes(of: record, in: journal) { name in
            switch name {
            case .isConnected, .isActivated, .isReadyForSwipe, .delegate, .reader:
                compared.contains(name) || name == .reader && text.readerNames.count > 1
            default:
                compared.isEmpty || compared.contains(name)
            }
        }
        var described = Vocabulary.definition(of: record.name).spelling
        if !attributes.isEmpty { described += " { \(attributes) }" }
        for name in compared where journal.value(name, of: record) == nil {
            described += " without \(Vocabulary.spelling(of: name))"
        }
        return described
    }
}
