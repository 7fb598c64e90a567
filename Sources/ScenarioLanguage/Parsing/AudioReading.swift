import CardData
import EventLoops
import Journal
import YAML

// What scenarios say of the audio jack, of the readers in it and of the phone around it.
extension ScenarioReading {
    /// Reads a share such as `40%`.
    mutating func percent(_ node: YAMLNode) -> Int? {
        let expected = "a share of 0% to 100%"
        guard let word = text(node, expected) else { return nil }
        let digits = word.utf8.dropLast()
        guard word.utf8.last == 0x25, (1...3).contains(digits.count),
            digits.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }),
            let value = Int(String(decoding: Array(digits), as: UTF8.self)), value <= 100
        else {
            complain(
                at: node.mark,
                "expected \(expected), found \(Words.quoted(word))",
                hint: "write a whole number and a percent sign, such as `40%`"
            )
            return nil
        }
        return value
    }

    /// Reads a kind of audio-jack reader, whose events need its reader in the rig.
    mutating func audioJackReaderType(_ node: YAMLNode) -> EnabledAudioReader? {
        let known = EnabledAudioReader.allCases.map { ($0.rawValue, $0) }
        guard let type = word(node, "a kind of audio-jack reader", among: known) else { return nil }
        if type == .autodetectOnConnect {
            requireBothAudioReaders(for: type.rawValue, at: node.mark)
        } else if let kind = type.readerKind {
            requireReader(kind, for: "`\(type.rawValue)`", at: node.mark)
        }
        return type
    }

    private func has(_ kind: ReaderKind) -> Bool { readers.contains { $0.kind == kind } }

    private mutating func requireReader(_ kind: ReaderKind, for use: String, at mark: YAMLMark) {
        guard isRigKnown, !has(kind) else { return }
        let others = readers.map(\.name) + [kind.rawValue]
        complain(
            at: mark,
            "expected \(kind.withArticle) in `rig` for \(use), found none",
            hint: "write `readers: [\(others.joined(separator: ", "))]`"
        )
    }

    private mutating func requireBothAudioReaders(for use: String, at mark: YAMLMark) {
        guard isRigKnown, !has(.shuttle) || !has(.ips) else { return }
        complain(
            at: mark,
            "expected a shuttle and an ips in `rig` for `\(use)`, which may find either",
            hint: "write `readers: [shuttle, ips]`"
        )
    }

    private mutating func requireAudioReader(for use: String, at mark: YAMLMark) {
        guard isRigKnown, !readers.contains(where: \.kind.isAudioJack) else { return }
        complain(
            at: mark,
            "expected a reader at the audio jack for \(use), found none in `rig`",
            hint: "there is shuttle and ips"
        )
    }

    /// Reports a method whose reader is not in the rig.
    mutating func requireReader(of method: MethodName, at mark: YAMLMark) {
        switch method {
        case .setDelegate, .close, .setReaderDelegate, .setAudioJackReaderType:
            break
        case .beginAutodetectAudioJackCardReader:
            requireBothAudioReaders(for: method.spelling, at: mark)
        case .activateReaderOnAttach, .automaticallySetVolumeToMaxOnActivate, .alwaysAcceptSwipe,
            .messageOptions, .powerUpDevice, .powerDown, .requestSwipe, .cancelSwipeRequest,
            .setSwipeTimeoutDuration:
            requireReader(.shuttle, for: "`\(method.spelling)`", at: mark)
        case .beginTestCommunication, .shutdown:
            requireReader(.ips, for: "`\(method.spelling)`", at: mark)
        case .cancel, .paymentInfo, .payments: requireAgentCASH(for: method.spelling, at: mark)
        }
    }

    /// Reads `setAudioJackReaderType`: a word, or a map of it with message options.
    mutating func readerType(
        _ node: YAMLNode
    ) -> (type: EnabledAudioReader, options: MessageOptionsPlan?)? {
        guard case .mapping = node.content else {
            return audioJackReaderType(node).map { ($0, nil) }
        }
        guard let fields = fields(node, Grammar.readerType) else { return nil }
        let type = fields["type"].flatMap { audioJackReaderType($0) }
        let options = fields["messageOptions"].flatMap { messageOptions($0) }
        return type.map { ($0, options) }
    }

    /// Reads a map of message options.
    mutating func messageOptions(_ node: YAMLNode) -> MessageOptionsPlan? {
        guard let fields = fields(node, Grammar.messageOptions) else { return nil }
        var options = MessageOptionsPlan()
        options.activatesWithoutPrompting = fields["activateReaderWithoutPromptingUser"].flatMap {
            flag($0)
        }
        options.showsInitializingMessage = fields["showInitializingReaderMessage"].flatMap {
            flag($0)
        }
        options.activationPrompt = prompt(fields, "cardReaderActivationPrompt")
        options.activationAtMaxVolumePrompt = prompt(
            fields,
            "cardReaderActivationAtMaxVolumePrompt"
        )
        options.timeoutMessage = alert(fields, "cardReaderTimeoutMessage")
        options.volumeTooLowMessage = alert(fields, "volumeTooLowMessage")
        return options
    }

    private mutating func prompt(_ fields: Fields, _ name: String) -> String? {
        fields[name].flatMap { safeText($0, name) }?.description
    }

    private mutating func alert(_ fields: Fields, _ name: String) -> MessageOptionsPlan.Message? {
        guard let text = prompt(fields, name) else { return nil }
        return text == "none" ? MessageOptionsPlan.Message.none : .text(text)
    }
}

