import CardData
import EventLoops
import Journal
import ReaderProtocols
import Rig
import SDKCore
import ScenarioLanguage
import SimulatedReaders

// What a scenario says of the audio jack, as the rig, the SDK and the simulated readers take it.

extension RigConfiguration {
    /// Adopts what a plan says of the audio of the phone and of how the app uses it.
    mutating func adoptJack(_ plan: RigPlan, library: SDKPlan.Library?) {
        host = AudioJackConfiguration(plan.host)
        jackObjects = [
            .headphones, .shuttle(SimulatedShuttle(ShuttleConfiguration())),
            .ips(SimulatedIPS(IPSConfiguration())),
        ]
        prompts =
            switch plan.app.prompts {
            case .accept: .accept
            case .refuse: .refuse
            case .ask: .ask
            }
        profile.audioJack = AudioJackProfile(plan.sdk, library: library ?? plan.sdk.library)
        let usual = plan.readers.first { $0.kind.isAudioJack }?.kind == .ips
        audioJack = AudioJackOptions(
            readerType: plan.sdk.audioReader.map { AudioJackReaderType($0) }
                ?? (usual ? .ips : .uniMag),
            uniMag: UniMagOptions(plan.sdk)
        )
        adoptSettings(plan.app.settings)
        // A time limit that is not allowed is a mistake of the app, which it makes at its launch.
        if audioJack.uniMag.swipeTimeout != plan.sdk.swipeTimeoutDuration {
            callsAtLaunch = [.setSwipeTimeoutDuration(plan.sdk.swipeTimeoutDuration)]
        }
    }
}

extension RigConfiguration {
    private mutating func adoptSettings(_ plan: SettingsPlan) {
        if let reader = plan.audioReader {
            savedSettings.hasReaderType = true
            audioJack.readerType = AudioJackReaderType(reader)
        }
        if let options = plan.messageOptions {
            savedSettings.hasMessageOptions = true
            audioJack.uniMag.messageOptions.adopt(options)
        }
    }
}

extension AudioJackReaderType {
    init(_ reader: EnabledAudioReader) {
        switch reader {
        case .uniMag: self = .uniMag
        case .ips: self = .ips
        case .autodetectOnConnect: self = .autodetectOnConnect
        case .none: self = .none
        }
    }

    /// The kind of that word; `nil` for words that are none.
    init?(_ symbol: Symbol) {
        guard let reader = EnabledAudioReader.allCases.first(where: { $0.symbol == symbol })
        else { return nil }
        self.init(reader)
    }
}

extension AudioJackConfiguration {
    fileprivate init(_ plan: HostPlan) {
        self.init()
        if let percent = plan.volumePercent { volumePercent = percent }
        limiter = plan.limiter.map { VolumeLimiter(percent: $0.percent, delay: $0.delay) }
        sdkSetsVolume = plan.sdkSetsVolume
        isRecordingPermitted = plan.isRecordingPermitted
        isMonoAudio = plan.isMonoAudio
        equaliserLossPercent = plan.equaliserLossPercent
        unloadsCleanly = plan.unloadsCleanly
    }
}

extension AudioJackProfile {
    fileprivate init(_ plan: SDKPlan, library: SDKPlan.Library) {
        self.init()
        isUnreadyBeforeSwipe = plan.isUnreadyBeforeSwipe
        disconnectsAtPowerDown = plan.disconnectsAtPowerDown
        appPowersUpInsteadOfPrompt = plan.appPowersUpInsteadOfPrompt
        triesEnterpriseFirst = plan.triesEnterpriseFirst
        missedAutodetectCount = plan.missedAutodetectCount
        autodetectFailure =
            switch plan.autodetectFailure {
            case .selectsNone: .selectsNone
            case .restoresType: .restoresType
            }
        interruption =
            switch plan.interruption {
            case .deactivates: .deactivates
            case .silent: .isSilent
            }
        stuckLibrary =
            switch plan.stuckLibrary {
            case .uniMag: .uniMag
            case .ips: .ips
            default: nil
            }
        canceledActivationResult =
            switch plan.canceledActivationResult {
            case .success: .success
            case .failure: .failure
            case .timeout: .timeout
            case .volumeTooLow: .volumeTooLow
            default: nil
            }
        if let percent = plan.lowestVolumePercent { lowestVolumePercent = percent }
        if let limit = plan.activationTimeout { activationTimeout = limit }
        if let limit = plan.communicationTestTimeout { communicationTestTimeout = limit }
        reading = library == .observed ? .observed : .careful
    }
}

