import EventLoops
import Transports

/// A promise of ``Transports/Transport``, and the check for it.
///
/// In a test: `#expect(promise.violations(by: &harness) == [])` over ``allCases``, leaving out those
/// whose ``needs`` the harness lacks.
public enum TransportPromise: String, CaseIterable, Sendable {
    case unitsArriveInTheOrderSent
    case anAttachComesFirst
    case bordersAreKept
    case noUnitComesWithoutACredit
    case unusedCreditsOutliveADetach
    case aDetachIsNotHeldByMissingCredits
    case aDetachIsReportedOnce
    case whatArrivedComesBeforeTheDetach
    case nothingFollowsADetach
    case aNewSessionHasNoUnitOfAnOldOne
    case aNewSessionTakesNoUnitMeantForAnOldOne
    case theHostsUnitsReachTheReaderInOrder
    case unitsSentWithoutAReaderAreDropped
    case aFullQueueDetachesWithOverflow
    case closingDetachesOnce
    case closingWithoutAReaderIsSilent
    case closingTakesUnitsAndCreditsBack
    case aClosedTransportOpensAgain
    case aReaderThatWasThereIsFoundOnOpening

    /// What a path must be able to do for this check.
    public var needs: TransportAbilities {
        switch self {
        case .bordersAreKept:
            .keepsBorders
        case .aNewSessionTakesNoUnitMeantForAnOldOne, .theHostsUnitsReachTheReaderInOrder,
            .unitsSentWithoutAReaderAreDropped:
            .showsReaderUnits
        case .aFullQueueDetachesWithOverflow:
            .overflows
        case .unitsArriveInTheOrderSent, .anAttachComesFirst, .noUnitComesWithoutACredit,
            .unusedCreditsOutliveADetach, .aDetachIsNotHeldByMissingCredits,
            .aDetachIsReportedOnce, .whatArrivedComesBeforeTheDetach, .nothingFollowsADetach,
            .aNewSessionHasNoUnitOfAnOldOne, .closingDetachesOnce,
            .closingWithoutAReaderIsSilent, .closingTakesUnitsAndCreditsBack,
            .aClosedTransportOpensAgain, .aReaderThatWasThereIsFoundOnOpening:
            []
        }
    }

    /// Whether the path of a harness can show that the promise is kept.
    public func applies<Harness: TransportHarness>(to harness: Harness.Type) -> Bool {
        Harness.abilities.isSuperset(of: needs)
    }

    /// Plays the check on a new harness and returns what was not as promised; empty is good.
    public func violations<Harness: TransportHarness>(by harness: Harness) -> [String] {
        guard applies(to: Harness.self) else { return ["not applicable to this path"] }
        var check = PromiseCheck(harness)
        switch self {
        case .unitsArriveInTheOrderSent: check.order()
        case .anAttachComesFirst: check.attachFirst()
        case .bordersAreKept: check.borders()
        case .noUnitComesWithoutACredit: check.credits()
        case .unusedCreditsOutliveADetach: check.creditsAfterDetach()
        case .aDetachIsNotHeldByMissingCredits: check.detachWithoutCredits()
        case .aDetachIsReportedOnce: check.detachOnce()
        case .whatArrivedComesBeforeTheDetach: check.unitsBeforeDetach()
        case .nothingFollowsADetach: check.nothingAfterDetach()
        case .aNewSessionHasNoUnitOfAnOldOne: check.newSession()
        case .aNewSessionTakesNoUnitMeantForAnOldOne: check.lateSend()
        case .theHostsUnitsReachTheReaderInOrder: check.sends()
        case .unitsSentWithoutAReaderAreDropped: check.sendsWithoutReader()
        case .aFullQueueDetachesWithOverflow: check.overflow()
        case .closingDetachesOnce: check.close()
        case .closingWithoutAReaderIsSilent: check.closeWithoutReader()
        case .closingTakesUnitsAndCreditsBack: check.closeForgets()
        case .aClosedTransportOpensAgain: check.reopen()
        case .aReaderThatWasThereIsFoundOnOpening: check.attachBeforeOpen()
        }
        return check.violations
    }
}
