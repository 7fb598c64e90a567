import CardCrypto
import CardData
import ReaderProtocols
import Testing

@Suite("MagneSafe commands")
struct MagneSafeCommandVectorsTests {
    /// MagneSafe V5 Communication Reference Manual 99875475, examples 6 to 9: the counter of the
    /// key, the command without its MAC, the MAC.
    static let authenticated: [(counter: UInt32, command: String, code: String)] = [
        (0x1, "150503", "E7E2FA38"), (0x1, "150504", "2F38A60E"), (0x2, "150504", "D9B7F3D8"),
        (0x10, "01060201", "8720CE23"), (0x10, "01051E", "5157FCBC"),
        (0x11, "01051F", "4885838C"), (0x12, "010520", "442A09E6"), (0x13, "010521", "1FA9A44C"),
        (0x14, "0106220D", "381AD461"), (0x15, "01092C31303030", "D1538615"),
    ]

    @Test(arguments: authenticated)
    func carryTheMACsOfTheManual(counter: UInt32, command: String, code: String) throws {
        let cache = CryptoCache()
        let key = cache.derive(
            .publishedTestKey,
            ksn: KSN.publishedTestKSN.withCounter(counter),
            variant: .macRequest
        )
        let bytes = try #require(Hexadecimal.decode(command))
        let plain = MagneSafeCommand(number: bytes[0], data: Array(bytes[2...]))
        let sent = plain.authenticated { cache.mac($0, key: key) }
        #expect(Hexadecimal.encode(sent.bytes) == command + code)
        #expect(Hexadecimal.encode(sent.authenticatedBytes) == command)
    }

    @Test func theSecondCommandOfExample9UsesTheNextKey() throws {
        let cache = CryptoCache()
        let key = cache.derive(
            .publishedTestKey,
            ksn: KSN.publishedTestKSN.withCounter(0x11),
            variant: .macRequest
        )
        let sent = MagneSafeCommand(.setProperty, [0x1E]).authenticated { cache.mac($0, key: key) }
        #expect(Hexadecimal.encode(sent.bytes) == "01051E1A404CA8")
    }

    @Test(arguments: [24, 60])
    func travelInWholeFeatureReports(byteCount: Int) throws {
        let command = MagneSafeCommand(.setProperty, [0x10, 0x00])
        let report = try #require(command.report(byteCount: byteCount))
        #expect(report.count == byteCount)
        #expect(Array(report.prefix(5)) == [1, 2, 0x10, 0, 0])
        #expect(try MagneSafeCommand(report) == command)
        let response = MagneSafeResponse(.success, Array("21042840G01".utf8))
        let answer = try #require(response.report(byteCount: byteCount))
        #expect(Array(answer.prefix(3)) == [0, 11, 0x32])
        #expect(try MagneSafeResponse(answer) == response)
        let long = MagneSafeCommand(.encryptBulkData, Array(repeating: 1, count: byteCount - 1))
        #expect(long.report(byteCount: byteCount) == nil)
    }

    @Test func travelAsLinesOfText() throws {
        let command = MagneSafeCommand(.getProperty, [0x00])
        #expect(command.line == Array("000100\r".utf8))
        #expect(try MagneSafeCommand(line: Array("000100\r".utf8)) == command)
        #expect(try MagneSafeCommand(line: Array("000100".utf8)) == command)
        let response = try MagneSafeResponse(line: Array("000B3231303432383735413031\r".utf8))
        #expect(response == MagneSafeResponse(.success, Array("21042875A01".utf8)))
        #expect(MagneSafeResponse(.invalidOperation).line == Array("0700\r".utf8))
    }

    @Test(arguments: [
        ("", MagneSafeError(.truncated, offset: 0)), ("00", .init(.truncated, offset: 1)),
        ("0002AA", .init(.truncated, offset: 1)), ("000x", .init(.malformed, offset: 3)),
        ("000", .init(.malformed, offset: 3)), ("0001AABB", .init(.malformed, offset: 6)),
    ])
    func nameWhereALineIsWrong(line: String, error: MagneSafeError) {
        #expect(throws: error) { try MagneSafeCommand(line: Array(line.utf8)) }
        #expect(throws: error) { try MagneSafeResponse(line: Array(line.utf8)) }
    }

    @Test func anyBytesAreACommandOrAnError() {
        var generator = SeededGenerator(seed: 7)
        var errorCount = 0
        for _ in 0..<2_000 {
            let bytes = generator.bytes(upTo: 70)
            if (try? MagneSafeCommand(bytes)) == nil { errorCount += 1 }
            if (try? MagneSafeResponse(bytes)) == nil { errorCount += 1 }
            _ = try? MagneSafeCommand(line: bytes)
        }
        #expect(errorCount > 1_000 && errorCount < 4_000)
    }
}

@Suite("MagneSafe properties")
struct MagneSafePropertyTests {
    @Test func standInTheOrderOfTheirIds() {
        for table in [MagneSafeProperty.all, MagneSafeProperty.sureSwipe] {
            #expect(zip(table, table.dropFirst()).allSatisfy { $0.id < $1.id })
        }
        for property in MagneSafeProperty.all {
            #expect(MagneSafeProperty.with(id: property.id) == property)
        }
        #expect(MagneSafeProperty.with(id: 0x06) == nil)
        #expect(MagneSafeProperty.with(id: 0xFF) == nil)
    }

    @Test func acceptTheirOwnFactoryValue() {
        for property in MagneSafeProperty.all + MagneSafeProperty.sureSwipe {
            #expect(property.accepts(property.factoryValue), "\(property.name)")
        }
    }

    @Test(arguments: [
        (0x00, "21042840G01"), (0x04, "V05"), (0x07, "04040Y"), (0x22, "\r"), (0x23, "|"),
        (0x24, "%"), (0x29, "&"), (0x2C, "0000"), (0x50, "W9342QFNVM"),
        (0x51, "com.magtek.idynamo"),
    ])
    func leaveTheFactoryAsTheManualSays(id: UInt8, value: String) {
        #expect(MagneSafeProperty.with(id: id)?.factoryValue == Array(value.utf8))
    }

    @Test func areThoseOfAnIDynamo() {
        let ids = MagneSafeProperty.all.filter { $0.models.contains(.idynamo) }.map(\.id)
        let manual: [UInt8] =
            [0x00, 0x03, 0x04, 0x05, 0x07, 0x08, 0x10, 0x14, 0x19] + Array(0x1B...0x29)
            + Array(0x2B...0x2F) + [0x30, 0x31, 0x34, 0x50, 0x51, 0x54]
        #expect(ids.filter { $0 < 0xF0 } == manual)
    }
}
