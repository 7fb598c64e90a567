// What a merchant asks of NMI beside charges, and the merchant's own server.
extension Vocabulary {
    /// Returns what the vocabulary says of such a record.
    static func merchant(_ name: RecordName) -> RecordDefinition {
        switch name {
        case .creditRequested:
            other(name, .merchant, [amount, orderID], "The app asked to pay out.")
        case .validationRequested:
            other(name, .merchant, [orderID], "The app asked to have what pays looked at.")
        case .offlineRequested:
            other(
                name,
                .merchant,
                [amount, orderID],
                "The app gave a payment that the issuer authorised by telephone."
            )
        case .updateRequested:
            other(name, .merchant, [transactionID], "The app gave data for a transaction.")
        case .customerRequested:
            other(
                name,
                .merchant,
                [customerChange, customer],
                "The app asked for a change of the customers that the gateway keeps."
            )
        case .planRequested:
            other(name, .merchant, [plan, amount], "The app asked to have a plan kept.")
        case .subscriptionRequested:
            other(
                name,
                .merchant,
                [subscriptionChange, plan, orderID, subscription],
                "The app asked to begin or to end a subscription."
            )
        case .creditFinished:
            other(
                name,
                .gateway,
                [chargeResult, amount, orderID, transactionID],
                "The app's payment client knows how a credit ended."
            )
        case .validationFinished:
            other(
                name,
                .gateway,
                [chargeResult, orderID, transactionID],
                "The app's payment client knows how a verification ended."
            )
        case .offlineFinished:
            other(
                name,
                .gateway,
                [chargeResult, amount, orderID, transactionID],
                "The app's payment client knows how an offline payment ended."
            )
        case .updateFinished:
            other(
                name,
                .gateway,
                [voidResult, transactionID],
                "The app's payment client knows how an update ended."
            )
        default: registers(name)
        }
    }

    private static func registers(_ name: RecordName) -> RecordDefinition {
        switch name {
        case .customerFinished:
            other(
                name,
                .gateway,
                [registerResult, customerChange, customer],
                "The app's payment client knows how a change of the customers ended."
            )
        case .planFinished:
            other(
                name,
                .gateway,
                [registerResult, plan],
                "The app's payment client knows whether the gateway keeps a plan."
            )
        case .subscriptionFinished:
            other(
                name,
                .gateway,
                [registerResult, subscriptionChange, orderID, subscription],
                "The app's payment client knows how a change of the subscriptions ended."
            )
        case .merchantServerReceived:
            other(
                name,
                .gateway,
                [
                    number, kind,
                    AttributeDefinition(
                        .hasClearCardData,
                        .flag,
                        "Whether there was a card number, a track or a security code in clear."
                    ),
                    AttributeDefinition(
                        .status,
                        .integer,
                        "What the server answered by itself; 0 when it asked the gateway."
                    ),
                    token,
                ],
                "A request reached the merchant's own server."
            )
        default:
            other(
                name,
                .gateway,
                [
                    number, kind,
                    AttributeDefinition(
                        .fault,
                        .symbol([.timeout, .reset, .garbage, .httpError, .slow, .refused]),
                        "What the merchant's server does instead."
                    ),
                    AttributeDefinition(
                        .phase,
                        .symbol([.beforeBooking, .afterBooking]),
                        "Whether it fired before or after the gateway was asked."
                    ),
                ],
                "A fault of the merchant's own server fired."
            )
        }
    }

    private static let customer = AttributeDefinition(
        .customer,
        .text,
        "The customer's id in the gateway's vault."
    )
    private static let plan = AttributeDefinition(.plan, .text, "The plan's id.")
    private static let subscription = AttributeDefinition(
        .subscription,
        .text,
        "The subscription's id."
    )
    private static let customerChange = AttributeDefinition(
        .action,
        .symbol([.add, .update, .delete]),
        "What was to be done."
    )
    private static let subscriptionChange = AttributeDefinition(
        .action,
        .symbol([.add, .delete]),
        "What was to be done."
    )
    private static let registerResult = AttributeDefinition(
        .result,
        .symbol([.approved, .error, .unknown]),
        "What the app knows of it."
    )
}
