import EventLoops
import ReaderProtocols
import SDKCore
import Testing

/// What the system under the SDK does: notifications, sessions, the background.
@Suite("Swipe controller and the system")
struct SwipeSystemTests {
    // MARK: Notifications

    @Test func aConnectToldTwiceIsOne() {
        var desk = SwipeDesk()
        desk.attach()
        desk.attach()
        #expect(desk.events() == SwipeDesk.attaching)
        desk.swipe(counter: 1, byteCount: 100)
        desk.attach()
        desk.receive(SwipeDesk.record(1).streamBlocks()[100...])
        #expect(desk.events().cardCount == 1)
    }

    @Test func aDisconnectToldTwiceIsOne() {
        var desk = SwipeDesk.ready()
        desk.detach()
        desk.detach()
        #expect(desk.events() == SwipeDesk.detaching)
        desk.detach()
        #expect(desk.events() == [])
    }

    @Test func aDisconnectOfAnEarlierConnectionEndsNothing() {
        var desk = SwipeDesk.ready()
        desk.attach(connection: 2)
        #expect(desk.events() == SwipeDesk.detaching + SwipeDesk.attaching)
        desk.detach(connection: 1)
        #expect(desk.events() == [])
        desk.swipe(counter: 1)
        #expect(desk.events().cardCount == 1)
        desk.detach(connection: 2)
        #expect(desk.events() == SwipeDesk.detaching)
    }

    @Test(arguments: 0...3)
    func aReaderExchangedInTheMiddleIsUnwoundFirst(eventsBefore count: Int) {
        var desk = SwipeDesk()
        desk.attach()
        for _ in 0..<count { _ = desk.controller.nextEvent() }
        desk.detach()
        desk.attach(connection: 2)
        #expect(desk.events() == SwipeDesk.detaching.suffix(count) + SwipeDesk.attaching)
        #expect(desk.flags == [true, true, true])
    }

    @Test(arguments: 1...3)
    func anAttachInTheMiddleOfALossIsToldAfterIt(eventsBefore count: Int) {
        var desk = SwipeDesk.ready()
        desk.detach()
        for _ in 0..<count { _ = desk.controller.nextEvent() }
        desk.attach(connection: 2)
        #expect(desk.events() == SwipeDesk.detaching.dropFirst(count) + SwipeDesk.attaching)
    }

    @Test func aSwipeOfTheNewConnectionIsToldInItsOwnReadyPeriod() {
        var desk = SwipeDesk.ready()
        desk.swipe(counter: 1)
        desk.detach()
        desk.attach(connection: 2)
        desk.swipe(counter: 2)
        let events = desk.events()
        #expect(events.count == 8)
        #expect([events[0]].cardCount == 1)
        #expect(Array(events[1..<7]) == SwipeDesk.detaching + SwipeDesk.attaching)
        #expect([events[7]].cardCount == 1)
    }

    @Test(arguments: [1, 50, 100, 150])
    func bytesOfAnEarlierSessionAreNotGluedToTheNext(byteCount: Int) {
        var desk = SwipeDesk.ready()
        desk.swipe(counter: 1, byteCount: byteCount)
        desk.detach()
        desk.attach(connection: 2)
        desk.swipe(counter: 2)
        let events = desk.events()
        #expect(events.dropLast() == SwipeDesk.detaching + SwipeDesk.attaching)
        #expect(events.cardCount == 1)
    }

    // MARK: Sessions

    @Test func withoutTheProtocolStringActivationFailsAndNothingIsRead() {
        var desk = SwipeDesk([SwipeReader(path: .accessoryStream, isProtocolDeclared: false)])
        desk.attach()
        desk.swipe(counter: 1)
        #expect(desk.events() == [.connected, .activationFinished(.failure)])
        #expect(desk.flags == [true, false, false])
        desk.detach()
        #expect(desk.events() == [.disconnected])
    }

    @Test(arguments: 1...3)
    func aSessionThatCannotBeOpenedIsTriedAgain(failureCount: Int) {
        var desk = SwipeDesk([
            SwipeReader(path: .accessoryStream, sessionOpenFailureCount: failureCount)
        ])
        desk.attach()
        #expect(desk.events() == [.connected])
        desk.swipe(counter: 1)
        for _ in 1..<failureCount {
            desk.pass(.milliseconds(1_501))
            #expect(desk.events() == [])
        }
        desk.pass(.milliseconds(1_501))
        #expect(desk.events() == Array(SwipeDesk.attaching.dropFirst()))
        desk.swipe(counter: 2)
        #expect(desk.events().cardCount == 1)
    }

    @Test func activationFailsAfterTheFourthTry() {
        var desk = SwipeDesk([SwipeReader(path: .accessoryStream, sessionOpenFailureCount: 4)])
        desk.attach()
        desk.pass(.seconds(60))
        #expect(desk.events() == [.connected, .activationFinished(.failure)])
        #expect(desk.controller.nextDeadline == nil)
    }

