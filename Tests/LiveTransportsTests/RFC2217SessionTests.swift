import Testing

@testable import LiveTransports

@Suite("RFC 2217 session")
struct RFC2217SessionTests {
    /// What ser2net 4.3.11 says to a new client, as recorded: it offers SUPPRESS-GO-AHEAD and ECHO
    /// and wants BINARY and COM-PORT, then tells the state of the modem.
    private static let greeting: [UInt8] = [
        0xFF, 0xFB, 0x03, 0xFF, 0xFD, 0x03, 0xFF, 0xFB, 0x01, 0xFF, 0xFE, 0x01, 0xFF, 0xFD, 0x00,
        0xFF, 0xFB, 0x00, 0xFF, 0xFD, 0x2C, 0xFF, 0xFA, 0x2C, 0x6B, 0x00, 0xFF, 0xF0,
    ]

    /// The acknowledgements of 115,200 bit/s, 8 data bits, no parity and one stop bit.
    private static let acknowledgements: [UInt8] = [
        0xFF, 0xFA, 0x2C, 0x65, 0x00, 0x01, 0xC2, 0x00, 0xFF, 0xF0, 0xFF, 0xFA, 0x2C, 0x66, 0x08,
        0xFF, 0xF0, 0xFF, 0xFA, 0x2C, 0x67, 0x01, 0xFF, 0xF0, 0xFF, 0xFA, 0x2C, 0x68, 0x01, 0xFF,
        0xF0,
    ]

    private func ready() throws -> RFC2217Session {
        var session = RFC2217Session(baud: 115_200)
        _ = try session.receive(Self.greeting)
        _ = try session.receive(Self.acknowledgements)
        return session
    }

    @Test func theLineIsReadyOnceTheServerAcknowledgedItAndDTRIsNotInsistedOn() throws {
        var session = RFC2217Session(baud: 115_200)
        #expect(RFC2217Session.opening.starts(with: [0xFF, 0xFB, 0x2C]))
        let taken = try session.receive(Self.greeting)
        #expect(taken.data == [])
        let setUp: [UInt8] =
            [0xFF, 0xFE, 0x01]
            + [0xFF, 0xFA, 0x2C, 0x01, 0x00, 0x01, 0xC2, 0x00, 0xFF, 0xF0]
            + [0xFF, 0xFA, 0x2C, 0x02, 0x08, 0xFF, 0xF0, 0xFF, 0xFA, 0x2C, 0x03, 0x01, 0xFF, 0xF0]
            + [0xFF, 0xFA, 0x2C, 0x04, 0x01, 0xFF, 0xF0, 0xFF, 0xFA, 0x2C, 0x05, 0x01, 0xFF, 0xF0]
            + [0xFF, 0xFA, 0x2C, 0x05, 0x08, 0xFF, 0xF0, 0xFF, 0xFA, 0x2C, 0x05, 0x0B, 0xFF, 0xF0]
        #expect(taken.replies == setUp)
        #expect(!session.isReady)
        #expect(try session.receive(Self.acknowledgements) == RFC2217Session.Taken())
        #expect(session.isReady, "DTR and RTS were not answered")
    }

    @Test func everyChunkingOfTheSameBytesIsTheSame() throws {
        let bytes =
            Self.greeting + Self.acknowledgements + [
                0x01, 0x00, 0xFF, 0xFF, 0x02, 0x0D, 0x00, 0x41,
            ]
        var whole = RFC2217Session(baud: 115_200)
        let expected = try whole.receive(bytes)
        #expect(expected.data == [0x01, 0x00, 0xFF, 0x02, 0x0D, 0x00, 0x41], "BINARY is agreed")
        for size in 1..<bytes.count {
            var session = RFC2217Session(baud: 115_200)
            var taken = RFC2217Session.Taken()
            for start in stride(from: 0, to: bytes.count, by: size) {
                let piece = try session.receive(bytes[start..<min(start + size, bytes.count)])
                taken.data += piece.data
                taken.replies += piece.replies
            }
            #expect(taken == expected)
        }
    }

