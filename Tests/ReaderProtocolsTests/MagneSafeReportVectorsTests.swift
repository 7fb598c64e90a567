import CardCrypto
import CardData
import Cryptography
import EventLoops
import ReaderProtocols
import Testing

@Suite("MagneSafe report")
struct MagneSafeReportVectorsTests {
    /// Example 11 of the MagneSafe V5 Communication Reference Manual.
    static let level3: MagneSafeRecord = {
        func bytes(_ text: String) -> [UInt8] { Hexadecimal.decode(text) ?? [] }
        typealias Track = MagneSafeRecord.Track
        return MagneSafeRecord(
            track1: Track(
                status: .read,
                masked: Array("%B5452000000007189^HOGAN/PAUL      ^08040000000000000000000?".utf8),
                encrypted: bytes(
                    "C25C1D1197D31CAA87285D59A892047426D9182EC11353C051ADD6D0F072A6CB"
                        + "3436560B3071FC1FD11D9F7E74886742D9BEE0CFD1EA1064C213BB55278B2F12"
                )
            ),
            track2: Track(
                status: .read,
                masked: Array(";5452000000007189=080400000000000000?".utf8),
                encrypted: bytes(
                    "724C5DB7D6F901C7F0FEAE7908801093B3DBFE51CCF6D483E789D7D2C007D539"
                        + "499BAADCC8D16CA2"
                )
            ),
            track3: Track(
                status: .read,
                masked: Array(";5163000050000445=000000000000?".utf8),
                encrypted: bytes("76BB013C0DFD8195F16F2FBC50A35171AA370131F87442313EE36457B87C87F9")
            ),
            encodeType: .iso,
            magnePrintStatus: MagnePrintStatus(rawValue: 0x05A1),
            magnePrint: bytes(
                "4703576BC5C2CB20BC04C68B5CE1972AE89E087B1C4D47D5D0E31706106903E6"
                    + "0B82030792690A571DB02D0A88855A35ABB5549798006B42"
            ),
            sessionID: 0x2168_5F15_8B5C_6BE0,
            ksn: KSN("FFFF9876543210E00008")
        )
    }()

    /// Example 3 of the same manual: level 2, everything clear.
    static let level2: MagneSafeRecord = {
        typealias Track = MagneSafeRecord.Track
        let track1 = Array("%B5452300551227189^HOGAN/PAUL      ^08043210000000725000000?".utf8)
        let track2 = Array(";5452300551227189=080432100000007250?".utf8)
        let track3 = Array(";5163499080020445=000000000000?".utf8)
        return MagneSafeRecord(
            track1: Track(status: .read, masked: track1, encrypted: track1),
            track2: Track(status: .read, masked: track2, encrypted: track2),
            track3: Track(status: .read, masked: track3, encrypted: track3),
            encodeType: .iso,
            readerStatus: .initialKeyInjected,
            magnePrintStatus: []
        )
    }()

    /// The number of fields of a V5 report.
    static let fieldCount = 31

