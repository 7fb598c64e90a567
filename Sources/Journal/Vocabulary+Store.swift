// PAYMILL's tokens, and the HoneyStore app with its backend.
extension Vocabulary {
    /// Returns what the vocabulary says of such a record.
    static func store(_ name: RecordName) -> RecordDefinition {
        switch name {
        case .userRequested:
            other(name, .merchant, [userAct, user], "The app asked for a user or a session.")
        case .userFinished:
            other(name, .gateway, [done, userAct, user, text], "The app knows what came of it.")
        case .tokenRequested:
            other(name, .merchant, [amount], "The app asked the SDK for a token of the card.")
        case .tokenFinished:
            other(name, .gateway, [done, text], "The SDK gave a token, or said why not.")
        case .listRequested:
            other(name, .merchant, [listed], "The app asked for the user's cards or the products.")
        case .listFinished:
            other(
                name,
                .gateway,
                [
                    done, listed,
                    AttributeDefinition(.count, .integer, "How many there are."),
                ],
                "The app has the list, or has not."
            )
        case .tokenCreated:
            other(name, .gateway, [number, token], "PAYMILL made a token of a card.")
        case .tokenRefused:
            other(name, .gateway, [number, text], "PAYMILL made no token of a card.")
        case .tokenUsed:
            other(name, .gateway, [number, token], "A token was used up.")
        case .consumed:
            other(
                name,
                .gateway,
                [number, amount, transactionID, orderID],
                "PAYMILL heard that what was paid for is done."
            )
        case .chargeRecovered:
            other(
                name,
                .gateway,
                [amount, transactionID, orderID],
                "At its launch the app found a charge of before, and handed over what it is for."
            )
        default:
            other(
                name,
                .gateway,
                [
                    number, token,
                    AttributeDefinition(
                        .reason,
                        .symbol([.unknown, .used, .expired, .unconfirmed]),
                        "Why it was not taken."
                    ),
                ],
                "A token was not taken."
            )
        }
    }

    static let token = AttributeDefinition(
        .token,
        .integer,
        "The token, by its number: the first that was made in the run is 1."
    )
    private static let user = AttributeDefinition(.user, .text, "The user's name.")
    private static let text = AttributeDefinition(.text, .text, "Why not.")
    private static let userAct = AttributeDefinition(
        .action,
        .symbol([.signUp, .logIn, .saveUser]),
        "What was asked."
    )
    private static let listed = AttributeDefinition(
        .kind,
        .symbol([.cards, .products]),
        "What is listed."
    )
    private static let done = AttributeDefinition(
        .result,
        .symbol([.approved, .error]),
        "What came of it."
    )
}
