import CardCrypto
import EventLoops
import ReaderProtocols

extension SimulatedMiura {
    /// Does what is due at ``now``.
    mutating func fire(_ cache: CryptoCache) {
        if let extra = extraAnswer, extra.due <= now {
            extraAnswer = nil
            effects.append(.noted(.answers(nil, extra.response.statusWord)))
            send(MiuraMessage(payload: extra.response.payload), after: .zero)
        }
        if let departed = departure, departed.due <= now { depart() }
        if let due = networkDue, due <= now {
            networkDue = nil
            if power == .on { effects.append(.reachable) }
        }
        if case .rebooting(let end) = power, end <= now { finishReboot() }
        guard let deadline = activity.deadline, deadline <= now else { return }
        switch activity {
        case .idle: break
        case .streaming:
            // What comes later is read as frames again.
            activity = .idle
            decoder.abandonRawBytes()
            refuse(.internalError, .streamBinary)
            resume(cache)
        case .chip(let run): advance(run, cache)
        case .contactless(let run): advance(run, cache)
        case .pin:
            activity = .idle
            show(Self.idleDisplay)
            answer(.onlinePIN(.cancelledOrTimedOut))
            resume(cache)
        case .input(let run): end(.refused(.timedOut, []), run, cache)
        case .initialising:
            activity = .idle
            keyStatus = .initialised
            for name in Self.keyFileNames { store.put(name, Array(name.utf8)) }
            answer(.done)
            resume(cache)
        }
    }

    /// What P2PE INITIALISE makes to be read out.
    ///
    /// Source: Miura Java remote key injection helper 1-1i.
    private static let keyFileNames = [
        "prod-sign.crt", "terminal.crt", "temp-keyload.crt", "suggested-iksn.txt",
    ]

    /// Ends what runs: first the answer to ABORT, then that of what it ended.
    ///
    /// Source: Miura Android SDK, MpiClientMTAbort and its live tests.
    mutating func abort(_ cache: CryptoCache) {
        let cancelled = MiuraResponse(refusal: .cancelled)
        switch activity {
        case .idle, .streaming, .initialising:
            answer(.done)
            guard pending != nil else { return }
            pending = nil
            show(Self.idleDisplay)
            scheduleExtraAnswer(configuration.answerAfterAbort)
        case .chip, .contactless, .pin, .input:
            activity = .idle
            pending = nil
            show(Self.idleDisplay)
            if !configuration.answersAbortLast { answer(.done) }
            answeredCommand = busyCommand
            answer(cancelled)
            answeredCommand = .abort
            if configuration.answersAbortLast { answer(.done) }
            resume(cache)
        }
    }
}

extension MiuraResponse {
    /// A status word without a body.
    init(refusal statusWord: MiuraStatusWord) { self.init([UInt8](), statusWord) }
}
