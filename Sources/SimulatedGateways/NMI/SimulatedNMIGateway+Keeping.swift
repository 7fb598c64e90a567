import EventLoops
import CardData
import GatewayProtocols
public import Transports

// What of a request may be kept: security codes and tracks must not outlive the authorisation,
// encrypted or not, so a journal of requests keeps what the gateway made of them.
//
// Source: PCI DSS 4.0, requirement 3.3.1, "SAD is not stored after authorization".
extension SimulatedNMIGateway {
    /// Returns a request of which nothing is left that must not be kept.
    ///
    /// ``receive(_:at:cache:recalling:)`` does the same with it as with the request itself, when it
    /// is given the memory.
    /// - Parameters:
    ///   - request: A request that was received.
    ///   - memory: The ``GatewayReply/cardMemory`` of its reply.
    /// - Returns: The request to keep, beside the memory.
    public func keepable(_ request: HTTPRequest, memory: String?) -> HTTPRequest {
        var kept = request
        let call = NMICall(request, number: 0, instant: .zero, configuration)
        var form = FormEncoder()
        if call.fields == nil {
            kept.body = Array("%".utf8)
        } else if call.formText != nil {
            // Why it is not even read makes no difference, but a fault may wait for its kind.
            kept.contentType = "text/plain"
            for name in ["type", "customer_vault", "recurring"] {
                if let value = call.fields?.text(of: name) {
                    form.append(name, String(value.prefix(32)))
                }
            }
            kept.body = form.bytes
        } else if let fields = call.fields {
            let hasPayment = fields.index(of: "encrypted_payment") != nil
            var isRecalled = memory == nil
            for index in 0..<fields.count {
                let name = String(decoding: fields.name(at: index), as: UTF8.self)
                if !Self.isSensitive(name) {
                    form.append(name, Array(fields.value(at: index)))
                } else if !isRecalled, !hasPayment || name == "encrypted_payment" {
                    // In its place, so that there are no more fields than there were.
                    form.append("encrypted_payment", "recalled")
                    isRecalled = true
                } else {
                    form.append(name, "")
                }
            }
            kept.body = form.bytes
        }
        return kept
    }

    private static func isSensitive(_ name: String) -> Bool {
        switch name {
        case "ccnumber", "ccexp", "cvv", "encrypted_payment", "encrypted_ksn": true
        default:
            name.hasPrefix("track_") || name.hasPrefix("encrypted_track_")
                || name.hasPrefix("magnesafe_")
        }
    }

    /// What was made of a card, in one line, its number sealed; `nil` for what may be kept as it
    /// came.
    func memory(of resolution: CardResolution, _ data: NMICardData) -> String? {
        switch data {
        case .check: return nil
        case .stored:
            // The customer stands in the request, a code that came with it does not any more.
            guard case .card(_, .some) = resolution else { return nil }
        case .keyed, .tracks, .magneSafe, .encrypted, .encryptedPayment: break
        }
        var line: StateLine
        switch resolution {
        case .invalid(let text):
            line = StateLine("invalid")
            line.add("text", text)
        case .undecryptable: line = StateLine("undecryptable")
        case .unknownCustomer: return nil
        case .card(let card, let cvv):
            line = StateLine("card")
            NMIStateWriter(configuration).add(card, to: &line)
            line.add("cvv", Self.cvvResponse(cvv))
        }
        var bytes: [UInt8] = []
        line.append(to: &bytes)
        return String(decoding: bytes.dropLast(), as: UTF8.self)
    }

    /// What a memory says was made of a card; `nil` when it is none.
    func resolution(recalling memory: String) -> CardResolution? {
        guard let line = StateLine(ArraySlice(memory.utf8)) else { return nil }
        switch line.word {
        case "invalid": return .invalid(line.text("text"))
        case "undecryptable": return .undecryptable
        case "card":
            guard let card = NMIStateReader(configuration).card(line) else { return nil }
            // A code that gives the same answer; the manual publishes the one that matches.
            let code: String? =
                switch line.text("cvv") {
                case "M": "999"
                case "N": "000"
                default: nil
                }
            return .card(card, code.map { CardSecurityCode(unmasked: Array($0.utf8)) })
        default: return nil
        }
    }
}
