import CardCrypto
import EventLoops
import ReaderProtocols
import Transports

/// What a reader makes of a swipe.
enum JackSwipe: Hashable {
    /// It sends nothing.
    case lost(SwipeLoss)
    /// It sends these bytes, the last ones of which are no part of the record.
    case record([UInt8], paddingByteCount: Int, ksn: KSN?)
}

extension AudioJack {
    // MARK: Tones

    mutating func start(_ tone: JackTone, _ effects: inout [JackEffect]) {
        let isOn =
            switch tone {
            case .power: isPowerToneOn
            case .communicationTest: testTone != nil
            }
        guard !isOn else { return }
        guard !isInterrupted else {
            effects.append(.noted(.toneRefused(tone)))
            return
        }
        effects.append(.noted(.toneStarted(tone, volumePercent: volumePercent, into: plug)))
        switch tone {
        case .power:
            isPowerToneOn = true
            updatePower(&effects)
        case .communicationTest:
            let end = now + max(.zero, configuration.value.testToneLength)
            testTone = TestTone(end: end, isHeard: doesTestToneReach)
        }
    }

    mutating func stop(_ tone: JackTone, _ effects: inout [JackEffect]) {
        switch tone {
        case .power:
            guard isPowerToneOn else { return }
            isPowerToneOn = false
        case .communicationTest:
            guard testTone != nil else { return }
            testTone = nil
        }
        effects.append(.noted(.toneStopped(tone, .stopped)))
        updatePower(&effects)
    }

    mutating func changeVolume(
        _ percent: Int,
        by changer: VolumeChanger,
        _ effects: inout [JackEffect]
    ) {
        let percent = Self.percent(percent)
        guard percent != volumePercent else { return }
        volumePercent = percent
        startLimiter()
        effects.append(.noted(.volumeChanged(percent: percent, by: changer)))
        reroute(&effects)
        effects.append(.notify(.volumeChanged(percent: percent)))
    }

    /// Tells of the tones that sound that they go elsewhere now, or with another volume.
    mutating func reroute(_ effects: inout [JackEffect]) {
        if isPowerToneOn {
            effects.append(
                .noted(.toneChanged(.power, volumePercent: volumePercent, into: plug))
            )
        }
        if testTone != nil {
            effects.append(
                .noted(.toneChanged(.communicationTest, volumePercent: volumePercent, into: plug))
            )
            if !doesTestToneReach { testTone?.isHeard = false }
        }
        updatePower(&effects)
    }

    /// How loud a tone is behind the equaliser, in percent.
    private var levelPercent: Int {
        volumePercent * (100 - Self.percent(configuration.value.equaliserLossPercent)) / 100
    }

    private var doesTestToneReach: Bool {
        guard let plugged, case .ips(let ips) = things[plugged] else { return false }
        return !configuration.value.isMonoAudio
            && levelPercent >= ips.configuration.thresholdPercent
    }

    mutating func updatePower(_ effects: inout [JackEffect]) {
        guard let plugged, case .shuttle(var shuttle) = things[plugged] else { return }
        let hasPower =
            isPowerToneOn && !configuration.value.isMonoAudio
            && levelPercent >= shuttle.configuration.thresholdPercent
        guard hasPower != shuttle.isPowered else { return }
        if hasPower {
            shuttle.powerUp(at: now)
            effects.append(.noted(.readerPowered, thing: plugged))
        } else {
            shuttle.losePower()
            effects.append(.noted(.readerLostPower, thing: plugged))
            cutOutgoing(&effects)
        }
        things[plugged] = .shuttle(shuttle)
    }

    mutating func pullOut(_ effects: inout [JackEffect]) {
        guard let thing = plugged else { return }
        switch things[thing] {
        case .headphones: break
        case .shuttle(var shuttle):
            if shuttle.isPowered { effects.append(.noted(.readerLostPower, thing: thing)) }
            shuttle.losePower()
            things[thing] = .shuttle(shuttle)
        case .ips(var ips):
            ips.unplugged()
            things[thing] = .ips(ips)
        }
        cutOutgoing(&effects)
        plugged = nil
        effects.append(.detached(thing: thing))
    }

    // MARK: What a reader sends

