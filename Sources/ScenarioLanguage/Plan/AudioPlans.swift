public import EventLoops
public import Journal

/// The audio of the phone (`rig: { host: … }`); shares are percent, 0 to 100.
public struct HostPlan: Hashable, Sendable {
    /// The output volume at the beginning; `nil` leaves it to the simulated host.
    public var volumePercent: Int?
    /// What lowers a volume that is too loud; `nil` where nothing does.
    public var limiter: LimiterPlan?
    /// Whether the SDK can set the volume.
    public var sdkSetsVolume: Bool
    /// Whether the app may record at the beginning.
    public var isRecordingPermitted: Bool
    /// Whether both channels are mixed into one.
    public var isMonoAudio: Bool
    /// By how many percent an equaliser weakens every tone.
    public var equaliserLossPercent: Int
    /// Whether a library that is unloaded is gone.
    public var unloadsCleanly: Bool

    /// Creates a host that forbids nothing.
    public init(
        volumePercent: Int? = nil,
        limiter: LimiterPlan? = nil,
        sdkSetsVolume: Bool = true,
        isRecordingPermitted: Bool = true,
        isMonoAudio: Bool = false,
        equaliserLossPercent: Int = 0,
        unloadsCleanly: Bool = true
    ) {
        self.volumePercent = volumePercent
        self.limiter = limiter
        self.sdkSetsVolume = sdkSetsVolume
        self.isRecordingPermitted = isRecordingPermitted
        self.isMonoAudio = isMonoAudio
        self.equaliserLossPercent = equaliserLossPercent
        self.unloadsCleanly = unloadsCleanly
    }
}

/// What lowers a volume that is too loud for too long.
public struct LimiterPlan: Hashable, Sendable {
    /// The loudest volume that stays, in percent.
    public var percent: Int
    /// How long a louder one stays.
    public var delay: VirtualDuration

    /// Creates a limiter.
    public init(percent: Int, delay: VirtualDuration) {
        self.percent = percent
        self.delay = delay
    }
}

/// The kinds of audio-jack reader that an app can enable.
///
/// Source: SDK document, `AudioJackReaderType`.
public enum EnabledAudioReader: String, CaseIterable, Hashable, Sendable {
    /// The Shuttle: `AudioJackReaderUnimag`.
    case uniMag
    /// The IPS encrypted card reader: `AudioJackReaderIps`.
    case ips
    /// The SDK finds out on each connect: `AudioJackReaderAutodetectOnConnect`.
    case autodetectOnConnect
    /// Neither: `AudioJackReaderNone`.
    case none

    /// The word for it in records.
    public var symbol: Symbol {
        switch self {
        case .uniMag: .uniMag
        case .ips: .ips
        case .autodetectOnConnect: .autodetectOnConnect
        case .none: .none
        }
    }

    /// The reader of the rig that events are told of; `nil` when it can be either or none.
    public var readerKind: ReaderKind? {
        switch self {
        case .uniMag: .shuttle
        case .ips: .ips
        case .autodetectOnConnect, .none: nil
        }
    }
}

/// What the Shuttle asks and tells the user; what is `nil` is not said.
public struct MessageOptionsPlan: Hashable, Sendable {
    /// A text that can be silenced.
    public enum Message: Hashable, Sendable {
        /// The document's nil: nothing is shown.
        case none
        /// These words are shown; never card data.
        case text(String)
    }

    /// Whether a Shuttle is powered up without a prompt.
    public var activatesWithoutPrompting: Bool?
    /// Whether an alert is shown while it powers up.
    public var showsInitializingMessage: Bool?
    /// The prompt before the volume is raised.
    public var activationPrompt: String?
    /// The prompt in every other case.
    public var activationAtMaxVolumePrompt: String?
    /// The alert after a timeout.
    public var timeoutMessage: Message?
    /// The alert after a volume that was too low.
    public var volumeTooLowMessage: Message?

    /// Creates options of which nothing is said.
    public init() {}
}

/// What an app has saved (`rig: { app: { settings: … } }`); it outlives the app.
///
/// What is there is saved again whenever it changes, and takes the place of what `sdk` says at every
/// launch. Source: SDK document, "the result of the autodetect be saved (e.g. in NSUserDefaults) and
/// re-used on app startup".
public struct SettingsPlan: Hashable, Sendable {
    /// The kind of audio-jack reader; `nil` when the app saves none.
    public var audioReader: EnabledAudioReader?
    /// The message options of the Shuttle; `nil` when the app saves none.
    public var messageOptions: MessageOptionsPlan?

