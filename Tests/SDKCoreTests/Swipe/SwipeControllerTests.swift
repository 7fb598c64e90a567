import CardData
import EventLoops
import GatewayProtocols
import ReaderProtocols
import SDKCore
import Testing
import Transports

@Suite("Swipe controller")
struct SwipeControllerTests {
    // MARK: Attach and detach

    @Test(arguments: WirePath.allCases)
    func attachAndDetachAreToldInReverseOrder(path: WirePath) {
        var world = SwipeWorld(path)
        #expect(world.events() == [])
        world.attach()
        #expect(world.events() == Told.attaching())
        world.detach()
        #expect(world.events() == Told.detaching())
        world.attach()
        #expect(world.events() == Told.attaching())
    }

    @Test func aReaderThatIsThereWhenTheDelegateComesIsAnnounced() {
        var world = SwipeWorld(.stream, hasDelegate: false)
        world.attach()
        #expect(world.events() == [])
        world.controller.send(.setDelegate(isPresent: true))
        #expect(world.events() == Told.attaching())
    }

    @Test(arguments: WirePath.allCases)
    func aReaderThatCannotBeUsedIsConnectedAndNotActivated(path: WirePath) {
        var world = SwipeWorld(path)
        let problem = TransportProblem(.unsupported, "the protocol is not declared")
        world.controller.input(.unusable(problem), from: 0, at: world.now)
        #expect(world.events() == [.connected(0), .activated(0, .failure)])
        world.swipe(Swipe.good(1))
        #expect(world.events() == [])
        world.detach()
        #expect(world.events() == [.disconnected(0)])
    }

    @Test func theFlagsOfEveryReaderAreItsOwn() {
        var world = SwipeWorld(.stream, .packetsOf8)
        world.attach(1)
        _ = world.events()
        #expect(!world.controller.isConnected(0) && world.controller.isConnected(1))
        #expect(!world.controller.isActivated(0) && world.controller.isActivated(1))
        #expect(!world.controller.isReadyForSwipe(0) && world.controller.isReadyForSwipe(1))
    }

    // MARK: Swipes

    @Test(arguments: WirePath.allCases)
    func aGoodSwipeGivesTheCardAndTheReaderStaysReady(path: WirePath) throws {
        var world = SwipeWorld.ready(path)
        world.swipe(Swipe.good(7))
        let event = world.controller.nextEvent()
        var card: MagnesafeSwipedCard?
        if case .didSwipeCard(let swiped) = event?.kind { card = swiped?.magnesafe }
        let found = try #require(card)
        #expect(found.maskedCardNumber?.description == "4111000010001111")
        #expect(found.expirationDate?.description == "1225")
        #expect(found.cardholderName.description == "TEST CARD")
        #expect(found.swipe.isWellFormed)
        #expect(String(decoding: found.swipe.ksn, as: UTF8.self) == "FFFF9876543210E00007")
        #expect(found.swipe.track1 == Array(String(repeating: "07", count: 56).utf8))
        #expect(world.next() == nil)
        #expect(world.controller.isReadyForSwipe(0))
    }

    @Test(arguments: WirePath.allCases)
    func anUnreadableSwipeGivesNoCardAndTheReaderStaysReady(path: WirePath) {
        var world = SwipeWorld.ready(path)
        world.swipe(Swipe.unreadable(1))
        #expect(world.events() == [.noCard(0)])
        #expect(world.controller.isReadyForSwipe(0))
        world.swipe(Swipe.good(2))
        #expect(world.events() == [.card(0, 2)])
    }

    @Test func aDamagedMessageGivesNoCardOnce() {
        let message = Swipe.good(1).streamBlocks()
        // The checksum does not cover the format code, four characters before the terminator.
        for position in 0..<(Swipe.good(1).streamMessage().count - 5) {
            var world = SwipeWorld.ready(.stream)
            var damaged = message
            damaged[position] ^= 0x01
            world.receive([TransportUnit(.bytes, damaged[...])])
            world.swipe(Swipe.good(2))
            let told = world.events()
            #expect(told == [.noCard(0), .card(0, 2)], "byte \(position)")
        }
    }

