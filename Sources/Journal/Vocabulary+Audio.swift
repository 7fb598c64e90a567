/// The records of the audio jack, of the readers in it, and of what the app shows and asks there.
extension Vocabulary {
    static func audio(_ name: RecordName) -> RecordDefinition {
        switch name {
        case .deviceAutodetectStarted:
            sdk(name, [], "The SDK began to find out which reader is at the audio jack.")
        case .deviceAutodetectComplete:
            sdk(
                name,
                flags + [
                    AttributeDefinition(
                        .result,
                        .symbol([.uniMag, .ips, .fail]),
                        "Which reader was found; fail when the kind could not be determined."
                    ),
                    AttributeDefinition(
                        .audioJackReaderType,
                        .symbol([.uniMag, .ips, .autodetectOnConnect, .none]),
                        "The kind of reader that is enabled from now on."
                    ),
                ],
                "The SDK knows which reader is at the audio jack, or gave up."
            )
        case .ipsCommunicationTestCompleteWithResult:
            sdk(
                name,
                [AttributeDefinition(.success, .flag, "Whether a response came in time.")],
                "A communication test of the IPS ended."
            )
        case .promptShown:
            other(name, .app, [promptText, message], "The app asks its user for consent.")
        case .promptAnswered:
            other(
                name,
                .merchant,
                [
                    promptText, AttributeDefinition(.answer, .symbol([.yes, .no]), "The answer."),
                    AttributeDefinition(
                        .by,
                        .symbol([.user, .setting]),
                        "Whether a step answered, or the app's setting for all prompts."
                    ),
                ],
                "The app's user answered a prompt."
            )
        case .alertShown:
            other(name, .app, [alertText, message], "The app shows an alert.")
        case .alertDismissed:
            other(name, .app, [alertText], "The alert is gone.")
        case .methodCalled:
            other(
                name,
                .merchant,
                [
                    reader, method,
                    AttributeDefinition(
                        .isOn,
                        .flag,
                        "The argument, where it is a flag; with message options whether no prompt is shown."
                    ),
                    AttributeDefinition(.limit, .duration, "The argument, where it is a time."),
                    audioJackReaderType,
                ],
                "A call of the app to an audio-jack reader has its effect."
            )
        case .toneStarted:
            other(
                name,
                .link,
                [tone, volume, into],
                "The host began to play a tone into the audio jack."
            )
        case .toneChanged:
            other(
                name,
                .link,
                [tone, volume, into],
                "A tone goes on with another volume, or into something else."
            )
        case .toneRefused:
            other(
                name,
                .link,
                [tone],
                "The host plays no tone, since other audio has the route."
            )
        case .toneStopped:
            other(
                name,
                .link,
                [
                    tone,
                    AttributeDefinition(
                        .reason,
                        .symbol([.stopped, .over, .interrupted]),
                        "Stopped by the SDK, over by itself, or ended by other audio."
                    ),
                ],
                "The tone is over."
            )
        case .volumeChanged:
            other(
                name,
                .link,
                [
                    volume,
                    AttributeDefinition(
                        .by,
                        .symbol([.user, .sdk, .volumeLimiter]),
                        "Who changed it."
                    ),
                ],
                "The host's output volume is another one now."
            )
        case .volumeRefused:
            other(
                name,
                .link,
                [volume],
                "The host did not set the volume that the SDK asked for."
            )
        case .libraryLoaded:
            other(name, .link, [library], "The SDK loaded the library of an audio-jack reader.")
        case .libraryUnloaded:
            other(
                name,
                .link,
                [
                    library,
                    AttributeDefinition(.isClean, .flag, "Whether it let go of everything."),
                ],
                "The SDK unloaded the library of an audio-jack reader."
            )
        case .routeTaken:
            other(name, .link, [otherAudio], "Other audio took the route: tones end.")
        case .routeReturned:
            other(name, .link, [otherAudio], "The audio route is the app's again.")
        case .recordingPermissionChanged:
            other(
                name,
                .merchant,
                [
                    AttributeDefinition(
                        .permission,
                        .symbol([.granted, .refused]),
                        "Whether the app may record from now on."
                    )
                ],
                "The app's permission to record is another one now."
            )
        case .readerPoweredUp:
            other(name, .reader, [reader], "The reader has power and answers.")
        case .readerLostPower:
            other(name, .reader, [reader], "The reader has no power any more.")
        case .readerSlept:
            other(name, .reader, [reader], "The reader fell asleep to save its battery.")
        case .readerWoke:
            other(name, .reader, [reader], "The reader woke up.")
        case .swipeLost:
            other(
                name,
                .reader,
                [
                    reader, swipe,
                    AttributeDefinition(
                        .reason,
                        .symbol([
                            .unplugged, .unpowered, .booting, .busy, .emptyBattery, .asleep,
                            .unread, .keysExhausted, .noReader,
                        ]),
                        "Why."
                    ),
                ],
                "A card was swiped and the reader sends nothing about it."
            )
        default:
            other(
                name,
                .reader,
                [reader, AttributeDefinition(.battery, .percent, "The charge from now on.")],
                "The charge of the reader's battery is another one now."
            )
        }
    }

    static let method = AttributeDefinition(
        .method,
        .symbol(MethodName.allCases.compactMap(\.symbol)),
        "The method or property, as `call` names it."
    )
    static let object = AttributeDefinition(
        .object,
        .symbol([.headphones, .shuttle, .ips]),
        "What it is, when it is no reader of the rig."
    )
    private static let promptText = AttributeDefinition(
        .text,
        .symbol([.cardReaderActivationPrompt, .cardReaderActivationAtMaxVolumePrompt]),
        "Which text of the message options it is."
    )
    private static let alertText = AttributeDefinition(
        .text,
        .symbol([.initializingReaderMessage, .cardReaderTimeoutMessage, .volumeTooLowMessage]),
        "Which alert of the message options it is."
    )
    private static let message = AttributeDefinition(.message, .text, "The words that are shown.")
    private static let audioJackReaderType = AttributeDefinition(
        .audioJackReaderType,
        .symbol([.uniMag, .ips, .autodetectOnConnect, .none]),
        "The argument, where it is a kind of audio-jack reader."
    )
    private static let tone = AttributeDefinition(
        .tone,
        .symbol([.power, .communicationTest]),
        "The supply of a Shuttle, or the message of an IPS communication test."
    )
    private static let volume = AttributeDefinition(
        .volume,
        .percent,
        "The host's output volume, of its maximum."
    )
    private static let into = AttributeDefinition(
        .into,
        .symbol([.shuttle, .ips, .headphones, .nothing]),
        "What is plugged into the audio jack."
    )
    private static let library = AttributeDefinition(
        .library,
        .symbol([.uniMag, .ips]),
        "Whose library it is."
    )
    private static let otherAudio = AttributeDefinition(
        .by,
        .symbol([.phoneCall]),
        "What took the route."
    )

    /// Whether records of that name are prompts and alerts.
    ///
    /// Under `prompts: accept` and `prompts: refuse` they are matched by their own names only;
    /// under `prompts: ask` `expect` takes them in order, like an event of the SDK.
    public static func isDialogue(_ name: RecordName) -> Bool {
        switch name {
        case .promptShown, .alertShown, .alertDismissed: true
        default: false
        }
    }
}
