import EventLoops
import Testing

@testable import MagneticStripe

@Suite struct StripeRecordingTests {
    private func signal(
        _ track: StripeTrack,
        _ text: String,
        _ change: (inout SwipeMotion) -> Void = { _ in }
    ) throws -> [Int16] {
        var motion = SwipeMotion()
        change(&motion)
        let flux = try #require(StripeFlux(track: track, text: text.utf8))
        return HeadSignal(flux: flux, track: track, motion: motion).samples
    }

    private func noise(_ count: Int, scale: Int) -> [Int16] {
        var noise = GaussianNoise(seed: 3, stream: 9)
        return (0..<count).map { _ in Int16(clamping: noise.next(scale: scale)) }
    }

    private func passes(
        of samples: [Int16],
        pieces: Int = 4_096,
        track: StripeTrack? = nil
    ) -> [StripeRecording.Pass] {
        var recording = StripeRecording(sampleRate: 48_000, track: track)
        var passes: [StripeRecording.Pass] = []
        for start in stride(from: 0, to: samples.count, by: pieces) {
            passes += recording.append(samples[start..<min(samples.count, start + pieces)])
        }
        return passes + recording.finish()
    }

    private func texts(_ passes: [StripeRecording.Pass]) -> [String] {
        passes.map {
            if case .read(let text, let isReversed) = $0.reading {
                (isReversed ? "<" : "") + String(decoding: text, as: UTF8.self)
            } else {
                "\($0.reading)"
            }
        }
    }

    @Test func everyPassOfARecordingIsFoundWithItsTrackAndSpeed() throws {
        let silence = [Int16](repeating: 0, count: 30_000)
        let slow = try signal(.one, StripeVectors.track1) {
            $0.speedHundredths = 500
            $0.endSpeedHundredths = 500
        }
        let back = try signal(.two, StripeVectors.track2) { $0.isReversed = true }
        let licence = "%  982300000      D               180160BROBLU?"
        let samples =
            silence + slow + silence + back + silence + (try signal(.one, licence)) + silence
        for pieces in [1_000, 4_096, samples.count] {
            let passes = passes(of: samples, pieces: pieces)
            #expect(
                texts(passes) == [StripeVectors.track1, "<" + StripeVectors.track2, licence]
            )
            #expect(passes.map(\.track) == [.one, .two, .one])
            #expect(abs((passes.first?.speedHundredths ?? 0) - 500) <= 5)
            #expect(abs((passes.dropFirst().first?.speedHundredths ?? 0) - 2_000) <= 20)
            #expect(abs((passes.first?.startSample ?? 0) - 30_000) < 2_400)
        }
    }

    @Test func passesAreFoundInNoiseAndOnAnOffset() throws {
        let swipe = try signal(.two, StripeVectors.track2) { $0.noisePerMille = 0 }
        let pause = [Int16](repeating: 0, count: 60_000)
        let clean = pause + swipe + pause + swipe + pause
        let noise = noise(clean.count, scale: 1_200)
        let samples = zip(clean, noise).map { Int16(clamping: Int($0) + Int($1) + 2_000) }
        #expect(texts(passes(of: samples)) == [StripeVectors.track2, StripeVectors.track2])
    }

    @Test func aRecordingThatIsOnePassIsRead() throws {
        let swipe = try signal(.two, StripeVectors.track2)
        #expect(texts(passes(of: swipe)) == [StripeVectors.track2])
        #expect(texts(passes(of: swipe, track: .two)) == [StripeVectors.track2])
    }

    @Test func whatIsNoTrackIsSaidAndSilenceIsNothing() throws {
        #expect(passes(of: []).isEmpty)
        #expect(passes(of: [Int16](repeating: 5, count: 500_000)).isEmpty)
        let pause = [Int16](repeating: 0, count: 60_000)
        #expect(texts(passes(of: pause + noise(20_000, scale: 3_000) + pause)) == ["failed"])
        let hole = try signal(.two, StripeVectors.track2) {
            $0.dropouts = [
                SwipeMotion.Dropout(startNanometres: 20_000_000, lengthNanometres: 3_000_000)
            ]
        }
        #expect(texts(passes(of: pause + hole + pause)) == ["failed"])
    }

    @Test func memoryDoesNotGrowWithTheRecording() throws {
        var recording = StripeRecording(sampleRate: 48_000)
        let swipe = try signal(.two, StripeVectors.track2)
        let piece = swipe + [Int16](repeating: 0, count: 96_000 - swipe.count)
        var found = 0
        for _ in 0..<10 {
            found += recording.append(piece).count
            #expect(recording.heldSampleCount <= 48_000 * 14)
        }
        #expect(found + recording.finish().count == 10)
        // Without end: always loud, and cut again and again.
        var loud = StripeRecording(sampleRate: 8_000)
        _ = loud.append([Int16](repeating: 0, count: 8_000))
        let noise = noise(16_000, scale: 3_000)
        for _ in 0..<15 {
            _ = loud.append(noise)
            #expect(loud.heldSampleCount <= 8_000 * 16)
        }
    }
}
