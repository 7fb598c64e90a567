import EventLoops
import Testing

@testable import ReaderProtocols

@Suite("ID TECH HID reports")
struct IDTechReportAssemblerTests {
    private func at(_ milliseconds: Int64) -> VirtualInstant { .zero + .milliseconds(milliseconds) }

    private func read(_ report: [UInt8], packets size: Int, told: Int? = nil) -> [[UInt8]] {
        var assembler = IDTechReportAssembler(maximumPacketByteCount: told ?? size)
        var found: [[UInt8]] = []
        var time: Int64 = 0
        for start in stride(from: 0, to: report.count, by: size) {
            assembler.append(report[start..<min(report.count, start + size)], at: at(time))
            time += 1
            while let packet = assembler.next() { found.append(packet) }
        }
        assembler.expire(at: at(time + 60))
        while let packet = assembler.next() { found.append(packet) }
        return found
    }

    @Test(arguments: [1, 8, 32, 64, 537, 1_024])
    func aRecordComesOutOfItsReportInAnyPackets(size: Int) {
        for record in [IDTechVectors.a1, IDTechVectors.a5, IDTechVectors.a10] {
            let report = IDTechReportAssembler.report(of: record)
            #expect(report.count == 537)
            #expect(read(report, packets: size) == [record])
            #expect(read(report, packets: size, told: 0) == [record])
        }
    }

    @Test func severalReportsAreSeveralRecords() {
        let report = IDTechReportAssembler.report(of: IDTechVectors.a5)
        #expect(read(report + report, packets: 537).count == 2)
    }

    @Test func aClearReportGivesItsTextAndACarriageReturn() throws {
        let tracks = [Array("%B1^A^2?".utf8), Array(";1=2?".utf8), []]
        let report = IDTechReportAssembler.clearReport(
            of: tracks,
            isDecoded: [true, true, true],
            encodeType: .iso
        )
        #expect(report.count == 521)
        let found = read(report, packets: 8)
        #expect(found == [Array("%B1^A^2?;1=2?\r".utf8)])
        #expect(try IDTechClearText(found[0]).unmaskedTrack2 == tracks[1])
    }

    @Test func aCutReportGivesOnePieceAfterTheSilenceAndIsNoPartOfTheNext() {
        var assembler = IDTechReportAssembler(maximumPacketByteCount: 8)
        let report = IDTechReportAssembler.report(of: IDTechVectors.a5)
        assembler.append(report[0..<16], at: at(0))
        #expect(assembler.next() == nil)
        #expect(assembler.deadline == at(50))
        assembler.append(report[...], at: at(60))
        let first = assembler.next()
        #expect(first.map { (try? IDTechRecord($0)) == nil } == true)
        #expect(assembler.next() == IDTechVectors.a5)
        #expect(assembler.next() == nil)
    }

    @Test func zerosAloneAreNothing() {
        #expect(read([UInt8](repeating: 0, count: 537), packets: 8).isEmpty)
    }
}