    mutating func begin(_ bytes: [UInt8], _ byteTime: VirtualDuration, after: VirtualDuration) {
        guard !bytes.isEmpty else { return }
        let count = min(bytes.count, max(1, configuration.value.pieceByteCount))
        let start = now + max(.zero, after)
        outgoing = Outgoing(
            bytes: bytes,
            byteTime: byteTime,
            due: start + byteTime * Int64(count)
        )
    }

    mutating func cutOutgoing(_ effects: inout [JackEffect]) {
        guard let cut = outgoing else { return }
        outgoing = nil
        effects.append(
            .noted(
                .transmissionCut(missingByteCount: cut.bytes.count - cut.sentByteCount),
                thing: plugged
            )
        )
    }

    /// Whether the host hears what a reader sends.
    private var isHearing: Bool {
        isRecordingPermitted && !isInterrupted && !loadedLibraries.isEmpty
            && (loadedLibraries.count == 1 || configuration.value.hearsWithTwoLibraries)
    }

    /// Does what is due at ``now``: one thing of each kind at most.
    mutating func fire(_ effects: inout [JackEffect]) {
        if let deadline = limiterDeadline, deadline <= now {
            limiterDeadline = nil
            if let limiter = configuration.value.limiter {
                changeVolume(limiter.percent, by: .limiter, &effects)
            }
        }
        if let tone = testTone, tone.end <= now {
            testTone = nil
            effects.append(.noted(.toneStopped(.communicationTest, .over)))
            if tone.isHeard, let plugged, case .ips(var ips) = things[plugged] {
                if ips.heardTest(at: now) { effects.append(.noted(.readerWoke, thing: plugged)) }
                things[plugged] = .ips(ips)
            }
        }
        if let sending = outgoing, sending.due <= now { send(sending, &effects) }
        fireReader(&effects)
    }

    private mutating func fireReader(_ effects: inout [JackEffect]) {
        guard let plugged else { return }
        switch things[plugged] {
        case .headphones: break
        case .shuttle(var shuttle):
            guard let answer = shuttle.advance(to: now) else { return }
            effects.append(.noted(.readerBooted, thing: plugged))
            begin(answer, Self.byteTime(shuttle.configuration.baudRate), after: .zero)
            things[plugged] = .shuttle(shuttle)
        case .ips(var ips):
            let (answer, fellAsleep) = ips.advance(to: now)
            if fellAsleep { effects.append(.noted(.readerSlept, thing: plugged)) }
            // A reader that is sending a swipe is busy, and does not answer.
            if let answer, outgoing == nil {
                begin(answer, Self.byteTime(ips.configuration.baudRate), after: .zero)
            }
            things[plugged] = .ips(ips)
        }
    }

    private mutating func send(_ sending: Outgoing, _ effects: inout [JackEffect]) {
        var sending = sending
        let size = max(1, configuration.value.pieceByteCount)
        let count = min(size, sending.bytes.count - sending.sentByteCount)
        let end = sending.sentByteCount + count
        if isHearing, let plugged {
            effects.append(
                .send(
                    ReaderTransmission(
                        offset: .zero,
                        unit: TransportUnit(.bytes, sending.bytes[sending.sentByteCount..<end])
                    ),
                    thing: plugged
                )
            )
        } else {
            sending.unheardByteCount += count
        }
        sending.sentByteCount = end
        let rest = sending.bytes.count - end
        if rest == 0 {
            outgoing = nil
            effects.append(
                .noted(
                    .transmissionEnded(unheardByteCount: sending.unheardByteCount),
                    thing: plugged
                )
            )
        } else {
            sending.due = sending.due + sending.byteTime * Int64(min(size, rest))
            outgoing = sending
        }
    }

    // MARK: Small things

    mutating func startLimiter() {
        limiterDeadline = nil
        guard let limiter = configuration.value.limiter,
            volumePercent > Self.percent(limiter.percent)
        else { return }
        limiterDeadline = now + max(.zero, limiter.delay)
    }

    static func keepEarlier(_ first: inout VirtualInstant?, _ second: VirtualInstant?) {
        guard let second else { return }
        first = first.map { min($0, second) } ?? second
    }

    static func percent(_ value: Int) -> Int { min(100, max(0, value)) }

    /// The time of one byte of ten bits; speeds from 50 to 1,000,000 baud.
    static func byteTime(_ baudRate: Int) -> VirtualDuration {
        .nanoseconds(10_000_000_000 / Int64(min(1_000_000, max(50, baudRate))))
    }
}
