import EventLoops
import Journal
import Rig
import SDKCore
import ScenarioLanguage
import SimulatedReaders

// What steps ask of the audio jack, of what is in it, and of the app's user. Each returns why it
// cannot be done, or `nil` when it was done.
extension Rig {
    /// Calls a method of a reader at the audio jack.
    mutating func performAtJack(_ call: CallPlan) -> String? {
        guard let swipeCall = SwipeCall(call, options: messageOptions) else {
            return "\(call.method.spelling) lacks its argument"
        }
        self.call(swipeCall)
        return nil
    }

    mutating func plugIn(_ object: JackObject) -> String? {
        plugIntoJack(JackPlug(object)) ? nil : "the rig has no reader for the audio jack"
    }

    mutating func unplugJack() -> String? {
        unplugFromJack() ? nil : "the rig has no reader for the audio jack"
    }

    mutating func answer(_ isAccepted: Bool) -> String? {
        answerPrompt(isAccepted) ? nil : "no prompt is shown that could be answered"
    }

    mutating func perform(_ setting: SettingPlan) -> String? {
        if let percent = setting.volumePercent, !setVolume(percent: percent) {
            return "the rig has no reader for the audio jack, and so no volume"
        }
        if let percent = setting.batteryPercent, !changeBattery(percent: percent) {
            return "the rig has no reader with a battery"
        }
        if let isPermitted = setting.isRecordingPermitted, !permitRecording(isPermitted) {
            return "the rig has no reader for the audio jack, and so no recorder"
        }
        return nil
    }

    mutating func perform(_ call: PhoneCall) -> String? {
        setPhoneCall(isActive: call == .begins)
            ? nil : "the rig has no reader for the audio jack, whose route a call could take"
    }
}

extension SwipeCall {
    /// The call of a plan that is about the audio jack; `nil` when it lacks its argument.
    ///
    /// A plan may change the message options, given as they are, in part.
    fileprivate init?(_ plan: CallPlan, options: UniMagMessageOptions) {
        switch (plan.method, plan.argument) {
        case (.setAudioJackReaderType, .symbol(let symbol)):
            guard let type = AudioJackReaderType(symbol) else { return nil }
            let messages = plan.messageOptions.map { plan in
                var messages = UniMagMessageOptions()
                messages.adopt(plan)
                return messages
            }
            self = .setAudioJackReaderType(type, messageOptions: messages)
        case (.messageOptions, _):
            guard let change = plan.messageOptions else { return nil }
            var messages = options
            messages.adopt(change)
            self = .setMessageOptions(messages)
        case (.powerUpDevice, .flag(let isOn)): self = .powerUpDevice(isOn)
        case (.activateReaderOnAttach, .flag(let isOn)): self = .setActivateReaderOnAttach(isOn)
        case (.automaticallySetVolumeToMaxOnActivate, .flag(let isOn)):
            self = .setAutomaticallySetVolumeToMaxOnActivate(isOn)
        case (.alwaysAcceptSwipe, .flag(let isOn)): self = .setAlwaysAcceptSwipe(isOn)
        case (.setSwipeTimeoutDuration, .duration(let limit)):
            self = .setSwipeTimeoutDuration(limit)
        case (.beginAutodetectAudioJackCardReader, _): self = .beginAutodetectAudioJackCardReader
        case (.powerDown, _): self = .powerDown
        case (.requestSwipe, _): self = .requestSwipe
        case (.cancelSwipeRequest, _): self = .cancelSwipeRequest
        case (.beginTestCommunication, _): self = .beginTestCommunication
        case (.shutdown, _): self = .shutdown
        case (_, _): return nil
        }
    }
}
