import CardCrypto
import CardData
import Exploration
import ReaderProtocols
import ScenarioLanguage
import SimulatedReaders
import Testing

@Suite("Byte sweep")
struct ByteSweepTests {
    /// The length of the message that an iDynamo makes of the sweep's card, without its
    /// carriage return; the block is 500 bytes long.
    private func messageByteCount() throws -> Int {
        var reader = SimulatedMagneSafeReader(MagneSafeReaderConfiguration(.idynamo))
        let card = try #require(TestCard.named("visa"))
        let record = reader.record(card: card, quality: .good, cache: CryptoCache())
        return record.streamMessage().count - 1
    }

    @Test func aCutAtAnyByteOfAStreamBreaksNoPromise() throws {
        let found = ByteSweep.cut(.idynamo)
        #expect(found.complaints == [])
        #expect(found.positionCount == 501)
        // Only a cut in the padding leaves the card whole.
        #expect(found.cardCount == 500 - (try messageByteCount()))
    }

    @Test(arguments: [8, 64])
    func aCutAtAnyByteOfAReportBreaksNoPromise(packetByteCount: Int) {
        let found = ByteSweep.cut(.dynamag, packetByteCount: packetByteCount)
        #expect(found.complaints == [])
        #expect(found.positionCount == 888)
        // A packet that is cut does not arrive at all.
        #expect(found.cardCount == 0)
    }

    @Test func aStreamMayComeInTwoPiecesWhereverItIsSplit() {
        let found = ByteSweep.split(.idynamo)
        #expect(found.complaints == [])
        #expect(found.positionCount == 499)
        #expect(found.cardCount == found.positionCount)
    }
}