    /// Example 1 of the manual: a USB reader at level 2 with MagnePrint, tracks padded to blocks.
    @Test func holdsTheListingOfExample1() throws {
        let magnePrint = try #require(
            Hexadecimal.decode(
                "0100028C97A8CA5B69CFD866AA2388E3E12BE37904D3316EF53F9C300BE243A0"
                    + "4E6C680987B252DC8904A6F02BA773E703AFEAADC01F0000"
            )
        )
        typealias Track = MagneSafeRecord.Track
        let track1 = Array("%B5452300551227189^HOGAN/PAUL      ^08043210000000725000000?".utf8)
        let track2 = Array(";5452300551227189=080432100000007250?".utf8)
        let record = MagneSafeRecord(
            track1: Track(status: .read, masked: track1, encrypted: track1 + [0, 0, 0, 0]),
            track2: Track(status: .read, masked: track2, encrypted: track2 + [0, 0, 0]),
            encodeType: .iso,
            readerStatus: .initialKeyInjected,
            magnePrintStatus: MagnePrintStatus(rawValue: 0x05A1),
            magnePrint: magnePrint,
            serial: Array("B000795".utf8)
        )
        let report = record.report()
        #expect(Array(report[3..<7]) == [64, 40, 0, 0])
        #expect(Array(report[344..<349]) == [0xA1, 0x05, 0x00, 0x00, 0x38])
        #expect(Array(report[477..<493]) == Array("B000795".utf8) + [UInt8](repeating: 0, count: 9))
        #expect(Array(report[493..<505]) == [0, 2] + [UInt8](repeating: 0, count: 10))
        #expect(Array(report[505..<508]) == [60, 37, 0])
        #expect(Array(report[852..<856]) == [60, 37, 0, 0x36])
        #expect(Array(report[856..<862]) == [0xFF, 0xFF, 0xFF] + Array("V05".utf8))
        #expect(try MagneSafeRecord(report: report) == record)
    }

    @Test func clearReportsOfSureSwipeReadersComeBack() throws {
        var record = Self.level2
        record.readerStatus = []
        record.track2 = .failed
        let report = record.report(byteCount: 337)
        #expect(report.count == 337)
        #expect(Array(report[..<7]) == [0, 1, 0, 60, 0, 31, 0])
        #expect(Array(report[7..<67]) == record.track1.encrypted)
        #expect(Array(report[227..<258]) == record.track3.encrypted)
        #expect(try MagneSafeRecord(sureSwipeReport: report) == record)
        var long = report
        long[3] = 111
        #expect(throws: MagneSafeError(.malformed, offset: 3)) {
            try MagneSafeRecord(sureSwipeReport: long)
        }
        #expect(throws: MagneSafeError(.wrongReportLength, offset: 336)) {
            try MagneSafeRecord(sureSwipeReport: report.dropLast())
        }
        for size in [8, 64] {
            var assembler = MagneSafeReportAssembler(
                maximumPacketByteCount: size,
                reportByteCount: 337
            )
            for start in stride(from: 0, to: report.count, by: size) {
                assembler.append(report[start..<min(start + size, report.count)], at: .zero)
            }
            #expect(assembler.next() == .record(record))
        }
    }

    @Test func whatOnlySomeReadersSendComesBack() throws {
        var record = Self.level3
        record.cardStatus = 1
        record.track2Hash = (1...20).map { UInt8($0) }
        #expect(try MagneSafeRecord(report: record.report()) == record)
        #expect(record.report()[343] == 1)
        #expect(Array(record.report()[867..<887]) == record.track2Hash)
    }

    @Test func writesTheDumpsOfTheManual() {
        #expect(
            Hexadecimal.encode(SHA256.digest(of: Self.level3.report(byteCount: 856)))
                == "7D22DF75159927FAE840F118569A378F066CE1028559DF9676E50E9F9AA96A61"
        )
        #expect(
            Hexadecimal.encode(SHA256.digest(of: Self.level2.report(byteCount: 856)))
                == "E7530DFF079A4AE6A41F4C4F35685575E5D0BC0CE9B5F1FE2BECA97A054876C8"
        )
    }

    @Test(arguments: [856, 887])
    func readsWhatItWrote(byteCount: Int) throws {
        for record in [Self.level2, Self.level3] {
            let report = record.report(byteCount: byteCount)
            #expect(report.count == byteCount)
            #expect(try MagneSafeRecord(report: report) == record)
        }
        var record = Self.level3
        record.track1 = .failed
        record.track3 = .blank
        record.encodeType = .undetermined
        record.serial = Array("B000795".utf8)
        record.ksn = nil
        if byteCount == 887 { record.encryptionCounter = 0x0007F1 }
        #expect(try MagneSafeRecord(report: record.report(byteCount: byteCount)) == record)
    }

    @Test func showsTheCardOfTheManual() {
        #expect(Self.level3.maskedCardNumber?.description == "5452000000007189")
        #expect(Self.level3.expirationDate?.description == "0408")
        #expect(Self.level3.cardholderName?.description == "HOGAN/PAUL")
        #expect(Self.level2.maskedCardNumber?.description == "5452300004007189")
    }

    @Test func refusesOtherLengthsAndFieldsThatAreTooLong() {
        #expect(throws: MagneSafeError(.wrongReportLength, offset: 337)) {
            try MagneSafeRecord(report: [UInt8](repeating: 0, count: 337))
        }
        for (offset, value) in [(3, 113), (6, 7), (348, 129), (507, 255)] {
            var report = Self.level3.report()
            report[offset] = UInt8(value)
            #expect(throws: MagneSafeError(.malformed, offset: offset)) {
                try MagneSafeRecord(report: report)
            }
        }
    }

    @Test func everyByteOfAReportMayHaveAnyValue() {
        var refused = 0
        for offset in 0..<887 {
            for value in [0, 1, 112, 113, 127, 255] as [UInt8] {
                var report = Self.level3.report()
                report[offset] = value
                do {
                    _ = try MagneSafeRecord(report: report).isUnreadable
                } catch {
                    refused += 1
                }
            }
        }
        // Six track lengths refuse 113, 127 and 255; MagnePrint's refuses 255; the encode type
        // refuses 112 to 255.
        #expect(refused == 6 * 3 + 1 + 4)
    }
}

