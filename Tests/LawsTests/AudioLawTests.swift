import EventLoops
import Journal
import Laws
import Testing

@Suite("Laws of the audio jack")
struct AudioLawTests {
    typealias Play = @Sendable (inout RecordStream) -> Void

    static let limit = VirtualDuration.seconds(20)

    /// Plays that keep every law.
    static let lawful: [Play] = [
        // A request is renewed at its time, day after day.
        {
            $0.powerUp()
            for _ in 0..<3 {
                $0.wait(limit)
                $0.unready(.refreshing)
                $0.ready()
            }
        },
        // A swipe ends it before.
        {
            $0.powerUp()
            $0.arrived(1)
            $0.card(.encrypted)
            $0.unready(.refreshing)
            $0.ready()
        },
        // The reading in which the swipe is told after the unready that it causes.
        {
            $0.powerUp()
            $0.arrived(1, isWhole: false)
            $0.wait(limit)
            $0.unready(.refreshing)
            $0.ready()
            $0.unready(.refreshing)
            $0.card(.none, (true, true, false))
            $0.ready()
        },
        // A renewal that the app takes back.
        {
            $0.powerUp()
            $0.wait(limit)
            $0.unready(.refreshing)
            $0.called(.alwaysAcceptSwipe, [Attribute(.isOn, .flag(false))])
            $0.wait(.seconds(60))
        },
        {
            $0.powerUp()
            $0.wait(limit)
            $0.unready(.refreshing)
            $0.called(.powerDown)
            $0.deactivated()
            $0.connected()
        },
        {
            $0.powerUp()
            $0.wait(limit)
            $0.unready(.refreshing)
            $0.transportLost()
            $0.deactivated()
            $0.disconnected()
        },
        // A limit that was set counts from the next request on.
        {
            $0.powerUp()
            $0.called(
                .setSwipeTimeoutDuration,
                [Attribute(.limit, .duration(.seconds(1)))]
            )
            $0.wait(limit)
            $0.unready(.refreshing)
            $0.ready()
            $0.wait(.seconds(3))
            $0.unready(.timedOut)
            $0.called(.requestSwipe)
            $0.ready()
        },
        // An app without delegate is owed nothing.
        {
            $0.powerUp()
            $0.write(.delegateSet, [Attribute(.delegate, .symbol(.none))])
            $0.wait(.seconds(100))
            $0.write(.delegateSet, [Attribute(.delegate, .symbol(.app))])
        },
        // Autodetection enters what it finds.
        {
            $0.plugged()
            $0.detection(.uniMag)
            $0.arrived(1)
            $0.card(.encrypted)
            $0.unready(.refreshing)
            $0.ready()
            $0.transportLost()
            $0.unwind()
        },
        {
            $0.plugged(1)
            $0.detection(.ips)
            $0.arrived(1, reader: 1)
            $0.card(.encrypted, reader: 1)
            $0.transportLost(reader: 1)
            $0.unwind(reader: 1)
        },
        {
            $0.plugged()
            $0.detection(.fail, (true, false, false))
            $0.transportLost()
            $0.disconnected()
        },
        // An IPS says nothing of a bad read.
        {
            $0.called(
                .setAudioJackReaderType,
                [Attribute(.audioJackReaderType, .symbol(.ips))]
            )
            $0.plugged(1)
            $0.connected(reader: 1)
            $0.activated(reader: 1)
            $0.ready(reader: 1)
            $0.arrived(1, reader: 1)
            $0.called(.beginTestCommunication)
            $0.tone(.communicationTest, into: .ips)
            $0.wait(.seconds(60))
            $0.arrived(2, reader: 1)
            $0.card(.encrypted, reader: 1)
        },
        // One library after the other.
        {
            $0.library(.uniMag, isLoaded: true)
            $0.library(.uniMag, isLoaded: false)
            $0.library(.ips, isLoaded: true)
        },
        // A setting of the app is consent.
        {
            $0.called(.messageOptions, [Attribute(.isOn, .flag(true))])
            $0.plugged()
            $0.connected()
            $0.tone()
            $0.activated(.timeout)
        },
        // A prompt may wait for hours.
        {
            $0.plugged()
            $0.connected()
            $0.wait(.seconds(10_000))
            $0.answered(.no)
        },
    ]

