import CardCrypto
import CardData
import EventLoops
import ReaderProtocols

/// PINs: at the chip, for the issuer at the chip, and for the issuer after a swipe.
///
/// | stage | event (C3 = 02) | display |
/// | --- | --- | --- |
/// | asked | digits 0 | `Enter PIN:` |
/// | asked, last try | last try, then digits 0 | `Enter PIN (LAST TRY)` |
/// | a digit more | its number, if those are reported | |
/// | complete | typing is over | |
/// | right | PIN OK | `PIN OK` |
/// | wrong | incorrect, then asked again | `INCORRECT PIN` |
///
/// Source: payneteasy list of stages; MPI-Dynamic.cfg for the texts; the order is inferred.
extension SimulatedMiura {
    mutating func askForPIN(_ run: inout ChipRun, isOnline: Bool) {
        var text = "Enter PIN:"
        if !isOnline, let application = run.application,
            memory(of: run.card, application).pinTriesLeft == 1
        {
            text = "Enter PIN (LAST TRY)"
            tell(.readerStatus(MiuraReaderStatus(.pinEntry, text, pinEntry: .lastTry)))
        }
        run.phase = .typing(
            newEntry(allowsBypass: configuration.allowsPINBypass),
            isOnline: isOnline
        )
        keep(run)
        announcePIN(text)
    }

    private func newEntry(allowsBypass: Bool, wantsEncryptedData: Bool = false) -> PINEntry {
        PINEntry(
            allowsBypass: allowsBypass,
            wantsEncryptedData: wantsEncryptedData,
            deadline: now + max(.zero, configuration.keyTimeLimit)
        )
    }

    private mutating func announcePIN(_ text: String) {
        tell(.readerStatus(MiuraReaderStatus(.pinEntry, text, pinDigitCount: 0)))
        effects.append(.noted(.pinAsked))
        show(text)
    }

    private mutating func tellTyping(_ entry: PINEntry) {
        guard configuration.reportsPINDigits else { return }
        tell(
            .readerStatus(
                MiuraReaderStatus(.pinEntry, display, pinDigitCount: entry.digitCount)
            )
        )
    }

    private mutating func tellPIN(_ text: String, _ state: MiuraReaderStatus.PINEntry) {
        tell(.readerStatus(MiuraReaderStatus(.pinEntry, text, pinEntry: state)))
    }

    // MARK: Keys

    mutating func press(_ key: MiuraKey, in run: ChipRun, _ cache: CryptoCache) {
        var run = run
        switch run.phase {
        case .selecting:
            guard key == .cancel else { return effects.append(.noted(.keyIgnored)) }
            endChip(MiuraResponse(refusal: .cancelled), cache)
        case .choosing: choose(by: key, &run, cache)
        case .typing(var entry, let isOnline):
            switch entry.press(key) {
            case .typing(let hasChanged):
                run.phase = .typing(entry, isOnline: isOnline)
                keep(run)
                if hasChanged { tellTyping(entry) }
            case .complete(let digits):
                typed(digits, &run, isOnline: isOnline, cache)
            case .bypassed:
                // PIN entry required, pad present, but no PIN was entered.
                run.verificationResults[2] |= 0x08
                fail(&run, cache)
            case .cancelled: endChip(MiuraResponse(refusal: .cancelled), cache)
            }
        case .checkingPIN, .deciding, .closing: effects.append(.noted(.keyIgnored))
        }
    }

    /// Digits name the applications in their order, Enter takes the first.
    private mutating func choose(
        by key: MiuraKey,
        _ run: inout ChipRun,
        _ cache: CryptoCache
    ) {
        switch key {
        case .cancel: endChip(MiuraResponse(refusal: .cancelled), cache)
        case .enter: choose(run.candidates[0], &run, cache)
        case .digit(let digit):
            let place = Int(digit) - 1
            guard run.candidates.indices.contains(place) else {
                return effects.append(.noted(.keyIgnored))
            }
            choose(run.candidates[place], &run, cache)
        case .clear: effects.append(.noted(.keyIgnored))
        }
    }

