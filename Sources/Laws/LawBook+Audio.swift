import EventLoops
import Journal

// What the laws ask of the audio jack.
extension LawBook {
    /// Looks at a record that only the audio jack has.
    mutating func observeAudio(_ record: Record, in journal: Journal) {
        guard audio.isPresent else { return }
        switch record.name {
        case .methodCalled:
            let enabled = audio.enabled
            audio.call(record, in: journal)
            if audio.enabled != enabled, let now = audio.enabled, audio.isPlugged {
                readers[now].settling.disturb(.attach, at: record.time)
                aim()
            }
        case .promptAnswered:
            audio.hasPowerConsent = journal.value(.answer, of: record) == .symbol(.yes)
        case .promptShown, .alertShown:
            if audio.isDetecting { reportNoise(record) }
        case .toneStarted:
            startTone(record, in: journal)
        case .toneStopped:
            audio.isPoweringUp = false
            // Other audio may interrupt a tone; one that the SDK stopped is over.
            let isStopped = journal.value(.reason, of: record) == .symbol(.stopped)
            if isStopped { audio.hasPowerConsent = false }
        case .libraryLoaded:
            loadLibrary(record, in: journal)
        case .libraryUnloaded:
            if journal.value(.isClean, of: record) == .flag(true),
                case .symbol(let library) = journal.value(.library, of: record)
            {
                audio.unload(library)
            }
        case .routeTaken:
            audio.renewalDeadline = nil
        case .deviceAutodetectStarted:
            beginDetection(record)
        default:
            endDetection(record, in: journal)
        }
    }

    // MARK: Tones and libraries

    private mutating func startTone(_ record: Record, in journal: Journal) {
        let isPower = journal.value(.tone, of: record) == .symbol(.power)
        let isAllowed =
            audio.isDetecting
            || (isPower
                ? audio.hasPowerConsent || audio.settings.activatesWithoutPrompting
                : audio.hasTestConsent)
        // A tone that comes back after other audio needs no activation.
        if isPower, !audio.isDetecting, let shuttle = audio.shuttle,
            !readers[shuttle].state.isActivated
        {
            audio.isPoweringUp = true
            readers[shuttle].settling.disturb(.powerUp, at: record.time)
            aim()
        }
        if !isPower { audio.hasTestConsent = false }
        guard !isAllowed, journal.value(.into, of: record) != .symbol(.nothing) else { return }
        report(
            .noToneWithoutConsent,
            at: record,
            reader: nil,
            """
            no tone goes into the audio jack before the user or the app's setting allowed it, but \
            the \(isPower ? "power tone" : "tone of a communication test") did
            """
        )
    }

    private mutating func loadLibrary(_ record: Record, in journal: Journal) {
        guard case .symbol(let library) = journal.value(.library, of: record) else { return }
        guard audio.load(library) else { return }
        let other = library == .uniMag ? "ips" : "uniMag"
        report(
            .oneAudioReader,
            at: record,
            reader: nil,
            """
            one audio-jack library is loaded at a time, but \(Vocabulary.spelling(of: library)) \
            was loaded while \(other) was
            """
        )
    }

    // MARK: Autodetection

    private mutating func beginDetection(_ record: Record) {
        if audio.isDetecting {
            report(
                .autodetectSilent,
                at: record,
                reader: nil,
                """
                an autodetection is started and completed once, but deviceAutodetectStarted came \
                again before deviceAutodetectComplete
                """
            )
        }
        audio.stopListening()
        audio.isDetecting = true
        audio.isPoweringUp = false
        for reader in [audio.shuttle, audio.ips] {
            guard let reader else { continue }
            readers[reader].settling.forget()
        }
        if let reader = audio.shuttle ?? audio.ips {
            readers[reader].settling.disturb(.autodetect, at: record.time)
            audio.detectionDeadline = readers[reader].settling.deadline ?? record.time
        }
        aim()
    }

    private mutating func endDetection(_ record: Record, in journal: Journal) {
        guard record.name == .deviceAutodetectComplete else { return }
        if !audio.isDetecting {
            report(
                .autodetectSilent,
                at: record,
                reader: nil,
                """
                an autodetection is started and completed once, but deviceAutodetectComplete came \
                without deviceAutodetectStarted
                """
            )
        }
        let index = reader(of: record, in: journal)
        var type: Symbol?
        if case .symbol(let symbol) = journal.value(.audioJackReaderType, of: record) {
            type = symbol
        }
        let isConnected = journal.value(.isConnected, of: record) != .flag(false)
        let isReady = journal.value(.isReadyForSwipe, of: record) != .flag(false)
        switch journal.value(.result, of: record) {
        case .symbol(.uniMag):
            audio.detected(.uniMag, isFound: true)
            if let shuttle = audio.shuttle { enter(shuttle, isReady: isReady, record) }
            if isReady { beginRequest(record) }
        case .symbol(.ips):
            audio.detected(.ips, isFound: true)
            if let ips = audio.ips { enter(ips, isReady: true, record) }
        default:
            audio.detected(type, isFound: false)
            if let index, isConnected { readers[index].state.enter(.connected) }
        }
        if let index { compareFlags(record, of: index, in: journal) }
    }

    /// Enters the states of a reader that an autodetection found.
    private mutating func enter(_ index: Int, isReady: Bool, _ record: Record) {
        readers[index].swipes.endSession()
        readers[index].settling.finishActivation(isSuccess: true)
        readers[index].state.enter(isReady ? .ready : .activated)
    }