extension ScenarioReading {
    /// Reads `plug in`: a reader of the rig, or something else that fits into the audio jack.
    mutating func plugIn(_ shape: StepShape) -> StepAction? {
        guard let argument = shape.argument else { return .plugIn(reader: 0) }
        if let object = jackObject(argument) { return .plugInObject(object) }
        return plug(argument).map { .plugIn(reader: $0) }
    }

    /// Reads `unplug`: a reader of the rig, or whatever is in the audio jack.
    mutating func unplug(_ shape: StepShape) -> StepAction? {
        guard let argument = shape.argument else { return .unplug(reader: 0) }
        if jackObject(argument) != nil { return .unplugJack }
        return plug(argument).map { .unplug(reader: $0) }
    }

    /// The thing that is no reader of the rig; `nil` when a reader is called so.
    private func jackObject(_ node: YAMLNode) -> JackObject? {
        guard isRigKnown, readers.contains(where: \.kind.isAudioJack),
            case .scalar(let scalar) = node.content,
            !readers.contains(where: { $0.name == scalar.text })
        else { return nil }
        return JackObject(rawValue: scalar.text)
    }

    private mutating func plug(_ node: YAMLNode) -> Int? {
        guard isRigKnown else { return 0 }
        if case .scalar(let scalar) = node.content, scalar.text == JackObject.headphones.rawValue {
            requireAudioReader(for: "'headphones'", at: node.mark)
            return nil
        }
        let hasJack = readers.contains { $0.kind.isAudioJack }
        let known = readers.enumerated().map { ($0.element.name, $0.offset) }
        let objects = hasJack ? JackObject.allCases.map { ($0.rawValue, -1) } : []
        return word(node, "the name of a reader of the rig", among: known + objects)
    }

    /// Reads `answer: yes` and `answer: no`.
    mutating func answer(_ shape: StepShape) -> StepAction? {
        guard let argument = argument(of: shape, "yes or no") else { return nil }
        if isRigKnown, app.prompts != .ask {
            complain(
                at: shape.mark,
                "expected `prompts: ask` in `rig` for `answer`, found "
                    + "`prompts: \(app.prompts.rawValue)`",
                hint: "write `rig: { …, app: { prompts: ask } }`"
            )
        }
        return word(argument, "yes or no", among: [("yes", true), ("no", false)])
            .map { .answer($0) }
    }

    /// Reads `phone call: begins` and `phone call: ends`.
    mutating func phoneCall(_ shape: StepShape) -> StepAction? {
        requireAudioReader(for: "`phone call`", at: shape.mark)
        guard let argument = argument(of: shape, "begins or ends") else { return nil }
        let known = PhoneCall.allCases.map { ($0.rawValue, $0) }
        return word(argument, "begins or ends", among: known).map { .phoneCall($0) }
    }