    /// Creates the settings of an app that saves nothing.
    public init() {}
}

/// What a scenario says of an audio-jack reader; what is `nil` is left to the simulated reader.
public struct AudioReaderPlan: Hashable, Sendable {
    /// How a Shuttle writes a swipe down.
    public enum Format: String, CaseIterable, Hashable, Sendable {
        /// The enhanced encrypted format under triple DES.
        case tdes
        /// The enhanced encrypted format under AES.
        case aes
        /// The original encrypted format, under triple DES.
        case original
    }

    /// A way of sending wrongly that was seen in the field.
    public enum Quirk: String, CaseIterable, Hashable, Sendable {
        /// The record ends in the middle of its encrypted tracks.
        case truncatesRecord = "truncates record"
        /// CR LF follow the record.
        case appendsLineEnd = "appends line end"
        /// The three bytes behind the key serial number are missing.
        case omitsTrailer = "omits trailer"
        /// The record has no key serial number.
        case omitsKSN = "omits ksn"
        /// Track 1 is missing though the card has one.
        case omitsTrack1 = "omits track 1"
    }

    /// What wakes an IPS that sleeps.
    public enum Waking: String, CaseIterable, Hashable, Sendable {
        /// A swipe, which is read.
        case swipeIsRead = "swipe is read"
        /// A swipe, which is lost.
        case swipeIsLost = "swipe is lost"
        /// Only a tone.
        case toneOnly = "tone only"
    }

    /// How a Shuttle writes a swipe down.
    public var format: Format?
    /// The lowest volume that the reader hears, in percent of the maximum.
    public var thresholdPercent: Int?
    /// From power to the answer of a Shuttle.
    public var bootTime: VirtualDuration?
    /// The serial number of a Shuttle, 1 to 10 printable ASCII characters.
    public var serial: String?
    /// Whether a Shuttle reports a swipe that it could not read.
    public var reportsErrors: Bool?
    /// What a Shuttle does wrong with each record.
    public var quirks: [Quirk] = []
    /// The charge of an IPS at the beginning, in percent.
    public var batteryPercent: Int?
    /// How many swipes use up one percent of it.
    public var swipesPerPercent: Int?
    /// After how long without a swipe or a tone an IPS sleeps.
    public var sleepsAfter: VirtualDuration?
    /// What wakes an IPS that sleeps.
    public var waking: Waking?
    /// Whether an IPS sends something after a bad read.
    public var sendsDamagedPackets: Bool?
    /// From the test's tone to the answer of an IPS.
    public var answerDelay: VirtualDuration?

    /// Creates a reader of which nothing is said.
    public init() {}
}

/// What a hand can put into the audio jack that is no reader of the rig.
public enum JackObject: String, CaseIterable, Hashable, Sendable {
    /// Plain headphones.
    case headphones
    /// A Shuttle of somebody else.
    case shuttle
    /// An IPS of somebody else.
    case ips

    /// The word for it in records.
    public var symbol: Symbol {
        switch self {
        case .headphones: .headphones
        case .shuttle: .shuttle
        case .ips: .ips
        }
    }
}

/// What somebody turns (`set`); what is `nil` stays.
public struct SettingPlan: Hashable, Sendable {
    /// The output volume, in percent.
    public var volumePercent: Int?
    /// The charge of the rig's IPS, in percent.
    public var batteryPercent: Int?
    /// Whether the app may record from now on.
    public var isRecordingPermitted: Bool?

    /// Creates a setting.
    public init(
        volumePercent: Int? = nil,
        batteryPercent: Int? = nil,
        isRecordingPermitted: Bool? = nil
    ) {
        self.volumePercent = volumePercent
        self.batteryPercent = batteryPercent
        self.isRecordingPermitted = isRecordingPermitted
    }
}

/// What a phone call does to the audio route.
public enum PhoneCall: String, CaseIterable, Hashable, Sendable {
    /// It takes the route.
    case begins
    /// It gives the route back.
    case ends
}