    private mutating func typed(
        _ digits: [UInt8],
        _ run: inout ChipRun,
        isOnline: Bool,
        _ cache: CryptoCache
    ) {
        tellPIN("Please wait", .completed)
        guard !isOnline else {
            run.pinObjects = encryptedPIN(digits, of: run.card, cache)
            run.verificationResults[2] |= 0x04
            run.methodResults = [methodCode(run), 0x03, 0x00]
            return proceed(&run, cache)
        }
        let isRight = digits == run.application?.unmaskedPIN
        run.phase = .checkingPIN(
            until: now + max(.zero, configuration.pinCheckTime),
            isRight: isRight
        )
        keep(run)
    }

    /// The chip has checked a PIN.
    mutating func checked(_ run: inout ChipRun, isRight: Bool, _ cache: CryptoCache) {
        guard let application = run.application else { return }
        var memory = memory(of: run.card, application)
        if isRight {
            memory.pinTriesLeft = application.pinTryLimit
            remember(memory)
            run.methodResults = [methodCode(run), 0x03, 0x02]
            run.verificationStatus = 0x04
            show("PIN OK")
            tellPIN("PIN OK", .correct)
            return proceed(&run, cache)
        }
        memory.pinTriesLeft -= 1
        remember(memory)
        show("INCORRECT PIN")
        tellPIN("INCORRECT PIN", .incorrect)
        guard memory.pinTriesLeft > 0 else {
            run.verificationResults[2] |= 0x20
            return fail(&run, cache)
        }
        askForPIN(&run, isOnline: false)
    }

    /// A way of verification failed: the next one follows.
    private mutating func fail(_ run: inout ChipRun, _ cache: CryptoCache) {
        run.methodResults = [methodCode(run), 0x03, 0x01]
        run.verificationIndex += 1
        verify(&run, cache)
    }

    private func methodCode(_ run: ChipRun) -> UInt8 {
        guard let application = run.application,
            application.verifications.indices.contains(run.verificationIndex)
        else { return 0x42 }
        let isLast = run.verificationIndex == application.verifications.count - 1
        return application.verifications[run.verificationIndex].rawValue | (isLast ? 0 : 0x40)
    }

    // MARK: ONLINE PIN, after a swipe

    mutating func askForOnlinePIN(_ request: MiuraOnlinePIN) {
        guard keyStatus.contains(.pinReady) else { return refuse(.keysNotReady, .onlinePIN) }
        guard let card = lastSwipe,
            Self.masked(card.unmaskedTrack2) == request.maskedTrack2
        else { return refuse(.invalidParameter, .onlinePIN) }
        activity = .pin(
            newEntry(
                allowsBypass: request.allowsBypass,
                wantsEncryptedData: request.wantsEncryptedData
            )
        )
        announcePIN("Enter PIN:")
    }

    mutating func press(_ key: MiuraKey, inOnlinePIN entry: PINEntry, _ cache: CryptoCache) {
        var entry = entry
        let result: MiuraPINResult
        switch entry.press(key) {
        case .typing(let hasChanged):
            activity = .pin(entry)
            if hasChanged { tellTyping(entry) }
            return
        case .bypassed: result = .bypassed
        case .cancelled: result = .cancelledOrTimedOut
        case .complete(let digits):
            tellPIN("Please wait", .completed)
            let objects = lastSwipe.map { encryptedPIN(digits, of: $0, cache) } ?? []
            let block = objects.first(.onlinePINBlock)?.value
            let ksn = objects.first(.onlinePINKSN)?.value
            if let block, let ksn {
                result =
                    entry.wantsEncryptedData
                    ? .encryptedData(block, ksn: ksn) : .block(block, ksn: ksn)
            } else {
                result = .internalError(0x09)
            }
        }
        activity = .idle
        show(Self.idleDisplay)
        answer(.onlinePIN(result))
        resume(cache)
    }
}