    /// Reads `set: { volume, battery, recordingPermission }`.
    mutating func set(_ shape: StepShape) -> StepAction? {
        guard let argument = argument(of: shape, "what is turned"),
            let fields = fields(argument, Grammar.setting)
        else { return nil }
        if !Grammar.setting.atLeastOne.contains(where: { fields.entry($0) != nil }) {
            complain(
                at: argument.mark,
                "expected what is turned behind `set`, found nothing",
                hint: "there is \(Words.list(Grammar.setting.atLeastOne))"
            )
            return nil
        }
        for name in ["volume", "recordingPermission"] {
            if let entry = fields.entry(name) {
                requireAudioReader(for: "`\(name)`", at: entry.keyMark)
            }
        }
        if let entry = fields.entry("battery") {
            if !readers.contains(where: { $0.kind == .miura }) {
                requireReader(.ips, for: "`battery`", at: entry.keyMark)
            }
        }
        return .set(
            SettingPlan(
                volumePercent: fields["volume"].flatMap { percent($0) },
                batteryPercent: fields["battery"].flatMap { percent($0) },
                isRecordingPermitted: fields["recordingPermission"].flatMap { permission($0) }
            )
        )
    }

    private mutating func permission(_ node: YAMLNode) -> Bool? {
        word(node, "the permission to record", among: Grammar.permissions)
    }
}

extension ScenarioReading {
    /// Reads `rig: { host: … }`.
    mutating func host(_ node: YAMLNode) {
        requireAudioReader(for: "`host`", at: node.mark)
        guard let fields = fields(node, Grammar.host) else { return }
        host.volumePercent = fields["volume"].flatMap { percent($0) }
        if let node = fields["volumeLimiter"], let limiter = self.fields(node, Grammar.limiter) {
            let share = limiter["to"].flatMap { percent($0) }
            let delay = limiter["after"].flatMap { duration($0) }
            if let share, let delay { host.limiter = LimiterPlan(percent: share, delay: delay) }
        }
        host.sdkSetsVolume = fields["sdkSetsVolume"].flatMap { flag($0) } ?? true
        host.isRecordingPermitted = fields["recordingPermission"].flatMap { permission($0) } ?? true
        host.isMonoAudio = fields["monoAudio"].flatMap { flag($0) } ?? false
        host.equaliserLossPercent = fields["equaliserLoss"].flatMap { percent($0) } ?? 0
        host.unloadsCleanly = fields["unloadsCleanly"].flatMap { flag($0) } ?? true
    }

    /// Reads `rig: { app: { settings: … } }`.
    mutating func settings(_ node: YAMLNode) {
        requireAudioReader(for: "`settings`", at: node.mark)
        guard let fields = fields(node, Grammar.settings) else { return }
        if let entry = fields.entry("messageOptions") {
            requireReader(.shuttle, for: "`messageOptions`", at: entry.keyMark)
        }
        app.settings.audioReader = fields["audioReader"].flatMap { audioJackReaderType($0) }
        app.settings.messageOptions = fields["messageOptions"].flatMap { messageOptions($0) }
    }

    /// Reads the keys of `sdk` that are about audio-jack readers.
    mutating func audioSDK(_ fields: Fields) {
        for name in Grammar.audioKeys.map(\.name) {
            guard let entry = fields.entry(name) else { continue }
            switch name {
            // The class that charges through the terminal app and the store have profiles too.
            case "profile" where gateway == .innerfence || gateway == .paymill: break
            case "audioReader", "profile", "triesEnterpriseFirst", "autodetectFailure",
                "missedAutodetects", "stuckLibrary", "communicationTestTimeout":
                requireAudioReader(for: "`\(name)`", at: entry.keyMark)
            default:
                requireReader(.shuttle, for: "`\(name)`", at: entry.keyMark)
            }
        }
        sdk.audioReader = fields["audioReader"].flatMap { audioJackReaderType($0) }
        sdk.activateReaderOnAttach = fields["activateReaderOnAttach"].flatMap { flag($0) } ?? true
        sdk.automaticallySetVolumeToMaxOnActivate =
            fields["automaticallySetVolumeToMaxOnActivate"].flatMap { flag($0) } ?? true
        sdk.alwaysAcceptSwipe = fields["alwaysAcceptSwipe"].flatMap { flag($0) } ?? true
        sdk.swipeTimeoutDuration =
            fields["swipeTimeoutDuration"].flatMap { duration($0) } ?? .seconds(20)
        sdk.messageOptions =
            fields["messageOptions"].flatMap { messageOptions($0) } ?? MessageOptionsPlan()
        sdk.library =
            fields["profile"].flatMap {
                let known = SDKPlan.Library.allCases.map { ($0.rawValue, $0) }
                return word($0, "a profile of the SDK", among: known)
            } ?? .careful
        sdk.isUnreadyBeforeSwipe = fields["unreadyBeforeSwipe"].flatMap { flag($0) } ?? false
        audioReadings(fields)
    }

