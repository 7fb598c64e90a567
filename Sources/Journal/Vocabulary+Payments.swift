// Card payments at a payment reader, and the service behind them.
extension Vocabulary {
    /// Returns what the vocabulary says of a record of a card payment.
    ///
    /// Source: SDK document, `ACPaymentProvider`; the values that it does not publish are our own.
    static func payment(_ name: RecordName) -> RecordDefinition {
        switch name {
        case .progressChanged:
            sdk(
                name,
                [
                    payment,
                    AttributeDefinition(.state, .symbol(progress), "How far it has come."),
                ],
                "A payment has come so far."
            )
        case .userActionRequired:
            sdk(
                name,
                [
                    payment,
                    AttributeDefinition(.action, .symbol([.collectSignature]), "What to do."),
                ],
                "A payment waits for the app."
            )
        case .completed:
            sdk(name, [payment, askedFor] + completion, "A request of the app is over.")
        case .openPaymentSettled:
            sdk(name, completion, "A payment of an earlier launch was cleared up.")
        case .cardInserted:
            other(name, .cardholder, [reader, card], "A hand put a card into the slot.")
        case .cardTapped:
            other(name, .cardholder, [reader, card], "A hand held a card to the reader.")
        case .cardRemoved:
            other(name, .cardholder, [reader], "A hand took the card out of the slot.")
        case .keysPressed:
            other(
                name,
                .cardholder,
                [
                    reader,
                    AttributeDefinition(.keys, .text, "The keys; digits are dots."),
                ],
                "A hand pressed keys of the reader."
            )
        case .readerSwitchedOff:
            other(name, .cardholder, [reader], "A hand switched the reader off.")
        case .readerSwitchedOn:
            other(name, .cardholder, [reader], "A hand switched the reader on.")
        case .readerRebooted:
            other(name, .cardholder, [reader], "The reader was made to start anew.")
        case .paymentRequested:
            other(
                name,
                .merchant,
                [
                    payment,
                    AttributeDefinition(.amount, .text, "The money, as the app writes it."),
                    AttributeDefinition(.currency, .text, "The currency."),
                    AttributeDefinition(.isCaptured, .flag, "Whether it is taken at once."),
                    orderID,
                ],
                "The app asked for a card payment; the order id is the external one."
            )
        case .signatureGiven:
            other(
                name,
                .merchant,
                [
                    payment,
                    AttributeDefinition(
                        .result,
                        .symbol([.successful, .cancelled, .signaturesDontMatch]),
                        "What came of it."
                    ),
                ],
                "The app told what came of the signature."
            )
        case .paymentCancelled:
            other(name, .merchant, [payment], "The app gave a payment up.")
        case .infoRequested:
            other(name, .merchant, [payment, askedFor], "The app asked what a payment became.")
        default: paymentWorld(name)
        }
    }

