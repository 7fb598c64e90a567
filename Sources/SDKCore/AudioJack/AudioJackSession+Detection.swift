import EventLoops
import ReaderProtocols

/// The autodetection: silent between its two events, loud in the jack.
extension AudioJackSession {
    /// Begins an autodetection; what was told before is taken back first.
    mutating func beginDetection() {
        announcement.falls(to: .nothing, .disconnected)
        announcement.owesNothing()
        forgetSession()
        typeBefore = readerType
        isPlugNew = false
        isDetectionDeaf = detectionCount < profile.missedAutodetectCount
        detectionCount += 1
        phase = .detecting(.opening)
    }

    /// Ends a detection that cannot go on: the plug was pulled, or the app chose a type.
    mutating func failDetection() {
        guard phase != .detecting(.opening) else { return }
        if plant == .keepsLibraryOfCutDetection { loaded = nil }
        if plant == .forgetsDetectionAtUnplug, !isPlugged {
            phase = .away
            return
        }
        phase = .detecting(.done(.fail))
    }

    /// Does what comes next when nothing is left to tell.
    mutating func continueDetection(_ detection: JackDetection) -> Told? {
        switch detection {
        case .opening:
            isPlugNew = false
            if !isPlugged || readerType != typeBefore {
                phase = .detecting(.done(.fail))
            } else if profile.triesEnterpriseFirst {
                phase = .detecting(
                    .enterprise(until: now + profile.communicationTestTimeout)
                )
                probe()
            } else {
                tryIPS()
            }
            settle()
            return Told(device: nil, kind: .autodetectStarted)
        case .checking:
            if plant == .promptsInDetection, !isPromptRemembered {
                isPromptRemembered = true
                return Told(device: .uniMag, kind: .promptShown(.cardReaderActivationPrompt))
            }
            isPromptRemembered = false
            if volumePercent < profile.lowestVolumePercent {
                phase = .detecting(.done(.fail))
            } else {
                phase = .detecting(.uniMag(until: now + profile.activationTimeout))
            }
            settle()
            return nil
        case .done(let result):
            return completeDetection(result)
        case .enterprise, .ips, .uniMag:
            return nil
        }
    }

    /// Goes on to the next reader when one did not answer in time.
    mutating func expireDetection(_ detection: JackDetection) {
        switch detection {
        case .enterprise:
            tryIPS()
        case .ips:
            phase = .detecting(.checking)
            settle()
            raiseVolume()
        case .uniMag:
            phase = .detecting(.done(.fail))
        case .opening, .checking, .done:
            break
        }
    }

    mutating func detectionAnswered(_ detection: JackDetection) {
        guard !isDetectionDeaf else { return }
        switch detection {
        case .ips: phase = .detecting(.done(.ips))
        case .uniMag: phase = .detecting(.done(.uniMag))
        case .opening, .enterprise, .checking, .done: break
        }
    }

    private mutating func tryIPS() {
        phase = .detecting(.ips(until: now + profile.communicationTestTimeout))
        settle()
        probe()
    }

    private mutating func probe() {
        raiseVolume()
        guard !isInterrupted else { return }
        commands.append(.startTone(.communicationTest))
    }

    private mutating func raiseVolume() {
        guard uniMag.automaticallySetVolumeToMaxOnActivate, volumePercent < 100 else { return }
        commands.append(.setVolume(percent: 100))
    }

    /// Enters what was found, without events of its own.
    private mutating func completeDetection(_ result: AutodetectResult) -> Told? {
        switch result {
        case .ips:
            readerType = .ips
            phase = .listening
            announcement.enter(.ready, .ips)
        case .uniMag:
            readerType = .uniMag
            if uniMag.alwaysAcceptSwipe {
                phase = .ready(until: now + requestLength)
                announcement.enter(.ready, .uniMag)
            } else {
                phase = .activated
                announcement.enter(.activated, .uniMag)
            }
        case .fail:
            leaveUndetected()
        }
        settle()
        if plant == .tellsNoFailedDetection, result == .fail { return nil }
        return Told(device: nil, kind: .autodetectComplete(result))
    }

    private mutating func leaveUndetected() {
        let isTypeNew = readerType != typeBefore
        if !isTypeNew, readerType != .autodetectOnConnect, profile.autodetectFailure == .selectsNone
        {
            readerType = .none
        }
        announcement.enter(.nothing, nil)
        guard isPlugged else {
            phase = .away
            return
        }
        if isTypeNew || isPlugNew {
            arrive()
            return
        }
        announcement.enter(.connected, Self.device(of: readerType))
        phase = readerType == .ips ? .listening : .resting
    }
}
