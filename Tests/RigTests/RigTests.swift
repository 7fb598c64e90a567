import CardCrypto
import CardData
import EventLoops
import Journal
import Rig
import SimulatedGateways
import SimulatedReaders
import Testing
import Transports

@Suite("Rig")
struct RigTests {
    private static let visa = HandAct.swipe(reader: 0, card: "visa", quality: .good)

    private func makeRig(
        _ model: MagneSafeModel = .idynamo,
        isAttached: Bool = false,
        faults: [LinkFault] = [],
        hasGateway: Bool = true,
        isRecorded: Bool = false
    ) -> Rig {
        var rig = Rig(
            RigConfiguration(
                readers: [
                    RigReader(
                        name: "till",
                        endpoint: .simulated(MagneSafeReaderConfiguration(model)),
                        isAttachedAtStart: isAttached,
                        faults: faults
                    )
                ],
                gateway: hasGateway ? SimulatedNMIGateway.Configuration() : nil,
                isRecorded: isRecorded
            ),
            cache: CryptoCache()
        )
        rig.start()
        return rig
    }

    /// Takes events until nothing but renewals is pending.
    private func settle(_ rig: inout Rig) {
        while !rig.isQuiet, rig.advance() != .nothing {}
    }

    private func names(_ rig: Rig) -> [RecordName] { rig.journal.readable.map(\.name) }

    private func values(
        _ name: AttributeName,
        of record: RecordName,
        _ rig: Rig
    )
        -> [AttributeValue?]
    {
        rig.journal.readable.filter { $0.name == record }.map { rig.journal.value(name, of: $0) }
    }

    private static let attachNames: [RecordName] = [
        .readerAttached, .deviceConnected, .deviceActivationFinished, .deviceBecameReadyForSwipe,
    ]

    private static let detachNames: [RecordName] = [
        .readerDetached, .deviceBecameUnreadyForSwipe, .deviceDeactivated, .deviceDisconnected,
    ]

    // MARK: Hands and readers

    @Test func whatAHandDoesIsWrittenBeforeWhatFollows() {
        var rig = makeRig()
        rig.act(.plugIn(reader: 0))
        settle(&rig)
        rig.act(.unplug(reader: 0))
        settle(&rig)
        #expect(names(rig) == [.pluggedIn] + Self.attachNames + [.unplugged] + Self.detachNames)
    }

    @Test func aReaderThatIsThereAtTheStartIsSeenWithoutAHand() {
        var rig = makeRig(isAttached: true)
        settle(&rig)
        #expect(names(rig) == Self.attachNames)
    }

    @Test func pluggingInTwiceAttachesOnce() {
        var rig = makeRig()
        for _ in 0..<2 { rig.act(.plugIn(reader: 0)) }
        settle(&rig)
        for _ in 0..<2 { rig.act(.unplug(reader: 0)) }
        settle(&rig)
        #expect(names(rig).filter { $0 == .readerAttached }.count == 1)
        #expect(names(rig).filter { $0 == .readerDetached }.count == 1)
    }