    @Test(arguments: [WirePath.packetsOf8, .packetsOf64])
    func aReportThatLostAPacketGivesNoCardOnce(path: WirePath) {
        let units = path.units(Swipe.good(1))
        for lost in units.indices.dropLast() {
            var world = SwipeWorld.ready(path)
            var rest = units
            rest.remove(at: lost)
            world.receive(rest)
            #expect(world.events() == [.noCard(0)])
            world.pass(.seconds(1))
            world.swipe(Swipe.good(2))
            #expect(world.events() == [.card(0, 2)])
        }
    }

    @Test(arguments: WirePath.allCases)
    func theSameRecordTwiceIsOneSwipe(path: WirePath) {
        var world = SwipeWorld.ready(path)
        world.swipe(Swipe.good(3))
        world.pass(.seconds(1))
        world.swipe(Swipe.good(3))
        #expect(world.events() == [.card(0, 3)])
    }

    @Test(arguments: WirePath.allCases)
    func anUnreadableRecordTwiceIsOneSwipe(path: WirePath) {
        var world = SwipeWorld.ready(path)
        world.swipe(Swipe.unreadable(3))
        world.pass(.seconds(1))
        world.swipe(Swipe.unreadable(3))
        #expect(world.events() == [.noCard(0)])
        world.swipe(Swipe.unreadable(4))
        #expect(world.events() == [.noCard(0)])
    }

    @Test(arguments: WirePath.allCases)
    func aNewCounterIsANewSwipeOfTheSameCard(path: WirePath) {
        var world = SwipeWorld.ready(path)
        for counter: UInt32 in 1...5 {
            world.swipe(Swipe.good(counter))
            world.pass(.seconds(1))
        }
        #expect(world.events() == (1...5).map { .card(0, $0) })
    }

    @Test(arguments: WirePath.allCases)
    func aCounterSeenInAnOlderSessionIsANewSwipe(path: WirePath) {
        var world = SwipeWorld.ready(path)
        world.swipe(Swipe.good(3))
        _ = world.events()
        world.detach()
        world.attach()
        _ = world.events()
        world.swipe(Swipe.good(3))
        #expect(world.events() == [.card(0, 3)])
    }

    @Test func aFloodOfSwipesIsBounded() {
        var world = SwipeWorld.ready(.wholeReports)
        for counter in 1...1_000 as ClosedRange<UInt32> { world.swipe(Swipe.good(counter)) }
        let told = world.events()
        #expect(told.count >= 16 && told.count <= 100)
        #expect(told == (1...UInt32(told.count)).map { .card(0, $0) })
        world.swipe(Swipe.good(2_000))
        #expect(world.events() == [.card(0, 2_000)])
    }

    // MARK: Cuts

    @Test(arguments: WirePath.allCases)
    func aWholeSwipeIsDeliveredBeforeTheLossOfItsReader(path: WirePath) {
        var world = SwipeWorld.ready(path)
        world.swipe(Swipe.good(5))
        world.detach()
        #expect(world.events() == [.card(0, 5)] + Told.detaching())
    }

    @Test func aStreamCutAtAnyByteGivesNothingUntilItIsWhole() {
        let bytes = Swipe.good(1).streamBlocks()
        // The last byte of the format code makes the message whole; the terminator adds nothing.
        let wholeAt = Swipe.good(1).streamMessage().count - 1
        for cut in 0...bytes.count {
            var world = SwipeWorld.ready(.stream)
            if cut > 0 { world.receive([TransportUnit(.bytes, bytes[..<cut])]) }
            world.detach()
            let card: [Told] = cut >= wholeAt ? [.card(0, 1)] : []
            #expect(world.events() == card + Told.detaching(), "cut at \(cut)")
            world.attach()
            world.swipe(Swipe.good(2))
            #expect(world.events() == Told.attaching() + [.card(0, 2)], "cut at \(cut)")
        }
    }

    @Test func aStreamMayComeInTwoPiecesWhereverItIsSplit() {
        let bytes = Swipe.good(1).streamBlocks()
        for split in 1..<bytes.count {
            var world = SwipeWorld.ready(.stream)
            world.receive([
                TransportUnit(.bytes, bytes[..<split]), TransportUnit(.bytes, bytes[split...]),
            ])
            #expect(world.events() == [.card(0, 1)], "split at \(split)")
        }
    }

