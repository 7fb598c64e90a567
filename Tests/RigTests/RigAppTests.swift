import CardData
import EventLoops
import Journal
import Rig
import SDKCore
import SimulatedGateways
import SimulatedReaders
import Testing
import Transports

/// What becomes of the app, and what it calls.
@Suite("App of a rig")
struct RigAppTests {
    // MARK: Kill and launch

    @Test func aKilledAppHearsNothingAndItsSuccessorAnnouncesWhatIsThere() {
        var desk = AppRig.ready()
        #expect(desk.names { $0.killApp() } == [.appKilled, .readerDetached])
        #expect(!desk.rig.isAppAlive)
        #expect(desk.rig.flags(of: 0).isConnected == false)
        #expect(desk.names { $0.act(AppRig.swipe) } == [.cardSwiped])
        #expect(
            desk.names { $0.launchApp() } == [.appLaunched, .readerAttached] + AppRig.attaching
        )
        #expect(desk.names { $0.act(AppRig.swipe) } == AppRig.swiping)
    }

    @Test func bytesOnTheirWayToAKilledAppNeverReachItsSuccessor() {
        var desk = AppRig.ready()
        desk.rig.act(AppRig.swipe)
        _ = desk.rig.advance()
        _ = desk.names { $0.killApp() }
        let later = desk.names { $0.launchApp() }
        #expect(!later.contains(.didSwipeCard))
        #expect(desk.names { $0.act(AppRig.swipe) } == AppRig.swiping)
    }

    @Test func aReaderPulledOutWhileTheAppWasDeadIsNotAnnounced() {
        var desk = AppRig.ready()
        desk.rig.killApp()
        desk.rig.act(.unplug(reader: 0))
        #expect(desk.names { $0.launchApp() } == [.appLaunched])
        #expect(
            desk.names { $0.act(.plugIn(reader: 0)) }
                == [.pluggedIn, .readerAttached] + AppRig.attaching
        )
    }

    @Test func killingTwiceAndLaunchingTwiceAreOne() {
        var desk = AppRig.ready()
        desk.rig.killApp()
        #expect(desk.names { $0.killApp() } == [])
        desk.rig.launchApp()
        desk.settle()
        #expect(desk.names { $0.launchApp() } == [])
    }

    @Test func aChargeOfAKilledAppIsBookedAndNobodyHearsOfIt() {
        var desk = AppRig.ready()
        desk.rig.act(AppRig.swipe)
        desk.settle()
        #expect(desk.charge(1_099) == true)
        let names = desk.names { $0.killApp() }
        #expect(names.contains(.booked))
        #expect(!names.contains(.gatewayAnswered) && !names.contains(.chargeFinished))
        desk.rig.launchApp()
        desk.settle()
        #expect(desk.charge(500) == false)
        desk.rig.act(AppRig.swipe)
        desk.settle()
        #expect(desk.charge(500) == true)
        desk.settle()
        #expect(desk.values(.result, of: .chargeFinished) == [.symbol(.approved)])
        #expect(desk.values(.number, of: .gatewayAnswered) == [.integer(2)])
        #expect(desk.rig.ledgerEntries.map(\.amount.minorUnits) == [1_099, 500])
    }

    @Test func anAppWithoutADelegateMissesTheReaderThatIsThere() {
        var desk = AppRig.ready { $0.delegateAtStart = nil }
        #expect(desk.names(from: 0) == [.appLaunched, .readerAttached])
        #expect(desk.names { $0.call(.setDelegate(.app)) } == [.delegateSet])
        #expect(desk.names { $0.act(AppRig.swipe) } == [.cardSwiped, .swipeArrived])
        _ = desk.names { $0.act(.unplug(reader: 0)) }
        #expect(
            desk.names { $0.act(.plugIn(reader: 0)) }
                == [.pluggedIn, .readerAttached] + AppRig.attaching
        )
    }

    // MARK: Background

    @Test func anAccessoryIsLostBeforeTheAppSleepsAndAnnouncedOnItsReturn() {
        var desk = AppRig.ready()
        #expect(
            desk.names { $0.sendToBackground() }
                == [.appSentToBackground, .readerDetached] + AppRig.detaching
        )
        #expect(desk.names { $0.act(AppRig.swipe) } == [.cardSwiped])
        #expect(
            desk.names { $0.bringToForeground() }
                == [.appBroughtToForeground, .readerAttached] + AppRig.attaching
        )
        #expect(desk.names { $0.act(AppRig.swipe) } == AppRig.swiping)
    }

    @Test(arguments: [MagneSafeModel.idynamo, .dynamag(packetByteCount: 8)])
    func whatStaysAttachedHearsNothingOfTheBackgroundAndItsBytesAreDropped(
        model: MagneSafeModel
    ) {
        var desk = AppRig.ready([model]) { $0.profile.isSilentInBackground = true }
        #expect(desk.names { $0.sendToBackground() } == [.appSentToBackground])
        #expect(desk.names { $0.act(AppRig.swipe) } == [.cardSwiped, .swipeArrived])
        #expect(desk.values(.isWhole, of: .swipeArrived) == [.flag(false)])
        #expect(desk.names { $0.bringToForeground() } == [.appBroughtToForeground])
        #expect(desk.names { $0.act(AppRig.swipe) } == AppRig.swiping)
    }

    @Test func aDynamagIsNoAccessoryUnlessItStandsInForAnIDynamo() {
        var desk = AppRig.ready([.dynamag(packetByteCount: 64)])
        #expect(desk.names { $0.sendToBackground() } == [.appSentToBackground])
        desk = AppRig.ready([.dynamag(packetByteCount: 64)]) { $0.readers[0].isAccessory = true }
        #expect(
            desk.names { $0.sendToBackground() }
                == [.appSentToBackground, .readerDetached] + AppRig.detaching
        )
    }

    @Test func aSwipeThatTheBackgroundCutIsNotWhole() {
        var desk = AppRig.ready([.dynamag(packetByteCount: 8)])
        desk.rig.act(AppRig.swipe)
        for _ in 0..<10 { _ = desk.rig.advance() }
        desk.rig.sendToBackground()
        desk.rig.bringToForeground()
        desk.settle()
        #expect(desk.values(.isWhole, of: .swipeArrived) == [.flag(false)])
        #expect(desk.values(.card, of: .didSwipeCard).allSatisfy { $0 == .symbol(.none) })
        #expect(desk.names { $0.act(AppRig.swipe) } == AppRig.swiping)
        #expect(desk.values(.isWhole, of: .swipeArrived).last == .flag(true))
    }

    @Test func aConnectAndADisconnectInASilentBackgroundCancelOut() {
        var desk = AppRig(attached: false) { $0.profile.isSilentInBackground = true }
        desk.rig.sendToBackground()
        desk.rig.act(.plugIn(reader: 0))
        desk.rig.act(.unplug(reader: 0))
        #expect(desk.names { $0.bringToForeground() } == [.appBroughtToForeground])
    }

    // MARK: Calls

    @Test func nothingArrivesAfterClose() {
        var desk = AppRig.ready()
        #expect(desk.names { $0.call(.close) } == [.controllerClosed, .readerDetached])
        #expect(desk.names { $0.act(AppRig.swipe) } == [.cardSwiped])
        #expect(desk.names { $0.act(.unplug(reader: 0)) } == [.unplugged])
        #expect(desk.rig.flags(of: 0).isReadyForSwipe == false)
    }

    @Test func aDelegateSetOnOneReaderIsAMisuse() {
        var desk = AppRig.ready()
        #expect(desk.names { $0.call(.setDelegate(nil), reader: 0) } == [.misuse])
        #expect(desk.names { $0.act(AppRig.swipe) } == AppRig.swiping)
    }

    @Test func eachEventSaysWhoseCallbackItWas() {
        var desk = AppRig.ready()
        desk.rig.call(.setDelegate(.other))
        desk.rig.act(AppRig.swipe)
        desk.settle()
        #expect(desk.values(.delegate, of: .deviceConnected) == [.symbol(.app)])
        #expect(desk.values(.delegate, of: .didSwipeCard) == [.symbol(.other)])
    }

    // MARK: Callbacks

    @Test(arguments: 0...2)
    func aCloseFromInsideACallbackIsTheEndOfAnAnnouncement(count: Int) {
        var desk = AppRig { _ in }
        desk.rig.pausesAtEvents = [AppRig.attaching[count]]
        desk.takeUntilCallback()
        #expect(desk.rig.callback == AppRig.attaching[count])
        #expect(!desk.rig.isQuiet)
        desk.rig.call(.close)
        #expect(desk.rig.flags(of: 0).isConnected)
        desk.settle()
        #expect(
            desk.names(from: 0)
                == [.readerAttached] + AppRig.attaching.prefix(count + 1)
                + [.controllerClosed, .readerDetached]
        )
    }

    @Test func theFlagsInsideACallbackAreThoseOfItsEvent() {
        var desk = AppRig { _ in }
        desk.rig.pausesAtEvents = AppRig.attaching
        var flags: [ReaderFlags] = []
        for _ in 0..<3 {
            if desk.rig.callback != nil { _ = desk.rig.advance() }
            desk.takeUntilCallback()
            flags.append(desk.rig.flags(of: 0))
        }
        #expect(
            flags == [
                ReaderFlags(isConnected: true, isActivated: false, isReadyForSwipe: false),
                ReaderFlags(isConnected: true, isActivated: true, isReadyForSwipe: false),
                ReaderFlags(isConnected: true, isActivated: true, isReadyForSwipe: true),
            ]
        )
    }

    @Test func callsFromInsideACallbackHaveTheirEffectAfterItInTheOrderMade() {
        var desk = AppRig { _ in }
        desk.rig.pausesAtEvents = [.deviceConnected]
        desk.takeUntilCallback()
        let before = desk.rig.journal.count
        desk.rig.call(.setDelegate(nil))
        desk.rig.call(.setDelegate(.other))
        #expect(desk.rig.journal.count == before)
        desk.settle()
        #expect(
            desk.names(from: before)
                == [
                    .delegateSet, .delegateSet, .deviceActivationFinished,
                    .deviceBecameReadyForSwipe,
                ]
        )
        #expect(desk.values(.delegate, of: .delegateSet) == [.symbol(.none), .symbol(.other)])
        #expect(desk.values(.delegate, of: .deviceActivationFinished) == [.symbol(.other)])
    }

    @Test func whatHappensOutsideDuringACallbackIsHeardAfterIt() {
        var desk = AppRig { _ in }
        desk.rig.pausesAtEvents = [.deviceActivationFinished]
        desk.takeUntilCallback()
        let before = desk.rig.journal.count
        desk.rig.act(.unplug(reader: 0))
        #expect(desk.names(from: before) == [.unplugged])
        desk.settle()
        // The callback ends before the loss is looked at, so the announcement ends first.
        #expect(
            desk.names(from: before)
                == [.unplugged, .deviceBecameReadyForSwipe, .readerDetached] + AppRig.detaching
        )
    }

    @Test func anAppSentToTheBackgroundFromACallbackHearsTheLossFirst() {
        var desk = AppRig { _ in }
        desk.rig.pausesAtEvents = [.deviceActivationFinished]
        desk.takeUntilCallback()
        let before = desk.rig.journal.count
        desk.rig.sendToBackground()
        desk.settle()
        #expect(
            desk.names(from: before)
                == [
                    .appSentToBackground, .readerDetached, .deviceDeactivated, .deviceDisconnected,
                ]
        )
    }

    @Test func anAppKilledInsideACallbackIsGoneAtOnce() {
        var desk = AppRig { _ in }
        desk.rig.pausesAtEvents = [.deviceConnected]
        desk.takeUntilCallback()
        desk.rig.call(.setDelegate(nil))
        let names = desk.names { $0.killApp() }
        #expect(names == [.appKilled, .readerDetached])
        #expect(desk.rig.callback == nil)
    }

    // MARK: What the system does

    @Test func aProtocolThatTheAppDoesNotDeclareFailsActivation() {
        var desk = AppRig.ready { $0.accessoryProtocols = [] }
        #expect(
            desk.names(from: 0)
                == [.readerAttached, .deviceConnected, .deviceActivationFinished]
        )
        #expect(desk.values(.result, of: .deviceActivationFinished) == [.symbol(.failure)])
        desk = AppRig.ready {
            $0.accessoryProtocols = [RigReader.idynamoProtocol]
            $0.readers[0].protocolString = "com.example.reader"
        }
        #expect(desk.values(.result, of: .deviceActivationFinished) == [.symbol(.failure)])
        desk = AppRig.ready {
            $0.accessoryProtocols = ["com.example.reader"]
            $0.readers[0].protocolString = "com.example.reader"
        }
        #expect(desk.values(.result, of: .deviceActivationFinished) == [.symbol(.success)])
    }

    @Test func aDynamagNeedsNoProtocolString() {
        let desk = AppRig.ready([.dynamag(packetByteCount: 8)]) { $0.accessoryProtocols = [] }
        #expect(desk.values(.result, of: .deviceActivationFinished) == [.symbol(.success)])
    }

    @Test(arguments: [ReaderNotifications.twice, .lateDisconnect])
    func notificationsThatComeTwiceOrLateChangeNothing(notifications: ReaderNotifications) {
        var desk = AppRig.ready { $0.readers[0].notifications = notifications }
        #expect(desk.names(from: 0) == [.readerAttached] + AppRig.attaching)
        _ = desk.names { $0.act(.unplug(reader: 0)) }
        #expect(desk.names(from: 4) == [.unplugged, .readerDetached] + AppRig.detaching)
        let before = desk.rig.journal.count
        desk.rig.act(.plugIn(reader: 0))
        desk.rig.act(.unplug(reader: 0))
        desk.rig.act(.plugIn(reader: 0))
        desk.settle()
        let events = desk.names(from: before).filter { Vocabulary.source(of: $0) == .sdk }
        #expect(events == AppRig.attaching + AppRig.detaching + AppRig.attaching)
        #expect(desk.names { $0.act(AppRig.swipe) } == AppRig.swiping)
    }

    @Test func aSessionThatCannotBeOpenedIsTriedAgainInTime() {
        var desk = AppRig.ready { $0.readers[0].sessionOpenFailureCount = 2 }
        #expect(desk.names(from: 0) == [.readerAttached] + AppRig.attaching)
        #expect(desk.rig.now - .zero >= .seconds(3))
        #expect(desk.rig.now - .zero < .milliseconds(3_001))
        #expect(desk.names { $0.act(AppRig.swipe) } == AppRig.swiping)
    }

    // MARK: Links

    @Test func aFaultCanBeInjectedAtAnyTime() {
        var desk = AppRig.ready()
        desk.rig.act(AppRig.swipe)
        desk.settle()
        let position = desk.rig.linkPosition(of: 0)
        #expect(position.unitCount > 0 && position.byteCount > 0)
        let address = LinkFault.Address.byte(position.byteCount + 100)
        #expect(desk.rig.inject(LinkFault(.cut, at: address), reader: 0) == true)
        #expect(desk.rig.linkPosition(of: 0) == position)
        #expect(
            desk.names { $0.act(AppRig.swipe) }
                == [.cardSwiped, .linkFault, .swipeArrived, .readerDetached] + AppRig.detaching
        )
        _ = desk.names { $0.act(.unplug(reader: 0)) }
        _ = desk.names { $0.act(.plugIn(reader: 0)) }
        #expect(desk.names { $0.act(AppRig.swipe) } == AppRig.swiping)
    }

    @Test func aFaultInjectedWhileUnitsAreOnTheirWayMeetsThem() {
        var desk = AppRig.ready([.dynamag(packetByteCount: 8)])
        desk.rig.act(AppRig.swipe)
        for _ in 0..<5 { _ = desk.rig.advance() }
        let unit = desk.rig.linkPosition(of: 0).unitCount + 1
        desk.rig.inject(LinkFault(.drop, at: .unit(unit)), reader: 0)
        desk.settle()
        #expect(desk.values(.fault, of: .linkFault) == [.symbol(.drop)])
        #expect(desk.values(.isWhole, of: .swipeArrived) == [.flag(false)])
        #expect(desk.names { $0.act(AppRig.swipe) } == AppRig.swiping)
    }

    @Test func theDelayOfALinkCanBeChanged() {
        var desk = AppRig.ready()
        desk.rig.act(AppRig.swipe)
        desk.settle()
        let first = desk.rig.now - .zero
        let start = desk.rig.now
        desk.rig.setLinkTiming(LinkTiming(delay: .seconds(1)), reader: 0)
        #expect(desk.names { $0.act(AppRig.swipe) } == AppRig.swiping)
        #expect(desk.rig.now - start == first + .seconds(1))
    }

    @Test func aSwipeLostBehindACutDoesNotTakeTheBytesOfALaterOne() {
        var desk = AppRig.ready { $0.readers[0].faults = [LinkFault(.cut, at: .unit(1))] }
        _ = desk.names { $0.act(AppRig.swipe) }
        _ = desk.names { $0.act(AppRig.swipe) }
        _ = desk.names { $0.act(.unplug(reader: 0)) }
        _ = desk.names { $0.act(.plugIn(reader: 0)) }
        _ = desk.names { $0.act(AppRig.swipe) }
        #expect(desk.values(.swipe, of: .swipeArrived).last == .integer(3))
        #expect(desk.values(.isWhole, of: .swipeArrived).last == .flag(true))
    }
}
