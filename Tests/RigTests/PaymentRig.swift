import CardCrypto
import CardData
import EventLoops
import Journal
import Rig
import SDKCore
import SimulatedGateways
import SimulatedReaders

/// A rig with Miura readers and an AgentCASH service, and what its journal says of card payments.
///
/// A class, so that its acts can stand in expectations.
final class PaymentRig {
    var rig: Rig

    init(
        _ carrier: PaymentReaderAddress.Carrier = .bluetooth,
        readerCount: Int = 1,
        type: PaymentProviderType = .test,
        _ change: (inout RigConfiguration) -> Void = { _ in }
    ) {
        let readers = (0..<readerCount).map { number in
            var miura = MiuraReaderConfiguration()
            miura.serialNumber = "1700047\(number)"
            miura.announcesPowerOn = carrier != .serial
            miura.wifi = MiuraWiFiConfiguration(listenPort: 6_543)
            var reader = RigReader(
                name: "miura\(number)",
                endpoint: .miura(miura),
                isAttachedAtStart: true
            )
            reader.address = PaymentReaderAddress(carrier, number: number)
            return reader
        }
        var configuration = RigConfiguration(readers: readers)
        configuration.agentcash = AgentCASHSetup(type)
        change(&configuration)
        rig = Rig(configuration, cache: CryptoCache())
        rig.start()
    }

    /// Takes events until nothing is pending.
    func settle() {
        while !rig.isQuiet, rig.advance() != .nothing {}
    }

    /// Takes events until a record with the name, or one of its values, has come after the ones
    /// that are there; returns whether it came.
    func take(until name: RecordName, _ symbol: Symbol? = nil) -> Bool {
        var seen = rig.journal.count
        while true {
            while let record = rig.journal.record(seen) {
                seen += 1
                guard record.name == name else { continue }
                let attributes = rig.journal.attributes(of: record)
                if symbol == nil
                    || attributes.contains(where: { $0.value == symbol.map { .symbol($0) } })
                {
                    return true
                }
            }
            guard !rig.isQuiet, rig.advance() != .nothing else { return false }
        }
    }

    func charge(
        _ amount: String = "15.00",
        capture: Bool = true,
        reader: Int = 0,
        address: String? = nil,
        _ change: (inout AuthRequestParams) -> Void = { _ in }
    ) -> Bool {
        var parameters = AuthRequestParams(amount: amount, currency: "GBP", capture: capture)
        change(&parameters)
        return rig.pay(.authorize(parameters, reader: reader, address: address))
    }

    /// Presses the keys of these words.
    func press(_ words: String, pause: VirtualDuration = .zero) {
        rig.act(.press(reader: 0, MiuraKey.keys(words) ?? [], pause: pause))
    }

    /// Asks the payment provider for something.
    func pay(_ call: PaymentCall) -> Bool { rig.pay(call) }

    /// Arms a fault of the service.
    func arm(_ fault: GatewayFault) -> Bool { rig.arm(fault) }

    /// A chip-and-PIN sale from its start to the end.
    func sell() -> Bool {
        guard charge(), take(until: .progressChanged, .waitingForCard) else { return false }
        rig.act(.insert(reader: 0, card: "emv-visa-pin"))
        guard take(until: .pinAsked) else { return false }
        press("1234 enter")
        return take(until: .completed)
    }

    var names: [RecordName] { rig.journal.readable.map(\.name) }

    /// The values of an attribute, of all records with a name.
    func values(_ attribute: AttributeName, of name: RecordName) -> [AttributeValue] {
        rig.journal.readable.filter { $0.name == name }.compactMap {
            rig.journal.value(attribute, of: $0)
        }
    }

    /// Every text of the journal.
    var texts: [String] {
        rig.journal.readable.flatMap { record in
            rig.journal.attributes(of: record).map { "\($0.value)" }
        }
    }
}
