import CardCrypto
import CardData
import EventLoops
import GatewayProtocols
import ReaderProtocols
import SimulatedReaders
import Testing
import Transports

@testable import SDKCore

/// A shop's counter: a session, a simulated reader at the other end of its link, and hands.
struct MiuraCounter {
    var session: MiuraSession
    var reader: SimulatedMiura
    let cache = CryptoCache()
    var now = VirtualInstant.zero
    /// What the session told since the last ``take()``, without bytes.
    var steps: [MiuraStep] = []
    /// How many issuers were asked, ever.
    var authorisationCount = 0
    /// The ends of all payments.
    var ends: [MiuraSaleEnd] = []
    /// How many bytes of the reader still arrive before the link is cut; `nil` for all.
    var byteCountBeforeCut: Int?
    /// Which byte of the reader is damaged, counted from the next.
    var damagedByte: Int?
    /// How many bytes of the reader have arrived.
    private(set) var arrivedByteCount = 0
    /// Bytes of the reader that are on their way.
    private var arrivals: [(due: VirtualInstant, bytes: ArraySlice<UInt8>)] = []
    private(set) var isLinked = false

    init(
        options change: (inout MiuraSessionOptions) -> Void = { _ in },
        reader configure: (inout MiuraReaderConfiguration) -> Void = { _ in },
        isLinked: Bool = true
    ) {
        var options = MiuraSessionOptions()
        change(&options)
        session = MiuraSession(options)
        var configuration = MiuraReaderConfiguration()
        configure(&configuration)
        reader = SimulatedMiura(configuration)
        if isLinked {
            connect()
            wait(.milliseconds(200))
            steps = []
        }
    }

    // MARK: Time and link

    mutating func connect() {
        isLinked = true
        session.attached(at: now)
        carry()
        collect(reader.connected(at: now, cache: cache))
    }

    mutating func cut() {
        guard isLinked else { return }
        isLinked = false
        arrivals = []
        session.detached(at: now)
        carry()
        collect(reader.disconnected(at: now, cache: cache))
        arrivals = []
    }

    private mutating func collect(_ effects: [MiuraReaderEffect]) {
        for effect in effects {
            switch effect {
            case .send(let transmission):
                let due = max(now + transmission.offset, arrivals.last?.due ?? now)
                arrivals.append((due, transmission.unit.payload))
            case .dropLink:
                isLinked = false
                arrivals = []
                session.detached(at: now)
                carry()
            case .reachable, .noted: break
            }
        }
    }

    /// Carries what the session writes to the reader, and keeps what it tells.
    mutating func carry() {
        while let step = session.nextStep() {
            switch step {
            case .write(let bytes):
                guard isLinked else { continue }
                collect(reader.receive(bytes[...], cache: cache, at: now))
            case .dropLink:
                steps.append(step)
                isLinked = false
                arrivals = []
                collect(reader.disconnected(at: now, cache: cache))
            case .authorisationRequired:
                authorisationCount += 1
                steps.append(step)
            case .finished(let end):
                ends.append(end)
                steps.append(step)
            case .readerReady, .progress, .applicationChoice, .battery, .irregular:
                steps.append(step)
            }
        }
    }

    private var next: VirtualInstant? {
        [arrivals.first?.due, session.deadline, reader.nextDeadline].compactMap(\.self).min()
    }

    /// Lets happen what happens within so long.
    mutating func wait(_ duration: VirtualDuration) {
        let end = now + duration
        while let next, next <= end {
            now = max(now, next)
            if let first = arrivals.first, first.due <= now {
                arrivals.removeFirst()
                arrive(first.bytes)
                continue
            }
            collect(reader.advance(to: now, cache: cache))
            session.advance(to: now)
            carry()
        }
        now = end
    }

    private mutating func arrive(_ bytes: ArraySlice<UInt8>) {
        var bytes = bytes.prefix(byteCountBeforeCut ?? bytes.count)
        if let position = damagedByte {
            if bytes.indices.contains(bytes.startIndex + position) {
                bytes[bytes.startIndex + position] ^= 0x10
                damagedByte = nil
            } else {
                damagedByte = position - bytes.count
            }
        }
        arrivedByteCount += bytes.count
        session.receive(bytes, at: now)
        carry()
        if let left = byteCountBeforeCut {
            byteCountBeforeCut = left - bytes.count
            if left == bytes.count { cut() }
        }
    }

    mutating func take() -> [MiuraStep] {
        defer { steps = [] }
        return steps
    }

    /// The progress that was told and not taken.
    var progress: [MiuraProgress] {
        steps.compactMap { if case .progress(let progress) = $0 { progress } else { nil } }
    }

    /// The reading for which an issuer is to be asked.
    var reading: MiuraCardReading? {
        for case .authorisationRequired(let reading) in steps { return reading }
        return nil
    }

    // MARK: App and hands

    mutating func begin(minorUnits: Int = 15_00, takesTaps: Bool = false) -> Bool {
        var sale = MiuraSale(
            transaction: MiuraTransaction(
                amountMinorUnits: minorUnits,
                currency: 826,
                clock: MiuraClock(year: 24, month: 6, day: 3, hour: 9)
            ),
            text: "Please insert card"
        )
        sale.takesTaps = takesTaps
        defer { settle() }
        return session.begin(sale, at: now)
    }

    /// Lets commands and answers pass, but no reader's work.
    mutating func settle() {
        carry()
        wait(.milliseconds(50))
    }

    mutating func answer(_ authorisation: MiuraAuthorisation) {
        session.answer(authorisation, at: now)
        carry()
        wait(.seconds(1))
    }

    mutating func cancel() -> Bool {
        defer { carry() }
        return session.cancel(at: now)
    }

    mutating func insert(_ name: String, wait duration: VirtualDuration = .seconds(2)) throws {
        let card = try #require(TestCard.named(name))
        collect(reader.insert(card, cache: cache, at: now))
        wait(duration)
    }

    mutating func removeCard() {
        collect(reader.removeCard(cache: cache, at: now))
        wait(.milliseconds(50))
    }

    mutating func tap(_ name: String) throws {
        let card = try #require(TestCard.named(name))
        collect(reader.tap(card, cache: cache, at: now))
        wait(.seconds(2))
    }

    mutating func swipe(_ name: String, _ quality: SwipeQuality = .good) throws {
        let card = try #require(TestCard.named(name))
        collect(reader.swipe(card, quality: quality, cache: cache, at: now))
        wait(.milliseconds(200))
    }

    mutating func press(_ text: String) throws {
        let keys = try #require(MiuraKey.keys(text))
        collect(reader.press(keys, cache: cache, at: now))
        wait(.seconds(2))
    }
}
