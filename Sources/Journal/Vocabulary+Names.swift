/// One thing of the SDK with its three names.
public struct NameRow: Hashable, Sendable {
    /// The name in the SDK's document; `nil` when its text names none.
    public let document: String?
    /// The Swift name; `nil` for a part that is not built yet.
    public let swift: String?
    /// The name in scenarios and reports; `nil` when they need none.
    public let scenario: String?

    init(_ document: String?, _ swift: String?, _ scenario: String?) {
        self.document = document
        self.swift = swift
        self.scenario = scenario
    }
}

/// Names of one kind.
public struct NameTable: Sendable {
    /// What kind it is.
    public let title: String
    /// The names, in the document's order.
    public let rows: [NameRow]
}

extension Vocabulary {
    /// Every name of the SDK: the document's, Swift's and the scenarios'.
    ///
    /// Source: SDK document, `PGSwipeController`, `PGSwipeDevice`, `PGSwipeDelegate`,
    /// `PGSwipeUniMag`, `PGSwipeIps`.
    public static let names: [NameTable] =
        [
            NameTable(
                title: "Classes",
                rows: [
                    NameRow("PGSwipeController", "SwipeController", nil),
                    NameRow("PGSwipeDelegate", "SwipeDelegate", spelling(of: .delegate)),
                    NameRow("PGSwipeDevice", "SwipeReader", spelling(of: .reader)),
                    NameRow("PGSwipeIDynamo", "IDynamoSession", "idynamo"),
                    NameRow("PGSwipeUniMag", "UniMagOptions", spelling(of: Symbol.shuttle)),
                    NameRow(
                        "PGSwipeUniMagMessageOptions",
                        "UniMagMessageOptions",
                        "messageOptions"
                    ),
                    NameRow("PGSwipeIps", "AudioJackReaderType.ips", spelling(of: Symbol.ips)),
                    NameRow("PGSwipedCard", "SwipedCard", spelling(of: AttributeName.card)),
                    NameRow(
                        "PGMagnesafeSwipedCard",
                        "MagnesafeSwipedCard",
                        spelling(of: .magnesafe)
                    ),
                    NameRow(
                        "PGEncryptedSwipedCard",
                        "EncryptedSwipedCard",
                        spelling(of: Symbol.encrypted)
                    ),
                ]
            ),
            NameTable(
                title: "Classes of card payments",
                rows: [
                    NameRow("ACPaymentProvider", "PaymentProvider", "agentcash"),
                    NameRow("ACAuthRequestParams", "AuthRequestParams", StepWord.charge.rawValue),
                    NameRow("ACCardReader", "CardReader", "miura"),
                    NameRow("ACRequest", "PaymentRequest", spelling(of: AttributeName.payment)),
                    NameRow("ACPaymentInfo", "PaymentInfo", "completed"),
                    NameRow("ACPaymentProcessState", "PaymentProcessState", "state"),
                    NameRow("ACPaymentUserAction", "PaymentUserAction", "action"),
                    NameRow(
                        "ACSignatureCollectionSuccessful",
                        "SignatureCollectionResult.successful",
                        spelling(of: Symbol.successful)
                    ),
                    NameRow(
                        "ACSignatureCollectionCancelled",
                        "SignatureCollectionResult.cancelled",
                        spelling(of: Symbol.cancelled)
                    ),
                    NameRow(
                        "ACSignatureCollectionSignaturesDontMatch",
                        "SignatureCollectionResult.signaturesDontMatch",
                        spelling(of: Symbol.signaturesDontMatch)
                    ),
                    NameRow("acPaymentProviderType_Mock", "PaymentProviderType.mock", "mode: mock"),
                    NameRow("acPaymentProviderType_Test", "PaymentProviderType.test", "mode: test"),
                    NameRow(
                        "acPaymentProviderType_Production",
                        "PaymentProviderType.production",
                        "mode: production"
                    ),
                ]
            ),
            NameTable(title: "Events", rows: records.compactMap(eventRow)),
            NameTable(
                title: "Properties of a reader",
                rows: [AttributeName.isConnected, .isActivated, .isReadyForSwipe].map {
                    NameRow(spelling(of: $0), "SwipeController.\($0)", spelling(of: $0))
                }
            ),
            NameTable(
                title: "Properties of a card",
                rows: [
                    NameRow("maskedCardNumber", "SwipedCard.maskedCardNumber", "maskedCardNumber"),
                    NameRow("expirationDate", "SwipedCard.expirationDate", "expirationDate"),
                    NameRow(nil, "SwipedCard.cardholderName", "cardholderName"),
                ]
            ),
            NameTable(
                title: "Activation results",
                rows: [
                    NameRow("SwipeActivationResultSuccess", "ActivationResult.success", "success"),
                    NameRow(nil, "ActivationResult.failure", "failure"),
                    NameRow("SwipeActivationResultTimeout", "ActivationResult.timeout", "timeout"),
                    NameRow(
                        "SwipeActivationResultVolumeTooLow",
                        "ActivationResult.volumeTooLow",
                        "volumeTooLow"
                    ),
                ]
            ),
            NameTable(
                title: "Unready reasons",
                rows: [
                    NameRow(nil, "UnreadyReason.disconnected", "disconnected"),
                    NameRow(nil, "UnreadyReason.timedOut", "timedOut"),
                    NameRow(nil, "UnreadyReason.canceled", "canceled"),
                    NameRow(
                        "SwipeReasonUnreadyForSwipeRefreshing",
                        "UnreadyReason.refreshing",
                        "refreshing"
                    ),
                    NameRow(nil, "UnreadyReason.swipeDone", "swipeDone"),
                ]
            ),
            NameTable(
                title: "Kinds of audio-jack reader",
                rows: [
                    NameRow("AudioJackReaderUnimag", "AudioJackReaderType.uniMag", "uniMag"),
                    NameRow("AudioJackReaderIps", "AudioJackReaderType.ips", "ips"),
                    NameRow(
                        "AudioJackReaderAutodetectOnConnect",
                        "AudioJackReaderType.autodetectOnConnect",
                        "autodetectOnConnect"
                    ),
                    NameRow("AudioJackReaderNone", "AudioJackReaderType.none", "none"),
                ]
            ),
            NameTable(
                title: "Results of an autodetection",
                rows: [
                    NameRow(
                        "CardReaderAutodetectResultUniMag",
                        "AutodetectResult.uniMag",
                        "uniMag"
                    ),
                    NameRow("CardReaderAutodetectResultIps", "AutodetectResult.ips", "ips"),
                    NameRow("CardReaderAutodetectResultFail", "AutodetectResult.fail", "fail"),
                ]
            ),
            NameTable(
                title: "Calls",
                rows: [
                    NameRow(
                        "initWithDelegate:audioReader:",
                        "SwipeController.init",
                        StepWord.launchApp.rawValue
                    ),
                    NameRow("init", "SwipeController.init", "sdk: { delegate: none }"),
                ] + MethodName.allCases.map(callRow)
            ),
        ] + terminalNames + storeNames