    private mutating func reportNoise(_ record: Record) {
        report(
            .autodetectSilent,
            at: record,
            reader: nil,
            """
            nothing is told between deviceAutodetectStarted and deviceAutodetectComplete, but \
            \(record.name) came
            """
        )
    }

    // MARK: Requests

    /// Looks at an event of a reader at the audio jack.
    mutating func hearAudio(_ record: Record, from index: Int, in journal: Journal) {
        guard audio.owns(index) else { return }
        if audio.isDetecting { reportNoise(record) }
        guard index == audio.shuttle else { return }
        let isSwipe = record.name == .didSwipeCard
        if audio.owesSwipe, !isSwipe { reportEarly(record, "deviceBecameUnreadyForSwipe") }
        audio.owesSwipe = false
        if audio.renewalDeadline != nil, !isSwipe, record.name != .deviceBecameReadyForSwipe {
            reportUnrenewed(record, "\(record.name)")
        }
        switch record.name {
        case .didSwipeCard:
            audio.request?.hadSwipe = true
        case .deviceBecameReadyForSwipe:
            audio.renewalDeadline = nil
            beginRequest(record)
        case .deviceBecameUnreadyForSwipe:
            endRequest(record, in: journal)
        case .deviceActivationFinished:
            audio.isPoweringUp = false
            if journal.value(.result, of: record) != .symbol(.success) {
                audio.hasPowerConsent = false
            }
        case .deviceDeactivated, .deviceDisconnected:
            audio.request = nil
            audio.hasPowerConsent = false
        default:
            break
        }
    }

    private mutating func beginRequest(_ record: Record) {
        guard app.isAwake else { return }
        audio.request = AudioAccount.Request(
            start: record.time,
            limit: audio.settings.swipeTimeout
        )
    }

    private mutating func endRequest(_ record: Record, in journal: Journal) {
        let request = audio.request
        audio.request = nil
        switch journal.value(.reason, of: record) {
        case .symbol(.refreshing):
            audio.renewalDeadline = record.time + AudioAccount.tolerance
            guard let request, !request.hadSwipe else { return }
            audio.owesSwipe = record.time < request.start + request.limit
            audio.owesSwipeDeadline = record.time + AudioAccount.tolerance
        case .symbol(.timedOut):
            guard let request, record.time < request.start + request.limit else { return }
            reportEarly(record, "deviceBecameUnreadyForSwipe(timedOut)")
        default:
            break
        }
    }

    private mutating func reportEarly(_ record: Record, _ event: StaticString) {
        report(
            .timeoutHonoured,
            at: record,
            reader: audio.shuttle,
            "a request ends at its time limit and not before it, but \(event) came early"
        )
    }

    private mutating func reportUnrenewed(_ record: Record?, _ found: @autoclosure () -> String) {
        audio.renewalDeadline = nil
        let found = found()
        report(
            .refreshRenews,
            at: record,
            reader: audio.shuttle,
            """
            deviceBecameUnreadyForSwipe(refreshing) is followed by deviceBecameReadyForSwipe with \
            nobody's help, but by \(found) here
            """
        )
    }

    /// Looks at what should have come by now.
    mutating func checkAudio(before record: Record) {
        if let deadline = audio.renewalDeadline, record.time > deadline {
            reportUnrenewed(record, "nothing within 10 ms")
        }
        if audio.owesSwipe, record.time > audio.owesSwipeDeadline {
            audio.owesSwipe = false
            reportEarly(record, "deviceBecameUnreadyForSwipe")
        }
        guard let request = audio.request, record.time > request.latestEnd else { return }
        audio.request = nil
        report(
            .timeoutHonoured,
            at: record,
            reader: audio.shuttle,
            """
            a request ends at most 10 ms after its time limit, but it was still open \
            \(RecordText.duration(record.time - request.start)) after it began
            """
        )
    }

    /// Looks at what the end of the run leaves open.
    mutating func finishAudio() {
        guard audio.isPresent, app.isAwake else { return }
        if audio.renewalDeadline != nil { reportUnrenewed(nil, "the end of the run") }
        if audio.isDetecting {
            report(
                .autodetectSilent,
                at: nil,
                reader: nil,
                """
                an autodetection is started and completed once, but at the end of the run \
                deviceAutodetectComplete had not come
                """
            )
        }
    }

    // MARK: The plug

    /// Notes that a hand puts something into the jack.
    mutating func plugIntoJack() {
        for case let reader? in [audio.shuttle, audio.ips] { readers[reader].settling.plugIn() }
    }

    /// Adopts that something is in the jack or that it is empty.
    ///
    /// There is one jack: what goes after another thing came was pulled out before, and the jack is
    /// not empty.
    mutating func adoptPlug(_ record: Record, of index: Int) {
        let isEmpty = record.name == .readerDetached
        if isEmpty, let plugged = audio.plugged, plugged != index { return }
        audio.plugged = isEmpty ? nil : index
        if isEmpty { audio.empty() }
        for case let reader? in [audio.shuttle, audio.ips] {
            if isEmpty {
                readers[reader].settling.detach(at: record.time)
            } else {
                readers[reader].settling.attach(app, at: record.time)
            }
        }
        aim()
    }
}
