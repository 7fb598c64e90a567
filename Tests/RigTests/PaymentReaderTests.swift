import CardData
import GatewayProtocols
import Journal
import Rig
import SDKCore
import SimulatedGateways
import Testing

@Suite("Payment readers of a rig")
struct PaymentReaderTests {
    @Test(arguments: [
        PaymentReaderAddress.Carrier.bluetooth, .network, .serial,
    ])
    func chipAndPINIsCharged(over carrier: PaymentReaderAddress.Carrier) {
        var desk = PaymentRig(carrier)
        let isSold = desk.sell()
        #expect(isSold)
        desk.rig.act(.removeCard(reader: 0))
        desk.settle()
        #expect(desk.values(.result, of: .completed) == [.symbol(.approved)])
        #expect(desk.rig.serviceEntries.map(\.transaction.state) == [.captured])
        #expect(desk.values(.keys, of: .keysPressed).map { "\($0)" } == ["text(•••• enter)"])
    }
}
