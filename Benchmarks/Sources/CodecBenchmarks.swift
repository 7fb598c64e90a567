import CardCrypto
import CardData
import EventLoops
import ReaderProtocols
import SimulatedReaders

/// What a reader makes of a good swipe of the first test card.
func swipeRecord(_ model: MagneSafeModel, _ cache: CryptoCache) -> MagneSafeRecord? {
    guard let card = TestCard.named("visa") else { return nil }
    var reader = SimulatedMagneSafeReader(MagneSafeReaderConfiguration(model))
    return reader.record(card: card, quality: .good, cache: cache)
}

/// One swipe encoded and decoded: as a stream of blocks and as a report in packets of 8 bytes.
func measureCodecs(_ measurement: Measurement) {
    let cache = CryptoCache()
    guard let streamed = swipeRecord(.idynamo, cache),
        let reported = swipeRecord(.dynamag(packetByteCount: 8), cache)
    else { return }
    measurement.nanoseconds("codec_stream") { repetitions in
        for _ in 0..<repetitions {
            var decoder = MagneSafeStreamDecoder()
            decoder.append(streamed.streamBlocks().span)
            while let reading = decoder.next() { blackHole(reading) }
        }
    }
    measurement.nanoseconds("codec_report") { repetitions in
        for _ in 0..<repetitions {
            var assembler = MagneSafeReportAssembler(maximumPacketByteCount: 8)
            let report = reported.report()
            var start = 0
            while start < report.count {
                let end = min(start + 8, report.count)
                assembler.append(report[start..<end], at: .zero)
                start = end
            }
            while let reading = assembler.next() { blackHole(reading) }
        }
    }
}

/// Derivation and encryption of one key and the text of a track, remembered and new.
func measureCrypto(_ measurement: Measurement) {
    let cache = CryptoCache()
    let text = [UInt8](repeating: 0x41, count: 64)
    measurement.nanoseconds("crypto_hit") { repetitions in
        for _ in 0..<repetitions {
            encrypt(text, .publishedTestKSN.withCounter(1), cache)
        }
    }
    var ksn = KSN.publishedTestKSN
    measurement.nanoseconds("crypto_miss") { repetitions in
        for _ in 0..<repetitions {
            ksn = ksn.next ?? .publishedTestKSN
            encrypt(text, ksn, cache)
        }
    }
}

private func encrypt(_ text: [UInt8], _ ksn: KSN, _ cache: CryptoCache) {
    let key = cache.derive(.publishedTestKey, ksn: ksn, variant: .pin)
    var output: [UInt8] = []
    output.reserveCapacity(text.count)
    cache.encrypt(text.span, key: key, into: &output)
    blackHole(output)
}
