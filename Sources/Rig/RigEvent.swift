import EventLoops

/// An event on a rig's timeline: what is due, for which component, caused by which step.
public struct RigEvent: Hashable, Sendable {
    /// What is due.
    public enum Kind: Hashable, Sendable {
        /// The head of a reader's link is due at the host.
        case linkDue(reader: Int)
        /// A disconnect notification that came late.
        case lateNotification(reader: Int)
        /// A reader that something was in the way of is open now, or given up.
        case openingEnds(reader: Int)
        /// Something happens at the audio jack by itself.
        case jackDue
        /// The SDK wants to know that time has passed.
        case sdkDeadline
        /// A request reaches the gateway.
        case requestArrives(exchange: Int)
        /// An exchange ends for the app.
        case exchangeEnds(exchange: Int)
        /// The payment client wants to go on.
        case paymentDeadline
        /// Something happens at a payment reader by itself.
        case readerDue(reader: Int)
        /// A hand presses the next key of a payment reader.
        case keyDue(reader: Int)
        /// A request reaches the AgentCASH service.
        case serviceRequestArrives(exchange: Int)
        /// An exchange with the AgentCASH service ends for the app.
        case serviceExchangeEnds(exchange: Int)
        /// The payment provider wants to go on.
        case providerDeadline
        /// Something is due in the calendar of the AgentCASH service.
        case serviceCalendar
        /// Something is due in the calendar of the NMI gateway.
        case gatewayCalendar
        /// A URL reaches the app whose scheme it has.
        case urlArrives(number: Int)
        /// A request of the store's app or backend reaches its goal.
        case storeRequestArrives(exchange: Int)
        /// An exchange of the store's app or backend ends.
        case storeExchangeEnds(exchange: Int)
        /// The store's app wants to go on.
        case storeDeadline
        /// A wait of the app that charges by PAYMILL's SDK alone is over.
        case millDeadline
        /// The store's backend wants to go on.
        case backendDeadline
        /// Something is due in PAYMILL's calendar.
        case storeCalendar
        /// A fact of a recorded run is due.
        case foreignFact
        /// The scenario wants to go on; the number is its own.
        case script(Int)
    }

    /// What is due.
    public var kind: Kind
    /// The step that caused it, an index into the scenario's steps.
    public var step: Int?

    /// Creates an event.
    @inlinable
    public init(_ kind: Kind, step: Int?) {
        self.kind = kind
        self.step = step
    }
}

/// The components of a rig, as numbers for the loop.
///
/// An event has one target component; its handler changes that component and what hangs on it,
/// and everything else follows from posted events.
enum RigComponent {
    static let script: UInt16 = 0
    static let payments: UInt16 = 1
    static let gateway: UInt16 = 2
    static let firstReader: UInt16 = 3

    static let scriptStep = EventSite(component: script, name: 0)
    static let scriptTimer = EventSite(component: script, name: 1)
    static let exchangeEnd = EventSite(component: payments, name: 0)
    static let paymentDeadline = EventSite(component: payments, name: 2)
    static let requestArrival = EventSite(component: gateway, name: 0)
    static let providerDeadline = EventSite(component: payments, name: 3)
    static let serviceExchangeEnd = EventSite(component: payments, name: 1)
    static let serviceRequestArrival = EventSite(component: gateway, name: 1)
    static let gatewayCalendar = EventSite(component: gateway, name: 3)
    static let serviceCalendar = EventSite(component: gateway, name: 2)

    static let urlArrival = EventSite(component: payments, name: 4)

    static let foreignFact = EventSite(component: script, name: 4)
    static let faultPoint = EventSite(component: script, name: 3)
    static let sdkDeadline = EventSite(component: script, name: 2)

    static func link(_ reader: Int) -> EventSite {
        EventSite(component: firstReader + UInt16(reader), name: 0)
    }

    static func lateNotification(_ reader: Int) -> EventSite {
        EventSite(component: firstReader + UInt16(reader), name: 1)
    }

    static func key(_ reader: Int) -> EventSite {
        EventSite(component: firstReader + UInt16(reader), name: 2)
    }

    static func reader(_ reader: Int) -> EventSite {
        EventSite(component: firstReader + UInt16(reader), name: 3)
    }

    static func opening(_ reader: Int) -> EventSite {
        EventSite(component: firstReader + UInt16(reader), name: 4)
    }

    static func jack(_ reader: Int) -> EventSite {
        EventSite(component: firstReader + UInt16(reader), name: 2)
    }

    /// The chain of the scenario's acts that keep their order; no reader's.
    static func actChain(_ token: Int) -> UInt32 { 1 << 20 + UInt32(truncatingIfNeeded: token) }

    /// The chain of the URLs that are handed over at once.
    static let urlChain: UInt32 = 1 << 19

    /// The chain of a reader's link: its units keep their order.
    static func linkChain(_ reader: Int) -> UInt32 { 1 + UInt32(reader) }
}