    private static func paymentWorld(_ name: RecordName) -> RecordDefinition {
        switch name {
        case .readerOpened: other(name, .link, [reader], "The SDK has a link to the reader.")
        case .readerNotFound:
            other(name, .link, [reader], "The SDK found no such reader, or could not open it.")
        case .readerClosed: other(name, .link, [reader], "The SDK let go of the reader.")
        case .displayed:
            other(
                name,
                .reader,
                [reader, AttributeDefinition(.text, .text, "The words.")],
                "The reader shows other words."
            )
        case .pinAsked: other(name, .reader, [reader], "The reader waits for a PIN.")
        case .choiceAsked:
            other(
                name,
                .reader,
                [reader, AttributeDefinition(.count, .integer, "How many there are.")],
                "The reader waits for the choice of an application."
            )
        case .cardDecided:
            other(
                name,
                .reader,
                [
                    reader,
                    AttributeDefinition(
                        .result,
                        .symbol([.approved, .declined]),
                        "Its cryptogram: TC or AAC."
                    ),
                ],
                "The card has said the last word on a payment."
            )
        case .fileLoaded:
            other(
                name,
                .merchant,
                [
                    reader,
                    AttributeDefinition(
                        .result,
                        .symbol([.success, .failure]),
                        "Whether the reader took it."
                    ),
                    AttributeDefinition(.text, .text, "What is wrong with it."),
                ],
                "A wifi.cfg was loaded into a payment reader, which then starts anew."
            )
        case .frameDamaged:
            other(
                name,
                .link,
                [
                    reader,
                    AttributeDefinition(.text, .text, "What is wrong with it."),
                    AttributeDefinition(
                        .action,
                        .symbol([.dropLink, .resync]),
                        "What the SDK does about it."
                    ),
                ],
                "Bytes of a payment reader reached the SDK that are no frame."
            )
        case .readerRoamed:
            other(name, .reader, [reader], "The reader left its network, and comes back later.")
        case .released:
            other(name, .gateway, changed, "The service let go of money that it held.")
        case .expired:
            other(name, .gateway, changed, "An authorisation was not captured in time.")
        case .reversed: other(name, .gateway, changed, "An authorisation was given up.")
        case .refunded: other(name, .gateway, changed, "The service paid money back.")
        default:
            other(
                name,
                .gateway,
                [
                    number, transactionID,
                    AttributeDefinition(.attempt, .integer, "Which attempt it is, from 1."),
                    AttributeDefinition(.event, .text, "What happened."),
                    AttributeDefinition(.status, .integer, "What the server answered; 0 nothing."),
                    AttributeDefinition(
                        .isSigned,
                        .flag,
                        "Whether the signature is right, with NMI."
                    ),
                ],
                "The service told the merchant's server of an event."
            )
        }
    }

    private static let changed = [number, amount, transactionID, orderID]
    private static let card = AttributeDefinition(.card, .text, "The card, by its name.")
    private static let askedFor = AttributeDefinition(
        .kind,
        .symbol([.authorise, .capture, .refund, .paymentInfo, .payments]),
        "What the app asked for."
    )
    private static let progress: [Symbol] = [
        .connectingReader, .readerReady, .waitingForCard, .contactlessSwitchedOff, .cardInserted,
        .cardSwiped, .cardTapped, .insertRequested, .swipeRequested, .seePhone,
        .otherInterfaceRequested, .cardRetryRequested,
        .selectingApplication, .pinEntry, .onlineAuthorisation, .lookingUp, .signatureRequested,
        .finalising, .removeCard, .readerDisconnected, .finished,
    ]
    private static let errors: [Symbol] = [
        .invalidAmount, .invalidCurrency, .invalidInstallmentCount, .invalidExternalID,
        .invalidWebhookURL, .wrongCredentials, .invalidReader, .accessoryProtocolNotDeclared,
        .anotherPaymentRunning, .tooManyRequests, .serviceUnreachable, .noAnswer, .noSuchReader,
        .readerDisconnected, .readerSilent, .readerFailed, .noCardInTime, .cardNotUsable,
        .cardRemoved, .declined, .cancelled, .signatureCancelled, .signaturesDontMatch,
        .signatureNotCollected, .refused, .notCarriedOut, .notCharged, .outcomeUnknown,
    ]
    private static let completion: [AttributeDefinition] = [
        AttributeDefinition(
            .result,
            .symbol([.approved, .declined, .cancelled, .failed, .unknown]),
            "How it ended."
        ),
        AttributeDefinition(.error, .symbol(errors), "Why it did not succeed."),
        amount, transactionID,
        AttributeDefinition(
            .state,
            .symbol([
                .authorised, .captured, .released, .expired, .reversed, .refunded, .declined,
                .failed,
            ]),
            "Where the money is, as the service's books say."
        ),
        AttributeDefinition(
            .entryMode,
            .symbol([.chip, .contactless, .magstripe]),
            "How the card was read."
        ),
        verification,
        AttributeDefinition(.maskedCardNumber, .text, "The card number as the reader masked it."),
        AttributeDefinition(.capturedAmount, .amount, "What was taken of it."),
        AttributeDefinition(.refundedAmount, .amount, "What was paid back of it."),
        AttributeDefinition(.isSigned, .flag, "Whether a signature is stored."),
        AttributeDefinition(.count, .integer, "How many payments were found."),
    ]
}