    @Test(arguments: [WirePath.packetsOf8, .packetsOf64])
    func aReportCutAtAnyPacketGivesNothingUntilItIsWhole(path: WirePath) {
        let units = path.units(Swipe.good(1))
        for cut in 0...units.count {
            var world = SwipeWorld.ready(path)
            world.receive(units[..<cut])
            world.detach()
            let card: [Told] = cut == units.count ? [.card(0, 1)] : []
            #expect(world.events() == card + Told.detaching())
            world.attach()
            world.swipe(Swipe.good(2))
            #expect(world.events() == Told.attaching() + [.card(0, 2)])
            #expect(world.controller.nextDeadline == nil)
        }
    }

    @Test(arguments: WirePath.allCases)
    func bytesThatComeWhileDetachedAreDropped(path: WirePath) {
        var world = SwipeWorld(path)
        world.swipe(Swipe.good(1))
        world.attach()
        #expect(world.events() == Told.attaching())
        world.detach()
        world.swipe(Swipe.good(2))
        #expect(world.events() == Told.detaching())
        world.attach()
        world.swipe(Swipe.good(3))
        #expect(world.events() == Told.attaching() + [.card(0, 3)])
    }

    // MARK: Time

    @Test func silenceEndsAReportThatHasBegun() throws {
        var world = SwipeWorld.ready(.packetsOf8)
        world.receive(WirePath.packetsOf8.units(Swipe.good(1)).prefix(10))
        #expect(world.events() == [])
        let deadline = try #require(world.controller.nextDeadline)
        #expect(deadline == world.now + MagneSafeReportAssembler.longestSilence)
        world.controller.advance(to: VirtualInstant(nanoseconds: deadline.nanoseconds - 1))
        #expect(world.events() == [])
        world.controller.advance(to: deadline)
        #expect(world.events() == [.noCard(0)])
        #expect(world.controller.nextDeadline == nil)
        world.pass(.seconds(1))
        world.swipe(Swipe.good(2))
        #expect(world.events() == [.card(0, 2)])
    }

    @Test func silenceEndsAMessageThatHasBegun() throws {
        let bytes = Swipe.good(1).streamBlocks()
        var world = SwipeWorld.ready(.stream)
        world.receive([TransportUnit(.bytes, bytes[..<100])])
        #expect(world.events() == [])
        let deadline = try #require(world.controller.nextDeadline)
        world.controller.advance(to: VirtualInstant(nanoseconds: deadline.nanoseconds - 1))
        #expect(world.events() == [])
        world.controller.advance(to: deadline)
        #expect(world.events() == [.noCard(0)])
        #expect(world.controller.nextDeadline == nil)
        world.swipe(Swipe.good(2))
        #expect(world.events() == [.card(0, 2)])
    }

    @Test(arguments: [WirePath.packetsOf8, .packetsOf64])
    func theRestOfAReportThatComesTooLateIsNoSecondSwipe(path: WirePath) {
        let units = path.units(Swipe.good(1))
        for pause in 1..<units.count {
            var world = SwipeWorld.ready(path)
            world.receive(units[..<pause])
            world.pass(.seconds(1))
            world.receive(units[pause...])
            world.pass(.seconds(1))
            // The first 856 bytes are a whole report of the older generation.
            let isWhole = pause * path.packetByteCount == MagneSafeReportLayout.olderByteCount
            #expect(world.events() == [isWhole ? .card(0, 1) : .noCard(0)], "packet \(pause)")
            world.swipe(Swipe.good(2))
            #expect(world.events() == [.card(0, 2)], "after packet \(pause)")
        }
    }

    @Test func theRestOfAMessageThatComesTooLateIsNoSecondSwipe() {
        let bytes = Swipe.good(1).streamBlocks()
        for pause in 1..<(Swipe.good(1).streamMessage().count - 1) {
            var world = SwipeWorld.ready(.stream)
            world.receive([TransportUnit(.bytes, bytes[..<pause])])
            world.pass(.seconds(1))
            world.receive([TransportUnit(.bytes, bytes[pause...])])
            world.pass(.seconds(1))
            #expect(world.events() == [.noCard(0)], "after byte \(pause)")
            world.swipe(Swipe.good(2))
            #expect(world.events() == [.card(0, 2)], "after byte \(pause)")
        }
    }

