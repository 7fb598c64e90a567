/// Which of the published classes an app uses to build requests and to read answers.
///
/// Source: the history of innerfence/ChargeDemo (`IFChargeRequest.m`, `IFChargeResponse.m`), and of
/// innerfence/chargedemo-windows (`ChargeRequest.cs`, `ChargeResponse.cs`).
public enum InnerFenceVersion: String, CaseIterable, Hashable, Sendable {
    /// What the class of 2014 accepts without its defects: a damaged answer leaves the nonce valid,
    /// the app's own parameters come back whole, and no `ifcc_` pair is among them.
    ///
    /// No published class is like that; it is what the protocol's document promises.
    case corrected
    /// As published until 2012-06: no tax, no tip, no transaction id.
    case before2012 = "2010"
    /// Commit 7d29aa7, 2012-06-04: its pattern refuses every transaction id.
    case june4 = "2012-06-04"
    /// Commit 15303bd, 2012-06-11 to 2012-08-06: its pattern refuses every tax rate.
    case june11 = "2012-06-11"
    /// As published from 2012-08 to 2019-03, the state that the vendor's document describes.
    case published2014 = "2014"
    /// Commit ada4351, 2019-09-11, and the head since then: the arguments of the pattern test are
    /// swapped, and every genuine answer is refused.
    case head2019 = "2019-head"
    /// The class for Windows.
    case windows

    /// The name under which the nonce travels.
    public var nonceName: String {
        switch self {
        case .windows: "ifcc_nonce"
        case .corrected, .before2012, .june4, .june11, .published2014, .head2019:
            "ifcc_request_nonce"
        }
    }

    /// Whether the class knows the tax, the tip and the transaction id of an answer.
    func reads(_ field: InnerFenceResponseField) -> Bool {
        switch field {
        case .transactionId: self != .before2012
        case .taxAmount, .taxRate, .tipAmount: self != .before2012 && self != .june4
        case .amount, .cardType, .currency, .redactedCardNumber, .responseType: true
        case .errorMessage: self == .windows
        }
    }

    /// Whether the class has this field of a request.
    ///
    /// Source: the history of `IFChargeRequest.h`. `fm` is part of the protocol but of no class.
    public func writes(_ field: InnerFenceRequestField) -> Bool {
        switch field {
        case .fm: false
        case .taxRate: self != .before2012 && self != .june4
        case .returnImmediately, .amountFixed:
            self != .before2012 && self != .june4 && self != .june11
        default: true
        }
    }
}
