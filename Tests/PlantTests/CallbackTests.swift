import CardCrypto
import Journal
import Laws
import Rig
import SDKCore
import SimulatedReaders
import Testing
import Transports

/// Whatever is done from inside whichever callback: no law breaks, and the world works afterwards.
@Suite("Acts inside callbacks")
struct CallbackTests {
    /// What somebody does while a callback runs.
    enum Act: String, CaseIterable, Sendable {
        case takeDelegateAway, exchangeDelegate, setSameDelegate, setReaderDelegate, close
        case background, backgroundAndForeground, kill, killAndLaunch
        case unplug, unplugAndPlugIn, plugInOther, swipe, cut
    }

    static let events: [RecordName] = [
        .deviceConnected, .deviceActivationFinished, .deviceBecameReadyForSwipe, .didSwipeCard,
        .deviceBecameUnreadyForSwipe, .deviceDeactivated, .deviceDisconnected,
    ]

    static let profiles = [
        SwipeProfile(), SwipeProfile(isUnreadyAfterSwipe: true, reportsCutSwipes: true),
        SwipeProfile(isSilentInBackground: true),
    ]

    @Test(arguments: events, Act.allCases)
    func noLawBreaksAndTheReaderWorksAfterwards(event: RecordName, act: Act) {
        let cache = CryptoCache()
        for profile in Self.profiles {
            for model in [MagneSafeModel.idynamo, .dynamag(packetByteCount: 64)] {
                var play = Play(model, profile, cache)
                play.story(upTo: event) { perform(act, on: &$0) }
                #expect(play.hasActed)
                #expect(play.violations.map(\.explanation) == [])
                #expect(play.cardsAfterARestart == 1)
            }
        }
    }

    private func perform(_ act: Act, on rig: inout Rig) {
        switch act {
        case .takeDelegateAway: rig.call(.setDelegate(nil))
        case .exchangeDelegate: rig.call(.setDelegate(.other))
        case .setSameDelegate: rig.call(.setDelegate(.app))
        case .setReaderDelegate: rig.call(.setDelegate(nil), reader: 0)
        case .close: rig.call(.close)
        case .background: rig.sendToBackground()
        case .backgroundAndForeground:
            rig.sendToBackground()
            rig.bringToForeground()
        case .kill: rig.killApp()
        case .killAndLaunch:
            rig.killApp()
            rig.launchApp()
        case .unplug: rig.act(.unplug(reader: 0))
        case .unplugAndPlugIn:
            rig.act(.unplug(reader: 0))
            rig.act(.plugIn(reader: 0))
        case .plugInOther: rig.act(.plugIn(reader: 1))
        case .swipe: rig.act(.swipe(reader: 0, card: "visa", quality: .good))
        case .cut:
            let next = rig.linkPosition(of: 0).unitCount + 1
            rig.inject(LinkFault(.cut, at: .unit(next)), reader: 0)
            rig.act(.swipe(reader: 0, card: "visa", quality: .good))
        }
    }

    /// A reader that is plugged in, swiped and pulled out, and the laws that watch.
    private struct Play {
        private var rig: Rig
        private var laws = LawBook(lawsOff: [], readerCount: 2)
        private var seenCount = 0
        private(set) var hasActed = false
        /// How many cards a swipe gave at the end, after the app was launched anew.
        private(set) var cardsAfterARestart = 0

        init(_ model: MagneSafeModel, _ profile: SwipeProfile, _ cache: CryptoCache) {
            var configuration = RigConfiguration(
                readers: [model, .idynamo].map {
                    RigReader(
                        name: "reader",
                        endpoint: .simulated(MagneSafeReaderConfiguration($0))
                    )
                }
            )
            configuration.profile = profile
            rig = Rig(configuration, cache: cache)
            rig.start()
        }

        var violations: [LawViolation] { laws.violations }

        mutating func story(upTo event: RecordName, _ act: (inout Rig) -> Void) {
            rig.pausesAtEvents = [event]
            for hand in [
                HandAct.plugIn(reader: 0), .swipe(reader: 0, card: "visa", quality: .good),
                .unplug(reader: 0),
            ] {
                rig.act(hand)
                settle(act)
            }
            restart(act)
            laws.finish(in: rig.journal)
        }

        private mutating func restart(_ act: (inout Rig) -> Void) {
            rig.killApp()
            rig.launchApp()
            // The first swipe meets the fault that still waits, if one does.
            for hand in [
                HandAct.unplug(reader: 0), .plugIn(reader: 0),
                .swipe(reader: 0, card: "visa", quality: .good), .unplug(reader: 0),
                .plugIn(reader: 0),
            ] {
                rig.act(hand)
                settle(act)
            }
            let before = rig.journal.count
            rig.act(.swipe(reader: 0, card: "mastercard", quality: .good))
            settle(act)
            cardsAfterARestart = (before..<rig.journal.count).count {
                rig.journal.record($0)?.name == .didSwipeCard
            }
        }

        private mutating func settle(_ act: (inout Rig) -> Void) {
            repeat {
                if rig.callback != nil, !hasActed {
                    hasActed = true
                    rig.pausesAtEvents = []
                    act(&rig)
                }
                while seenCount < rig.journal.count {
                    if let record = rig.journal.record(seenCount) {
                        laws.observe(record, in: rig.journal)
                    }
                    seenCount += 1
                }
            } while !rig.isQuiet && rig.advance() != .nothing
        }
    }
}