extension UniMagOptions {
    fileprivate init(_ plan: SDKPlan) {
        var messages = UniMagMessageOptions()
        messages.adopt(plan.messageOptions)
        self.init(
            activateReaderOnAttach: plan.activateReaderOnAttach,
            automaticallySetVolumeToMaxOnActivate: plan.automaticallySetVolumeToMaxOnActivate,
            alwaysAcceptSwipe: plan.alwaysAcceptSwipe,
            swipeTimeout: plan.swipeTimeoutDuration,
            messageOptions: messages
        )
    }
}

extension UniMagMessageOptions {
    /// Changes what the plan says; the rest stays.
    mutating func adopt(_ plan: MessageOptionsPlan) {
        if let isOn = plan.activatesWithoutPrompting { activateReaderWithoutPromptingUser = isOn }
        if let isOn = plan.showsInitializingMessage { showInitializingReaderMessage = isOn }
        adopt(plan.activationPrompt, as: .cardReaderActivationPrompt)
        adopt(plan.activationAtMaxVolumePrompt, as: .cardReaderActivationAtMaxVolumePrompt)
        adopt(plan.timeoutMessage, as: .cardReaderTimeoutMessage)
        adopt(plan.volumeTooLowMessage, as: .volumeTooLowMessage)
    }

    private mutating func adopt(_ text: String?, as message: UniMagMessage) {
        if let text { self[message] = SafeText(scrubbing: text) }
    }

    private mutating func adopt(_ text: MessageOptionsPlan.Message?, as message: UniMagMessage) {
        switch text {
        case nil: break
        case .some(.none): self[message] = nil
        case .text(let words): self[message] = SafeText(scrubbing: words)
        }
    }
}

extension JackThing {
    /// The reader of a plan; `nil` for one that is not for the audio jack.
    init?(_ plan: ReaderPlan) {
        switch plan.kind {
        case .idynamo, .dynamag, .securemag, .miura: return nil
        case .shuttle: self = .shuttle(SimulatedShuttle(ShuttleConfiguration(plan.audio)))
        case .ips: self = .ips(SimulatedIPS(IPSConfiguration(plan.audio)))
        }
    }
}

extension ShuttleConfiguration {
    fileprivate init(_ plan: AudioReaderPlan) {
        self.init()
        switch plan.format {
        case nil: break
        case .tdes: (settings.format, settings.cipher) = (.enhanced, .tripleDES)
        case .aes: (settings.format, settings.cipher) = (.enhanced, .aes)
        case .original: (settings.format, settings.cipher) = (.original, .tripleDES)
        }
        if let percent = plan.thresholdPercent { thresholdPercent = percent }
        if let time = plan.bootTime { bootTime = time }
        if let text = plan.serial { settings.serial = text }
        if let isOn = plan.reportsErrors { badSwipe = isOn ? .errorText : .nothing }
        quirks = plan.quirks.map { quirk in
            switch quirk {
            case .truncatesRecord: .truncatesRecord
            case .appendsLineEnd: .appendsLineEnd
            case .omitsTrailer: .omitsTrailer
            case .omitsKSN: .omitsKSN
            case .omitsTrack1: .omitsTrack1
            }
        }
    }
}

extension IPSConfiguration {
    fileprivate init(_ plan: AudioReaderPlan) {
        self.init()
        if let percent = plan.batteryPercent { batteryPercent = percent }
        if let count = plan.swipesPerPercent { swipesPerPercent = count }
        if let time = plan.sleepsAfter { sleepsAfter = time }
        switch plan.waking {
        case nil: break
        case .swipeIsRead: waking = .swipeIsRead
        case .swipeIsLost: waking = .swipeIsLost
        case .toneOnly: waking = .toneOnly
        }
        if let percent = plan.thresholdPercent { thresholdPercent = percent }
        if let isOn = plan.sendsDamagedPackets { sendsDamagedPackets = isOn }
        if let time = plan.answerDelay { answerDelay = time }
    }
}

extension JackPlug {
    init(_ object: JackObject) {
        switch object {
        case .headphones: self = .headphones
        case .shuttle: self = .shuttle
        case .ips: self = .ips
        }
    }
}