    @Test(arguments: lawful.indices)
    func whatIsLawfulIsNotReported(play: Int) {
        var stream = RecordStream.jack()
        Self.lawful[play](&stream)
        stream.end()
        #expect(stream.laws.violations == [])
    }

    /// Plays that break one law once, and no other.
    static let unlawful: [(law: LawName, play: Play)] = [
        (
            .refreshRenews,
            {
                $0.powerUp()
                $0.wait(limit)
                $0.unready(.refreshing)
                $0.deactivated()
                $0.connected()
            }
        ),
        (
            .refreshRenews,
            {
                $0.powerUp()
                $0.wait(limit)
                $0.unready(.refreshing)
                $0.wait(.milliseconds(11))
                $0.ready()
            }
        ),
        (
            .refreshRenews,
            {
                $0.powerUp()
                $0.wait(limit)
                $0.unready(.refreshing)
            }
        ),
        (
            .timeoutHonoured,
            {
                $0.powerUp()
                $0.wait(.milliseconds(19_990))
                $0.unready(.timedOut)
            }
        ),
        (
            .timeoutHonoured,
            {
                $0.powerUp()
                $0.wait(.milliseconds(20_020))
                $0.unready(.timedOut)
            }
        ),
        (
            .timeoutHonoured,
            {
                $0.powerUp()
                $0.wait(.milliseconds(100))
                $0.unready(.refreshing)
                $0.ready()
            }
        ),
        (
            .timeoutHonoured,
            {
                $0.powerUp()
                $0.wait(.seconds(30))
                $0.write(.volumeChanged)
            }
        ),
        (
            .autodetectSilent,
            {
                $0.plugged()
                $0.write(.deviceAutodetectStarted)
                $0.connected()
                $0.write(.deviceAutodetectComplete, [Attribute(.result, .symbol(.fail))])
            }
        ),
        (
            .autodetectSilent,
            {
                $0.write(.deviceAutodetectStarted)
                $0.write(.alertShown)
                $0.write(.deviceAutodetectComplete, [Attribute(.result, .symbol(.fail))])
            }
        ),
        (
            .autodetectSilent,
            { $0.write(.deviceAutodetectComplete, [Attribute(.result, .symbol(.fail))]) }
        ),
        (
            .autodetectSilent,
            {
                $0.write(.deviceAutodetectStarted)
                $0.write(.deviceAutodetectStarted)
                $0.write(.deviceAutodetectComplete, [Attribute(.result, .symbol(.fail))])
            }
        ),
        (
            .oneAudioReader,
            {
                $0.library(.uniMag, isLoaded: true)
                $0.library(.ips, isLoaded: true)
            }
        ),
        (
            .oneAudioReader,
            {
                $0.library(.ips, isLoaded: true)
                $0.library(.ips, isLoaded: false, isClean: false)
                $0.library(.uniMag, isLoaded: true)
            }
        ),
        (
            .noToneWithoutConsent,
            {
                $0.plugged()
                $0.connected()
                $0.tone()
                $0.activated()
                $0.ready()
            }
        ),
        (
            .noToneWithoutConsent,
            {
                $0.plugged()
                $0.connected()
                $0.answered(.no)
                $0.tone()
                $0.activated()
                $0.ready()
            }
        ),
        (
            .noToneWithoutConsent,
            {
                $0.powerUp()
                $0.transportLost()
                $0.unwind()
                $0.plugged()
                $0.connected()
                $0.tone(into: .headphones)
                $0.activated()
                $0.ready()
            }
        ),
        (.noToneWithoutConsent, { $0.tone(.communicationTest, into: .headphones) }),
        (
            .oneCallbackPerSwipe,
            {
                $0.plugged(1)
                $0.detection(.ips)
                $0.arrived(1, reader: 1)
                $0.card(.encrypted, reader: 1)
                $0.card(.encrypted, reader: 1)
            }
        ),
        (
            .oneCallbackPerSwipe,
            {
                $0.powerUp()
                $0.arrived(1)
                $0.unready(.refreshing)
                $0.ready()
            }
        ),
        (
            .nesting,
            {
                $0.plugged()
                $0.detection(.uniMag)
                $0.connected()
            }
        ),
        (
            .settles,
            {
                $0.plugged()
                $0.connected()
                $0.answered()
                $0.tone()
            }
        ),
        (
            .settles,
            {
                $0.plugged()
                $0.connected()
                $0.answered()
                $0.tone()
                $0.activated()
            }
        ),
    ]

