import CardData
import GatewayProtocols
public import Transports

// What of a request may be kept: blocks of tracks and PINs must not outlive the authorisation, so a
// journal of requests keeps what the service made of them.
//
// Source: PCI DSS 4.0, requirement 3.3.1, "SAD is not stored after authorization".
extension SimulatedAgentCASHGateway {
    /// Returns a request of which nothing is left that must not be kept.
    ///
    /// ``receive(_:at:cache:recalling:)`` does the same with it as with the request itself, when it
    /// is given the ``AgentCASHReply/cardMemory`` of its reply.
    public static func keepable(_ request: HTTPRequest) -> HTTPRequest {
        var kept = request
        let asked = try? AgentCASHRequest(
            method: request.method,
            path: request.path,
            contentType: request.contentType,
            body: request.body
        )
        switch asked {
        case .authorise(var authorisation):
            let chipData = (try? TLV.objects(in: authorisation.card.chipData)) ?? []
            let shown: [TLVTag] = [
                .applicationLabel, .fileName, .cryptogram, .verificationResults,
            ]
            authorisation.card.encryptedCard = []
            authorisation.card.keySerialNumber = []
            authorisation.card.pinBlock = []
            authorisation.card.pinKeySerialNumber = []
            authorisation.card.chipData = shown.compactMap { chipData.first($0) }.tlvBytes
            kept.body = AgentCASHRequest.authorise(authorisation).body
        case .some: break
        case nil:
            // It is refused, whatever it was.
            kept.contentType = "text/plain"
            kept.body = []
        }
        return kept
    }
}
