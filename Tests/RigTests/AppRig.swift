import CardCrypto
import CardData
import EventLoops
import Journal
import Rig
import SDKCore
import SimulatedGateways
import SimulatedReaders

/// A rig with readers, and what its journal says of an app that is killed, suspended and called.
struct AppRig {
    var rig: Rig

    init(
        _ models: [MagneSafeModel] = [.idynamo],
        attached: Bool = true,
        _ change: (inout RigConfiguration) -> Void = { _ in }
    ) {
        var configuration = RigConfiguration(
            readers: models.enumerated().map { index, model in
                RigReader(
                    name: "reader\(index)",
                    endpoint: .simulated(MagneSafeReaderConfiguration(model)),
                    isAttachedAtStart: attached
                )
            },
            gateway: SimulatedNMIGateway.Configuration()
        )
        change(&configuration)
        self.init(configuration)
    }

    init(_ configuration: RigConfiguration) {
        rig = Rig(configuration, cache: CryptoCache())
        rig.start()
    }

    /// A rig whose readers are attached and announced.
    static func ready(
        _ models: [MagneSafeModel] = [.idynamo],
        _ change: (inout RigConfiguration) -> Void = { _ in }
    ) -> AppRig {
        var desk = AppRig(models, change)
        desk.settle()
        return desk
    }

    /// Takes events until nothing but renewals is pending.
    mutating func settle() {
        while !rig.isQuiet, rig.advance() != .nothing {}
    }

    /// Charges the card that was swiped last.
    mutating func charge(_ minorUnits: Int64) -> Bool {
        rig.charge(Amount(minorUnits: minorUnits), orderID: nil)
    }

    /// Takes events until a callback runs or nothing is pending.
    mutating func takeUntilCallback() {
        while rig.callback == nil, !rig.isQuiet, rig.advance() != .nothing {}
    }

    /// The names of the records that an act and what follows from it write.
    mutating func names(_ act: (inout Rig) -> Void) -> [RecordName] {
        let before = rig.journal.count
        act(&rig)
        settle()
        return names(from: before)
    }

    func names(from first: Int) -> [RecordName] {
        (first..<rig.journal.count).compactMap { rig.journal.record($0)?.name }
    }

    func values(_ name: AttributeName, of record: RecordName) -> [AttributeValue?] {
        rig.journal.readable.filter { $0.name == record }.map { rig.journal.value(name, of: $0) }
    }

    static let swipe = HandAct.swipe(reader: 0, card: "visa", quality: .good)
    static let attaching: [RecordName] = [
        .deviceConnected, .deviceActivationFinished, .deviceBecameReadyForSwipe,
    ]
    static let detaching: [RecordName] = [
        .deviceBecameUnreadyForSwipe, .deviceDeactivated, .deviceDisconnected,
    ]
    static let swiping: [RecordName] = [.cardSwiped, .swipeArrived, .didSwipeCard]
}
