import CardData
import EventLoops
import ReaderProtocols
import SDKCore
import Testing

@Suite("Shuttle")
struct ShuttleTests {
    private static let quiet: AudioJackOptions = {
        var options = AudioJackOptions()
        options.uniMag.messageOptions.activateReaderWithoutPromptingUser = true
        return options
    }()
    private static let onRequest = AudioJackOptions(uniMag: UniMagOptions(alwaysAcceptSwipe: false))

    @Test func whatIsPluggedInIsPromptedForPoweredUpAndReady() {
        var desk = JackDesk(AudioJackOptions(volumePercent: 40))
        #expect(desk.run() == ["<load uniMag>"])
        desk.plugIn()
        #expect(
            desk.run() == [
                "connected", "prompt(cardReaderActivationPrompt)", "<volume 100>", "<tone power>",
            ]
        )
        desk.hear([0x06])
        #expect(desk.run() == ["finished(success)", "ready"])
        #expect(desk.flags == [true, true, true])
        #expect(desk.controller.device(of: 0) == .uniMag)
    }

    @Test func headphonesAreTriedUntilTheTimeLimit() {
        var desk = JackDesk()
        _ = desk.run()
        desk.plugIn()
        _ = desk.run()
        #expect(desk.wait() == .milliseconds(10_000))
        #expect(
            desk.run() == [
                "<silence power>", "finished(timeout)", "alert(cardReaderTimeoutMessage)",
                "dismissed",
            ]
        )
        #expect(desk.controller.nextDeadline == nil)
    }

    @Test func aRefusedPromptEndsTheMatter() {
        var desk = JackDesk(answer: false)
        _ = desk.run()
        desk.plugIn()
        #expect(desk.run() == ["connected", "prompt(cardReaderActivationAtMaxVolumePrompt)"])
        #expect(desk.flags == [true, false, false])
    }

    /// The prompt table: eight cells.
    @Test(
        arguments: [
            (false, true, 99, "cardReaderActivationPrompt"),
            (false, true, 100, "cardReaderActivationAtMaxVolumePrompt"),
            (false, false, 99, "cardReaderActivationAtMaxVolumePrompt"),
            (false, false, 100, "cardReaderActivationAtMaxVolumePrompt"),
            (true, true, 99, nil), (true, true, 100, nil), (true, false, 99, nil),
            (true, false, 100, nil),
        ] as [(Bool, Bool, Int, String?)]
    )
    func thePromptIsTheOneOfTheTable(
        isUnasked: Bool,
        isAutomatic: Bool,
        volume: Int,
        prompt: String?
    ) {
        var options = AudioJackOptions(volumePercent: volume)
        options.uniMag.automaticallySetVolumeToMaxOnActivate = isAutomatic
        options.uniMag.messageOptions.activateReaderWithoutPromptingUser = isUnasked
        var desk = JackDesk(options)
        _ = desk.run()
        desk.plugIn()
        var words = ["connected"]
        if let prompt { words.append("prompt(\(prompt))") }
        if isAutomatic, volume < 100 { words.append("<volume 100>") }
        #expect(desk.run() == words + ["<tone power>"])
    }

    @Test func aVolumeThatIsTooLowIsToldAndCured() {
        var options = AudioJackOptions(volumePercent: 40)
        options.uniMag.activateReaderOnAttach = false
        options.uniMag.automaticallySetVolumeToMaxOnActivate = false
        var desk = JackDesk(options)
        _ = desk.run()
        desk.plugIn()
        #expect(desk.run() == ["connected"])
        #expect(desk.call(.powerUpDevice(true)) == nil)
        #expect(
            desk.run() == [
                "prompt(cardReaderActivationAtMaxVolumePrompt)", "finished(volumeTooLow)",
                "alert(volumeTooLowMessage)", "dismissed",
            ]
        )
        desk.setVolume(100)
        desk.call(.powerUpDevice(true))
        #expect(
            desk.run() == ["prompt(cardReaderActivationAtMaxVolumePrompt)", "<tone power>"]
        )
    }

    @Test func aLimiterThatKeepsTheVolumeDownMakesItTooLow() {
        var desk = JackDesk(AudioJackOptions(volumePercent: 40))
        desk.limiterPercent = 60
        _ = desk.run()
        desk.plugIn()
        #expect(desk.run().contains("finished(volumeTooLow)"))
    }

    @Test func theInitializingAlertIsDismissedBeforeTheResult() {
        var options = Self.quiet
        options.volumePercent = 50
        options.uniMag.messageOptions.showInitializingReaderMessage = true
        var desk = JackDesk(options)
        _ = desk.run()
        desk.plugIn()
        #expect(
            desk.run() == [
                "connected", "<volume 100>", "alert(initializingReaderMessage)", "<tone power>",
            ]
        )
        desk.hear([0x06])
        #expect(desk.run() == ["dismissed", "finished(success)", "ready"])
    }

    @Test(arguments: [100, 40])
    func anAlertWhoseTextIsNilIsNotShown(limit: Int) {
        var options = Self.quiet
        options.volumePercent = 40
        options.uniMag.messageOptions.showInitializingReaderMessage = true
        for text in UniMagMessage.allCases { options.uniMag.messageOptions[text] = nil }
        var desk = JackDesk(options)
        desk.limiterPercent = limit
        _ = desk.run()
        desk.plugIn()
        var words = desk.run()
        words += desk.pass(.milliseconds(11_000))
        #expect(!words.contains { $0.hasPrefix("alert") || $0 == "dismissed" })
        #expect(words.last == (limit == 100 ? "finished(timeout)" : "finished(volumeTooLow)"))
    }

    @Test func aPromptWhoseTextIsNilIsNotShownAndNothingIsPoweredUp() {
        var options = AudioJackOptions()
        options.uniMag.messageOptions.cardReaderActivationAtMaxVolumePrompt = nil
        var desk = JackDesk(options)
        _ = desk.run()
        desk.plugIn()
        #expect(desk.run() == ["connected"])
    }

    @Test func inAlwaysModeASwipeRenewsTheRequest() {
        var desk = JackDesk.ready()
        desk.hear(JackDesk.shuttleRecord())
        #expect(desk.run() == ["card", "unready(refreshing)", "ready"])
        desk.hear(JackDesk.unreadable)
        #expect(desk.run() == ["noCard", "unready(refreshing)", "ready"])
    }

    @Test func onRequestASwipeEndsTheRequest() {
        var desk = JackDesk.ready(Self.onRequest)
        #expect(desk.flags == [true, true, false])
        desk.call(.requestSwipe)
        #expect(desk.run() == ["ready"])
        desk.hear(JackDesk.shuttleRecord())
        #expect(desk.run() == ["card", "unready(swipeDone)"])
        desk.hear(JackDesk.shuttleRecord(2))
        #expect(desk.run() == [])
    }

    @Test func theUnreadyCanComeBeforeTheSwipe() {
        var profile = SwipeProfile()
        profile.audioJack.isUnreadyBeforeSwipe = true
        var desk = JackDesk.ready(Self.onRequest, profile: profile)
        desk.call(.requestSwipe)
        _ = desk.run()
        desk.hear(JackDesk.shuttleRecord())
        #expect(desk.run() == ["unready(swipeDone)", "card"])
    }

    @Test func theSameRecordTwiceIsOneSwipe() {
        var desk = JackDesk.ready()
        desk.hear(JackDesk.shuttleRecord() + JackDesk.shuttleRecord())
        desk.hear(JackDesk.shuttleRecord())
        #expect(desk.run() == ["card", "unready(refreshing)", "ready"])
        desk.hear(JackDesk.shuttleRecord(2))
        #expect(desk.run() == ["card", "unready(refreshing)", "ready"])
    }

    @Test(arguments: [3, 20])
    func aRequestTimesOutAtItsLimit(seconds: Int64) {
        for isAlways in [true, false] {
            let limit = VirtualDuration.milliseconds(seconds * 1_000)
            var desk = JackDesk.ready(
                AudioJackOptions(
                    uniMag: UniMagOptions(alwaysAcceptSwipe: isAlways, swipeTimeout: limit)
                )
            )
            if !isAlways { desk.call(.requestSwipe) }
            _ = desk.run()
            #expect(desk.wait() == limit)
            #expect(
                desk.run() == (isAlways ? ["unready(refreshing)", "ready"] : ["unready(timedOut)"])
            )
        }
    }

    @Test func limitsOutsideThreeToTwentySecondsAreClamped() {
        var desk = JackDesk()
        for (milliseconds, clamped) in [(2_999, 3_000), (0, 3_000), (20_001, 20_000)] {
            let call = SwipeCall.setSwipeTimeoutDuration(.milliseconds(Int64(milliseconds)))
            #expect(desk.call(call) == .swipeTimeoutOutOfRange)
            let limit = desk.controller.uniMagOptions.swipeTimeout
            #expect(limit == .milliseconds(Int64(clamped)))
        }
        #expect(desk.call(.setSwipeTimeoutDuration(.milliseconds(3_000))) == nil)
    }

    @Test func aPowerDownUnwindsAndConnectsAgain() {
        var desk = JackDesk.ready()
        desk.call(.setActivateReaderOnAttach(false))
        desk.call(.powerDown)
        #expect(
            desk.run() == ["<silence power>", "unready(canceled)", "deactivated", "connected"]
        )
        #expect(desk.flags == [true, false, false])
    }

    @Test func aPowerDownWithActivationOnAttachPowersUpAgain() {
        var desk = JackDesk.ready(Self.quiet)
        desk.call(.powerDown)
        #expect(
            desk.run() == [
                "<silence power>", "unready(canceled)", "deactivated", "connected", "<tone power>",
            ]
        )
    }

    @Test func aPowerDownCanTellDisconnectedToo() {
        var profile = SwipeProfile()
        profile.audioJack.disconnectsAtPowerDown = true
        var desk = JackDesk.ready(profile: profile)
        desk.call(.setActivateReaderOnAttach(false))
        desk.call(.powerDown)
        #expect(
            desk.run() == [
                "<silence power>", "unready(canceled)", "deactivated", "disconnected", "connected",
            ]
        )
    }

    @Test func aPowerUpCanBeCanceledBeforeAndDuringTheToneAndNotAfter() {
        var options = AudioJackOptions()
        options.uniMag.activateReaderOnAttach = false
        var desk = JackDesk(options, answer: nil)
        _ = desk.run()
        desk.plugIn()
        desk.call(.powerUpDevice(true))
        #expect(desk.run() == ["connected", "prompt(cardReaderActivationAtMaxVolumePrompt)"])
        desk.call(.powerUpDevice(false))
        #expect(desk.controller.openPrompt == nil)
        desk.call(.answerPrompt(true))
        #expect(desk.run() == [])
        desk.call(.powerUpDevice(true))
        desk.answer = true
        #expect(desk.run() == ["prompt(cardReaderActivationAtMaxVolumePrompt)", "<tone power>"])
        desk.call(.powerUpDevice(false))
        #expect(desk.run() == ["<silence power>"])
        desk.hear([0x06])
        #expect(desk.run() == [])
        var ready = JackDesk.ready(options)
        ready.call(.powerUpDevice(false))
        #expect(ready.run() == [])
        #expect(ready.flags == [true, true, true])
    }

    @Test func anUnplugUnwindsAndASecondPlugStartsAnew() {
        var desk = JackDesk.ready(Self.quiet)
        desk.unplug()
        #expect(
            desk.run() == [
                "<silence power>", "unready(disconnected)", "deactivated", "disconnected",
            ]
        )
        desk.plugIn()
        #expect(desk.run() == ["connected", "<tone power>"])
    }

    @Test func aCutSwipeGivesNoEventAndIsNotGluedToTheNext() {
        var desk = JackDesk.ready(Self.quiet)
        desk.hear(Array(JackDesk.shuttleRecord().prefix(40)))
        desk.unplug()
        desk.plugIn()
        _ = desk.run()
        desk.hear([0x06])
        _ = desk.run()
        desk.hear(JackDesk.shuttleRecord(2))
        #expect(desk.run() == ["card", "unready(refreshing)", "ready"])
    }

    @Test func aRecordThatSilenceCutsIsABadSwipe() {
        var desk = JackDesk.ready()
        desk.hear(Array(JackDesk.shuttleRecord().prefix(40)))
        #expect(desk.run() == [])
        #expect(desk.wait() == .milliseconds(500))
        #expect(desk.run() == ["noCard", "unready(refreshing)", "ready"])
    }

    @Test func otherAudioDeactivatesAndTheReturnAsksAgain() {
        var desk = JackDesk.ready()
        desk.notice(.interrupted)
        #expect(desk.run() == ["unready(canceled)", "deactivated"])
        desk.notice(.resumed)
        #expect(
            desk.run() == ["prompt(cardReaderActivationAtMaxVolumePrompt)", "<tone power>"]
        )
    }

    @Test func aToneThatDidNotBeginBeforeTheUnplugNeverDoes() {
        var profile = SwipeProfile()
        profile.audioJack.interruption = .isSilent
        var desk = JackDesk.ready(profile: profile)
        desk.notice(.interrupted)
        desk.notice(.resumed)
        desk.unplug()
        #expect(desk.run() == ["unready(disconnected)", "deactivated", "disconnected"])
    }

    @Test func otherAudioCanBeSilent() {
        var profile = SwipeProfile()
        profile.audioJack.interruption = .isSilent
        var desk = JackDesk.ready(profile: profile)
        desk.notice(.interrupted)
        #expect(desk.run() == [])
        desk.notice(.resumed)
        #expect(desk.run() == ["<tone power>"])
        #expect(desk.flags == [true, true, true])
    }

    @Test func theMisusesOfTheDocumentAreIgnoredAndNamed() {
        var always = JackDesk.ready()
        #expect(always.call(.requestSwipe) == .requestInAlwaysMode)
        #expect(always.call(.cancelSwipeRequest) == .cancelInAlwaysMode)
        #expect(always.call(.powerUpDevice(true)) == .powerUpDespiteActivateOnAttach)
        #expect(always.call(.powerUpDevice(false)) == .powerUpDespiteActivateOnAttach)
        #expect(always.call(.setReaderDelegate(.other)) == .delegateOfOneReader)
        #expect(always.run() == [])
        var request = JackDesk.ready(Self.onRequest)
        #expect(request.call(.cancelSwipeRequest) == .cancelWithoutRequest)
        let options = UniMagMessageOptions()
        for type in AudioJackReaderType.allCases {
            var desk = JackDesk()
            let call = SwipeCall.setAudioJackReaderType(type, messageOptions: options)
            #expect(
                desk.call(call) == (type == .uniMag ? nil : .messageOptionsWithoutShuttle)
            )
            #expect(desk.controller.audioJackReaderType == type)
        }
    }

    @Test func aDayOfRenewalsKeepsToItsLimits() {
        var desk = JackDesk.ready()
        var count = 0
        while desk.now < .zero + .milliseconds(86_400_000) {
            desk.wait()
            #expect(desk.run() == ["unready(refreshing)", "ready"])
            count += 1
        }
        #expect(count == 4_320)
        #expect(desk.observer.violations == [])
        #expect(desk.controller.awaitsOnlyRenewal)
    }

    @Test func withoutADelegateTheReaderRestsAndALaterDelegateIsTold() {
        var desk = JackDesk(delegate: nil)
        _ = desk.run()
        desk.plugIn()
        #expect(desk.run() == [])
        desk.call(.setDelegate(.app))
        #expect(
            desk.run() == [
                "connected", "prompt(cardReaderActivationAtMaxVolumePrompt)", "<tone power>",
            ]
        )
    }

    @Test func aControllerWithoutADelegateMissesWhatIsThere() {
        var desk = JackDesk(delegate: nil, isAttachedAtInit: true)
        desk.plugIn()
        desk.call(.setDelegate(.app))
        #expect(desk.run() == ["<load uniMag>"])
    }

    @Test func bytesThatComeInTheBackgroundAreDropped() {
        var desk = JackDesk.ready()
        desk.controller.enterBackground()
        #expect(desk.run() == [])
        desk.hear(JackDesk.shuttleRecord())
        desk.controller.enterForeground()
        #expect(desk.run() == [])
        desk.hear(JackDesk.shuttleRecord(2))
        #expect(desk.run() == ["card", "unready(refreshing)", "ready"])
    }

    @Test func aCloseTakesTheJackBackAndTellsNothing() {
        var desk = JackDesk.ready()
        desk.call(.close)
        #expect(desk.run() == ["<silence power>", "<unload uniMag>"])
        desk.plugIn()
        desk.hear(JackDesk.shuttleRecord())
        #expect(desk.run() == [])
        #expect(desk.controller.nextDeadline == nil)
    }
}
