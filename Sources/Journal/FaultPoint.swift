/// A fault that may come once where it can, or not: the seed or the search decides.
public enum FaultPoint: String, CaseIterable, Hashable, Sendable {
    /// The link is cut when a reader begins to send a swipe.
    case linkCutBeforeReport
    /// A stream reader's link brings the record of a swipe twice.
    case linkDuplicatesRecord
    /// The gateway carries nothing out and never answers.
    case gatewayTimeoutBeforeBooking
    /// The gateway carries the request out and never answers.
    case gatewayTimeoutAfterBooking
    /// The gateway carries the request out and the connection is lost in place of the answer.
    case gatewayResetAfterBooking
    /// The gateway carries the request out and answers what is no answer.
    case gatewayGarbageAfterBooking

    /// Its place among ``allCases``; part of the keys of schedules.
    public var number: Int { Self.allCases.firstIndex(of: self) ?? 0 }

    /// What happens, in one sentence.
    public var meaning: String {
        switch self {
        case .linkCutBeforeReport: "The link is cut when a reader begins to send a swipe."
        case .linkDuplicatesRecord: "The link of an iDynamo brings the record of a swipe twice."
        case .gatewayTimeoutBeforeBooking:
            "The gateway does not carry a request out and never answers."
        case .gatewayTimeoutAfterBooking: "The gateway carries a request out and never answers."
        case .gatewayResetAfterBooking:
            "The gateway carries a request out, and the connection is lost in place of its answer."
        case .gatewayGarbageAfterBooking:
            "The gateway carries a request out and answers what is no answer."
        }
    }

    /// Whether it is one of the gateway's.
    public var isGateway: Bool {
        switch self {
        case .linkCutBeforeReport, .linkDuplicatesRecord: false
        case .gatewayTimeoutBeforeBooking, .gatewayTimeoutAfterBooking,
            .gatewayResetAfterBooking, .gatewayGarbageAfterBooking:
            true
        }
    }
}
