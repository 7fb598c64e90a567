import EventLoops
import ReaderProtocols
import SDKCore
import Testing

/// For every reader state and everything that can happen in it: what follows.
@Suite("Table of the audio jack")
struct JackTableTests {
    /// The states, by how they are reached.
    static let states: [(name: String, make: @Sendable () -> JackDesk)] = {
        let manual = AudioJackOptions(
            uniMag: UniMagOptions(activateReaderOnAttach: false, alwaysAcceptSwipe: false)
        )
        @Sendable func begun(
            _ options: AudioJackOptions,
            _ tell: (inout JackDesk) -> Void = { _ in }
        ) -> JackDesk {
            var desk = JackDesk(options, answer: nil)
            _ = desk.run()
            desk.plugIn()
            _ = desk.run()
            tell(&desk)
            _ = desk.run()
            return desk
        }
        @Sendable func active(_ options: AudioJackOptions) -> JackDesk {
            begun(options) { desk in
                desk.call(.powerUpDevice(true))
                _ = desk.run()
                desk.call(.answerPrompt(true))
                _ = desk.run()
                desk.hear([0x06])
            }
        }
        return [
            ("empty", { JackDesk(manual, answer: nil).atRest() }),
            ("connected", { begun(manual) }),
            ("prompting", { begun(manual) { $0.call(.powerUpDevice(true)) } }),
            (
                "powering",
                {
                    begun(manual) { desk in
                        desk.call(.powerUpDevice(true))
                        _ = desk.run()
                        desk.call(.answerPrompt(true))
                    }
                }
            ),
            ("activated", { active(manual) }),
            (
                "requested",
                {
                    var desk = active(manual)
                    desk.call(.requestSwipe)
                    return desk.atRest()
                }
            ),
            (
                "always ready",
                {
                    begun(AudioJackOptions()) { desk in
                        desk.call(.answerPrompt(true))
                        _ = desk.run()
                        desk.hear([0x06])
                    }
                }
            ),
            ("ips", { begun(AudioJackOptions(readerType: .ips)) }),
            (
                "testing",
                { begun(AudioJackOptions(readerType: .ips)) { $0.call(.beginTestCommunication) } }
            ),
            ("detecting ips", { begun(AudioJackOptions(readerType: .autodetectOnConnect)) }),
            (
                "detecting uniMag",
                { begun(AudioJackOptions(readerType: .autodetectOnConnect)) { $0.wait() } }
            ),
            ("type none", { begun(AudioJackOptions(readerType: .none)) }),
            (
                "closed",
                {
                    var desk = active(manual)
                    desk.call(.close)
                    return desk.atRest()
                }
            ),
        ]
    }()

