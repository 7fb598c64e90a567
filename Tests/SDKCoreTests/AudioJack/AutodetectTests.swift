import EventLoops
import ReaderProtocols
import SDKCore
import Testing

@Suite("Autodetection at the audio jack")
struct AutodetectTests {
    private static let onConnect = AudioJackOptions(readerType: .autodetectOnConnect)
    private static let begun = ["started", "<load ips>", "<tone communicationTest>"]

    private static func detecting(
        _ options: AudioJackOptions = onConnect,
        profile: SwipeProfile = SwipeProfile()
    ) -> JackDesk {
        var desk = JackDesk(options, profile: profile)
        _ = desk.run()
        desk.plugIn()
        #expect(desk.run() == begun)
        return desk
    }

    @Test func anIPSIsFoundFirstAndIsReadyWithoutEvents() {
        var desk = Self.detecting()
        desk.hear([0x06])
        #expect(desk.run() == ["complete(ips)"])
        #expect(desk.flags == [true, true, true])
        #expect(desk.controller.audioJackReaderType == .ips)
        desk.hear(JackDesk.ipsPacket())
        #expect(desk.pass(.milliseconds(200)) == ["card"])
    }

    @Test(arguments: [true, false])
    func aShuttleIsFoundAfterTheIPSIsGivenUp(isAlways: Bool) {
        var options = Self.onConnect
        options.uniMag.alwaysAcceptSwipe = isAlways
        var desk = Self.detecting(options)
        #expect(desk.wait() == .milliseconds(5_000))
        #expect(desk.run() == ["<unload ips>", "<load uniMag>", "<tone power>"])
        desk.hear([0x06])
        #expect(desk.run() == ["complete(uniMag)"])
        #expect(desk.flags == [true, true, isAlways])
        #expect(desk.controller.audioJackReaderType == .uniMag)
        if isAlways {
            #expect(desk.wait() == .milliseconds(20_000))
            #expect(desk.run() == ["unready(refreshing)", "ready"])
        }
    }

    @Test func nothingThatAnswersIsFoundSlowly() {
        var desk = Self.detecting()
        #expect(
            desk.pass(.milliseconds(15_000)) == [
                "<unload ips>", "<load uniMag>", "<tone power>", "<silence power>",
                "<unload uniMag>", "complete(fail)",
            ]
        )
        #expect(desk.flags == [true, false, false])
        #expect(desk.controller.device(of: 0) == nil)
        desk.unplug()
        #expect(desk.run() == ["disconnected"])
        desk.plugIn()
        #expect(desk.run() == Self.begun)
    }

    @Test func aCallTakesThePresentReaderDownFirst() {
        var desk = JackDesk.ready()
        desk.call(.beginAutodetectAudioJackCardReader)
        #expect(
            desk.run() == [
                "<silence power>", "<unload uniMag>", "unready(disconnected)", "deactivated",
                "disconnected", "started", "<load ips>", "<tone communicationTest>",
            ]
        )
        #expect(desk.pass(.milliseconds(15_000)).last == "complete(fail)")
        #expect(desk.controller.audioJackReaderType == .none)
        desk.call(.setAudioJackReaderType(.uniMag))
        #expect(Array(desk.run().prefix(3)) == ["<load uniMag>", "disconnected", "connected"])
    }

    @Test func aFailureCanRestoreTheType() {
        var profile = SwipeProfile()
        profile.audioJack.autodetectFailure = .restoresType
        var desk = JackDesk.ready(profile: profile)
        desk.call(.beginAutodetectAudioJackCardReader)
        _ = desk.pass(.milliseconds(0))
        _ = desk.run()
        _ = desk.pass(.milliseconds(15_000))
        #expect(desk.controller.audioJackReaderType == .uniMag)
        #expect(desk.flags == [true, false, false])
    }

    @Test func nothingIsPluggedInMeansFailWithoutATone() {
        var desk = JackDesk(AudioJackOptions(readerType: .none))
        desk.call(.beginAutodetectAudioJackCardReader)
        #expect(desk.run() == ["started", "complete(fail)"])
        #expect(desk.flags == [false, false, false])
    }

    @Test func anUnplugEndsItWithFail() {
        for seconds in [0, 6] {
            var desk = Self.detecting()
            _ = desk.pass(.milliseconds(Int64(seconds) * 1_000))
            desk.unplug()
            #expect(desk.run().last == "complete(fail)")
            #expect(desk.flags == [false, false, false])
            desk.plugIn()
            #expect(desk.run() == Self.begun)
        }
    }

    @Test func anotherObjectIsDetectedAnew() {
        var desk = Self.detecting()
        desk.unplug()
        desk.plugIn()
        #expect(
            desk.run() == ["<unload ips>", "complete(fail)"] + Self.begun
        )
    }

    @Test func aTypeThatIsChosenMeanwhileEndsIt() {
        var desk = Self.detecting()
        desk.call(.setAudioJackReaderType(.ips))
        #expect(
            desk.run() == [
                "<unload ips>", "complete(fail)", "<load ips>", "connected", "finished(success)",
                "ready",
            ]
        )
    }

    @Test func anEnterpriseReaderCanBeTriedFirst() {
        var profile = SwipeProfile()
        profile.audioJack.triesEnterpriseFirst = true
        var desk = JackDesk(Self.onConnect, profile: profile)
        _ = desk.run()
        desk.plugIn()
        #expect(desk.run() == ["started", "<tone communicationTest>"])
        desk.hear([0x06])
        #expect(desk.run() == [])
        #expect(desk.wait() == .milliseconds(5_000))
        #expect(desk.run() == ["<load ips>", "<tone communicationTest>"])
    }

    @Test func aReaderThatIsThereCanBeMissed() {
        var profile = SwipeProfile()
        profile.audioJack.missedAutodetectCount = 1
        var desk = Self.detecting(profile: profile)
        desk.hear([0x06])
        #expect(desk.pass(.milliseconds(15_000)).last == "complete(fail)")
        desk.call(.beginAutodetectAudioJackCardReader)
        _ = desk.run()
        desk.hear([0x06])
        #expect(desk.run() == ["complete(ips)"])
    }

    @Test func aStuckLibraryMakesItFailWithAShuttle() {
        var profile = SwipeProfile()
        profile.audioJack.stuckLibrary = .ips
        var desk = Self.detecting(profile: profile)
        _ = desk.wait()
        _ = desk.run()
        desk.hear([0x06])
        #expect(desk.pass(.milliseconds(15_000)).last == "complete(fail)")
    }

    @Test func itIsSilentAndLoudOverAVolumeThatStaysLow() {
        var options = Self.onConnect
        options.volumePercent = 10
        var desk = JackDesk(options)
        desk.limiterPercent = 50
        _ = desk.run()
        desk.plugIn()
        #expect(
            desk.run() == ["started", "<load ips>", "<volume 100>", "<tone communicationTest>"]
        )
        #expect(
            desk.pass(.milliseconds(6_000)) == [
                "<unload ips>", "<load uniMag>", "<volume 100>", "<unload uniMag>",
                "complete(fail)",
            ]
        )
    }
}
