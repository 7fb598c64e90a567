import CardCrypto
import CardData
import EventLoops
import GatewayProtocols
import ReaderProtocols
import SDKCore
import SimulatedGateways
import SimulatedReaders
import Transports

/// A sale written as a form, taken by the simulated gateway, and its answer read.
func measurePayments(_ measurement: Measurement) {
    guard let record = swipeRecord(.idynamo, CryptoCache()),
        let amount = Amount("10.99")
    else { return }
    let swipe = MagneSafeSwipeFields(
        track1: digits(record.track1.encrypted),
        track2: digits(record.track2.encrypted),
        ksn: digits(record.ksn?.bytes ?? []),
        magnePrint: digits(record.magnePrint),
        magnePrintStatus: digits([0xA1, 0x05, 0, 0])
    )
    let sale = NMIPayment(.sale, amount: amount, orderID: "order-1", card: .magneSafe(swipe))
    let cache = CryptoCache()
    let request = NMIRequest(
        securityKey: SimulatedNMIGateway.Configuration().securityKey,
        operation: .payment(sale)
    )
    measurement.nanoseconds("form") { repetitions in
        for _ in 0..<repetitions {
            let body = request.body
            guard let fields = try? FormFields(decoding: body, as: .request),
                let read = try? NMIRequest(fields, path: request.path)
            else { stop("a form cannot be read back") }
            blackHole(read)
        }
    }
    measurement.nanoseconds("gateway") { repetitions in
        var gateway = SimulatedNMIGateway()
        for count in 0..<repetitions {
            if count % 64 == 63 { gateway = SimulatedNMIGateway() }
            let post = HTTPRequest(
                path: request.path,
                contentType: FormEncoder.contentType,
                body: request.body
            )
            let reply = gateway.receive(post, at: .zero, cache: cache)
            guard case .answer(let response, _) = reply.wire,
                let answer = try? NMIResponse(decoding: response.body)
            else { stop("the gateway gave no answer") }
            blackHole(answer)
        }
    }
}

private func digits(_ bytes: [UInt8]) -> [UInt8] { Array(Hexadecimal.encode(bytes).utf8) }