    /// What follows, in words; where nothing is said, nothing does.
    static let table = """
        [empty]
        plug in: connected
        type none: <unload uniMag>
        type ips: <unload uniMag> <load ips>
        type autodetect: <unload uniMag>
        autodetect: <unload uniMag> started complete(fail)
        cancel request: misuse cancelWithoutRequest
        close: <unload uniMag>
        [connected]
        unplug: disconnected
        type none: <unload uniMag> disconnected
        type ips: <unload uniMag> <load ips> disconnected connected finished(success) ready
        type autodetect: <unload uniMag> disconnected started <load ips> <tone \
        communicationTest>
        autodetect: <unload uniMag> disconnected started <load ips> <tone communicationTest>
        power up: prompt(cardReaderActivationAtMaxVolumePrompt)
        cancel request: misuse cancelWithoutRequest
        close: <unload uniMag>
        [prompting]
        unplug: disconnected
        type none: <unload uniMag> disconnected
        type ips: <unload uniMag> <load ips> disconnected connected finished(success) ready
        type autodetect: <unload uniMag> disconnected started <load ips> <tone \
        communicationTest>
        autodetect: <unload uniMag> disconnected started <load ips> <tone communicationTest>
        cancel request: misuse cancelWithoutRequest
        yes: <tone power>
        close: <unload uniMag>
        [powering]
        unplug: <silence power> disconnected
        answer: finished(success)
        time: <silence power> finished(timeout) alert(cardReaderTimeoutMessage) dismissed
        type none: <silence power> <unload uniMag> disconnected
        type ips: <silence power> <unload uniMag> <load ips> disconnected connected \
        finished(success) ready
        type autodetect: <silence power> <unload uniMag> disconnected started <load ips> <tone \
        communicationTest>
        autodetect: <silence power> <unload uniMag> disconnected started <load ips> <tone \
        communicationTest>
        cancel power up: <silence power>
        power down: <silence power>
        cancel request: misuse cancelWithoutRequest
        close: <silence power> <unload uniMag>
        [activated]
        unplug: <silence power> deactivated disconnected
        interrupted: deactivated
        type none: <silence power> <unload uniMag> deactivated disconnected
        type ips: <silence power> <unload uniMag> <load ips> deactivated disconnected connected \
        finished(success) ready
        type autodetect: <silence power> <unload uniMag> deactivated disconnected started <load \
        ips> <tone communicationTest>
        autodetect: <silence power> <unload uniMag> deactivated disconnected started <load ips> \
        <tone communicationTest>
        power down: <silence power> deactivated connected
        request: ready
        cancel request: misuse cancelWithoutRequest
        always on: ready
        close: <silence power> <unload uniMag>
        [requested]
        unplug: <silence power> unready(disconnected) deactivated disconnected
        shuttle record: card unready(swipeDone)
        bad swipe: noCard unready(swipeDone)
        time: unready(timedOut)
        interrupted: unready(canceled) deactivated
        type none: <silence power> <unload uniMag> unready(disconnected) deactivated \
        disconnected
        type ips: <silence power> <unload uniMag> <load ips> unready(disconnected) deactivated \
        disconnected connected finished(success) ready
        type autodetect: <silence power> <unload uniMag> unready(disconnected) deactivated \
        disconnected started <load ips> <tone communicationTest>
        autodetect: <silence power> <unload uniMag> unready(disconnected) deactivated \
        disconnected started <load ips> <tone communicationTest>
        power down: <silence power> unready(canceled) deactivated connected
        cancel request: unready(canceled)
        close: <silence power> <unload uniMag>
        [always ready]
        unplug: <silence power> unready(disconnected) deactivated disconnected
        shuttle record: card unready(refreshing) ready
        bad swipe: noCard unready(refreshing) ready
        time: unready(refreshing) ready
        interrupted: unready(canceled) deactivated
        type none: <silence power> <unload uniMag> unready(disconnected) deactivated \
        disconnected
        type ips: <silence power> <unload uniMag> <load ips> unready(disconnected) deactivated \
        disconnected connected finished(success) ready
        type autodetect: <silence power> <unload uniMag> unready(disconnected) deactivated \
        disconnected started <load ips> <tone communicationTest>
        autodetect: <silence power> <unload uniMag> unready(disconnected) deactivated \
        disconnected started <load ips> <tone communicationTest>
        power up: misuse powerUpDespiteActivateOnAttach
        cancel power up: misuse powerUpDespiteActivateOnAttach
        power down: <silence power> unready(canceled) deactivated connected \
        prompt(cardReaderActivationAtMaxVolumePrompt)
        request: misuse requestInAlwaysMode
        cancel request: misuse cancelInAlwaysMode
        close: <silence power> <unload uniMag>
        [ips]
        unplug: unready(disconnected) deactivated disconnected
        ips packet: card
        type none: <unload ips> unready(disconnected) deactivated disconnected
        type uniMag: <unload ips> <load uniMag> unready(disconnected) deactivated disconnected \
        connected prompt(cardReaderActivationAtMaxVolumePrompt)
        type autodetect: <unload ips> unready(disconnected) deactivated disconnected started \
        <load ips> <tone communicationTest>
        autodetect: <unload ips> unready(disconnected) deactivated disconnected started <load \
        ips> <tone communicationTest>
        test: <tone communicationTest>
        shutdown: misuse shutdownByApp
        close: <unload ips>
        [testing]
        unplug: tested(false) unready(disconnected) deactivated disconnected
        answer: tested(true)
        ips packet: card
        time: tested(false)
        type none: <unload ips> tested(false) unready(disconnected) deactivated disconnected
        type uniMag: <unload ips> <load uniMag> tested(false) unready(disconnected) deactivated \
        disconnected connected prompt(cardReaderActivationAtMaxVolumePrompt)
        type autodetect: <unload ips> tested(false) unready(disconnected) deactivated \
        disconnected started <load ips> <tone communicationTest>
        autodetect: <unload ips> tested(false) unready(disconnected) deactivated disconnected \
        started <load ips> <tone communicationTest>
        shutdown: misuse shutdownByApp
        close: <unload ips>
        [detecting ips]
        unplug: <unload ips> complete(fail)
        answer: complete(ips)
        time: <unload ips> <load uniMag> <tone power>
        type none: <unload ips> complete(fail)
        type uniMag: <unload ips> complete(fail) <load uniMag> connected \
        prompt(cardReaderActivationAtMaxVolumePrompt)
        type ips: <unload ips> complete(fail) <load ips> connected finished(success) ready
        type autodetect: <unload ips> complete(fail) started <load ips> <tone communicationTest>
        close: <unload ips>
        [detecting uniMag]
        unplug: <silence power> <unload uniMag> complete(fail)
        answer: complete(uniMag)
        time: <silence power> <unload uniMag> complete(fail)
        type none: <silence power> <unload uniMag> complete(fail)
        type uniMag: <silence power> <unload uniMag> complete(fail) <load uniMag> connected \
        prompt(cardReaderActivationAtMaxVolumePrompt)
        type ips: <silence power> <unload uniMag> complete(fail) <load ips> connected \
        finished(success) ready
        type autodetect: <silence power> <unload uniMag> complete(fail) started <load ips> \
        <tone communicationTest>
        close: <silence power> <unload uniMag>
        [type none]
        type uniMag: <load uniMag> connected prompt(cardReaderActivationAtMaxVolumePrompt)
        type ips: <load ips> connected finished(success) ready
        type autodetect: started <load ips> <tone communicationTest>
        autodetect: started <load ips> <tone communicationTest>
        """

