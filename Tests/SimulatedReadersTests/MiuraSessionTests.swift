import CardCrypto
import CardData
import EventLoops
import ReaderProtocols
import SimulatedReaders
import Testing
import Transports

@Suite("Host and simulated Miura reader")
struct MiuraSessionTests {
    /// What a sale came to, as the host knows it.
    enum End: Hashable, CaseIterable { case nothing, started, online, approved }

    @Test(arguments: ["emv-visa-pin", "emv-visa-signature"])
    func aSaleGoesThrough(card: String) throws {
        var sale = try MiuraSale(card)
        sale.run()
        #expect(sale.end == .approved)
        #expect(sale.openCount == 0)
        #expect(sale.strange == [])
    }

    @Test(arguments: ["emv-visa-pin", "emv-visa-signature"])
    func everySplitOfWhatTheReaderSendsIsTheSameSale(card: String) throws {
        var whole = try MiuraSale(card)
        whole.run()
        for position in 1..<whole.heardByteCount {
            var sale = try MiuraSale(card)
            sale.split = position
            sale.run()
            #expect(sale.end == .approved, "split at \(position)")
            #expect(sale.strange == [], "split at \(position)")
        }
    }

    /// The link is lost before each byte of the reader: whatever the host knows then is sure, every
    /// command has one end, and the reader is ready for another host.
    @Test(arguments: ["emv-visa-pin", "emv-visa-signature"])
    func everyCutLeavesBothSidesReadyForAnotherSale(card: String) throws {
        var whole = try MiuraSale(card)
        whole.run()
        var ends: [End: Int] = [:]
        for position in 0..<whole.heardByteCount {
            var sale = try MiuraSale(card)
            sale.cut = position
            sale.run()
            #expect(sale.openCount == 0, "cut at \(position)")
            #expect(sale.strange == [], "cut at \(position)")
            #expect(sale.end != .approved, "cut at \(position)")
            ends[sale.end, default: 0] += 1
            #expect(sale.reader.display == SimulatedMiura.idleDisplay, "cut at \(position)")
            sale.cut = nil
            sale.again()
            #expect(sale.end == .approved, "after a cut at \(position)")
        }
        #expect(ends[.nothing, default: 0] > 50)
        #expect(ends[.started, default: 0] > 50)
        #expect(ends[.online, default: 0] > 50)
    }
}

/// A sale between a host machine and a reader over a link that a test disturbs.
struct MiuraSale {
    private(set) var reader: SimulatedMiura
    private(set) var end = MiuraSessionTests.End.nothing
    /// How many commands have no answer and have not failed.
    private(set) var openCount = 0
    /// What should not have come.
    private(set) var strange: [String] = []
    /// How many bytes of the reader the host got.
    private(set) var heardByteCount = 0
    /// After which byte what comes in one piece is given to the host in two.
    var split: Int?
    /// Before which byte of the reader the link is lost.
    var cut: Int?

    private var host = MPIHost()
    private let cache = CryptoCache()
    private var now = VirtualInstant.zero
    private var onTheirWay: [(due: VirtualInstant, bytes: ArraySlice<UInt8>)] = []
    private let card: TestCard
    private var start: MPIHost.Ticket?
    private var completion: MPIHost.Ticket?
    private var isLinked = false

    init(_ name: String) throws {
        card = try #require(TestCard.named(name))
        reader = SimulatedMiura(MiuraReaderConfiguration())
    }

    mutating func run() {
        link()
        begin()
        settle()
    }

    /// Plays another sale on the same reader after the link was lost.
    mutating func again() {
        end = .nothing
        handle(reader.removeCard(cache: cache, at: now))
        run()
    }

    private mutating func link() {
        isLinked = true
        host.attached(at: now)
        handle(reader.connected(at: now, cache: cache))
    }

    private mutating func begin() {
        _ = send(.cardStatus(.payments))
        settle()
        handle(reader.insert(card, cache: cache, at: now))
        start = send(.startTransaction(MiuraDesk.sale))
        if isLinked { end = .started }
    }

    private mutating func send(_ command: MiuraCommand) -> MPIHost.Ticket {
        openCount += 1
        return host.send(command, at: now)
    }

    private mutating func settle() {
        act()
        let limit = now + .seconds(60)
        while true {
            var next = host.deadline
            for instant in [reader.nextDeadline, onTheirWay.first?.due].compactMap(\.self) {
                next = next.map { min($0, instant) } ?? instant
            }
            guard let next, next <= limit else { return }
            now = max(now, next)
            handle(reader.advance(to: now, cache: cache))
            while let first = onTheirWay.first, first.due <= now {
                onTheirWay.removeFirst()
                deliver(first.bytes)
            }
            host.advance(to: now)
            act()
        }
    }

    private mutating func deliver(_ bytes: ArraySlice<UInt8>) {
        guard isLinked else { return }
        let before = heardByteCount
        heardByteCount += bytes.count
        if let cut, cut < heardByteCount {
            host.receive(bytes.prefix(max(0, cut - before)), at: now)
            act()
            isLinked = false
            onTheirWay = []
            host.detached(at: now)
            handle(reader.disconnected(at: now, cache: cache))
        } else if let split, before < split, split < heardByteCount {
            host.receive(bytes.prefix(split - before), at: now)
            act()
            host.receive(bytes.dropFirst(split - before), at: now)
        } else {
            host.receive(bytes, at: now)
        }
        act()
    }

    private mutating func handle(_ effects: [MiuraReaderEffect]) {
        for case .send(let transmission) in effects where isLinked {
            onTheirWay.append((now + transmission.offset, transmission.unit.payload))
        }
    }

    private mutating func act() {
        while let action = host.nextAction() {
            switch action {
            case .write(let bytes):
                handle(reader.receive(bytes[...], cache: cache, at: now))
            case .answered(let ticket, let answer): answered(ticket, answer)
            case .failed(_, let failure):
                openCount -= 1
                if failure != .linkLost { strange.append("failed") }
            case .event(_, .readerStatus(let status)):
                guard status.pinDigitCount == 0 else { continue }
                let keys = MiuraKey.keys("1234 enter") ?? []
                handle(reader.press(keys, cache: cache, at: now))
            case .event, .initialised: break
            case .readerRestarted: strange.append("restarted")
            case .unmatched: strange.append("unmatched")
            case .damaged: strange.append("damaged")
            case .skipped, .probing: strange.append("skipped or probing")
            case .dropLink: strange.append("dropped")
            }
        }
    }

    private mutating func answered(_ ticket: MPIHost.Ticket, _ answer: MiuraAnswer) {
        openCount -= 1
        switch answer {
        case .transaction(.onlineRequired) where ticket == start:
            end = .online
            completion = send(MiuraDesk.approval)
        case .transaction(.approved) where ticket == completion: end = .approved
        default:
            if ticket == start || ticket == completion { strange.append("another answer") }
        }
    }
}
