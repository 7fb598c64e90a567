import EventLoops
import SimulatedGateways
import Testing
import Transports

@Suite("Webhook queue")
struct WebhookQueueTests {
    static func queue(_ pauses: [VirtualDuration] = [], capacity: Int = 9) -> WebhookQueue {
        WebhookQueue(pauses: pauses, capacity: capacity)
    }

    @Test(arguments: [
        ("https://shop.example:8443/hook?x=1", "https://shop.example:8443", "/hook?x=1"),
        ("http://127.0.0.1:9", "http://127.0.0.1:9", "/"), ("shop", "shop", "/"), ("", "", "/"),
    ])
    func anAttemptGoesToTheServerAndThePathOfItsAddress(url: String, server: String, path: String) {
        var queue = Self.queue()
        queue.add("sale", url: url, body: [1], at: .zero)
        let attempt = queue.nextAttempt(at: .zero)
        #expect(attempt?.server == server)
        #expect(attempt?.request.path == path)
        #expect(attempt?.request.method == "POST")
        #expect(attempt?.request.contentType == "application/json")
        #expect(attempt?.request.body == [1])
    }

    @Test func aQueueThatIsFullGivesUpItsOldest() {
        var queue = Self.queue(capacity: 2)
        for event in ["a", "b", "c"] { queue.add(event, url: "", body: [], at: .zero) }
        #expect(queue.lostCount == 1)
        #expect(queue.waitingCount == 2)
        #expect(queue.nextAttempt(at: .zero)?.event == "b")
        #expect(queue.nextAttempt(at: .zero)?.event == "c")
        #expect(queue.nextAttempt(at: .zero) == nil)
    }

    @Test func whatIsDueLongestGoesFirst() {
        var queue = Self.queue([.seconds(5)])
        queue.add("old", url: "", body: [], at: .zero)
        #expect(queue.nextAttempt(at: .zero)?.event == "old")
        queue.ended(1, status: nil, at: .zero)
        queue.add("new", url: "", body: [], at: .zero + .seconds(1))
        #expect(queue.nextAttempt(at: .zero + .seconds(9))?.event == "new")
        #expect(queue.nextAttempt(at: .zero + .seconds(9))?.event == "old")
    }

    @Test(arguments: [(199, 1), (200, 0), (299, 0), (300, 1)])
    func aStatusOutsideTheRangeIsNoReceipt(status: Int, waiting: Int) {
        var queue = Self.queue([.seconds(1)])
        queue.add("sale", url: "", body: [], at: .zero)
        #expect(queue.nextAttempt(at: .zero)?.attempt == 1)
        queue.ended(1, status: status, at: .zero)
        #expect(queue.waitingCount == waiting)
        #expect(queue.nextDue == (waiting == 0 ? nil : .zero + .seconds(1)))
    }

    @Test func anEndOfWhatIsNotOnItsWayChangesNothing() {
        var queue = Self.queue([.seconds(1)])
        queue.add("sale", url: "", body: [], at: .zero)
        queue.ended(1, status: 200, at: .zero)
        queue.ended(2, status: 200, at: .zero)
        #expect(queue.waitingCount == 1)
        #expect(queue.nextAttempt(at: .zero)?.attempt == 1)
        queue.ended(1, status: 500, at: .zero)
        queue.ended(1, status: 200, at: .zero)
        #expect(queue.nextAttempt(at: .zero + .seconds(1))?.attempt == 2)
        queue.ended(1, status: nil, at: .zero + .seconds(1))
        #expect(queue.waitingCount == 0)
        #expect(queue.lostCount == 1)
    }
}
