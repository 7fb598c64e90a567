// Card scanners, Inner Fence's terminal app, and the app that charges through it.
extension Vocabulary {
    /// Returns what the vocabulary says of such a record.
    static func terminal(_ name: RecordName) -> RecordDefinition {
        switch name {
        case .cardScanned:
            other(
                name,
                .cardholder,
                [
                    AttributeDefinition(.card, .text, "The card, by its name."),
                    AttributeDefinition(
                        .result,
                        .symbol([.scanned, .manual, .cancelled]),
                        "Whether the camera read it, it was typed in, or the screen was left."
                    ),
                ],
                "A hand held a card in front of the camera, or left the scanner's screen."
            )
        case .userDidProvideCreditCardInfo:
            sdk(
                name,
                [
                    AttributeDefinition(
                        .cardType,
                        .symbol([.unrecognized, .amex, .visa, .mastercard, .discover, .jcb]),
                        "The kind of card, by its first digits."
                    ),
                    AttributeDefinition(
                        .redactedCardNumber,
                        .text,
                        "The number, but for its last four digits hidden by X."
                    ),
                    AttributeDefinition(
                        .expirationDate,
                        .text,
                        "The expiration date as MMYY; absent where none was found."
                    ),
                    AttributeDefinition(
                        .isScanned,
                        .flag,
                        "Whether the camera read the number; else it was typed in."
                    ),
                ],
                "The card scanner gave the app a card."
            )
        case .userDidCancelPaymentViewController:
            sdk(name, [], "The user left the card scanner's screen.")
        case .terminalRequested:
            other(
                name,
                .merchant,
                [
                    amount, orderID,
                    AttributeDefinition(
                        .isSure,
                        .flag,
                        "Whether somebody saw at the terminal that the order was not charged."
                    ),
                ],
                "The app was asked to charge an order through the terminal app."
            )
        case .urlOpened:
            other(
                name,
                .app,
                [
                    AttributeDefinition(
                        .by,
                        .symbol([.app, .terminal, .other]),
                        "Who handed the URL to the system."
                    ),
                    AttributeDefinition(
                        .into,
                        .symbol([.terminal, .app, .browser, .nothing]),
                        "Whose scheme it has."
                    ),
                    AttributeDefinition(.text, .text, "The URL, card numbers masked."),
                    AttributeDefinition(
                        .hasClearCardData,
                        .flag,
                        "Whether there was a card number or a track in clear."
                    ),
                ],
                "The system handed a URL to an app, or to nobody."
            )
        default: answers(name)
        }
    }

    private static func answers(_ name: RecordName) -> RecordDefinition {
        switch name {
        case .terminalShown:
            other(
                name,
                .gateway,
                [amount, AttributeDefinition(.text, .text, "The name of the app that asks.")],
                "The terminal app shows a charge."
            )
        case .terminalRefused:
            other(
                name,
                .gateway,
                [
                    AttributeDefinition(
                        .reason,
                        .symbol([.badURL, .undecodable, .otherVersion, .badField]),
                        "What is wrong with the request."
                    )
                ],
                "The terminal app refused a request that it cannot read."
            )
        case .terminalAnswered:
            other(
                name,
                .gateway,
                [
                    AttributeDefinition(
                        .response,
                        .symbol([.declined, .error]),
                        "Whether the issuer refused, or something else was wrong."
                    )
                ],
                "A card was not charged; its holder may try again, or go back."
            )
        case .receiptMailed:
            other(name, .gateway, [transactionID], "The terminal app mailed a receipt.")
        case .terminalCalledBack:
            other(
                name,
                .gateway,
                [terminalResult, amount, orderID, transactionID],
                "The terminal app hands an answer to the system."
            )
        case .terminalClosed:
            other(name, .gateway, [], "The terminal app is done, and has nobody to tell.")
        case .chargeResponse:
            sdk(
                name,
                [
                    terminalResult, amount, orderID, transactionID,
                    AttributeDefinition(.currency, .text, "The currency."),
                    AttributeDefinition(.redactedCardNumber, .text, "The card number, masked."),
                    AttributeDefinition(.cardType, .text, "The kind of card, in words."),
                    AttributeDefinition(.taxAmount, .amount, "The tax in the amount."),
                    AttributeDefinition(.taxRate, .text, "The tax rate in percent."),
                    AttributeDefinition(.tipAmount, .amount, "The tip in the amount."),
                    AttributeDefinition(
                        .extraParams,
                        .text,
                        "The app's own parameters but record_id, as `a=1 b=2`; absent if none."
                    ),
                ],
                "The app took the answer to a charge."
            )
        case .chargeResponseRefused:
            sdk(
                name,
                [
                    AttributeDefinition(
                        .reason,
                        .symbol([
                            .badURL, .undecodable, .noOutstandingRequest, .nonceMissing,
                            .nonceMismatch, .badField, .unknownType, .missingField,
                            .unexpectedField, .otherRecord,
                        ]),
                        "Why it is no answer to the request that waits."
                    ),
                    AttributeDefinition(.field, .text, "The field that is wrong or missing."),
                ],
                "The app refused a URL that came for its action."
            )
        case .creditCardTerminalNotInstalled:
            sdk(name, [orderID], "The app was told that there is no terminal app.")
        default:
            sdk(
                name,
                [
                    orderID,
                    AttributeDefinition(
                        .reason,
                        .symbol([.paid, .outcomeUnknown]),
                        "Whether the order is paid, or may be."
                    ),
                ],
                "The app did not ask again for an order that is paid, or may be."
            )
        }
    }

    private static let terminalResult = AttributeDefinition(
        .result,
        .symbol([.approved, .cancelled, .declined, .error]),
        "How the charge ended."
    )
}
