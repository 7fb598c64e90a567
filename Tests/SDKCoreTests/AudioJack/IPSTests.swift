import EventLoops
import ReaderProtocols
import SDKCore
import Testing

@Suite("IPS reader at the audio jack")
struct IPSTests {
    private static let ips = AudioJackOptions(readerType: .ips)

    private static func ready(_ profile: SwipeProfile = SwipeProfile()) -> JackDesk {
        var desk = JackDesk(ips, profile: profile)
        _ = desk.run()
        desk.plugIn()
        _ = desk.run()
        return desk
    }

    @Test func whateverIsPluggedInIsReadyAtOnceWithoutATone() {
        var desk = JackDesk(Self.ips)
        #expect(desk.run() == ["<load ips>"])
        desk.plugIn()
        #expect(desk.run() == ["connected", "finished(success)", "ready"])
        #expect(desk.controller.device(of: 0) == .ips)
        #expect(desk.controller.nextDeadline == nil)
    }

    @Test func aPacketIsACardAndNoUnreadyFollows() {
        var desk = Self.ready()
        desk.hear(JackDesk.ipsPacket())
        #expect(desk.pass(.milliseconds(200)) == ["card"])
        desk.hear(JackDesk.ipsPacket())
        #expect(desk.pass(.milliseconds(200)) == [])
        desk.hear(JackDesk.ipsPacket(2))
        #expect(desk.pass(.milliseconds(200)) == ["card"])
    }

    @Test(arguments: [1, 127, 129, 255])
    func whatIsNoPacketIsNotTold(byteCount: Int) {
        var desk = Self.ready()
        let twice = JackDesk.ipsPacket() + JackDesk.ipsPacket(2)
        desk.hear(Array(twice.prefix(byteCount)))
        #expect(desk.pass(.milliseconds(1_000)) == [])
    }

    @Test func aTestSucceedsWhenTheReaderAnswers() {
        var desk = Self.ready()
        desk.call(.beginTestCommunication)
        #expect(desk.run() == ["<tone communicationTest>"])
        desk.call(.beginTestCommunication)
        #expect(desk.run() == [])
        desk.hear([0x06])
        #expect(desk.run() == ["tested(true)"])
        #expect(desk.pass(.milliseconds(6_000)) == [])
    }

    @Test func aTestFailsAfterFiveSeconds() {
        var desk = Self.ready()
        desk.call(.beginTestCommunication)
        _ = desk.run()
        #expect(desk.wait() == .milliseconds(5_000))
        #expect(desk.run() == ["tested(false)"])
    }

    @Test func anUnplugEndsATest() {
        var desk = Self.ready()
        desk.call(.beginTestCommunication)
        _ = desk.run()
        desk.unplug()
        #expect(
            desk.run() == [
                "tested(false)", "unready(disconnected)", "deactivated", "disconnected",
            ]
        )
        desk.call(.beginTestCommunication)
        #expect(desk.run() == ["tested(false)"])
    }

    @Test func theAppMayNotShutItDownAndTheShuttlesCallsDoNothing() {
        var desk = Self.ready()
        #expect(desk.call(.shutdown) == .shutdownByApp)
        for call in [
            SwipeCall.powerUpDevice(true), .powerDown, .requestSwipe, .cancelSwipeRequest,
            .answerPrompt(true),
        ] { #expect(desk.call(call) == nil) }
        #expect(desk.run() == [])
        #expect(desk.flags == [true, true, true])
    }

    @Test func aTypeThatChangesTakesTheOldReaderDownFirst() {
        var desk = Self.ready()
        desk.call(.setAudioJackReaderType(.uniMag))
        #expect(
            desk.run() == [
                "<unload ips>", "<load uniMag>", "unready(disconnected)", "deactivated",
                "disconnected", "connected", "prompt(cardReaderActivationAtMaxVolumePrompt)",
                "<tone power>",
            ]
        )
        desk.call(.setAudioJackReaderType(.none))
        #expect(desk.run() == ["<silence power>", "<unload uniMag>", "disconnected"])
        #expect(desk.flags == [false, false, false])
        desk.call(.setAudioJackReaderType(.ips))
        #expect(desk.run() == ["<load ips>", "connected", "finished(success)", "ready"])
    }

    @Test func aLibraryThatIsStuckLeavesTheOtherDeaf() {
        var profile = SwipeProfile()
        profile.audioJack.stuckLibrary = .ips
        var desk = Self.ready(profile)
        desk.call(.setAudioJackReaderType(.uniMag))
        _ = desk.run()
        desk.hear([0x06])
        #expect(desk.run() == [])
        desk.call(.setAudioJackReaderType(.ips))
        _ = desk.run()
        desk.hear(JackDesk.ipsPacket())
        #expect(desk.pass(.milliseconds(200)) == ["card"])
        #expect(desk.observer.violations == [])
    }
}