    private static func eventRow(_ record: RecordDefinition) -> NameRow? {
        let row: (document: String, swift: String)
        switch record.name {
        case .deviceConnected: row = ("deviceConnected:", "connected")
        case .deviceActivationFinished:
            row = ("deviceActivationFinished:result:", "activationFinished")
        case .deviceBecameReadyForSwipe: row = ("deviceBecameReadyForSwipe:", "becameReadyForSwipe")
        case .deviceBecameUnreadyForSwipe:
            row = ("deviceBecameUnreadyForSwipe:reason:", "becameUnreadyForSwipe")
        case .deviceDeactivated: row = ("deviceDeactivated:", "deactivated")
        case .deviceDisconnected: row = ("deviceDisconnected:", "disconnected")
        case .didSwipeCard: row = ("didSwipeCard:device:", "didSwipeCard")
        case .deviceAutodetectStarted: row = ("deviceAutodetectStarted", "autodetectStarted")
        case .deviceAutodetectComplete: row = ("deviceAutodetectComplete:", "autodetectComplete")
        case .ipsCommunicationTestCompleteWithResult:
            row = ("ipsCommunicationTestCompleteWithResult:", "communicationTestCompleted")
        case .progressChanged, .userActionRequired, .completed:
            return NameRow(record.spelling, "PaymentEvent.\(record.spelling)", record.spelling)
        case .openPaymentSettled:
            return NameRow(nil, "PaymentEvent.openPaymentSettled", record.spelling)
        default: return nil
        }
        return NameRow(
            row.document,
            "SwipeEvent.Kind.\(row.swift)",
            record.spelling
        )
    }

    private static func callRow(_ method: MethodName) -> NameRow {
        let swift: String
        switch method {
        case .activateReaderOnAttach: swift = "setActivateReaderOnAttach"
        case .automaticallySetVolumeToMaxOnActivate:
            swift = "setAutomaticallySetVolumeToMaxOnActivate"
        case .alwaysAcceptSwipe: swift = "setAlwaysAcceptSwipe"
        case .messageOptions: swift = "setMessageOptions"
        default: swift = "\(method)"
        }
        let document: String?
        switch method {
        case .setDelegate: document = "PGSwipeController.delegate"
        case .close: document = "close"
        case .setReaderDelegate: document = "PGSwipeDevice.delegate"
        case .setAudioJackReaderType: document = "setAudioJackReaderType:messageOptions:"
        case .beginAutodetectAudioJackCardReader: document = "beginAutodetectAudioJackCardReader"
        case .powerUpDevice: document = "powerUpDevice:"
        case .activateReaderOnAttach: document = "activateReaderOnAttach"
        case .automaticallySetVolumeToMaxOnActivate:
            document = "automaticallySetVolumeToMaxOnActivate"
        case .alwaysAcceptSwipe: document = "alwaysAcceptSwipe"
        case .messageOptions: document = "messageOptions"
        case .powerDown: document = "powerDown"
        case .shutdown: document = "shutdown"
        case .requestSwipe: document = "requestSwipe"
        case .cancelSwipeRequest: document = "cancelSwipeRequest"
        case .setSwipeTimeoutDuration: document = "setSwipeTimeoutDuration:"
        case .beginTestCommunication: document = "beginTestCommunication:"
        case .cancel, .paymentInfo, .payments: document = nil
        }
        switch method {
        case .cancel, .paymentInfo, .payments:
            return NameRow(document, "PaymentProvider.\(swift)", method.spelling)
        default: return NameRow(document, "SwipeCall.\(swift)", method.spelling)
        }
    }

    /// The table of names as `Docs/names.md` holds it.
    public static var namesDocument: String {
        var text = """
            # Names

            What the SDK's document calls a thing, what it is called in Swift, and what scenarios \
            and reports
            call it. Scenario names are the document's without colons. A dash: it has no name \
            there, or is not
            built yet. A test keeps this file like `Sources/Journal/Vocabulary+Names.swift`.

            """
        for table in names {
            text += "\n## \(table.title)\n\n"
            text += "| SDK document | Swift | scenario |\n|---|---|---|\n"
            for row in table.rows {
                text += "| \(cell(row.document)) | \(cell(row.swift)) | \(cell(row.scenario)) |\n"
            }
        }
        return text
    }

    private static func cell(_ name: String?) -> String { name.map { "`\($0)`" } ?? "–" }
}