    @Test func theEarliestDeadlineOfAllReadersCounts() {
        var world = SwipeWorld(.packetsOf8, .packetsOf8)
        world.attach(0)
        world.attach(1)
        world.receive(WirePath.packetsOf8.units(Swipe.good(1)).prefix(1), 1)
        let first = world.controller.nextDeadline
        world.receive(WirePath.packetsOf8.units(Swipe.good(1)).prefix(1), 0)
        #expect(first != nil && world.controller.nextDeadline == first)
    }

    // MARK: Several readers

    @Test func interleavedReadersKeepTheirBytesApart() {
        var world = SwipeWorld(.stream, .packetsOf8)
        world.attach(0)
        world.attach(1)
        #expect(world.events() == Told.attaching(0) + Told.attaching(1))
        let bytes = Swipe.good(1).streamBlocks()
        let packets = WirePath.packetsOf8.units(Swipe.good(2))
        for (index, packet) in packets.enumerated() {
            let start = index * bytes.count / packets.count
            let end = (index + 1) * bytes.count / packets.count
            world.receive([TransportUnit(.bytes, bytes[start..<end])], 0)
            world.receive([packet], 1)
        }
        #expect(Set(world.events()) == [.card(0, 1), .card(1, 2)])
        world.detach(0)
        world.swipe(Swipe.good(3), 1)
        #expect(world.events() == Told.detaching(0) + [.card(1, 3)])
    }

    // MARK: Calls from inside a callback

    /// A world before an attach, a swipe and a detach, of which seven events are told.
    private func untold() -> SwipeWorld {
        var world = SwipeWorld(.stream)
        world.attach()
        return world
    }

    private static let story = Told.attaching() + [.card(0, 1)] + Told.detaching()

    /// Tells the whole story, calling from inside the callback of one event.
    private func tell(
        callingAfter count: Int,
        _ calls: (inout SwipeWorld) -> Void
    ) -> (told: [Told], world: SwipeWorld) {
        var world = untold()
        var told: [Told] = []
        func deliver() {
            while true {
                if told.count == count { calls(&world) }
                guard let event = world.next() else { return }
                told.append(event)
            }
        }
        deliver()
        world.swipe(Swipe.good(1))
        deliver()
        world.detach()
        deliver()
        return (told, world)
    }

    @Test(arguments: 0...7)
    func nothingArrivesAfterTheControllerIsClosed(count: Int) {
        var (told, world) = tell(callingAfter: count) { $0.controller.send(.close) }
        #expect(told == Array(Self.story.prefix(count)))
        world.attach()
        world.swipe(Swipe.good(9))
        world.controller.send(.setDelegate(isPresent: true))
        #expect(world.events() == [])
        #expect(world.controller.nextDeadline == nil)
    }

    @Test func aClosedControllerWantsNoTime() {
        var world = SwipeWorld.ready(.packetsOf8)
        world.receive(WirePath.packetsOf8.units(Swipe.good(1)).prefix(3))
        #expect(world.controller.nextDeadline != nil)
        world.controller.send(.close)
        #expect(world.controller.nextDeadline == nil)
    }

    @Test(arguments: 0...7)
    func anotherDelegateIsToldWhatIsLeft(count: Int) {
        let (told, _) = tell(callingAfter: count) { world in
            world.controller.send(.setDelegate(isPresent: true))
        }
        #expect(told == Self.story)
    }

    @Test(arguments: 0...7)
    func nothingArrivesWithoutADelegateAndStatesAreMadeUpForLater(count: Int) {
        var (told, world) = tell(callingAfter: count) {
            $0.controller.send(.setDelegate(isPresent: false))
        }
        #expect(told == Array(Self.story.prefix(count)))
        world.controller.send(.setDelegate(isPresent: true))
        let unwound: [Told] =
            switch count {
            case 0, 7: []
            case 1, 6: [.disconnected(0)]
            case 2, 5: [.deactivated(0), .disconnected(0)]
            default: Told.detaching()
            }
        #expect(world.events() == unwound)
    }

    @Test(arguments: WirePath.allCases)
    func aSwipeThatNobodyListensToIsNotKeptForALaterDelegate(path: WirePath) {
        var world = SwipeWorld.ready(path)
        world.controller.send(.setDelegate(isPresent: false))
        world.swipe(Swipe.good(1))
        world.controller.send(.setDelegate(isPresent: true))
        #expect(world.events() == [])
        world.pass(.seconds(1))
        world.swipe(Swipe.good(2))
        #expect(world.events() == [.card(0, 2)])
    }
}
