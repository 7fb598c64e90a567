import CardCrypto
import CardData
import EventLoops
import GatewayProtocols
import Journal
import Rig
import SimulatedGateways
import SimulatedReaders
import Testing

/// What the app is told of a charge is what the gateway's ledger says, whatever the gateway does
/// with the sale and with the first look-up.
@Suite("Truth of charges")
struct ChargeTruthTests {
    static let answers: [GatewayFault.Answer] = [
        .decline(.declined), .error(.rejected), .timeout, .reset, .garbage, .httpStatus(500),
        .httpStatus(404), .slow(.seconds(3)), .slow(.seconds(300)), .httpApproval(500),
        .otherOrder, .refused,
    ]

    /// Without those of a gateway that books and says no: nobody can see through that.
    static let saleFaults: [GatewayFault?] =
        [nil] + answers.map { GatewayFault(kind: .sale, answer: $0) }
        + answers.dropFirst(2).map {
            GatewayFault(kind: .sale, phase: .afterBooking, answer: $0)
        }

    static let queryFaults: [GatewayFault?] =
        [nil] + answers.map { GatewayFault(kind: .query, answer: $0) }

    @Test(arguments: saleFaults, queryFaults)
    func whatTheAppIsToldIsWhatWasBooked(sale: GatewayFault?, query: GatewayFault?) {
        var rig = Rig(
            RigConfiguration(
                readers: [
                    RigReader(
                        name: "till",
                        endpoint: .simulated(MagneSafeReaderConfiguration(.idynamo)),
                        isAttachedAtStart: true
                    )
                ],
                gateway: SimulatedNMIGateway.Configuration()
            ),
            cache: CryptoCache()
        )
        func settle() { while !rig.isQuiet, rig.advance() != .nothing {} }
        rig.start()
        settle()
        rig.act(.swipe(reader: 0, card: "visa", quality: .good))
        settle()
        for fault in [sale, query].compactMap(\.self) { _ = rig.arm(fault) }
        let isAsked = rig.charge(Amount(minorUnits: 1_234), orderID: "tea")
        settle()
        #expect(isAsked)
        let finished = rig.journal.readable.filter { $0.name == .chargeFinished }
        #expect(finished.count == 1)
        let sales = rig.journal.readable.filter {
            $0.name == .requestReceived
                && rig.journal.value(.kind, of: $0) == .symbol(.sale)
        }
        let isRefused = sale?.answer == .refused
        #expect(sales.count == (isRefused ? 0 : 1), "a sale is sent once and never again")
        let booked = rig.ledgerEntries.filter { $0.state == .pendingsettlement }
        #expect(booked.count <= 1)
        switch finished.first.flatMap({ rig.journal.value(.result, of: $0) }) {
        case .symbol(.approved): #expect(booked.count == 1)
        case .symbol(.declined), .symbol(.error), .symbol(.notCharged): #expect(booked.isEmpty)
        case .symbol(.unknown): #expect(query != nil, "the look-up was answered")
        default: Issue.record("the charge ended in no known way")
        }
    }
}
