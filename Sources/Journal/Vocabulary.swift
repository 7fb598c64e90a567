/// Who is at the origin of a record.
public enum RecordSource: UInt8, CaseIterable, Hashable, Sendable {
    case cardholder
    case merchant
    case reader
    case link
    case sdk
    case app
    case gateway

    /// The word for it in scenarios and reports.
    public var spelling: String {
        switch self {
        case .cardholder: "cardholder"
        case .merchant: "merchant"
        case .reader: "reader"
        case .link: "link"
        case .sdk: "sdk"
        case .app: "app"
        case .gateway: "gateway"
        }
    }
}

/// What kind of value an attribute holds, and how a scenario writes it.
public enum AttributeKind: Hashable, Sendable {
    /// A whole number.
    case integer
    /// `true` or `false`.
    case flag
    /// Money with two decimals.
    case amount
    /// A share in percent, 0 to 100; an integer in the record.
    case percent
    /// A length of time.
    case duration
    /// Text, compared as it is.
    case text
    /// One of these words.
    case symbol([Symbol])
    /// The name of a reader of the rig.
    case reader
}

/// What the vocabulary says of an attribute.
public struct AttributeDefinition: Sendable {
    /// The attribute's name.
    public let name: AttributeName
    /// What it holds.
    public let kind: AttributeKind
    /// What it means, in one sentence.
    public let meaning: String

    init(_ name: AttributeName, _ kind: AttributeKind, _ meaning: String) {
        self.name = name
        self.kind = kind
        self.meaning = meaning
    }
}

/// What the vocabulary says of a record.
public struct RecordDefinition: Sendable {
    /// The record's name.
    public let name: RecordName
    /// Its spelling in scenarios and reports.
    public let spelling: String
    /// Who is at its origin.
    public let source: RecordSource
    /// Whether `expect` takes it in order; other records are matched only by their own names.
    public let isCounted: Bool
    /// The attributes it can have.
    public let attributes: [AttributeDefinition]
    /// What it means, in one sentence.
    public let meaning: String
}

/// The one table of records, attributes and words.
///
/// Names of SDK events and their results and reasons are those of the SDK document
/// (PGMobileSDK swipe classes, `PGSwipeDelegate`), without colons and prefixes.
public enum Vocabulary {
    /// Every record, in the order of ``RecordName``.
    public static let records: [RecordDefinition] = RecordName.allCases.map(define)

    /// Returns what the vocabulary says of a record.
    public static func definition(of name: RecordName) -> RecordDefinition {
        records[Int(name.rawValue)]
    }

    /// Returns who is at the origin of records of that name.
    public static func source(of name: RecordName) -> RecordSource {
        sources[Int(name.rawValue)]
    }

    /// Returns whether `expect` takes records of that name in order.
    public static func isCounted(_ name: RecordName) -> Bool { counted[Int(name.rawValue)] }

    private static let sources = records.map(\.source)
    private static let counted = records.map(\.isCounted)

    /// Returns the record spelled so, or `nil`.
    public static func record(spelled spelling: String) -> RecordDefinition? {
        records.first { $0.spelling == spelling }
    }

    /// Returns the spelling of an attribute's name.
    public static func spelling(of name: AttributeName) -> String {
        attributeSpellings[Int(name.rawValue)]
    }

    /// Returns the spelling of a word.
    public static func spelling(of symbol: Symbol) -> String {
        symbolSpellings[Int(symbol.rawValue)]
    }

    private static let attributeSpellings = AttributeName.allCases.map { "\($0)" }
    private static let symbolSpellings = Symbol.allCases.map { "\($0)" }

