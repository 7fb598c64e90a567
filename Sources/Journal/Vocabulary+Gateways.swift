// Requests at a payment gateway, what it books, and what the app comes to know of it.
extension Vocabulary {
    /// Returns what the vocabulary says of a record of a gateway.
    static func gateway(_ name: RecordName) -> RecordDefinition {
        switch name {
        case .requestReceived:
            other(
                name,
                .gateway,
                [number, kind, amount, transactionID, orderID, reference],
                "A request reached the gateway."
            )
        case .booked:
            other(
                name,
                .gateway,
                [number, type, amount, transactionID, orderID, state, verification],
                "The gateway booked a transaction."
            )
        case .canceled:
            other(
                name,
                .gateway,
                [number, amount, transactionID, orderID],
                "The gateway canceled a transaction: it was voided."
            )
        case .gatewayFault:
            other(
                name,
                .gateway,
                [
                    number, kind,
                    AttributeDefinition(
                        .fault,
                        .symbol([
                            .declined, .error, .timeout, .reset, .garbage, .httpError, .slow,
                            .refused, .httpApproval, .otherOrder,
                        ]),
                        "What the gateway does instead of its natural answer."
                    ),
                    AttributeDefinition(
                        .phase,
                        .symbol([.beforeBooking, .afterBooking]),
                        "Whether it fired before or after the transaction was booked."
                    ),
                ],
                "A fault of the gateway fired."
            )
        case .gatewayAnswered:
            other(
                name,
                .gateway,
                [
                    number, kind,
                    AttributeDefinition(
                        .response,
                        .symbol(responses),
                        "The answer; a look-up's is found, kept or notFound."
                    ),
                    AttributeDefinition(
                        .responseCode,
                        .integer,
                        "The three-digit code of the answer; absent for a look-up."
                    ),
                    AttributeDefinition(.responseText, .text, "The answer's text."),
                    transactionID, orderID,
                ],
                "An answer of the gateway reached the app."
            )
        case .gatewayUnanswered:
            other(
                name,
                .gateway,
                [
                    number, kind,
                    AttributeDefinition(
                        .reason,
                        .symbol([.timedOut, .reset, .refused, .garbage, .httpError]),
                        "Why there is no answer that the app can use."
                    ),
                ],
                "A request ended without an answer that the app can use."
            )
        case .chargeFinished:
            other(
                name,
                .gateway,
                [chargeResult, amount, orderID, transactionID],
                "The app's payment client knows how a charge ended."
            )
        case .voidFinished:
            other(
                name,
                .gateway,
                [voidResult, transactionID],
                "The app's payment client knows how a void ended."
            )
        case .authorizationFinished:
            other(
                name,
                .gateway,
                [chargeResult, amount, orderID, transactionID],
                "The app's payment client knows how an authorisation ended."
            )
        case .captureFinished:
            other(
                name,
                .gateway,
                [voidResult, amount, transactionID],
                "The app's payment client knows how a capture ended."
            )
        case .refundFinished:
            other(
                name,
                .gateway,
                [chargeResult, amount, orderID, transactionID],
                "The app's payment client knows how a refund ended; the transaction is its own."
            )
        case .captured:
            other(
                name,
                .gateway,
                [number, amount, transactionID, orderID],
                "The gateway flagged an authorisation for settlement with this amount."
            )
        default:
            other(
                name,
                .gateway,
                [amount, transactionID, orderID],
                "The money of a transaction moved at the gateway's cut-off."
            )
        }
    }
}
