import CardCrypto
import CardData
import ReaderProtocols
import SimulatedReaders
import Testing
import Transports

@Suite("MagneSafe authenticated mode")
struct MagneSafeAuthenticationVectorsTests {
    private var visa: TestCard? { TestCard.named("visa") }

    /// MagneSafe V5 Communication Reference Manual 99875475, example 10: the reader at level 4
    /// whose next key has counter 3, with its challenges.
    private func desk(
        _ change: (inout MagneSafeReaderConfiguration) -> Void = { _ in }
    ) -> CommandDesk {
        CommandDesk(.dynamag(packetByteCount: 8), level: .four, counter: 2) {
            $0.fixedChallenges = .init(first: 0x7549_AB6E_B484_0000, second: 0x34DB_9230_6982_81B4)
            change(&$0)
        }
    }

    private let activation = "001AFFFF9876543210E00003BE5C9835177E452AA72D2DB236BF29D2"
    private let reply = "11 08 A30DDE3BFD629ACD"
    private let deactivation = "12 08 CACBBD5F58D5C950"

    @Test func reproducesTheManualsVector() {
        var desk = desk()
        #expect(desk.send("14 00") == "00020000")
        #expect(desk.send("10 02 00 F0") == activation)
        #expect(desk.send("14 00") == "00020100")
        #expect(desk.send(reply) == "0000")
        #expect(desk.send("14 00") == "00020201")
        #expect(desk.send(deactivation) == "0000")
        #expect(desk.send("14 00") == "00020001")
        #expect(desk.reader.ksn.counter == 3)
    }

    @Test func aSwipeNeedsAnAuthenticationOfItsOwn() {
        var desk = desk()
        #expect(desk.swipe(visa).isEmpty)
        #expect(desk.send("10 00") == activation)
        #expect(desk.swipe(visa).isEmpty)
        #expect(desk.send(reply) == "0000")
        let report = desk.swipe(visa)
        #expect(Array(report[493..<495]) == [0x00, 0x0E])
        #expect(desk.send("14 00") == "00020002")
        #expect(desk.swipe(visa).isEmpty)
        #expect(desk.reader.ksn.counter == 4)
    }

    @Test func aBadSwipeEndsTheModeToo() {
        var desk = desk()
        #expect(desk.send("10 00") == activation)
        #expect(desk.send(reply) == "0000")
        #expect(desk.swipe(visa, quality: .unreadable).count == 887)
        #expect(desk.send("14 00") == "00020003")
    }

    @Test func theFirstWrongReplyIsFreeAndTheNextDelay() {
        var desk = desk()
        for seconds in [0, 10, 20] as [Int64] {
            #expect(desk.send("10 00").hasPrefix("001A"))
            #expect(desk.send("10 00") == "0300")
            #expect(desk.send("11 08 0000000000000000") == "0400")
            #expect(desk.send("11 08 0000000000000000") == "0700")
            guard seconds > 0 else {
                #expect(desk.send("14 00") == "00020004")
                continue
            }
            #expect(desk.send("14 00") == "00020304")
            #expect(desk.send("10 00") == "0500")
            desk.wait(seconds - 1)
            #expect(desk.send("10 00") == "0500")
            desk.wait(1)
        }
        #expect(desk.send("10 00").hasPrefix("001A"))
    }

    @Test func aCardOrNoPowerEndsTheDelayOnlyTheCard() {
        var desk = desk()
        for _ in 0..<2 {
            _ = desk.send("10 00")
            _ = desk.send("11 08 0000000000000000")
        }
        desk.reader.powerUp()
        #expect(desk.send("10 00") == "0500")
        #expect(desk.swipe(visa).isEmpty)
        #expect(desk.send("10 00").hasPrefix("001A"))
    }

    @Test func timesRunOut() {
        var desk = desk()
        #expect(desk.send("10 02 00 01") == activation)
        desk.wait(119)
        #expect(desk.send("14 00") == "00020100")
        desk.wait(1)
        #expect(desk.send("14 00") == "00020006")
        #expect(desk.send(reply) == "0700")

        desk = self.desk()
        #expect(desk.send("10 00") == activation)
        #expect(desk.send(reply) == "0000")
        desk.wait(479)
        #expect(desk.send("14 00") == "00020201")
        desk.wait(1)
        #expect(desk.swipe(visa).isEmpty)
        #expect(desk.send("14 00") == "00020007")
        #expect(desk.reader.ksn.counter == 4)
    }

    @Test func aWindowThatClosedIsReportedWhenAsked() {
        var desk = desk { $0.reportsSwipeTimeOut = true }
        _ = desk.send("10 00")
        _ = desk.send(reply)
        #expect(desk.reader.timePassed(cache: desk.cache, at: desk.now).isEmpty)
        desk.wait(480)
        let sent = desk.reader.timePassed(cache: desk.cache, at: desk.now)
        let report = sent.flatMap { Array($0.unit.payload) }
        #expect(report.count == 887)
        #expect(report[494] == 0x1E)
    }

    @Test func aWrongDeactivationKeepsTheMode() {
        var desk = desk()
        _ = desk.send("10 00")
        #expect(desk.send(deactivation) == "0700")
        _ = desk.send(reply)
        #expect(desk.send("12 07 00000000000000") == "0200")
        #expect(desk.send("12 08 0000000000000000") == "0300")
        #expect(desk.send("14 00") == "00020205")
        #expect(desk.swipe(visa).count == 887)
    }

    @Test func lowerLevelsNeedNoMode() {
        var three = CommandDesk(.dynamag(packetByteCount: 8), counter: 2)
        #expect(three.send("14 00") == "00020200")
        #expect(three.swipe(visa).count == 887)
        #expect(three.send("14 00") == "00020202")
        var two = CommandDesk(.dynamag(packetByteCount: 8), level: .two)
        #expect(two.send("10 00") == "0700")
        #expect(two.send("12 08 0000000000000000") == "0700")
    }
}
