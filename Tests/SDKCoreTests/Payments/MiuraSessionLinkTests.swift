import CardData
import EventLoops
import GatewayProtocols
import ReaderProtocols
import SimulatedReaders
import Testing

@testable import SDKCore

@Suite("Miura session and its link")
struct MiuraSessionLinkTests {
    /// Plays a whole payment with chip and PIN as far as it goes.
    private func pay(_ counter: inout MiuraCounter) throws {
        _ = counter.begin()
        try counter.insert("emv-visa-pin")
        try counter.press("1234 enter")
        if counter.reading != nil { counter.answer(.approved([])) }
        counter.removeCard()
        counter.wait(.seconds(200))
    }

    @Test func whereverTheLinkIsCutThePaymentEndsOnceAndAsksAtMostOnce() throws {
        var whole = MiuraCounter()
        let before = whole.arrivedByteCount
        try pay(&whole)
        let byteCount = whole.arrivedByteCount - before
        #expect(byteCount > 400 && whole.ends.count == 1)
        var approvedCount = 0
        for position in 0..<byteCount {
            var counter = MiuraCounter()
            counter.byteCountBeforeCut = position
            if position == 0 { counter.cut() }
            try pay(&counter)
            // A payment that begins without a reader waits for one, and then ends by its time.
            #expect(counter.ends.count == 1, "after \(position) bytes")
            #expect(counter.authorisationCount <= 1)
            if case .approved = counter.ends.first { approvedCount += 1 }
            // The next one goes as if nothing had been.
            counter.byteCountBeforeCut = nil
            counter.cut()
            counter.connect()
            counter.wait(.milliseconds(200))
            counter.steps = []
            try pay(&counter)
            guard case .approved = counter.ends.last else {
                Issue.record("after \(position) bytes the next payment fails: \(counter.ends)")
                return
            }
        }
        #expect(approvedCount > 0 && approvedCount < byteCount / 2)
    }

    @Test func damagedBytesNeverApproveAndNeverHang() throws {
        for policy in MiuraDamagePolicy.allCases {
            for position in stride(from: 0, to: 700, by: 7) {
                var counter = MiuraCounter(options: { $0.link.damagePolicy = policy })
                counter.damagedByte = position
                _ = counter.begin()
                try counter.insert("emv-visa-pin")
                try counter.press("1234 enter")
                if counter.reading != nil { counter.answer(.declined([])) }
                counter.wait(.seconds(300))
                #expect(counter.ends.count == 1, "\(policy), byte \(position)")
                if case .approved = counter.ends.first { Issue.record("approved") }
            }
        }
    }

    @Test func anyPlayGivesEachPaymentOneEnd() throws {
        let cards = TestCard.names.filter {
            $0.hasPrefix("emv-") || $0.hasPrefix("contactless-") || $0 == "visa"
        }
        var totalApprovedCount = 0
        for seed in 0..<300 {
            var random = SplitMix64(seed: UInt64(seed))
            func pick(_ count: Int) -> Int { Int(random.next() % UInt64(count)) }
            var counter = MiuraCounter(options: {
                $0.link.damagePolicy = seed & 1 == 0 ? .dropLink : .resync
                $0.appChoosesApplication = seed % 3 == 0
            })
            var beginCount = 0
            var approvalCount = 0
            for _ in 0..<40 {
                let name = cards[pick(cards.count)]
                switch pick(12) {
                case 0, 1:
                    if counter.begin(minorUnits: 40_00, takesTaps: pick(2) == 0) { beginCount += 1 }
                case 2, 3: try counter.insert(name, wait: .milliseconds(Int64(pick(1500))))
                case 4: counter.removeCard()
                case 5: try counter.tap(name)
                case 6: try counter.swipe(name, pick(4) == 0 ? .unreadable : .good)
                case 7: try counter.press(["1234 enter", "1 cancel", "9999 enter"][pick(3)])
                case 8:
                    guard case .authorising = counter.session.phase else { continue }
                    let isApproved = pick(2) == 0
                    if isApproved { approvalCount += 1 }
                    counter.answer(isApproved ? .approved([]) : .declined([]))
                case 9: if pick(3) == 0 { _ = counter.cancel() }
                case 10:
                    if pick(4) == 0 {
                        counter.cut()
                        counter.connect()
                    }
                default: counter.wait(.seconds(Int64(pick(20))))
                }
            }
            counter.wait(.seconds(400))
            counter.cut()
            #expect(counter.ends.count == beginCount, "seed \(seed)")
            #expect(counter.authorisationCount <= beginCount)
            let approved = counter.ends.filter { if case .approved = $0 { true } else { false } }
            #expect(approved.count <= approvalCount)
            totalApprovedCount += approved.count
        }
        #expect(totalApprovedCount > 30)
    }
}