    @Test func everyEventHasTheFlagsOfItsCallback() {
        var rig = makeRig()
        rig.act(.plugIn(reader: 0))
        settle(&rig)
        rig.act(Self.visa)
        settle(&rig)
        rig.act(.unplug(reader: 0))
        settle(&rig)
        let flags = rig.journal.readable.filter { $0.source == .sdk }.map { record in
            [AttributeName.isConnected, .isActivated, .isReadyForSwipe].map {
                rig.journal.value($0, of: record) == .flag(true)
            }
        }
        #expect(
            flags == [
                [true, false, false], [true, true, false], [true, true, true],
                [true, true, true], [true, true, false], [true, false, false],
                [false, false, false],
            ]
        )
    }

    static let models: [MagneSafeModel] = [
        .idynamo, .dynamag(packetByteCount: 8), .dynamag(packetByteCount: 64),
    ]

    @Test(arguments: models)
    func aSwipeArrivesWholeBeforeItsCallback(model: MagneSafeModel) {
        var rig = makeRig(model, isAttached: true)
        settle(&rig)
        rig.act(Self.visa)
        settle(&rig)
        #expect(names(rig).suffix(3) == [.cardSwiped, .swipeArrived, .didSwipeCard])
        #expect(values(.isWhole, of: .swipeArrived, rig) == [.flag(true)])
        #expect(values(.card, of: .didSwipeCard, rig) == [.symbol(.magnesafe)])
    }

    @Test(arguments: models)
    func aSwipeCutByTheHandArrivesNotWholeAndGivesNothing(model: MagneSafeModel) {
        var rig = makeRig(model, isAttached: true)
        settle(&rig)
        rig.act(Self.visa)
        rig.act(.unplug(reader: 0))
        settle(&rig)
        #expect(values(.isWhole, of: .swipeArrived, rig) == [.flag(false)])
        #expect(!names(rig).contains(.didSwipeCard))
        rig.act(.plugIn(reader: 0))
        rig.act(Self.visa)
        settle(&rig)
        #expect(values(.isWhole, of: .swipeArrived, rig) == [.flag(false), .flag(true)])
        #expect(values(.swipe, of: .swipeArrived, rig) == [.integer(1), .integer(2)])
        #expect(values(.card, of: .didSwipeCard, rig) == [.symbol(.magnesafe)])
    }

    @Test(arguments: models)
    func swipesInQuickSuccessionGiveTheirCardsInOrder(model: MagneSafeModel) {
        var rig = makeRig(model, isAttached: true)
        for card in ["visa", "mastercard", "visa"] {
            rig.act(.swipe(reader: 0, card: card, quality: .good))
        }
        settle(&rig)
        #expect(values(.swipe, of: .swipeArrived, rig) == (1...3).map { .integer($0) })
        let numbers = values(.maskedCardNumber, of: .didSwipeCard, rig)
        #expect(numbers.count == 3 && numbers[0] == numbers[2] && numbers[0] != numbers[1])
        #expect(numbers[0] == .text(SafeText("4111000010001111")))
    }

    @Test func aReaderWithoutPowerSendsNothing() {
        var rig = makeRig()
        rig.act(Self.visa)
        settle(&rig)
        #expect(names(rig) == [.cardSwiped])
    }

    @Test(arguments: [SwipeQuality.good, .partial, .reversed])
    func theseQualitiesGiveACard(quality: SwipeQuality) {
        var rig = makeRig(isAttached: true)
        rig.act(.swipe(reader: 0, card: "mastercard", quality: quality))
        settle(&rig)
        #expect(values(.card, of: .didSwipeCard, rig) == [.symbol(.magnesafe)])
    }

    @Test(arguments: [SwipeQuality.tooFast, .unreadable])
    func theseQualitiesGiveNone(quality: SwipeQuality) {
        var rig = makeRig(isAttached: true)
        rig.act(.swipe(reader: 0, card: "mastercard", quality: quality))
        settle(&rig)
        #expect(values(.card, of: .didSwipeCard, rig) == [.symbol(.none)])
    }

    // MARK: Links

    @Test(arguments: [
        (LinkFault.Action.drop, Symbol.drop), (.corrupt(at: 9, xor: 0x10), .corrupt),
    ])
    func aFaultThatDamagesASwipeIsWrittenAndTheSwipeIsNotWhole(
        action: LinkFault.Action,
        fault: Symbol
    ) {
        var rig = makeRig(isAttached: true, faults: [LinkFault(action, at: .unit(1))])
        rig.act(Self.visa)
        settle(&rig)
        #expect(values(.fault, of: .linkFault, rig) == [.symbol(fault)])
        #expect(values(.isWhole, of: .swipeArrived, rig) == [.flag(false)])
        #expect(values(.card, of: .didSwipeCard, rig).allSatisfy { $0 == .symbol(.none) })
        rig.act(Self.visa)
        settle(&rig)
        #expect(values(.card, of: .didSwipeCard, rig).last == .symbol(.magnesafe))
    }

    @Test func aCutLinkIsADetachWithItsReason() {
        var rig = makeRig(isAttached: true, faults: [LinkFault(.cut, at: .byte(100))])
        rig.act(Self.visa)
        settle(&rig)
        #expect(values(.reason, of: .readerDetached, rig) == [.symbol(.cut)])
        #expect(names(rig).suffix(4) == Self.detachNames[...])
    }

    @Test func whatIsSwipedWhileTheLinkIsCutIsLostWithIt() {
        var rig = makeRig(isAttached: true, faults: [LinkFault(.cut, at: .byte(100))])
        rig.act(Self.visa)
        settle(&rig)
        rig.act(Self.visa)
        settle(&rig)
        rig.act(.unplug(reader: 0))
        rig.act(.plugIn(reader: 0))
        rig.act(Self.visa)
        settle(&rig)
        #expect(values(.swipe, of: .swipeArrived, rig) == (1...3).map { .integer($0) })
        #expect(
            values(.isWhole, of: .swipeArrived, rig) == [.flag(false), .flag(false), .flag(true)]
        )
        #expect(values(.card, of: .didSwipeCard, rig) == [.symbol(.magnesafe)])
    }

    @Test(arguments: models)
    func aRecordingHoldsWhatTheReaderSent(model: MagneSafeModel) {
        var rig = makeRig(model, isAttached: true, isRecorded: true)
        rig.act(Self.visa)
        settle(&rig)
        rig.act(.unplug(reader: 0))
        settle(&rig)
        var reader = SimulatedMagneSafeReader(MagneSafeReaderConfiguration(model))
        let cache = CryptoCache()
        guard let card = TestCard.named("visa") else { return }
        let sent = reader.swipe(card: card, quality: .good, cache: cache).map(\.unit)
        let tapped = rig.wireTap?.entries.map(\.traffic)
        let attachment = MagneSafeReaderConfiguration(model).attachment
        #expect(
            tapped
                == [.attached(attachment)] + sent.map(WireTap.Traffic.fromReader)
                + [.detached(.left)]
        )
    }

    @Test func nothingIsRecordedUnlessAsked() {
        #expect(makeRig(isAttached: true).wireTap == nil)
    }

    // MARK: Payments

    @Test func aChargeTellsItsStoryInOrder() {
        var rig = makeRig(isAttached: true)
        rig.act(Self.visa)
        settle(&rig)
        let before = rig.journal.count
        let isCharged = rig.charge(Amount(minorUnits: 1_099), orderID: nil)
        settle(&rig)
        #expect(isCharged)
        #expect(
            names(rig).dropFirst(before) == [
                .chargeRequested, .requestReceived, .booked, .gatewayAnswered, .chargeFinished,
            ]
        )
        #expect(rig.requestCount == 1)
        #expect(rig.ledgerEntries.map(\.amount) == [Amount(minorUnits: 1_099)])
        #expect(values(.orderID, of: .chargeFinished, rig) == [.text(SafeText("order-1"))])
        let isVoided = rig.voidLastCharge()
        settle(&rig)
        #expect(isVoided)
        #expect(rig.ledgerEntries.map(\.state) == [.canceled])
        #expect(values(.result, of: .voidFinished, rig) == [.symbol(.approved)])
    }

    @Test func whatCannotBeDoneIsSaidAndLeavesNoRecord() {
        var rig = makeRig()
        let withoutCard = rig.charge(Amount(minorUnits: 100), orderID: nil)
        let withoutCharge = rig.voidLastCharge()
        #expect(!withoutCard && !withoutCharge)
        var bare = makeRig(isAttached: true, hasGateway: false)
        bare.act(Self.visa)
        settle(&bare)
        let before = bare.journal.count
        let withoutGateway = bare.charge(Amount(minorUnits: 100), orderID: nil)
        let isArmed = bare.arm(GatewayFault(answer: .reset))
        #expect(!withoutGateway && !isArmed)
        #expect(bare.journal.count == before && rig.journal.count == 0)
    }

    @Test func aLostAnswerNeverChargesTwice() {
        var rig = makeRig(isAttached: true)
        rig.act(Self.visa)
        settle(&rig)
        let isArmed = rig.arm(GatewayFault(phase: .afterBooking, answer: .timeout))
        let isCharged = rig.charge(Amount(minorUnits: 500), orderID: "coffee")
        settle(&rig)
        #expect(isArmed && isCharged)
        #expect(rig.ledgerEntries.count == 1)
        #expect(values(.kind, of: .requestReceived, rig).first == .symbol(.sale))
        #expect(
            values(.kind, of: .requestReceived, rig).dropFirst().allSatisfy {
                $0 == .symbol(.query)
            }
        )
        #expect(values(.result, of: .chargeFinished, rig) == [.symbol(.approved)])
    }
}