    @Test func aReaderThatLeavesWhileItsSessionIsTriedIsOnlyDisconnected() {
        var desk = SwipeDesk([SwipeReader(path: .accessoryStream, sessionOpenFailureCount: 1)])
        desk.attach()
        _ = desk.events()
        desk.detach()
        #expect(desk.controller.nextDeadline == nil)
        #expect(desk.events() == [.disconnected])
    }

    // MARK: The background

    @Test func whatIsLeftIsToldBeforeTheAppSleeps() {
        var desk = SwipeDesk.ready()
        desk.detach()
        desk.controller.enterBackground()
        #expect(desk.events() == SwipeDesk.detaching)
        desk.attach(connection: 2)
        #expect(desk.events() == [])
        desk.controller.enterForeground()
        #expect(desk.events() == SwipeDesk.attaching)
    }

    @Test func aConnectAndADisconnectWhileAsleepCancelOut() {
        var desk = SwipeDesk()
        desk.controller.enterBackground()
        #expect(desk.events() == [])
        desk.attach()
        desk.detach()
        desk.controller.enterForeground()
        #expect(desk.events() == [])
    }

    @Test func aDisconnectAndAConnectWhileAsleepAreTold() {
        var desk = SwipeDesk.ready()
        desk.controller.enterBackground()
        #expect(desk.events() == [])
        desk.detach()
        desk.attach(connection: 2)
        desk.controller.enterForeground()
        #expect(desk.events() == SwipeDesk.detaching + SwipeDesk.attaching)
    }

    @Test func bytesThatComeWhileAsleepAreDropped() {
        var desk = SwipeDesk.ready()
        desk.controller.enterBackground()
        _ = desk.events()
        desk.swipe(counter: 1)
        desk.controller.enterForeground()
        #expect(desk.events() == [])
        desk.swipe(counter: 2)
        #expect(desk.events().cardCount == 1)
    }

    @Test func aSwipeThatTheBackgroundCutGivesNoCard() {
        var desk = SwipeDesk.ready()
        desk.swipe(counter: 1, byteCount: 100)
        desk.controller.enterBackground()
        _ = desk.events()
        desk.controller.enterForeground()
        desk.receive(SwipeDesk.record(1).streamBlocks()[100...])
        desk.pass(.seconds(1))
        #expect(desk.events().cardCount == 0)
        desk.swipe(counter: 2)
        #expect(desk.events().cardCount == 1)
    }

    @Test func aControllerThatSleepsWantsNoTime() {
        var desk = SwipeDesk.ready()
        desk.swipe(counter: 1, byteCount: 100)
        #expect(desk.controller.nextDeadline != nil)
        desk.controller.enterBackground()
        _ = desk.events()
        #expect(desk.controller.nextDeadline == nil)
    }

    // MARK: Profiles

    private static let renewal: [SwipeEvent.Kind] = [
        .becameUnreadyForSwipe(.swipeDone), .becameReadyForSwipe,
    ]

    @Test func withRenewalASwipeEndsAReadyPeriodAndTheNextBegins() {
        var desk = SwipeDesk.ready(profile: SwipeProfile(isUnreadyAfterSwipe: true))
        for counter in UInt32(1)...2 {
            desk.swipe(counter: counter)
            let events = desk.events()
            #expect(events.cardCount == 1)
            #expect(Array(events.dropFirst()) == Self.renewal)
        }
    }

    @Test func withRenewalSwipesThatArrivedAtOnceShareAReadyPeriod() {
        var desk = SwipeDesk.ready(profile: SwipeProfile(isUnreadyAfterSwipe: true))
        desk.swipe(counter: 1)
        desk.swipe(counter: 2)
        let events = desk.events()
        #expect(events.cardCount == 2)
        #expect(Array(events.dropFirst(2)) == Self.renewal)
    }

    @Test(arguments: 0...2)
    func aDetachInTheMiddleOfARenewalUnwindsWhatWasEntered(eventsBefore count: Int) {
        var desk = SwipeDesk.ready(profile: SwipeProfile(isUnreadyAfterSwipe: true))
        desk.swipe(counter: 1)
        for _ in 0...count { _ = desk.controller.nextEvent() }
        desk.detach()
        #expect(desk.events() == Array(SwipeDesk.detaching.suffix(count == 1 ? 2 : 3)))
    }

    @Test(arguments: [false, true])
    func aCutSwipeIsToldOnlyWhenTheProfileSaysSo(isReported: Bool) {
        var desk = SwipeDesk.ready(profile: SwipeProfile(reportsCutSwipes: isReported))
        desk.swipe(counter: 1, byteCount: 100)
        desk.detach()
        let cut: [SwipeEvent.Kind] = isReported ? [.didSwipeCard(nil)] : []
        #expect(desk.events() == cut + SwipeDesk.detaching)
    }
}