    @Test func everyByteTravelsInBothDirections() throws {
        let all = (0...255).map { UInt8($0) }
        var binary = try ready()
        let sent = binary.encoded(all[...])
        #expect(sent.count == 257, "only FF is doubled")
        #expect(try binary.receive(sent).data == all)
        // Without BINARY a carriage return has a zero behind it.
        var text = RFC2217Session(baud: 115_200)
        let escaped = text.encoded(all[...])
        #expect(escaped.count == 258)
        #expect(try text.receive(escaped).data == all)
        #expect(
            try text.receive([0x0D, 0x0A, 0x0D, 0x00, 0x0D, 0xFF, 0xFF]).data == [
                0x0D, 0x0A, 0x0D, 0x0D, 0xFF,
            ]
        )
    }

    @Test func aSpeedWithAByteOfFFIsDoubledToo() throws {
        var session = RFC2217Session(baud: 0x00FF00)
        let replies = try session.receive([0xFF, 0xFD, 0x2C]).replies
        #expect(
            replies.starts(with: [0xFF, 0xFA, 0x2C, 0x01, 0x00, 0x00, 0xFF, 0xFF, 0x00, 0xFF, 0xF0])
        )
    }

    @Test(arguments: [
        ([0xFF, 0xFE, 0x2C], "it refuses COM-PORT control"),
        (
            [0xFF, 0xFA, 0x2C, 0x65, 0x00, 0x00, 0x25, 0x80, 0xFF, 0xF0],
            "it set the line to 9600 bit/s instead of 115200"
        ),
        ([0xFF, 0xFA, 0x2C, 0x65, 0x01, 0xFF, 0xF0], "a speed of 1 bytes, not 4"),
        ([0xFF, 0xFA, 0x2C, 0x66, 0x07, 0xFF, 0xF0], "it set data bits to 7, not to 8"),
        ([0xFF, 0xFA, 0x2C, 0x67, 0xFF, 0xF0], "it set a parity to nothing, not to 1"),
        ([0xFF, 0xFA, 0x2C, 0x01, 0xFF, 0xFD], "it sent the telnet command 253 inside"),
    ])
    func aServerThatBreaksTheProtocolIsNamed(bytes: [UInt8], reason: String) throws {
        var session = RFC2217Session(baud: 115_200)
        do throws(RFC2217Session.Violation) {
            _ = try session.receive(bytes)
            Issue.record("it was taken")
        } catch {
            #expect(error.reason.contains(reason))
        }
    }

    @Test func whatHasNoEndIsBounded() throws {
        var endless = try ready()
        let start: [UInt8] = [0xFF, 0xFA, 0x2C]
        #expect(throws: RFC2217Session.Violation.self) {
            _ = try endless.receive(start + [UInt8](repeating: 7, count: 1_000))
        }
        var flapping = try ready()
        #expect(throws: RFC2217Session.Violation.self) {
            for _ in 0..<200 { _ = try flapping.receive([0xFF, 0xFB, 0x18, 0xFF, 0xFC, 0x18]) }
        }
        // Notifications may come for ever.
        var talkative = try ready()
        for _ in 0..<2_000 {
            _ = try talkative.receive([0xFF, 0xFA, 0x2C, 0x6B, 0x30, 0xFF, 0xF0])
        }
        #expect(talkative.isReady)
    }

    @Test func noBytesMakeItTrap() {
        var state: UInt64 = 20_240_603
        func random() -> UInt8 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return UInt8(truncatingIfNeeded: state >> 56)
        }
        for _ in 0..<2_000 {
            var session = RFC2217Session(baud: 115_200)
            var bytes = Self.greeting + Self.acknowledgements
            for _ in 0..<8 { bytes[Int(random()) % bytes.count] = random() }
            for _ in 0..<40 { bytes.append(random() & 1 == 0 ? 0xFF : random()) }
            if let taken = try? session.receive(bytes) {
                #expect(taken.data.count <= bytes.count && taken.replies.count < 400)
            }
        }
    }
}
