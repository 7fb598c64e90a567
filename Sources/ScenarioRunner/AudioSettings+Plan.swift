import EventLoops
import Journal
import Laws
import ScenarioLanguage

extension AudioSettings {
    /// What a scenario's `rig:` says of the app's SDK at the audio jack.
    init(_ rig: RigPlan) {
        let kind = rig.readers.first { $0.kind.isAudioJack }?.kind
        let usual: EnabledAudioReader = kind == .ips ? .ips : .uniMag
        let sdk = rig.sdk
        let saved = rig.app.settings
        self.init(
            readerType: (saved.audioReader ?? sdk.audioReader ?? usual).symbol,
            alwaysAcceptsSwipes: sdk.alwaysAcceptSwipe,
            swipeTimeout: sdk.swipeTimeoutDuration,
            activatesWithoutPrompting: saved.messageOptions?.activatesWithoutPrompting
                ?? sdk.messageOptions.activatesWithoutPrompting ?? false,
            activationTimeout: sdk.activationTimeout ?? .seconds(10),
            testTimeout: sdk.communicationTestTimeout ?? .seconds(5)
        )
        savesReaderType = saved.audioReader != nil
        savesMessageOptions = saved.messageOptions != nil
    }
}
