import Journal
public import ScenarioLanguage

/// What the app was told last of one reader; the raw value is a place in a set of transitions.
public enum ReaderNews: UInt8, CaseIterable, Hashable, Sendable {
    /// Nothing, since the app was launched.
    case nothing
    /// `deviceConnected:`
    case connected
    /// `deviceActivationFinished:result:` with success.
    case activated
    /// `deviceActivationFinished:result:` with anything else.
    case notActivated
    /// `deviceBecameReadyForSwipe:`
    case ready
    /// `didSwipeCard:device:` with a card.
    case card
    /// `didSwipeCard:device:` without.
    case noCard
    /// `deviceBecameUnreadyForSwipe:reason:` because a swipe ended the ready period.
    case swipeDone
    /// `deviceBecameUnreadyForSwipe:reason:` because of anything else.
    case unready
    /// `deviceDeactivated:`
    case deactivated
    /// `deviceDisconnected:`
    case disconnected

    /// Reads an event of the SDK; `nil` for records that are none.
    init?(_ record: Record, of journal: Journal) {
        switch record.name {
        case .deviceConnected: self = .connected
        case .deviceActivationFinished:
            let isSuccess = journal.value(.result, of: record) == .symbol(.success)
            self = isSuccess ? .activated : .notActivated
        case .deviceBecameReadyForSwipe: self = .ready
        case .didSwipeCard:
            self = journal.value(.card, of: record) == .symbol(.none) ? .noCard : .card
        case .deviceBecameUnreadyForSwipe:
            let isDone = journal.value(.reason, of: record) == .symbol(.swipeDone)
            self = isDone ? .swipeDone : .unready
        case .deviceDeactivated: self = .deactivated
        case .deviceDisconnected: self = .disconnected
        default: return nil
        }
    }

    /// Its words in reports: the event's name, with what matters of it.
    public var words: String {
        switch self {
        case .nothing: "nothing"
        case .connected: Self.name(.deviceConnected)
        case .activated: Self.name(.deviceActivationFinished) + "(success)"
        case .notActivated: Self.name(.deviceActivationFinished) + "(failure)"
        case .ready: Self.name(.deviceBecameReadyForSwipe)
        case .card: Self.name(.didSwipeCard) + "(card)"
        case .noCard: Self.name(.didSwipeCard) + "(none)"
        case .swipeDone: Self.name(.deviceBecameUnreadyForSwipe) + "(swipeDone)"
        case .unready: Self.name(.deviceBecameUnreadyForSwipe) + "(disconnected)"
        case .deactivated: Self.name(.deviceDeactivated)
        case .disconnected: Self.name(.deviceDisconnected)
        }
    }

    private static func name(_ name: RecordName) -> String {
        Vocabulary.definition(of: name).spelling
    }
}

/// Two events of the SDK that an app was told of one reader, one right after the other.
///
/// Source: SDK document, section iDynamo and `PGSwipeDelegate`; the announcement can be cut short
/// after each of its events.
public struct SDKTransition: Hashable, Sendable {
    /// What the app was told before.
    public var from: ReaderNews
    /// What it was told then.
    public var to: ReaderNews

    init(_ from: ReaderNews, _ to: ReaderNews) {
        self.from = from
        self.to = to
    }

    /// Those that the SDK's events of a reader can make in a scenario's rig, in the order of the
    /// table.
    ///
    /// | after | may come |
    /// | --- | --- |
    /// | nothing, disconnected | connected |
    /// | connected | activated, disconnected |
    /// | activated | ready, deactivated |
    /// | ready, card, no card | card, no card, unready |
    /// | unready | deactivated |
    /// | deactivated | disconnected |
    /// | connected, where activation can fail | not activated, and after it disconnected |
    /// | card, no card, where a swipe ends the period | swipe done, and after it ready, deactivated |
    ///
    /// Activation fails where the app does not declare the reader's protocol string, and can fail
    /// where opening a session does. A payment reader has none: it is the payment provider's.
    public static func possible(for reader: ReaderPlan, in rig: RigPlan) -> [SDKTransition] {
        guard reader.kind != .miura else { return [] }
        let name = reader.protocolString ?? AppPlan.idynamoProtocol
        let declared = rig.app.accessoryProtocols
        let isDeclared = reader.kind != .idynamo || declared?.contains(name) ?? true
        let canFail = !isDeclared || reader.sessionOpenFailureCount > 0
        var table = [SDKTransition(.nothing, .connected)]
        if isDeclared { table.append(SDKTransition(.connected, .activated)) }
        if canFail {
            table.append(SDKTransition(.connected, .notActivated))
            table.append(SDKTransition(.notActivated, .disconnected))
        }
        table.append(SDKTransition(.connected, .disconnected))
        if isDeclared {
            table.append(SDKTransition(.activated, .ready))
            table.append(SDKTransition(.activated, .deactivated))
            for news in [ReaderNews.ready, .card, .noCard] {
                table.append(SDKTransition(news, .card))
                table.append(SDKTransition(news, .noCard))
                if rig.sdk.isUnreadyAfterSwipe, news != .ready {
                    table.append(SDKTransition(news, .swipeDone))
                }
                table.append(SDKTransition(news, .unready))
            }
            if rig.sdk.isUnreadyAfterSwipe {
                table.append(SDKTransition(.swipeDone, .ready))
                table.append(SDKTransition(.swipeDone, .deactivated))
            }
            table.append(SDKTransition(.unready, .deactivated))
            table.append(SDKTransition(.deactivated, .disconnected))
        }
        table.append(SDKTransition(.disconnected, .connected))
        return table
    }
}
