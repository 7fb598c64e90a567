import SDKCore
import Testing

@Suite("Delegates of the swipe controller")
struct SwipeDelegateTests {
    private static let thereAlready = SwipeReader(path: .accessoryStream, isAttachedAtInit: true)

    @Test func aReaderThatIsThereIsAnnouncedToTheDelegateOfTheInit() {
        var desk = SwipeDesk([Self.thereAlready])
        desk.attach()
        #expect(desk.events() == SwipeDesk.attaching)
    }

    @Test func thePlainInitMissesAReaderThatIsThere() {
        var desk = SwipeDesk([Self.thereAlready], delegate: nil)
        desk.attach()
        desk.controller.send(.setDelegate(.app))
        desk.swipe(counter: 1)
        #expect(desk.events() == [])
        #expect(desk.flags == [false, false, false])
        desk.detach()
        #expect(desk.events() == [])
        desk.attach(connection: 2)
        #expect(desk.events() == SwipeDesk.attaching)
    }

    @Test func aMissedReaderStaysMissedWhenItsConnectIsToldTwice() {
        var desk = SwipeDesk([Self.thereAlready], delegate: nil)
        desk.attach()
        desk.attach()
        desk.controller.send(.setDelegate(.app))
        #expect(desk.events() == [])
        desk.detach()
        desk.attach(connection: 2)
        #expect(desk.events() == SwipeDesk.attaching)
    }

    @Test func thePlainInitMissesNothingThatComesLater() {
        var desk = SwipeDesk(delegate: nil)
        desk.attach()
        #expect(desk.events() == [])
        desk.controller.send(.setDelegate(.app))
        #expect(desk.events() == SwipeDesk.attaching)
    }

    @Test(arguments: 0...3)
    func anotherDelegateIsToldWhatIsLeft(eventsBefore count: Int) {
        var desk = SwipeDesk()
        desk.attach()
        for _ in 0..<count { _ = desk.controller.nextEvent() }
        desk.controller.send(.setDelegate(.other))
        #expect(desk.controller.delegate == .other)
        #expect(desk.events() == Array(SwipeDesk.attaching.dropFirst(count)))
    }

    @Test func aSwipeThatWaitsIsToldToTheDelegateThatFollowsAtOnce() {
        var desk = SwipeDesk.ready()
        desk.swipe(counter: 1)
        desk.controller.send(.setDelegate(.other))
        #expect(desk.events().cardCount == 1)
    }

    @Test func aSwipeWithoutADelegateIsOver() {
        var desk = SwipeDesk.ready()
        desk.controller.send(.setDelegate(nil))
        desk.swipe(counter: 1)
        desk.controller.send(.setDelegate(.app))
        #expect(desk.events() == [])
        desk.swipe(counter: 2)
        #expect(desk.events().cardCount == 1)
    }

    @Test func aReaderExchangedWithoutADelegateIsUnwoundAndAnnouncedToTheNext() {
        var desk = SwipeDesk.ready()
        desk.controller.send(.setDelegate(nil))
        desk.detach()
        desk.attach(connection: 2)
        #expect(desk.events() == [])
        desk.controller.send(.setDelegate(.other))
        #expect(desk.events() == SwipeDesk.detaching + SwipeDesk.attaching)
    }

    @Test func aDelegateSetOnOneReaderIsMisuseAndIgnored() {
        var desk = SwipeDesk.ready()
        #expect(desk.controller.send(.setReaderDelegate(nil)) == .delegateOfOneReader)
        #expect(desk.controller.delegate == .app)
        desk.swipe(counter: 1)
        #expect(desk.events().cardCount == 1)
    }

    @Test func aClosedControllerHasNoFlagsAndHearsNothing() {
        var desk = SwipeDesk.ready()
        desk.swipe(counter: 1)
        #expect(desk.controller.send(.close) == nil)
        #expect(desk.flags == [false, false, false])
        desk.detach()
        desk.attach(connection: 2)
        desk.swipe(counter: 2)
        #expect(desk.events() == [])
        #expect(desk.controller.nextDeadline == nil)
        #expect(!desk.controller.isReading)
    }

    @Test func eachEventNamesItsReader() {
        var desk = SwipeDesk([
            SwipeReader(path: .accessoryStream), SwipeReader(path: .accessoryStream),
        ])
        desk.attach(1)
        #expect(desk.readers() == [1, 1, 1])
        desk.attach(0)
        desk.swipe(1, counter: 1)
        #expect(desk.readers() == [0, 0, 0, 1])
    }
}
