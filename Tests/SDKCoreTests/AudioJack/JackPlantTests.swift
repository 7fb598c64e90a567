import EventLoops
import ReaderProtocols
import SDKCore
import Testing

/// Each mistake planted at the jack breaks the promise that it is meant to break, and without it the
/// same story breaks none.
@Suite("Planted mistakes at the audio jack")
struct JackPlantTests {
    /// A story, and the promise that its plant breaks.
    struct Story: Sendable, CustomTestStringConvertible {
        var plant: Plant
        var law: String
        /// Whether two events must meet for it to show.
        var isRace = false
        var options = AudioJackOptions()
        var tell: @Sendable (inout JackDesk) -> Void

        var testDescription: String { plant.name }

        func violations(planted: Bool) -> [String] {
            var desk = JackDesk(options, plant: planted ? plant : nil)
            _ = desk.run()
            tell(&desk)
            _ = desk.run()
            _ = desk.pass(.milliseconds(20_000))
            desk.observer.ended()
            return desk.observer.violations
        }
    }

    private static let detecting = AudioJackOptions(readerType: .autodetectOnConnect)

    private static func ready(_ desk: inout JackDesk) {
        desk.plugIn()
        _ = desk.run()
        desk.hear([0x06])
        _ = desk.run()
    }

    private static func beginRecord(_ desk: inout JackDesk) {
        ready(&desk)
        _ = desk.pass(.milliseconds(19_900))
        let record = JackDesk.shuttleRecord()
        desk.hear(Array(record.prefix(60)))
        _ = desk.pass(.milliseconds(300))
        desk.hear(Array(record.dropFirst(60)))
        _ = desk.run()
    }

    private static func cutDetection(_ desk: inout JackDesk) {
        desk.plugIn()
        _ = desk.run()
        desk.unplug()
        _ = desk.run()
        desk.call(.setAudioJackReaderType(.uniMag))
        _ = desk.run()
    }

    static let stories: [Story] = [
        Story(plant: .forgetsRenewal, law: "refresh-renews") { ready(&$0) },
        Story(plant: .forgetsRenewalAfterSwipe, law: "refresh-renews") { desk in
            ready(&desk)
            desk.hear(JackDesk.shuttleRecord())
        },
        Story(plant: .forgetsRenewalInMidRecord, law: "refresh-renews", isRace: true) {
            beginRecord(&$0)
        },
        Story(plant: .endsRequestsEarly, law: "timeout-honoured") { ready(&$0) },
        Story(plant: .endsRequestsLate, law: "timeout-honoured") { desk in
            ready(&desk)
            _ = desk.pass(.milliseconds(5_000))
        },
        Story(plant: .limitsOpenRequests, law: "timeout-honoured", isRace: true) { desk in
            ready(&desk)
            _ = desk.pass(.milliseconds(10_000))
            desk.call(.setSwipeTimeoutDuration(.milliseconds(20_000)))
            _ = desk.pass(.milliseconds(11_000))
        },
        Story(plant: .holdsRequestsForRecords, law: "timeout-honoured", isRace: true) {
            beginRecord(&$0)
        },
        Story(plant: .tellsConnectedInDetection, law: "autodetect-silent", options: detecting) {
            $0.plugIn()
        },
        Story(plant: .promptsInDetection, law: "autodetect-silent", options: detecting) {
            $0.plugIn()
        },
        Story(plant: .tellsNoFailedDetection, law: "autodetect-silent", options: detecting) {
            $0.plugIn()
        },
        Story(
            plant: .forgetsDetectionAtUnplug,
            law: "autodetect-silent",
            isRace: true,
            options: detecting
        ) { cutDetection(&$0) },
        Story(plant: .loadsBeforeUnloading, law: "one-audio-reader") {
            $0.call(.setAudioJackReaderType(.ips))
        },
        Story(plant: .keepsLibrariesInDetection, law: "one-audio-reader", options: detecting) {
            $0.plugIn()
        },
        Story(plant: .keepsLibraryOfOldType, law: "one-audio-reader") {
            $0.call(.setAudioJackReaderType(.ips))
        },
        Story(
            plant: .keepsLibraryOfCutDetection,
            law: "one-audio-reader",
            isRace: true,
            options: detecting
        ) { cutDetection(&$0) },
        Story(plant: .neverAsks, law: "no-tone-without-consent") { $0.plugIn() },
        Story(plant: .ignoresRefusals, law: "no-tone-without-consent") { desk in
            desk.answer = false
            desk.plugIn()
        },
        Story(plant: .resumesWithoutAsking, law: "no-tone-without-consent") { desk in
            ready(&desk)
            desk.notice(.interrupted)
            _ = desk.run()
            desk.notice(.resumed)
        },
        Story(plant: .remembersWithdrawnPrompts, law: "no-tone-without-consent", isRace: true) {
            desk in
            desk.answer = nil
            desk.plugIn()
            _ = desk.run()
            desk.unplug()
            _ = desk.run()
            desk.plugIn()
        },
    ]

    @Test(arguments: stories)
    func aPlantBreaksItsLawAndNothingElseDoes(story: Story) {
        #expect(story.violations(planted: false) == [])
        let broken = story.violations(planted: true)
        let isCaught = broken.contains { $0.hasPrefix(story.law) }
        #expect(isCaught, "\(broken)")
    }

    @Test(
        arguments: [
            "refresh-renews", "timeout-honoured", "autodetect-silent", "one-audio-reader",
            "no-tone-without-consent",
        ]
    )
    func eachLawHasThreePlantsAndOneThatNeedsARace(law: String) {
        let plants = Self.stories.filter { $0.law == law }
        #expect(plants.count >= 3)
        #expect(plants.count { $0.isRace } >= 1)
    }
}