    /// The table by `state / input`.
    static let rows: [String: String] = {
        var rows: [String: String] = [:]
        var state = ""
        for line in table.split(separator: "\n") {
            if line.hasPrefix("[") {
                state = String(line.dropFirst().dropLast())
            } else if let colon = line.firstIndex(of: ":") {
                let words = line[line.index(colon, offsetBy: 2)...]
                rows["\(state) / \(line[..<colon])"] = String(words)
            }
        }
        return rows
    }()

    static func follows(_ desk: JackDesk, _ input: JackInput) -> String {
        var desk = desk
        input.happen(&desk)
        let words = desk.run() + desk.misuses.map { "misuse \($0)" }
        return words.joined(separator: " ")
    }

    @Test func everyCellHolds() {
        var usedCount = 0
        for state in Self.states {
            let desk = state.make()
            for input in JackInput.all {
                let cell = "\(state.name) / \(input)"
                let row = Self.rows[cell]
                if row != nil { usedCount += 1 }
                #expect(Self.follows(desk, input) == row ?? "", "\(cell)")
            }
        }
        #expect(usedCount == Self.rows.count)
    }
}

extension JackDesk {
    /// The same when nothing is left to tell.
    func atRest() -> JackDesk {
        var desk = self
        _ = desk.run()
        return desk
    }
}
