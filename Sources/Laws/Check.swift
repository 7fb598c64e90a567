public import EventLoops
public import Journal

/// What a step of a scenario asks of the records.
public enum Check: Hashable, Sendable {
    /// Exactly these come next, in order.
    case expect([RecordPattern])
    /// This comes, and others may come before it.
    case await(RecordPattern)
    /// Exactly what one of these branches says comes next.
    case expectAny([[RecordPattern]])
    /// Exactly these come next, in any order.
    case unordered([RecordPattern])
    /// This comes and others may come before it; it stays for the next check.
    case until(RecordPattern)
}

/// How a check stands.
public enum CheckStatus: Hashable, Sendable {
    /// Everything that was asked for came; also before the first check.
    case satisfied
    /// More records are needed to tell.
    case waiting
    /// It can no longer hold.
    case failed(CheckFailure)
}

/// Why a check is not waited for any longer.
public enum GiveUpReason: Hashable, Sendable {
    /// Nothing is pending in the rig that could still bring a record.
    case nothingPending
    /// The time limit of the check passed.
    case timeLimit(VirtualDuration)
}

/// Why a check failed.
public struct CheckFailure: Error, Hashable, Sendable {
    /// The kind of failure.
    public enum Kind: Hashable, Sendable {
        /// Another record came.
        case mismatch
        /// No record came.
        case missing(GiveUpReason)
        /// A record came that a `never` forbids.
        case forbidden
        /// A record was left at the end that no step took.
        case unexpected
    }

    /// The kind of failure.
    public var kind: Kind
    /// What was asked for: one pattern, several for the branches of an `expect-any`, none for a
    /// record that no step took.
    public var expected: [RecordPattern]
    /// The sequence number of the record that came instead, or `nil` when none came.
    public var found: Int?
    /// What was asked for and what came, in one line without card data.
    public var description: String

    /// Where the file says what was asked for; `nil` for a record that no step took.
    public var location: SourceLocation? { expected.first?.location }
}

extension CheckFailure: CustomStringConvertible {}
