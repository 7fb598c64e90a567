import Testing

@testable import SDKCore

@Suite("iDynamo announcement")
struct IDynamoAnnouncementTests {
    private func drain(_ announcement: inout IDynamoAnnouncement) -> [SwipeEvent.Kind] {
        var events: [SwipeEvent.Kind] = []
        while let event = announcement.nextEvent() { events.append(event) }
        return events
    }

    @Test func anAttachIsToldInThreeEvents() {
        var announcement = IDynamoAnnouncement()
        announcement.attached(isUsable: true)
        #expect(
            drain(&announcement)
                == [.connected, .activationFinished(.success), .becameReadyForSwipe]
        )
    }

    @Test func aReaderThatCannotBeUsedIsToldInTwo() {
        var announcement = IDynamoAnnouncement()
        announcement.attached(isUsable: false)
        #expect(drain(&announcement) == [.connected, .activationFinished(.failure)])
        #expect(announcement.isConnected)
        #expect(!announcement.isActivated && !announcement.isReadyForSwipe)
    }

    @Test(arguments: 0...3)
    func detachAtAnyPointUnwindsOnlyWhatWasTold(eventsBeforeDetach count: Int) {
        var announcement = IDynamoAnnouncement()
        announcement.attached(isUsable: true)
        for _ in 0..<count { _ = announcement.nextEvent() }
        announcement.detached()
        let all: [SwipeEvent.Kind] = [
            .becameUnreadyForSwipe(.disconnected), .deactivated, .disconnected,
        ]
        #expect(drain(&announcement) == Array(all.suffix(count)))
        #expect(!announcement.isConnected && !announcement.isActivated)
        #expect(!announcement.isReadyForSwipe)
    }

    @Test(arguments: 0...2)
    func aReaderThatCouldNotBeUsedIsOnlyDisconnected(eventsBeforeDetach count: Int) {
        var announcement = IDynamoAnnouncement()
        announcement.attached(isUsable: false)
        for _ in 0..<count { _ = announcement.nextEvent() }
        announcement.detached()
        #expect(drain(&announcement) == (count == 0 ? [] : [.disconnected]))
        #expect(!announcement.isConnected)
    }

    @Test(arguments: 0...6)
    func theFlagsHaveTheirNewValueWhenAnEventIsReturned(count: Int) {
        var announcement = IDynamoAnnouncement()
        let flags = [
            [false, false, false], [true, false, false], [true, true, false], [true, true, true],
            [true, true, false], [true, false, false], [false, false, false],
        ]
        announcement.attached(isUsable: true)
        for taken in 0..<count {
            if taken == 3 { announcement.detached() }
            _ = announcement.nextEvent()
        }
        #expect(
            [announcement.isConnected, announcement.isActivated, announcement.isReadyForSwipe]
                == flags[count]
        )
    }

    @Test(arguments: 0...3, 0...3)
    func aReaderThatComesBackIsReadyAgain(told: Int, unwound: Int) {
        var announcement = IDynamoAnnouncement()
        announcement.attached(isUsable: true)
        for _ in 0..<told { _ = announcement.nextEvent() }
        announcement.detached()
        for _ in 0..<unwound { _ = announcement.nextEvent() }
        announcement.attached(isUsable: true)
        _ = drain(&announcement)
        #expect(announcement.isReadyForSwipe)
    }
}
