import Testing

@testable import Compression

@Suite("gzip reader")
struct GzipReaderTests {
    @Test func nothingWaitsAtTheBeginning() {
        #expect(GzipReader().pendingByteCount == 0)
    }
}
