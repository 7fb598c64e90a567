package import CardCrypto
import CardData
import EventLoops
import Journal
import Laws
import Rig
package import SDKCore
import SimulatedGateways
import SimulatedReaders
import Transports

/// Hands at two MagTek readers, the app, the links, a merchant and NMI.
package struct SwipePlay: Play {
    /// Who may act besides the hands.
    package struct Actors: OptionSet, Sendable {
        package let rawValue: Int
        /// The app is killed, suspended and called, also from inside its callbacks.
        package static let app = Actors(rawValue: 1)
        /// The links lose, change, repeat and cut.
        package static let links = Actors(rawValue: 2)
        /// The merchant charges, and the gateway's answers are lost.
        package static let merchant = Actors(rawValue: 4)
        /// Everybody.
        package static let all: Actors = [.app, .links, .merchant]

        /// Creates a set from its bits.
        package init(rawValue: Int) { self.rawValue = rawValue }
    }

    package var stage: Stage
    private let actors: Actors
    /// The last unit of each link at which a fault is; no unit meets two.
    private var disturbedUnits = [0, 0]
    private var lastSwipes: [VirtualInstant?] = [nil, nil]

    /// How many acts a play has.
    private static let actCount = 40

    private init(seed: UInt64, plant: Plant?, actors: Actors, cache: CryptoCache) {
        self.actors = actors
        var random = SplitMix64(seed: seed)
        var configuration = RigConfiguration(
            readers: [MagneSafeModel.idynamo, .dynamag(packetByteCount: 64)].map { model in
                RigReader(
                    name: "reader",
                    endpoint: .simulated(MagneSafeReaderConfiguration(model))
                )
            },
            gateway: SimulatedNMIGateway.Configuration()
        )
        configuration.plant = plant
        for index in configuration.readers.indices {
            configuration.readers[index].isAttachedAtStart = random.next(below: 2) == 0
            if actors.contains(.app) {
                configuration.readers[index].sessionOpenFailureCount =
                    [0, 0, 0, 1, 4][random.index(below: 5)]
                configuration.readers[index].notifications =
                    [.once, .once, .twice, .lateDisconnect][random.index(below: 4)]
            }
        }
        if actors.contains(.app) {
            configuration.profile.isUnreadyAfterSwipe = random.next(below: 4) == 0
            configuration.profile.reportsCutSwipes = random.next(below: 4) == 0
            configuration.profile.isSilentInBackground = random.next(below: 2) == 0
            if random.next(below: 6) == 0 { configuration.delegateAtStart = nil }
            if random.next(below: 8) == 0 { configuration.accessoryProtocols = [] }
        }
        stage = Stage(
            configuration,
            laws: LawBook(
                lawsOff: [],
                readerCount: 2,
                attachedAtStart: configuration.readers.map(\.isAttachedAtStart)
            ),
            random: random,
            cache: cache
        )
    }

    /// Plays once.
    package static func played(
        seed: UInt64,
        plant: Plant? = nil,
        actors: Actors = .all,
        cache: CryptoCache
    ) -> SwipePlay {
        var play = SwipePlay(seed: seed, plant: plant, actors: actors, cache: cache)
        play.perform(actCount: actCount, eventBound: 12)
        return play
    }

    package mutating func act() {
        let reader = random.index(below: 2)
        switch random.next(below: 12) {
        case 0, 1: rig.act(.plugIn(reader: reader))
        case 2: rig.act(.unplug(reader: reader))
        case 3, 4, 5, 6:
            // A hand is slower than a reader: what the last swipe gave is over.
            if let last = lastSwipes[reader], rig.now - last < .milliseconds(300) { settle() }
            lastSwipes[reader] = rig.now
            let quality: [SwipeQuality] = [.good, .good, .partial, .unreadable]
            rig.act(
                .swipe(
                    reader: reader,
                    card: random.next(below: 3) == 0 ? "mastercard" : "visa",
                    quality: quality[random.index(below: 4)]
                )
            )
        case 7: settle()
        case 8: if actors.contains(.links) { disturb(reader) }
        case 9, 10: if actors.contains(.app) { actAsApp(reader) }
        default: if actors.contains(.merchant) { actAsMerchant() }
        }
    }

    package mutating func actInCallback() { actAsApp(random.index(below: 2)) }

    private mutating func actAsApp(_ reader: Int) {
        switch random.next(below: 12) {
        case 0: rig.killApp()
        case 1: rig.launchApp()
        case 2: rig.sendToBackground()
        case 3, 4: rig.bringToForeground()
        case 5: rig.call(.setDelegate(nil))
        case 6, 7: rig.call(.setDelegate(.app))
        case 8: rig.call(.setDelegate(.other))
        case 9: rig.call(.setDelegate(nil), reader: reader)
        case 10:
            let events: [RecordName] = [
                .deviceConnected, .deviceBecameReadyForSwipe, .didSwipeCard, .deviceDeactivated,
            ]
            rig.pausesAtEvents = [events[random.index(below: 4)]]
        default:
            if random.next(below: 4) == 0 { rig.call(.close) } else { rig.launchApp() }
        }
    }

    private mutating func actAsMerchant() {
        switch random.next(below: 4) {
        case 0:
            let answers: [GatewayFault.Answer] = [
                .timeout, .reset, .garbage, .httpStatus(500), .slow(.seconds(40)),
            ]
            _ = rig.arm(
                GatewayFault(
                    phase: random.next(below: 2) == 0 ? .beforeBooking : .afterBooking,
                    answer: answers[random.index(below: 5)]
                )
            )
        case 1: _ = rig.voidLastCharge()
        default: _ = rig.charge(Amount(minorUnits: 1_099), orderID: nil)
        }
    }

    private mutating func disturb(_ reader: Int) {
        let position = rig.linkPosition(of: reader)
        let actions: [LinkFault.Action] = [
            .drop, .duplicate, .cut, .corrupt(at: 0, xor: 0x20), .delay(.milliseconds(3)),
            .merge(within: .milliseconds(3)),
        ]
        let unit = position.unitCount + 1 + random.index(below: 4)
        guard unit > disturbedUnits[reader] else { return }
        disturbedUnits[reader] = unit
        rig.inject(
            LinkFault(actions[random.index(below: 6)], at: .unit(unit)),
            reader: reader
        )
    }
}
