/// One line of `cardrig doctor`.
public struct DoctorCheck: Hashable, Sendable {
    /// What came of it.
    public enum Status: String, Hashable, Sendable {
        /// It is as it has to be.
        case ok = "ok"
        /// Something that is there cannot be used as it is.
        case notOk = "not ok"
        /// It is not there, and nothing that is there needs it.
        case notNeeded = "not needed"
    }

    /// What was looked at.
    public var name: String
    /// What came of it.
    public var status: Status
    /// What was found, in one line.
    public var finding: String
    /// What to do, in one line; `nil` when there is nothing to do.
    public var remedy: String?

    /// Creates a line.
    public init(_ name: String, _ status: Status, _ finding: String, remedy: String? = nil) {
        self.name = name
        self.status = status
        self.finding = finding
        self.remedy = remedy
    }
}
