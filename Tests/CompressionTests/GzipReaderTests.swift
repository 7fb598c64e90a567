import Testing

@testable import Compression

@Suite("gzip reader")
struct GzipReaderTests {
    /// `abc` twice, as two members behind each other.
    static let twoMembers = member + member

    /// Source: RFC 1952, section 2.3: a header without extras, one stored block, CRC-32, length.
    static let member: [UInt8] = [
        0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3, 1, 3, 0, 0xFC, 0xFF, 0x61, 0x62, 0x63, 0xC2, 0x41,
        0x24, 0x35, 3, 0, 0, 0,
    ]

    private func unpack(
        _ bytes: [UInt8],
        pieces: Int
    ) -> (bytes: [UInt8], last: GzipReader.Outcome, isWhole: Bool) {
        let reader = GzipReader()
        var unpacked: [UInt8] = []
        var rest = bytes[...]
        var last = GzipReader.Outcome.needsInput
        while !rest.isEmpty {
            reader.append(rest.prefix(pieces))
            rest = rest.dropFirst(pieces)
            repeat { last = reader.read { unpacked += $0 } } while isUnpacked(last)
        }
        return (unpacked, last, reader.isAtEndOfMember)
    }

    private func isUnpacked(_ outcome: GzipReader.Outcome) -> Bool {
        if case .unpacked = outcome { true } else { false }
    }

    @Test(arguments: 1...30)
    func membersBehindEachOtherAreOneStream(pieces: Int) {
        let result = unpack(Self.twoMembers, pieces: pieces)
        #expect(result.bytes == Array("abcabc".utf8))
        #expect(result.isWhole)
    }

    @Test func aCutFileIsNotWhole() {
        for count in 1..<Self.member.count {
            let result = unpack(Array(Self.member.prefix(count)), pieces: 7)
            #expect(!result.isWhole)
            #expect(result.last == .needsInput)
        }
    }

    @Test func aWrongChecksumIsDamage() {
        var bytes = Self.member
        bytes[18] ^= 1
        #expect(unpack(bytes, pieces: 100).last == .damaged)
    }

    @Test func bytesBehindTheLastMemberAreToldUnlessTheyAreZero() {
        #expect(unpack(Self.member + [1, 2], pieces: 100).last == .trailingBytes)
        #expect(unpack(Self.member + [0, 0], pieces: 100).isWhole)
    }
}
