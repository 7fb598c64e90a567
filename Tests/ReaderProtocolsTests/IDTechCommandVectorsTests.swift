import CardData
import ReaderProtocols
import Testing

@Suite("ID TECH commands")
struct IDTechCommandVectorsTests {
    /// The bytes follow from the rules of the manual's Command Protocol; the LRC counts the `02`.
    private static let commands: [(hexadecimal: String, command: IDTechCommand)] = [
        ("025318034A", .set([.init(.defaultSettings)])),
        ("0252220371", .get(.firmwareVersion)),
        ("02521F034C", .get(.allSettings)),
        ("02524E031D", .get(.serialNumber)),
        ("02527E032D", .get(.securityLevel)),
        ("025385013103E7", .set(.format, 0x31)),
        ("025385013003E6", .set(.format, 0x30)),
        ("02531A01310378", .set(.stripeReading, 0x31)),
        ("02531A01300379", .set(.stripeReading, 0x30)),
        ("02534C0131032E", .set(.cipher, 0x31)),
        ("02534C0132032D", .set(.cipher, 0x32)),
        ("02532301300340", .set(.usbMode, 0x30)),
        ("02532301380348", .set(.usbMode, 0x38)),
        ("0253490106031C", .set(.leadingClearDigits, 6)),
        ("02535001310332", .set(.expirationDate, 0x31)),
        ("02535C0130033F", .set(.hashes, 0x30)),
        ("02536F0130030C", .set(.lrcCharacter, 0x30)),
        ("024649030E", .reset),
    ]

    private static let answers: [(hexadecimal: String, answer: IDTechAnswer)] = [
        ("06", .acknowledged),
        ("15", .refused),
        (
            "06024944205445434820556E694D61672049492056322E31300344",
            .data(Array("ID TECH UniMag II V2.10".utf8))
        ),
        ("06027E0133034D", .data([0x7E, 0x01, 0x33])),
        ("06022301300313", .data([0x23, 0x01, 0x30])),
        (
            "06024E0B0A303031323334353637380346",
            .data([0x4E, 0x0B, 0x0A] + Array("0012345678".utf8))
        ),
        ("06563231", .bootloader(high: 0x32, low: 0x31)),
        ("06EE", .calibrationFailed),
        ("060A64", .bytes([0x0A, 0x64])),
    ]

    private static func bytes(_ hexadecimal: String) -> [UInt8] {
        Hexadecimal.decode(hexadecimal) ?? []
    }

    @Test(arguments: commands.indices)
    func commandsAreReadAndWritten(index: Int) throws {
        let (hexadecimal, command) = Self.commands[index]
        let bytes = Self.bytes(hexadecimal)
        #expect(try IDTechCommand(bytes) == command)
        #expect(command.packet == bytes)
        #expect(FieldListing(idTech: bytes).problem == nil)
    }

    @Test(arguments: answers.indices)
    func answersAreReadAndWritten(index: Int) throws {
        let (hexadecimal, answer) = Self.answers[index]
        let bytes = Self.bytes(hexadecimal)
        #expect(try IDTechAnswer(bytes) == answer)
        #expect(answer.packet == bytes)
        #expect(FieldListing(idTech: bytes).problem == nil)
    }

    @Test func everyCutAndEveryFlippedBitOfACommandIsRefused() {
        for (hexadecimal, _) in Self.commands {
            let bytes = Self.bytes(hexadecimal)
            for count in 0..<bytes.count {
                #expect(throws: IDTechError.self) { try IDTechCommand(bytes[..<count]) }
            }
            for bit in 0..<(bytes.count * 8) {
                var changed = bytes
                changed[bit / 8] ^= 1 << UInt8(bit % 8)
                #expect(throws: IDTechError.self) { try IDTechCommand(changed) }
            }
            #expect(throws: IDTechError.self) { try IDTechCommand(bytes + [0]) }
        }
    }

    @Test func whatIsWrongIsNamedWithItsByte() {
        func error(_ hexadecimal: String) -> IDTechError? {
            do {
                _ = try IDTechCommand(Self.bytes(hexadecimal))
                return nil
            } catch {
                return error
            }
        }
        #expect(error("02532302300343") == IDTechError(.wrongLength, offset: 3))
        #expect(error("0253035") == IDTechError(.truncated, offset: 0))
        #expect(error("02530352") == IDTechError(.malformed, offset: 2))
        #expect(error("0252220370") == IDTechError(.lrcMismatch, offset: 4))
        #expect(error("0352220371") == IDTechError(.noStart, offset: 0))
        func answerError(_ hexadecimal: String) -> IDTechError? {
            do {
                _ = try IDTechAnswer(Self.bytes(hexadecimal))
                return nil
            } catch {
                return error
            }
        }
        #expect(answerError("06027E0133034C") == IDTechError(.lrcMismatch, offset: 6))
        #expect(answerError("06027E0133") == IDTechError(.truncated, offset: 5))
        #expect(answerError("06027E0133034D00") == IDTechError(.trailingBytes, offset: 7))
        #expect(answerError("1500") == IDTechError(.trailingBytes, offset: 1))
        #expect(answerError("0601020304") == IDTechError(.malformed, offset: 1))
        #expect(answerError("07") == IDTechError(.noStart, offset: 0))
        #expect(answerError("") == IDTechError(.truncated, offset: 0))
    }

    @Test func keyLoadingLeavesTheStartOutOfItsLRC() throws {
        let command = IDTechCommand.other([0x46, 0x46, 0x41, 0x42, 0x0D, 0x0A])
        let written = command.packet
        #expect(written.last == written.dropFirst().dropLast().reduce(0, ^))
        #expect(try IDTechCommand(written) == command)
        var other = written
        other[other.count - 1] ^= 0x02
        #expect(try IDTechCommand(other) == command)
    }

    @Test func randomCommandsAndAnswersComeBack() throws {
        var generator = SeededGenerator(seed: 3)
        for _ in 0..<500 {
            let data = generator.bytes(upTo: 60)
            let answer = IDTechAnswer.data(data)
            if case .data(let read)? = try? IDTechAnswer(answer.packet) { #expect(read == data) }
            let settings = (0...generator.below(3)).map { _ in
                IDTechCommand.Setting(
                    number: UInt8(generator.below(256)),
                    value: generator.bytes(upTo: 20)
                )
            }
            #expect(try IDTechCommand(IDTechCommand.set(settings).packet) == .set(settings))
            _ = try? IDTechCommand([0x02] + data)
            _ = try? IDTechAnswer([0x06] + data)
        }
    }
}