    @Test(arguments: unlawful.indices)
    func whatIsUnlawfulIsReportedOnceAndByItsLaw(play: Int) {
        let others = LawName.allCases.filter { $0 != Self.unlawful[play].law }
        // What is broken may break others with it; each law is asked alone and found once.
        var stream = RecordStream.jack(lawsOff: others)
        Self.unlawful[play].play(&stream)
        stream.end()
        #expect(stream.broken == [Self.unlawful[play].law])
        #expect(stream.laws.violations.allSatisfy { $0.explanation.contains(", but ") })
    }

    @Test func aReaderThatIsTakenForGoneWhenItsPlaceWasTakenHasNotSettled() {
        var stream = RecordStream.jack(AudioSettings(readerType: .ips))
        stream.plugged(1)
        stream.connected(reader: 1)
        stream.activated(reader: 1)
        stream.ready(reader: 1)
        // The host is told of the new thing first, and then that the old one left.
        stream.plugged(0)
        stream.transportLost(reader: 1)
        stream.unwind(reader: 1)
        stream.end()
        #expect(stream.laws.violations.map(\.law) == [.settles])
    }

    @Test func aLimitOutsideOfItsBoundsIsBroughtInside() {
        for (wanted, honoured): (Int64, Int64) in [(1, 3), (3, 3), (7, 7), (20, 20), (30, 20)] {
            var stream = RecordStream.jack(
                lawsOff: [.settles],
                AudioSettings(alwaysAcceptsSwipes: false, swipeTimeout: .seconds(wanted))
            )
            stream.powerUp()
            stream.wait(.milliseconds(honoured * 1_000 - 1))
            stream.unready(.timedOut)
            stream.end()
            #expect(stream.laws.violations == [])
        }
    }

    @Test func theFlagsAtTheEndOfAnAutodetectionAreCompared() {
        var stream = RecordStream.jack()
        stream.plugged()
        stream.detection(.ips, (true, true, false))
        #expect(stream.broken == [.flagsAgree])
    }

    @Test func aNewAppStartsWithItsSettings() {
        var stream = RecordStream.jack()
        stream.called(.messageOptions, [Attribute(.isOn, .flag(true))])
        stream.library(.uniMag, isLoaded: true)
        stream.write(.appKilled)
        stream.write(.appLaunched, [Attribute(.delegate, .symbol(.app))])
        stream.library(.ips, isLoaded: true)
        #expect(stream.broken == [])
        stream.tone()
        #expect(stream.broken == [.noToneWithoutConsent])
    }

    @Test func readersThatAreNotAtTheJackAreNotAskedForIt() {
        var stream = RecordStream(readerNames: ["idynamo"])
        stream.tone()
        stream.library(.uniMag, isLoaded: true)
        stream.library(.ips, isLoaded: true)
        stream.write(.deviceAutodetectComplete)
        stream.end()
        #expect(stream.laws.violations == [])
    }

    @Test func promptsCountWhereNobodyAnswersThem() {
        for isCounted in [false, true] {
            var stream = RecordStream(readerNames: ["shuttle"], countsDialogues: isCounted)
            stream.connected()
            stream.write(.promptShown)
            stream.expectations.begin(.expect([pattern(.deviceConnected)]), in: stream.journal)
            let failure = stream.expectations.finish(allowsUnexpected: false, in: stream.journal)
            #expect((failure != nil) == isCounted)
        }
    }
}