@Suite("MagneSafe report assembler")
struct MagneSafeReportAssemblerVectorsTests {
    private static let record = MagneSafeReportVectorsTests.level3

    private func packets(_ report: [UInt8], _ size: Int) -> [ArraySlice<UInt8>] {
        stride(from: 0, to: report.count, by: size).map {
            report[$0..<min($0 + size, report.count)]
        }
    }

    private func milliseconds(_ count: Int64) -> VirtualInstant {
        VirtualInstant.zero + .milliseconds(count)
    }

    private func readings(_ assembler: inout MagneSafeReportAssembler) -> [MagneSafeReading] {
        var all: [MagneSafeReading] = []
        while let reading = assembler.next() { all.append(reading) }
        return all
    }

    @Test(arguments: [8, 64, 887])
    func packetsBecomeOneReport(size: Int) {
        var assembler = MagneSafeReportAssembler(maximumPacketByteCount: min(size, 64))
        var time: Int64 = 0
        for _ in 0..<2 {
            for packet in packets(Self.record.report(), size) {
                #expect(assembler.next() == nil)
                assembler.append(packet, at: milliseconds(time))
                time += 1
            }
            #expect(readings(&assembler) == [.record(Self.record)])
            #expect(assembler.deadline == nil)
        }
    }

    @Test func anOlderReportWithoutShortPacketEndsWithSilence() {
        let report = Self.record.report(byteCount: 856)
        var assembler = MagneSafeReportAssembler(maximumPacketByteCount: 8)
        for packet in packets(report, 8) { assembler.append(packet, at: .zero) }
        #expect(assembler.next() == nil)
        assembler.expire(at: milliseconds(49))
        #expect(assembler.next() == nil)
        #expect(assembler.deadline == milliseconds(50))
        assembler.expire(at: milliseconds(50))
        #expect(readings(&assembler) == [.record(Self.record)])

        var knowing = MagneSafeReportAssembler(maximumPacketByteCount: 8, reportByteCount: 856)
        for packet in packets(report, 8) { knowing.append(packet, at: .zero) }
        #expect(readings(&knowing) == [.record(Self.record)])

        var whole = MagneSafeReportAssembler(maximumPacketByteCount: 8)
        whole.append(report[...], at: .zero)
        #expect(readings(&whole) == [.record(Self.record)])
    }

    @Test(arguments: [8, 64])
    func aLostOrRepeatedPacketDamagesItsReportOnly(size: Int) {
        let sent = packets(Self.record.report(), size)
        for index in sent.indices {
            for isLost in [true, false] {
                var assembler = MagneSafeReportAssembler(maximumPacketByteCount: size)
                var changed = sent
                if isLost {
                    changed.remove(at: index)
                } else {
                    changed.insert(sent[index], at: index)
                }
                for packet in changed { assembler.append(packet, at: .zero) }
                for packet in sent { assembler.append(packet, at: milliseconds(200)) }
                let all = readings(&assembler)
                guard all.last == .record(Self.record), all.count == 2 else {
                    Issue.record("\(all.count) readings, packet \(index), lost: \(isLost)")
                    continue
                }
                // A repeated last packet is the one change that costs nothing.
                let isHarmless = !isLost && index == sent.count - 1
                #expect((all[0] == all[1]) == isHarmless)
            }
        }
    }

    @Test func halfAReportIsNotJoinedToALaterOne() {
        var assembler = MagneSafeReportAssembler(maximumPacketByteCount: 64)
        let sent = packets(Self.record.report(), 64)
        for packet in sent[..<7] { assembler.append(packet, at: .zero) }
        for packet in sent[7...] { assembler.append(packet, at: milliseconds(51)) }
        let all = readings(&assembler)
        #expect(all == [.damaged(MagneSafeError(.wrongReportLength, offset: 448))])

        assembler.append(sent[0], at: milliseconds(500))
        assembler.reset()
        for packet in sent { assembler.append(packet, at: milliseconds(501)) }
        #expect(readings(&assembler) == [.record(Self.record)])
    }

    @Test func aReportThatDoesNotEndIsDamagedOnce() {
        var assembler = MagneSafeReportAssembler(maximumPacketByteCount: 64)
        let packet = [UInt8](repeating: 0, count: 64)
        for _ in 0..<1_000 { assembler.append(packet[...], at: .zero) }
        #expect(assembler.next() == nil)
        assembler.append(packet[..<1], at: .zero)
        #expect(readings(&assembler) == [.damaged(MagneSafeError(.tooLong, offset: 0))])
    }
}
