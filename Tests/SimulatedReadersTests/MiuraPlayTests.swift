import CardData
import EventLoops
import ReaderProtocols
import SimulatedReaders
import Testing

/// Random sequences of commands, hands, links and damage, each from a seed.
@Suite("Simulated Miura reader, random plays")
struct MiuraPlayTests {
    @Test(arguments: [1, 2, 3, 4] as [UInt64])
    func tenThousandInputsNeitherTrapNorLeaveACommandUnanswered(seed: UInt64) {
        var play = MiuraPlay(seed: seed)
        for _ in 0..<10_000 { play.step() }
        #expect(play.desk.facts.count > 1_000)
        // Whatever happened, a reader that is given time and a fresh link answers.
        play.desk.wait(.seconds(4_000))
        play.desk.collect(
            play.desk.reader.setBattery(
                percent: 100,
                cache: play.desk.cache,
                at: play.desk.now
            )
        )
        play.desk.collect(play.desk.reader.switchOn(cache: play.desk.cache, at: play.desk.now))
        play.desk.wait(.seconds(60))
        play.desk.disconnect()
        play.desk.connect()
        play.desk.messages = []
        #expect(play.desk.ask(.readClock) != nil)
        #expect(play.unasked == 0)
    }

    @Test func theSameSeedGivesTheSameBytes() {
        var first = MiuraPlay(seed: 9)
        var second = MiuraPlay(seed: 9)
        for _ in 0..<1_000 {
            first.step()
            second.step()
        }
        #expect(first.desk.messages == second.desk.messages)
        #expect(first.desk.facts == second.desk.facts)
        #expect(first.desk.reader == second.desk.reader)
        #expect(first.answerCount > 100)
    }
}

struct MiuraPlay {
    var desk: MiuraDesk
    /// How many solicited messages came.
    private(set) var answerCount = 0
    /// How many came although no command was open and none can come unasked.
    private(set) var unasked = 0
    private var openCount = 0
    private var dropCount = 0
    private var random: SplitMix64

    init(seed: UInt64) {
        random = SplitMix64(seed: seed)
        desk = MiuraDesk {
            $0.hasHub = seed % 2 == 0
            $0.answerAfterAbort = .none
            $0.answerAfterRemoval = .none
            $0.badFrame = .isIgnored
            $0.answersAbortLast = seed % 3 == 0
            $0.cancelKey = seed % 2 == 0 ? .endsTransaction : .firstSwitchesContactlessOff
            $0.reportsPINDigits = seed % 2 == 0
            $0.allowsPINBypass = seed % 3 == 0
            $0.rebootTime = .seconds(1)
            $0.seed = seed
        }
    }

    private mutating func number(_ bound: Int) -> Int { Int(random.next() % UInt64(bound)) }

    mutating func step() {
        if number(3) == 0 { desk.wait(.milliseconds(Int64(number(2_000)))) }
        let cards = TestCard.names
        let card = cards[number(cards.count)]
        count()
        switch number(20) {
        case 0, 1: try? desk.insert(card)
        case 2: desk.removeCard()
        case 3: try? desk.tap(card)
        case 4: try? desk.swipe(card, SwipeQuality.words[number(5)])
        case 5, 6: try? desk.press(["1234 enter", "9 clear", "cancel", "enter", "1"][number(5)])
        case 7: if number(20) == 0 { desk.battery(number(120) - 10) }
        case 8:
            if number(10) == 0 {
                desk.disconnect()
                openCount = 0
            }
        case 9: if desk.reader.isReachable { desk.connect() }
        case 10:
            if number(30) == 0 {
                desk.collect(desk.reader.reboot(cache: desk.cache, at: desk.now))
            }
        case 11:
            desk.collect(desk.reader.switchOn(cache: desk.cache, at: desk.now))
            if number(10) == 0 { desk.battery(100) }
        case 12: if number(4) == 0 { garbage() }
        default: command()
        }
        count()
    }

    private mutating func command() {
        let commands: [MiuraCommand] = [
            .startTransaction(MiuraDesk.sale), .startTransaction(MiuraDesk.sale),
            .startContactless(MiuraDesk.sale), MiuraDesk.approval, MiuraDesk.refusal, .abort,
            .cardStatusSolicited(.payments), .cardStatus(.payments), .readClock, .p2peStatus,
            .displayText(MiuraText("text")), .resetDevice(MiuraReset.allCases[number(4)]),
            .keyboardStatus(MiuraKeyboardReports(reportsKeys: number(2) == 0)),
            .batteryStatus(.report(chargingChanges: true, lowCharge: true)),
            .batteryStatus(.query), .getConfiguration, .listFiles(.installation),
            .selectFile(MiuraFileSelection("a", .append)), .continueTransaction([]),
            .input(MiuraInput(.numericData, objects: [TLV(0xDFA206, [0, 0, 0, 0, 0, 0])])),
            .other(MiuraAPDU(UInt16(number(65_536)), p1: 1)),
        ]
        let command = commands[number(commands.count)]
        if case .cardStatus = command {
            // Answered unasked.
        } else if desk.reader.isLinked {
            openCount += 1
        }
        desk.send(command)
    }

    private mutating func garbage() {
        desk.send((0..<number(40)).map { _ in UInt8(truncatingIfNeeded: random.next()) })
        // A frame that ends whatever began, so that the next command is read.
        desk.send([UInt8](repeating: 0x00, count: 300))
        openCount += 1_000
    }

    private mutating func count() {
        for message in desk.messages where !message.isUnsolicited {
            answerCount += 1
            openCount -= 1
            if openCount < 0 { unasked += 1 }
        }
        desk.messages = []
        if desk.dropCount != dropCount {
            dropCount = desk.dropCount
            openCount = 0
        }
    }
}
