extension Vocabulary {
    /// The names of Inner Fence's classes and of the card scanner's.
    ///
    /// Source: innerfence/ChargeDemo, `IFChargeRequest.h`, `IFChargeResponse.h`;
    /// card-io/card.io-iOS-SDK, `CardIOCreditCardInfo.h`, `CardIOPaymentViewControllerDelegate.h`.
    static let terminalNames: [NameTable] = [
        NameTable(
            title: "Charges through Inner Fence's terminal app",
            rows: [
                NameRow(
                    "IFChargeRequest",
                    "InnerFenceChargeRequest",
                    StepWord.openURL.rawValue
                ),
                NameRow("submit", "InnerFenceClient.submit", spelling(of: .terminalRequested)),
                NameRow(
                    "setReturnURL:withExtraParams:",
                    "InnerFenceChargeRequest.setReturnURL",
                    "extra"
                ),
                NameRow(
                    "creditCardTerminalNotInstalled",
                    "InnerFenceClient.Event.notInstalled",
                    spelling(of: .creditCardTerminalNotInstalled)
                ),
                NameRow(
                    "IFChargeResponse",
                    "InnerFenceChargeResponse",
                    spelling(of: .chargeResponse)
                ),
                NameRow("initWithURL:", "InnerFenceClient.open", spelling(of: .urlOpened)),
                NameRow(
                    "extraParams",
                    "InnerFenceChargeResponse.extraParameter",
                    spelling(of: AttributeName.extraParams)
                ),
                NameRow(
                    "NSInvalidArgumentException",
                    "InnerFenceClient.Event.refused",
                    spelling(of: .chargeResponseRefused)
                ),
                NameRow(nil, "InnerFenceClient.Event.orderHeld", spelling(of: .chargeHeld)),
                NameRow(
                    "ifcc_request_nonce",
                    "InnerFenceClient.savedNonce",
                    spelling(of: Symbol.nonceMismatch)
                ),
            ]
        ),
        NameTable(
            title: "Card scanner",
            rows: [
                NameRow("CardIOCreditCardInfo", "ScannedCard", StepWord.scan.rawValue),
                NameRow("cardType", "ScannedCard.cardType", "cardType"),
                NameRow(
                    "redactedCardNumber",
                    "ScannedCard.redactedCardNumber",
                    spelling(of: AttributeName.redactedCardNumber)
                ),
                NameRow("scanned", "ScannedCard.isScanned", spelling(of: AttributeName.isScanned)),
                NameRow(
                    "userDidProvideCreditCardInfo:inPaymentViewController:",
                    "ScannedCard",
                    spelling(of: .userDidProvideCreditCardInfo)
                ),
                NameRow(
                    "userDidCancelPaymentViewController:",
                    nil,
                    spelling(of: .userDidCancelPaymentViewController)
                ),
            ]
        ),
    ]

    private static func spelling(of record: RecordName) -> String {
        definition(of: record).spelling
    }
}
