import CardCrypto
import GatewayProtocols
import Transports

/// Answers that are well formed and not to be believed.
extension SimulatedNMIGateway {
    /// The answer of a gateway that approves, whatever became of the request; the usual report
    /// where it is a look-up.
    ///
    /// It names the transaction that was booked, without one that which the request changes, or
    /// else the one that would be booked next.
    mutating func approval(
        of call: NMICall,
        _ id: NMITransactionID?,
        _ cache: CryptoCache
    ) -> HTTPResponse {
        if call.kind == .query {
            // A look-up leaves no record.
            var records: [GatewayRecord] = []
            return carryOut(call, cache, &records)
        }
        let approval = NMIResponse(
            kind: .approved,
            text: "SUCCESS",
            authCode: "123456",
            responseCode: .approved
        )
        return respond(call, approval, id: id ?? changed(by: call) ?? ledger.nextTransactionID)
    }

    /// The transaction that a request changes, where it makes none of its own.
    private func changed(by call: NMICall) -> NMITransactionID? {
        guard case .success(.followUp(let followUp)) = call.request, followUp.type != .refund else {
            return nil
        }
        return followUp.transactionID
    }

    /// The same answer with another order's id in it; as it is where it names no order.
    func aboutAnotherOrder(_ response: HTTPResponse, _ call: NMICall) -> HTTPResponse {
        var response = response
        if call.kind == .query {
            guard var report = try? NMIQueryResponse(decoding: response.body) else {
                return response
            }
            for index in report.transactions.indices {
                report.transactions[index].orderID = "other-\(report.transactions[index].orderID)"
            }
            response.body = report.body
        } else {
            guard var answer = try? NMIResponse(decoding: response.body) else { return response }
            answer.orderID = "other-\(answer.orderID)"
            response.body = answer.body
        }
        return response
    }
}