    private static func define(_ name: RecordName) -> RecordDefinition {
        switch name {
        case .deviceConnected:
            sdk(name, flags, "The reader was physically connected.")
        case .deviceActivationFinished:
            sdk(
                name,
                flags + [
                    AttributeDefinition(
                        .result,
                        .symbol([.success, .failure, .timeout, .volumeTooLow]),
                        "How the attempt to activate the reader ended."
                    )
                ],
                "An attempt to activate the reader ended."
            )
        case .deviceBecameReadyForSwipe:
            sdk(name, flags, "From now on a swipe gives a didSwipeCard.")
        case .deviceBecameUnreadyForSwipe:
            sdk(
                name,
                flags + [
                    AttributeDefinition(
                        .reason,
                        .symbol([.disconnected, .timedOut, .canceled, .refreshing, .swipeDone]),
                        "Why swipes are no longer accepted."
                    )
                ],
                "Swipes are no longer accepted."
            )
        case .deviceDeactivated:
            sdk(name, flags, "The reader was powered down.")
        case .deviceDisconnected:
            sdk(name, flags, "The reader was physically disconnected.")
        case .didSwipeCard:
            sdk(
                name,
                flags + [
                    AttributeDefinition(
                        .card,
                        .symbol([.magnesafe, .encrypted, .none]),
                        "The kind of card object; none when the swipe could not be read."
                    ),
                    AttributeDefinition(
                        .maskedCardNumber,
                        .text,
                        "The card number as the reader masked it."
                    ),
                    AttributeDefinition(.expirationDate, .text, "The expiration date as MMYY."),
                    AttributeDefinition(.cardholderName, .text, "The name on track 1."),
                ],
                "A card was swiped."
            )
        case .misuse:
            RecordDefinition(
                name: name,
                spelling: "misuse",
                source: .app,
                isCounted: true,
                attributes: [
                    reader, method, AttributeDefinition(.text, .text, "What was misused."),
                    payment,
                ],
                meaning: "The app used the SDK against its document; the effect is defined."
            )
        case .pluggedIn:
            other(
                name,
                .cardholder,
                [reader, object],
                "A hand plugged a reader in, or something else into the audio jack."
            )
        case .unplugged:
            other(
                name,
                .cardholder,
                [reader, object],
                "A hand pulled a reader out, or what else is in the audio jack."
            )
        case .cardSwiped:
            other(
                name,
                .cardholder,
                [
                    reader, AttributeDefinition(.card, .text, "The card, by its name."),
                    AttributeDefinition(
                        .quality,
                        .symbol([.good, .partial, .reversed, .tooFast, .unreadable, .physical]),
                        "How the card went through."
                    ),
                    swipe,
                ],
                "A hand swiped a card."
            )
        case .chargeRequested:
            other(name, .merchant, [amount, orderID, token], "The app asked for a charge.")
        case .voidRequested:
            other(name, .merchant, [transactionID], "The app asked for a void.")
        case .authorizationRequested:
            other(
                name,
                .merchant,
                [amount, orderID, token],
                "The app asked for an authorisation."
            )
        case .captureRequested:
            other(
                name,
                .merchant,
                [payment, amount, transactionID],
                "The app asked for a capture."
            )
        case .refundRequested:
            other(
                name,
                .merchant,
                [payment, amount, transactionID, orderID],
                "The app asked for a refund; without an amount it is of all that is left."
            )
        case .appLaunched:
            other(name, .merchant, [delegate], "The app was launched and made its controller.")
        case .appKilled:
            other(name, .merchant, [], "The app was killed: its SDK objects are gone.")
        case .appSentToBackground:
            other(name, .merchant, [], "The app was sent to the background.")
        case .appBroughtToForeground:
            other(name, .merchant, [], "The app was brought to the foreground.")
        case .delegateSet:
            other(name, .merchant, [delegate], "The app set the controller's delegate.")
        case .controllerClosed:
            other(name, .merchant, [], "The app closed the controller.")
        case .readerAttached:
            other(name, .link, [reader], "The host's transport sees the reader.")
        case .readerDetached:
            other(
                name,
                .link,
                [
                    reader,
                    AttributeDefinition(
                        .reason,
                        .symbol([.left, .cut, .overflow, .closed, .endOfCapture]),
                        "Why the reader is gone."
                    ),
                ],
                "The host's transport lost the reader."
            )
        case .swipeArrived:
            other(
                name,
                .link,
                [
                    reader, swipe,
                    AttributeDefinition(
                        .isWhole,
                        .flag,
                        "Whether every byte reached the host undamaged."
                    ),
                ],
                "The last byte of a swipe's record reached the host, or was lost."
            )
        case .linkFault:
            other(
                name,
                .link,
                [
                    reader,
                    AttributeDefinition(
                        .fault,
                        .symbol([
                            .drop, .split, .delay, .merge, .corrupt, .duplicate, .cut, .busy,
                            .denied, .late,
                        ]),
                        "What the link did to the bytes, or what stands in the way of opening."
                    ),
                ],
                "A fault of the link fired."
            )
        case .readerUnusable:
            other(
                name,
                .link,
                [
                    reader,
                    AttributeDefinition(
                        .reason,
                        .symbol([.busy, .denied]),
                        "What is in the way."
                    ),
                ],
                "The host gave up opening a reader that is there."
            )
        case .requestReceived, .booked, .canceled, .gatewayFault, .gatewayAnswered,
            .gatewayUnanswered, .chargeFinished, .voidFinished, .authorizationFinished,
            .captureFinished, .refundFinished, .captured, .settled:
            gateway(name)
        case .deviceAutodetectStarted, .deviceAutodetectComplete,
            .ipsCommunicationTestCompleteWithResult, .promptShown, .promptAnswered, .alertShown,
            .alertDismissed, .methodCalled, .toneStarted, .toneChanged, .toneRefused, .toneStopped,
            .volumeChanged, .volumeRefused, .libraryLoaded, .libraryUnloaded, .routeTaken,
            .routeReturned, .recordingPermissionChanged, .readerPoweredUp, .readerLostPower,
            .readerSlept, .readerWoke, .batteryChanged, .swipeLost:
            audio(name)
        case .progressChanged, .userActionRequired, .completed, .openPaymentSettled, .cardInserted,
            .cardTapped, .cardRemoved, .keysPressed, .readerSwitchedOff, .readerSwitchedOn,
            .readerRebooted, .paymentRequested, .signatureGiven, .paymentCancelled,
            .infoRequested, .readerOpened, .readerNotFound, .readerClosed, .displayed, .pinAsked,
            .choiceAsked, .cardDecided, .fileLoaded, .readerRoamed,
            .frameDamaged, .released, .expired, .reversed, .refunded, .webhookDelivered:
            payment(name)
        case .creditRequested, .validationRequested, .offlineRequested, .updateRequested,
            .customerRequested, .planRequested, .subscriptionRequested, .creditFinished,
            .validationFinished, .offlineFinished, .updateFinished, .customerFinished,
            .planFinished, .subscriptionFinished, .merchantServerReceived, .merchantServerFault:
            merchant(name)
        case .cardScanned, .userDidProvideCreditCardInfo, .userDidCancelPaymentViewController,
            .terminalRequested, .urlOpened, .terminalShown, .terminalRefused, .terminalAnswered,
            .receiptMailed, .terminalCalledBack, .terminalClosed, .chargeResponse,
            .chargeResponseRefused, .creditCardTerminalNotInstalled, .chargeHeld:
            terminal(name)
        case .userRequested, .userFinished, .tokenRequested, .tokenFinished, .listRequested,
            .listFinished, .tokenCreated, .tokenRefused, .tokenUsed, .tokenRejected, .consumed,
            .chargeRecovered:
            store(name)
        }
    }

    static func sdk(
        _ name: RecordName,
        _ attributes: [AttributeDefinition],
        _ meaning: String
    ) -> RecordDefinition {
        RecordDefinition(
            name: name,
            spelling: "\(name)",
            source: .sdk,
            isCounted: true,
            attributes: attributes,
            meaning: meaning
        )
    }

    static func other(
        _ name: RecordName,
        _ source: RecordSource,
        _ attributes: [AttributeDefinition],
        _ meaning: String
    ) -> RecordDefinition {
        RecordDefinition(
            name: name,
            spelling: "\(name)",
            source: source,
            isCounted: false,
            attributes: attributes,
            meaning: meaning
        )
    }
}