    /// Reads which reading of the document holds at the audio jack.
    private mutating func audioReadings(_ fields: Fields) {
        sdk.disconnectsAtPowerDown = fields["disconnectsAtPowerDown"].flatMap { flag($0) } ?? false
        sdk.appPowersUpInsteadOfPrompt =
            fields["appPowersUpInsteadOfPrompt"].flatMap { flag($0) } ?? false
        sdk.triesEnterpriseFirst = fields["triesEnterpriseFirst"].flatMap { flag($0) } ?? false
        sdk.autodetectFailure =
            fields["autodetectFailure"].flatMap {
                let expected = "what an autodetection leaves behind"
                return word($0, expected, among: Grammar.autodetectFailures)
            } ?? .selectsNone
        let missed = fields["missedAutodetects"].flatMap {
            integer($0, "how many autodetections fail, 0 to 1000", in: 0...1_000)
        }
        sdk.missedAutodetectCount = Int(missed ?? 0)
        sdk.stuckLibrary = fields["stuckLibrary"].flatMap {
            word($0, "a library", among: Grammar.libraries)
        }
        sdk.canceledActivationResult = fields["canceledActivationResult"].flatMap {
            word($0, "the result of an activation", among: Grammar.activationResults)
        }
        sdk.interruption =
            fields["interruption"].flatMap {
                word($0, "what other audio does", among: Grammar.interruptions)
            } ?? .deactivates
        sdk.lowestVolumePercent = fields["lowestVolume"].flatMap { percent($0) }
        sdk.activationTimeout = fields["activationTimeout"].flatMap { duration($0) }
        sdk.communicationTestTimeout = fields["communicationTestTimeout"].flatMap { duration($0) }
    }

    /// Reads the keys of a reader that are about audio-jack readers.
    mutating func audioReader(_ fields: Fields) -> AudioReaderPlan {
        var plan = AudioReaderPlan()
        plan.format = fields["format"].flatMap {
            let known = AudioReaderPlan.Format.allCases.map { ($0.rawValue, $0) }
            return word($0, "the format of a swipe's record", among: known)
        }
        plan.thresholdPercent = fields["threshold"].flatMap { percent($0) }
        plan.bootTime = fields["bootTime"].flatMap { duration($0) }
        plan.serial = fields["serial"].flatMap { serial($0) }
        plan.reportsErrors = fields["reportsErrors"].flatMap { flag($0) }
        if let node = fields["quirks"] {
            let known = AudioReaderPlan.Quirk.allCases.map { ($0.rawValue, $0) }
            for item in items(node) {
                guard let quirk = word(item, "what a Shuttle does wrong", among: known) else {
                    continue
                }
                if !plan.quirks.contains(quirk) { plan.quirks.append(quirk) }
            }
        }
        plan.batteryPercent = fields["battery"].flatMap { percent($0) }
        plan.swipesPerPercent = fields["swipesPerPercent"].flatMap {
            integer($0, "how many swipes, 1 to 1000000", in: 1...1_000_000)
        }.map(Int.init)
        plan.sleepsAfter = fields["sleepsAfter"].flatMap { duration($0) }
        plan.waking = fields["waking"].flatMap {
            let known = AudioReaderPlan.Waking.allCases.map { ($0.rawValue, $0) }
            return word($0, "what wakes an IPS", among: known)
        }
        plan.sendsDamagedPackets = fields["sendsDamagedPackets"].flatMap { flag($0) }
        plan.answerDelay = fields["answerDelay"].flatMap { duration($0) }
        return plan
    }

    private mutating func serial(_ node: YAMLNode) -> String? {
        guard let text = safeText(node, "serial")?.description else { return nil }
        guard (1...10).contains(text.utf8.count),
            text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F })
        else {
            complain(
                at: node.mark,
                "expected 1 to 10 printable ASCII characters for `serial`, found "
                    + Words.quoted(text)
            )
            return nil
        }
        return text
    }
}
