/// The attributes that several records have.
extension Vocabulary {
    static let reader = AttributeDefinition(
        .reader,
        .reader,
        "The reader it concerns, by its name in the rig."
    )
    static let flags = [
        reader,
        AttributeDefinition(.isConnected, .flag, "The reader's flag when the callback runs."),
        AttributeDefinition(.isActivated, .flag, "The reader's flag when the callback runs."),
        AttributeDefinition(.isReadyForSwipe, .flag, "The reader's flag when the callback runs."),
        AttributeDefinition(
            .delegate,
            .symbol([.app, .other]),
            "The object whose callback ran: the app's first delegate, or the one set later."
        ),
    ]
    static let number = AttributeDefinition(
        .number,
        .integer,
        "The number of the request, counted from 1 in the run."
    )
    static let kind = AttributeDefinition(
        .kind,
        .symbol([
            .sale, .void, .query, .auth, .capture, .refund, .credit, .validate, .offline, .update,
            .vault, .recurring, .authorise, .confirm, .reverse, .token, .signUp, .logIn,
            .saveUser, .cards, .products,
        ]),
        "What the request asked for."
    )
    static let type = AttributeDefinition(
        .type,
        .symbol([.sale, .void, .auth, .refund, .credit, .validate, .offline]),
        "The transaction's type."
    )
    static let amount = AttributeDefinition(.amount, .amount, "The money it is about.")
    static let orderID = AttributeDefinition(.orderID, .text, "The app's order id.")
    static let transactionID = AttributeDefinition(
        .transactionID,
        .text,
        "The gateway's transaction id."
    )
    static let reference = AttributeDefinition(
        .reference,
        .text,
        "By what the SDK finds a card payment in the service's books."
    )
    static let payment = AttributeDefinition(
        .payment,
        .integer,
        "The number of the app's request, counted from 1 in a launch."
    )
    static let verification = AttributeDefinition(
        .verification,
        .symbol([.none, .signature, .offlinePIN, .onlinePIN]),
        "How the cardholder was verified."
    )
    static let state = AttributeDefinition(
        .state,
        .symbol([
            .pending, .pendingsettlement, .canceled, .complete, .failed, .authorised, .captured,
            .released, .expired, .reversed, .refunded, .declined,
        ]),
        "The transaction's condition in the gateway's ledger."
    )
    static let delegate = AttributeDefinition(
        .delegate,
        .symbol([.none, .app, .other]),
        "The delegate from now on: none, the app's first one, or another object."
    )
    static let responses: [Symbol] = [
        .approved, .declined, .error, .found, .notFound, .kept,
    ]
    static let chargeResult = AttributeDefinition(
        .result,
        .symbol([.approved, .declined, .error, .notCharged, .unknown]),
        "What the app knows of it."
    )
    static let voidResult = AttributeDefinition(
        .result,
        .symbol([.approved, .declined, .error, .unknown]),
        "What the app knows of it."
    )

    static let swipe = AttributeDefinition(
        .swipe,
        .integer,
        "The number of the swipe, counted from 1 in the run."
    )
}
