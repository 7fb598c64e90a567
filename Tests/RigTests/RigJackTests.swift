import CardCrypto
import EventLoops
import Journal
import Rig
import SDKCore
import SimulatedGateways
import SimulatedReaders
import Testing
import Transports

@Suite("Audio jack of a rig")
struct RigJackTests {
    // MARK: Plugging in

    @Test func aShuttleIsPoweredThroughTheJack() {
        var desk = JackRig.make()
        let names = desk.names { $0.act(.plugIn(reader: 0)) }
        #expect(
            names == [
                .pluggedIn, .readerAttached, .deviceConnected, .promptShown, .promptAnswered,
                .volumeChanged, .toneStarted, .readerPoweredUp, .deviceActivationFinished,
                .deviceBecameReadyForSwipe,
            ]
        )
        #expect(desk.values(.volume, of: .toneStarted) == [.integer(100)])
        #expect(desk.values(.into, of: .toneStarted) == [.symbol(.shuttle)])
        #expect(desk.values(.by, of: .volumeChanged) == [.symbol(.sdk)])
        #expect(desk.values(.by, of: .promptAnswered) == [.symbol(.setting)])
        #expect(desk.rig.audioJackReaderType == .uniMag)
    }

    @Test func aReaderThatIsThereAtTheStartIsAnnounced() {
        var desk = JackRig.make([JackRig.ips], attached: true)
        desk.settle()
        #expect(desk.names(from: 0).suffix(3) == AppRig.attaching)
        #expect(desk.rig.flags(of: 0).isReadyForSwipe)
    }

    @Test func whatIsNoReaderOfTheRigIsNamed() {
        var desk = JackRig.make { $0.callsAtLaunch = [.setActivateReaderOnAttach(false)] }
        desk.settle()
        #expect(
            desk.names { _ = $0.plugIntoJack(.headphones) }
                == [.pluggedIn, .readerAttached, .deviceConnected]
        )
        #expect(desk.values(.object, of: .pluggedIn) == [.symbol(.headphones)])
        #expect(desk.names { _ = $0.unplugFromJack() }.suffix(1) == [.deviceDisconnected])
        #expect(desk.values(.object, of: .unplugged) == [.symbol(.headphones)])
        let isPluggedIn = desk.rig.plugIntoJack(.nothing)
        #expect(!isPluggedIn)
    }

    @Test func aRigWithoutAJackHasNothingToPlugIntoOrToTurn() {
        var desk = AppRig.ready()
        let hasDone = [
            desk.rig.plugIntoJack(.headphones), desk.rig.unplugFromJack(),
            desk.rig.setVolume(percent: 10), desk.rig.setBattery(percent: 10),
            desk.rig.permitRecording(false), desk.rig.setPhoneCall(isActive: true),
            desk.rig.answerPrompt(true),
        ]
        #expect(!hasDone.contains(true))
        #expect(desk.rig.audioJackReaderType == .none)
    }

    @Test func oneOfTwoReadersAtTheJackIsInIt() {
        var desk = JackRig.make([JackRig.shuttle, JackRig.ips])
        _ = desk.names { $0.act(.plugIn(reader: 0)) }
        #expect(desk.rig.isAttached(0) && !desk.rig.isAttached(1))
        let names = desk.names { $0.act(.plugIn(reader: 1)) }
        #expect(!desk.rig.isAttached(0) && desk.rig.isAttached(1))
        #expect(names.contains(.readerDetached) && names.contains(.deviceDisconnected))
        // The SDK serves a Shuttle, so it takes the IPS for one.
        #expect(desk.values(.reader, of: .deviceConnected) == [.reader(0), .reader(0)])
        #expect(desk.values(.reader, of: .readerAttached) == [.reader(0), .reader(1)])
        #expect(!desk.rig.flags(of: 1).isConnected)
        _ = desk.names { $0.call(.setAudioJackReaderType(.ips)) }
        #expect(desk.rig.flags(of: 1).isReadyForSwipe && !desk.rig.flags(of: 0).isConnected)
        #expect(
            desk.names { $0.act(.swipe(reader: 1, card: "visa", quality: .good)) }.last
                == .didSwipeCard
        )
    }

    @Test(arguments: [(0, 1), (1, 0)])
    func oneLeavesTheJackBeforeAnotherIsInIt(old: Int, new: Int) throws {
        var desk = JackRig.make([JackRig.shuttle, JackRig.ips]) {
            $0.audioJack.readerType = .ips
        }
        _ = desk.names { $0.act(.plugIn(reader: old)) }
        let names = desk.names { $0.act(.plugIn(reader: new)) }
        let left = try #require(names.firstIndex(of: .readerDetached))
        let came = try #require(names.firstIndex(of: .readerAttached))
        #expect(left < came)
        #expect(desk.values(.reader, of: .readerDetached) == [.reader(old)])
        #expect(desk.values(.reader, of: .readerAttached).last == .reader(new))
        #expect(desk.rig.flags(of: 1).isConnected)
    }

    @Test func headphonesThatTakeTheReadersPlaceLeaveTheJackConnected() {
        var desk = JackRig.make([JackRig.shuttle, JackRig.ips]) {
            $0.audioJack.readerType = .ips
        }
        _ = desk.names { $0.act(.plugIn(reader: 1)) }
        let names = desk.names { _ = $0.plugIntoJack(.headphones) }
        #expect(names.filter { $0 == .deviceConnected }.count == 1)
        #expect(names.last == .deviceBecameReadyForSwipe)
        #expect(desk.rig.thingInJack(insteadOf: 1) == "headphones")
        #expect(desk.rig.thingInJack(insteadOf: 0) == "headphones")
        _ = desk.names { $0.act(.plugIn(reader: 0)) }
        #expect(desk.rig.thingInJack(insteadOf: 1) == "reader0")
        #expect(desk.rig.thingInJack(insteadOf: 0) == nil)
    }

    @Test func whatHappensToAReaderNamesThatReader() {
        var desk = JackRig.make([JackRig.shuttle, JackRig.ips])
        _ = desk.names { $0.act(.swipe(reader: 1, card: "visa", quality: .good)) }
        #expect(desk.values(.reader, of: .swipeLost) == [.reader(1)])
        _ = desk.names { $0.act(.plugIn(reader: 0)) }
        #expect(desk.values(.reader, of: .readerPoweredUp) == [.reader(0)])
        _ = desk.names { $0.act(.swipe(reader: 1, card: "visa", quality: .good)) }
        #expect(desk.values(.reader, of: .swipeLost).last == .reader(1))
        _ = desk.names { $0.act(.plugIn(reader: 1)) }
        #expect(desk.values(.reader, of: .readerLostPower) == [.reader(0)])
    }

    // MARK: Swipes and money

    @Test(arguments: [JackRig.shuttle, JackRig.ips])
    func aSwipeIsCharged(thing: JackThing) {
        var desk = JackRig.ready([thing])
        let names = desk.names { $0.act(JackRig.swipe) }
        #expect(names.prefix(3) == [.cardSwiped, .swipeArrived, .didSwipeCard])
        #expect(desk.values(.card, of: .didSwipeCard) == [.symbol(.encrypted)])
        #expect(desk.values(.isWhole, of: .swipeArrived) == [.flag(true)])
        let didCharge = desk.charge(1_099)
        #expect(didCharge)
        desk.settle()
        #expect(desk.values(.response, of: .gatewayAnswered) == [.symbol(.approved)])
    }

    @Test(arguments: [JackRig.shuttle, JackRig.ips])
    func aGatewayWithoutTheReadersKeyRefuses(thing: JackThing) throws {
        var desk = JackRig.ready([thing]) {
            $0.gateway?.baseDerivationKeys = [CipherKey(left: 1, right: 2)]
        }
        _ = desk.names { $0.act(JackRig.swipe) }
        let didCharge = desk.charge(1_099)
        #expect(didCharge)
        desk.settle()
        #expect(desk.values(.response, of: .gatewayAnswered) == [.symbol(.error)])
        #expect(desk.rig.ledgerEntries.isEmpty)
    }

    @Test func aSwipeWithoutPowerIsLostWithItsReason() {
        var desk = JackRig.make { $0.prompts = .refuse }
        _ = desk.names { $0.act(.plugIn(reader: 0)) }
        #expect(desk.names { $0.act(JackRig.swipe) } == [.cardSwiped, .swipeLost])
        #expect(desk.values(.reason, of: .swipeLost) == [.symbol(.unpowered)])
        #expect(!desk.names(from: 0).contains(.toneStarted))
    }

    @Test func withoutPermissionToRecordASwipeIsSentAndNotHeard() {
        var desk = JackRig.ready([JackRig.ips])
        #expect(desk.names { _ = $0.permitRecording(false) } == [.recordingPermissionChanged])
        #expect(desk.names { $0.act(JackRig.swipe) } == [.cardSwiped, .swipeArrived])
        #expect(desk.values(.isWhole, of: .swipeArrived) == [.flag(false)])
        _ = desk.names { _ = $0.permitRecording(true) }
        #expect(desk.names { $0.act(JackRig.swipe) } == AppRig.swiping)
    }

    @Test func anEmptyBatteryIsSilent() {
        var desk = JackRig.ready([JackRig.ips])
        #expect(desk.names { _ = $0.setBattery(percent: 0) } == [.batteryChanged])
        #expect(desk.names { $0.act(JackRig.swipe) } == [.cardSwiped, .swipeLost])
        #expect(desk.values(.reason, of: .swipeLost) == [.symbol(.emptyBattery)])
    }

    // MARK: Faults of the link

    @Test(arguments: [
        (LinkFault(.delay(.milliseconds(20)), at: .unit(3)), true),
        (LinkFault(.split(at: 4, gap: .milliseconds(1)), at: .unit(3)), true),
        (LinkFault(.drop, at: .unit(3)), false),
        (LinkFault(.corrupt(at: 0, xor: 1), at: .byte(40)), false),
        (LinkFault(.duplicate, at: .unit(4)), false),
    ])
    func aFaultMeetsTheBytesOfAReaderAtTheJack(fault: LinkFault, isWhole: Bool) {
        var desk = JackRig.ready()
        let position = desk.rig.linkPosition(of: 0)
        var fault = fault
        switch fault.address {
        case .unit(let unit): fault.address = .unit(position.unitCount + unit)
        case .byte(let byte): fault.address = .byte(position.byteCount + byte)
        case .byteOfUnit: break
        }
        let isInjected = desk.rig.inject(fault, reader: 0)
        #expect(isInjected)
        let names = desk.names { $0.act(JackRig.swipe) }
        #expect(names.filter { $0 == .linkFault }.count == 1)
        #expect(desk.values(.isWhole, of: .swipeArrived) == [.flag(isWhole)])
        #expect(
            desk.values(.card, of: .didSwipeCard) == [.symbol(isWhole ? .encrypted : .none)]
        )
    }

    @Test func aLinkThatIsCutTakesTheReaderAway() {
        var desk = JackRig.ready()
        let unit = desk.rig.linkPosition(of: 0).unitCount + 2
        let isInjected = desk.rig.inject(LinkFault(.cut, at: .unit(unit)), reader: 0)
        #expect(isInjected)
        let names = desk.names { $0.act(JackRig.swipe) }
        #expect(names.contains(.readerDetached) && names.contains(.deviceDisconnected))
        #expect(!names.contains(.didSwipeCard))
    }

    // MARK: Prompts

    @Test func aPromptWaitsForItsAnswerAndHoldsNothingUp() {
        var desk = JackRig.make { $0.prompts = .ask }
        #expect(desk.names { $0.act(.plugIn(reader: 0)) }.last == .promptShown)
        #expect(desk.rig.isQuiet)
        let names = desk.names { _ = $0.answerPrompt(true) }
        #expect(names.first == .promptAnswered && names.last == .deviceBecameReadyForSwipe)
        #expect(desk.values(.by, of: .promptAnswered) == [.symbol(.user)])
        let isAnsweredAgain = desk.rig.answerPrompt(true)
        #expect(!isAnsweredAgain)
    }

    @Test func aPromptThatIsRefusedLeavesTheReaderConnected() {
        var desk = JackRig.make { $0.prompts = .refuse }
        #expect(
            desk.names { $0.act(.plugIn(reader: 0)) }
                == [.pluggedIn, .readerAttached, .deviceConnected, .promptShown, .promptAnswered]
        )
        #expect(desk.values(.answer, of: .promptAnswered) == [.symbol(.no)])
    }

    @Test func aPromptIsAnsweredFromInsideItsCallbackAfterIt() {
        var desk = JackRig.make { $0.prompts = .ask }
        desk.rig.pausesAtEvents = [.promptShown]
        desk.rig.act(.plugIn(reader: 0))
        desk.takeUntilCallback()
        #expect(desk.rig.callback == .promptShown)
        let didAnswer = desk.rig.answerPrompt(true)
        #expect(didAnswer)
        #expect(desk.values(.answer, of: .promptAnswered) == [])
        desk.rig.returnFromCallback()
        #expect(desk.values(.answer, of: .promptAnswered) == [.symbol(.yes)])
    }

    // MARK: Time

    @Test func renewalsGoOnForADayAndHoldNothingUp() {
        var desk = JackRig.ready()
        #expect(desk.rig.isQuiet)
        let end = desk.rig.now + .seconds(86_400)
        var renewalCount = 0
        var seenCount = desk.rig.journal.count
        while let next = desk.rig.nextTime, next <= end, desk.rig.advance() != .nothing {
            #expect(desk.rig.isQuiet)
            while seenCount < desk.rig.journal.count {
                if desk.rig.journal.record(seenCount)?.name == .deviceBecameReadyForSwipe {
                    renewalCount += 1
                }
                seenCount += 1
            }
        }
        #expect((4_319...4_320).contains(renewalCount))
        #expect(desk.rig.journal.readable.count <= 2 * desk.rig.journal.capacity)
    }

    @Test func aLimiterLowersTheVolumeAndTheShuttleLosesItsPower() {
        var desk = JackRig.ready {
            $0.host.limiter = VolumeLimiter(percent: 60, delay: .seconds(300))
        }
        #expect(desk.rig.isQuiet)
        while desk.rig.now < .zero + .seconds(301), desk.rig.advance() != .nothing {}
        #expect(
            desk.values(.by, of: .volumeChanged) == [.symbol(.sdk), .symbol(.volumeLimiter)]
        )
        #expect(desk.names(from: 0).contains(.readerLostPower))
    }

    // MARK: The app

    @Test func aKilledAppTakesItsToneAndItsLibraryWithIt() {
        var desk = JackRig.ready()
        let names = desk.names { $0.killApp() }
        #expect(names.contains(.toneStopped) && names.contains(.readerLostPower))
        #expect(desk.names { $0.act(JackRig.swipe) }.last == .swipeLost)
        let again = desk.names { $0.launchApp() }
        #expect(again.first == .appLaunched && again.last == .deviceBecameReadyForSwipe)
        #expect(desk.names { $0.act(JackRig.swipe) }.contains(.didSwipeCard))
    }

    @Test func inTheBackgroundAReaderAtTheJackStaysAndItsBytesAreDropped() {
        var desk = JackRig.ready([JackRig.ips])
        #expect(desk.names { $0.sendToBackground() } == [.appSentToBackground])
        #expect(desk.names { $0.act(JackRig.swipe) } == [.cardSwiped, .swipeArrived])
        #expect(desk.values(.isWhole, of: .swipeArrived) == [.flag(false)])
        #expect(desk.names { $0.bringToForeground() } == [.appBroughtToForeground])
        #expect(desk.names { $0.act(JackRig.swipe) } == AppRig.swiping)
    }

    @Test func aClosedControllerLeavesTheJackSilent() {
        var desk = JackRig.ready()
        _ = desk.names { $0.call(.close) }
        #expect(desk.names { $0.act(JackRig.swipe) } == [.cardSwiped, .swipeLost])
    }

    @Test func aCallToAReaderAtTheJackIsARecordAndAMisuseNamesItsMethod() {
        var desk = JackRig.ready()
        #expect(desk.names { $0.call(.requestSwipe) } == [.methodCalled, .misuse])
        #expect(desk.values(.method, of: .methodCalled) == [.symbol(.requestSwipe)])
        #expect(desk.values(.method, of: .misuse) == [.symbol(.requestSwipe)])
        _ = desk.names { $0.call(.setSwipeTimeoutDuration(.seconds(5))) }
        #expect(desk.values(.limit, of: .methodCalled).last == .duration(.seconds(5)))
    }

    @Test func whatTheAppCallsAtItsLaunchComesBeforeAnythingIsTold() {
        var desk = JackRig.make([JackRig.shuttle], attached: true) {
            $0.callsAtLaunch = [.setSwipeTimeoutDuration(.seconds(1))]
        }
        desk.settle()
        #expect(desk.names(from: 0).prefix(2) == [.methodCalled, .misuse])
        _ = desk.names { $0.killApp() }
        #expect(desk.names { $0.launchApp() }.prefix(3) == [.appLaunched, .methodCalled, .misuse])
    }

    @Test func aPhoneCallTakesTheRouteAndGivesItBack() {
        var desk = JackRig.ready()
        let taken = desk.names { _ = $0.setPhoneCall(isActive: true) }
        #expect(taken.first == .routeTaken && taken.contains(.toneStopped))
        #expect(taken.contains(.readerLostPower))
        let returned = desk.names { _ = $0.setPhoneCall(isActive: false) }
        #expect(returned.first == .routeReturned)
        #expect(desk.rig.flags(of: 0).isReadyForSwipe)
    }
}
