import EventLoops
import GatewayProtocols
import Journal
import Laws
import ReaderProtocols
import Rig
import SDKCore
import SimulatedGateways
import SimulatedReaders
import Testing
import Transports

/// The link is pulled before every byte of every frame of a sale, whoever sends it.
@Suite("A link that is pulled anywhere in a sale")
struct PaymentLinkSweepTests {
    /// A sale from its start to its end, as far as it comes.
    enum Sale: String, CaseIterable {
        case chipAndPIN
        case signature

        var card: String { self == .chipAndPIN ? "emv-visa-pin" : "emv-visa-signature" }
    }

    /// One row of the table: a frame, and what becomes of the sale when the link is pulled there.
    private struct Row {
        var direction: LinkFault.Direction
        var number: Int
        var frame: [UInt8]
        /// How the sale ends when the link is pulled before each byte of the frame.
        var outcomes: [String] = []

        /// Where the next sale is played too: before the frame, and before the length, the first and
        /// the last byte of what it carries, and the check.
        var landmarks: [Int] { [1, 3, 4, frame.count - 1, frame.count] }

        /// The outcomes, neighbours that are the same as one range of bytes.
        private var ranges: String {
            var ranges: [String] = []
            var first = 0
            for index in outcomes.indices where outcomes[first] != outcomes[index] {
                ranges.append("\(first + 1)-\(index) \(outcomes[first])")
                first = index
            }
            guard first < outcomes.count else { return "" }
            return (ranges + ["\(first + 1)-\(outcomes.count) \(outcomes[first])"])
                .joined(separator: ", ")
        }

        /// What the frame is, for people.
        var words: String {
            guard direction == .toReader else {
                return frame[1] & 0x40 == 0 ? "an answer" : "unasked"
            }
            let code = UInt16(frame[3]) << 8 | UInt16(frame[4])
            return MiuraCommandName(rawValue: code)?.title ?? "?"
        }

        var line: String {
            let arrow = direction == .toReader ? "host > reader" : "reader > host"
            return "  \(arrow) \(number)  \(words): \(ranges)"
        }
    }

    private func play(_ sale: Sale, _ desk: PaymentRig) {
        guard desk.charge(), desk.take(until: .progressChanged, .waitingForCard) else {
            return desk.settle()
        }
        desk.rig.act(.insert(reader: 0, card: sale.card))
        if sale == .chipAndPIN {
            if desk.take(until: .pinAsked) { desk.press("1234 enter") }
        } else if desk.take(until: .userActionRequired) {
            _ = desk.pay(.sign(.successful, hasImage: true))
        }
        desk.settle()
    }

    /// The frames of a sale that nothing disturbs.
    private func rows(_ sale: Sale) -> [Row] {
        let desk = PaymentRig { $0.isRecorded = true }
        play(sale, desk)
        var rows: [Row] = []
        var counts = [0, 0]
        for entry in desk.rig.wireTap?.entries ?? [] {
            let (direction, unit): (LinkFault.Direction, TransportUnit)
            switch entry.traffic {
            case .fromHost(let sent): (direction, unit) = (.toReader, sent)
            case .fromReader(let sent): (direction, unit) = (.toHost, sent)
            case .attached, .detached, .featureFinished: continue
            }
            counts[Int(direction.rawValue)] += 1
            let number = counts[Int(direction.rawValue)]
            rows.append(Row(direction: direction, number: number, frame: Array(unit.payload)))
        }
        return rows
    }

    /// Plays a sale with the link pulled at a place, and returns how it ended.
    private func outcome(_ sale: Sale, _ row: Row, byte: Int) -> String {
        let place = LinkFault.Address.byteOfUnit(unit: row.number, byte: byte)
        let fault = LinkFault(.cut, at: place, direction: row.direction)
        let desk = PaymentRig { $0.readers[0].faults = [fault] }
        play(sale, desk)
        let results = desk.values(.result, of: .completed)
        let states = desk.rig.serviceEntries.map(\.transaction.state)
        let position = "\(row.words) \(row.number) at byte \(byte)"
        #expect(desk.names.contains(.linkFault), "\(position)")
        #expect(results.count == 1, "\(position)")
        // At most one charge, and only where the app was told of it.
        #expect(states.count <= 1, "\(position)")
        #expect((states == [.captured]) == (results == [.symbol(.approved)]), "\(position)")
        #expect(violations(desk).isEmpty, "\(position)")
        guard row.landmarks.contains(byte) else { return ending(results, states.first?.rawValue) }
        // The link can be made again, and the next sale is charged.
        desk.rig.act(.removeCard(reader: 0))
        desk.settle()
        #expect(desk.sell(), "\(position)")
        return ending(results, states.first?.rawValue)
    }

    /// The laws that what happened breaks.
    private func violations(_ desk: PaymentRig) -> [LawViolation] {
        var laws = LawBook(lawsOff: [], readerCount: 1)
        for record in desk.rig.journal.readable { laws.observe(record, in: desk.rig.journal) }
        laws.finish(in: desk.rig.journal)
        return laws.violations
    }

    private func ending(_ results: [AttributeValue], _ state: String?) -> String {
        guard case .symbol(let result) = results.first else { return "none" }
        return Vocabulary.spelling(of: result) + (state.map { " \($0)" } ?? "")
    }

    @Test(arguments: Sale.allCases)
    func chargesAtMostOnceAndCompletesOnce(_ sale: Sale) {
        var rows = rows(sale)
        #expect(rows.count { $0.direction == .toReader } > 10)
        #expect(rows.count { $0.direction == .toHost } > 10)
        for index in rows.indices {
            for byte in 1...rows[index].frame.count {
                rows[index].outcomes.append(outcome(sale, rows[index], byte: byte))
            }
        }
        var table = "\(sale.rawValue): the link is pulled before these bytes of each frame\n"
        for row in rows { table += row.line + "\n" }
        print(table)
        let outcomes = rows.flatMap(\.outcomes)
        #expect(outcomes.contains { $0.hasPrefix("failed") })
        #expect(outcomes.contains("approved captured"))
    }
}
