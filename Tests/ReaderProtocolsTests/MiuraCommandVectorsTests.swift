import CardData
import ReaderProtocols
import Testing

@Suite("Miura commands")
struct MiuraCommandVectorsTests {
    typealias V = MiuraVectors

    static let noon = MiuraClock(year: 26, month: 1, day: 1, hour: 12)

    /// Each derived frame with the command that it is, by the order of the vectors.
    static let commands: [MiuraCommand] = [
        .resetDevice(.hard),
        .resetDevice(.clearFiles),
        .getConfiguration,
        .getDeviceInfo,
        .cardStatus(.payments),
        .cardStatus([.payments, .answerToReset, .track3]),
        .cardStatus([]),
        .cardStatusSolicited([.track1, .track2]),
        .keyboardStatus(MiuraKeyboardReports(reportsKeys: true, isLit: true)),
        .batteryStatus(.query),
        .batteryStatus(.report(chargingChanges: true, lowCharge: true)),
        .readClock,
        .abort,
        .p2peStatus,
        .p2peInitialise,
        .p2peImport,
        .p2peGetKSNForMAC,
        .displayText(MiuraText("Hello world!", isLarge: true)),
        .selectFile(MiuraFileSelection("wifi.cfg", .truncate)),
        .streamBinary(MiuraStream(offset: 0, byteCount: 0x123)),
        .readBinary(offset: 0, byteCount: 252),
        .readBinary(offset: 0x8000, byteCount: 252),
        .startTransaction(
            MiuraTransaction(
                amountMinorUnits: 456,
                currency: 826,
                clock: noon,
                applicationSelection: .onReader,
                stopsAtRiskManagement: false
            )
        ),
        .startContactless(
            MiuraTransaction(
                amountMinorUnits: 456,
                currency: 826,
                clock: noon,
                timeLimitSeconds: 60
            )
        ),
        .cashDrawer(opens: true),
        .barCodeScanner(reportsCodes: true),
        .peripheralStatus,
        .other(MiuraAPDU(MiuraCommandName.bluetoothControl.rawValue)),
    ]

    static let others: [(MiuraCommand, [UInt8])] = [
        (.resetDevice(.soft), V.m01),
        (
            .setClock(
                MiuraClock(year: 85, month: 10, day: 26, hour: 1, minute: 21, second: 22)
            ),
            V.m23
        ),
        (.continueTransaction([TLV(.authorisationResponseCode, text: "00")]), V.m25),
    ]

    private func decoded(_ bytes: [UInt8]) throws -> (MiuraNode, MiuraCommand) {
        var decoder = MiuraDecoder(.toReader)
        decoder.append(bytes[...])
        guard case .message(let message) = decoder.next() else {
            throw MiuraFormatError(.commandTooShort)
        }
        return (message.node, try MiuraCommand(MiuraAPDU(message.payload)))
    }

    @Test func everyDerivedFrameIsEncodedAndDecodedAsStated() throws {
        #expect(V.commands.count == Self.commands.count)
        for (vector, command) in zip(V.commands, Self.commands) {
            let node: MiuraNode = vector.bytes[0] == 2 ? .hub : .reader
            #expect(command.message(to: node).bytes == vector.bytes, "\(vector.name)")
            #expect(try decoded(vector.bytes) == (node, command), "\(vector.name)")
        }
        for (command, bytes) in Self.others {
            #expect(command.message().bytes == bytes)
            #expect(try decoded(bytes) == (.reader, command))
        }
    }

    @Test func everySplitOfEveryCommandGivesTheSameCommand() {
        // What STREAM BINARY announces does not follow here.
        let frames = V.commands.filter { !$0.name.hasPrefix("STREAM") }.map(\.bytes)
        for frame in frames + [V.m01, V.m23, V.m25] {
            let expected = MiuraDecoderVectorsTests.readings([frame[...]], .toReader)
            #expect(expected.count == 1)
            for split in frame.indices {
                let pieces = [frame[..<split], frame[split...]]
                #expect(MiuraDecoderVectorsTests.readings(pieces, .toReader) == expected)
            }
            let single = frame.indices.map { frame[$0...$0] }
            #expect(MiuraDecoderVectorsTests.readings(single, .toReader) == expected)
        }
        let all = frames.flatMap { $0 }
        let together = MiuraDecoderVectorsTests.readings([all[...]], .toReader)
        #expect(together.count == frames.count)
        #expect(together.allSatisfy { if case .message = $0 { true } else { false } })
    }

    @Test func commandsComeBackAsTheyWereSent() throws {
        let commands: [MiuraCommand] = [
            .resetDevice(.clearFilesAndMassStorage),
            .cardStatus([.payments, .cardholderName]),
            .keyboardStatus(MiuraKeyboardReports(reportsKeys: nil, isLit: false)),
            .batteryStatus(.sleep), .batteryStatus(.powerOff),
            .batteryStatus(.report(chargingChanges: false, lowCharge: true)),
            .printerStatus(reportsChanges: true), .usbStatus(reportsChanges: false),
            .systemLog(removes: true),
            .displayText(MiuraText("Prüfung\n3,50 €", isLit: true)),
            .input(MiuraInput(.numericData, p1: 0x81, p2: 3, objects: [TLV(0xDFA207, [12, 0])])),
            .input(MiuraInput(.secureData)),
            .deleteFile(name: "emv.cfg", folder: .application),
            .deleteFile(name: nil, folder: .installation), .listFiles(.application),
            .readBinary(offset: 0x7FFF, byteCount: 1), .readBinary(offset: 0x7F_FFFF, byteCount: 1),
            .streamBinary(
                MiuraStream(
                    offset: 0x2_0000,
                    byteCount: 0x1_0000,
                    timeLimit: 300,
                    returnsMD5: true
                )
            ),
            .startTransaction(
                MiuraTransaction(
                    .purchaseWithCashback,
                    amountMinorUnits: 999_999_999_999,
                    currency: 978,
                    otherAmountMinorUnits: 5000,
                    sequenceCounter: 94,
                    applicationSelection: [.onHost, .withBlocked],
                    further: [TLV(0xDFA20C, text: "de")]
                )
            ),
            .continueTransaction([]),
            .onlinePIN(
                MiuraOnlinePIN(
                    amountMinorUnits: 1,
                    currency: 840,
                    label: "VISA",
                    maskedTrack2: Array(";476173******0010=1512201**********?*".utf8),
                    allowsBypass: true,
                    wantsEncryptedData: true
                )
            ),
            .getNextSequenceCounter,
            .other(MiuraAPDU(0xAB12, p1: 3, p2: 4, data: [1, 2, 3], expectedByteCount: 9)),
        ]
        for command in commands {
            #expect(command.isEncodable)
            #expect(try MiuraCommand(MiuraAPDU(command.apdu.bytes)) == command)
        }
    }

    @Test func bothFormsOfACommandKeepTheirLengths() throws {
        for dataByteCount in [0, 1, 2, 249, 250, 255, 256, 1017] {
            for expected in [nil, 0, 1, 252, 253, 1014] {
                let apdu = MiuraAPDU(
                    0xD2A4,
                    p1: 1,
                    data: [UInt8](repeating: 7, count: dataByteCount),
                    expectedByteCount: expected
                )
                #expect(try MiuraAPDU(apdu.bytes) == apdu)
                let isShort = dataByteCount <= 249 && (expected ?? 0) <= 252
                #expect(apdu.needsExtendedForm != isShort)
            }
        }
    }

    @Test(
        arguments: [
            ([0xD0], MiuraFormatError(.commandTooShort, offset: 1)),
            ([0xD0, 0, 0, 0, 0, 1], MiuraFormatError(.wrongDataLength, offset: 4)),
            ([0xD0, 0, 0, 0, 5, 1], MiuraFormatError(.wrongDataLength, offset: 4)),
            ([0xD0, 0, 0, 0, 1, 1, 1, 1], MiuraFormatError(.wrongDataLength, offset: 4)),
        ] as [([UInt8], MiuraFormatError)]
    )
    func lengthsThatDoNotAddUpAreErrors(bytes: [UInt8], error: MiuraFormatError) {
        #expect(throws: error) { try MiuraAPDU(bytes) }
    }

    @Test func wrongParametersAndObjectsAreErrorsThatNameThem() {
        func error(_ apdu: MiuraAPDU) -> MiuraFormatError? {
            do throws(MiuraFormatError) {
                _ = try MiuraCommand(apdu)
                return nil
            } catch { return error }
        }
        #expect(error(MiuraAPDU(0xD000, p1: 4)) == MiuraFormatError(.wrongParameter, offset: 2))
        #expect(error(MiuraAPDU(0xD060, p2: 2)) == MiuraFormatError(.wrongParameter, offset: 3))
        #expect(error(MiuraAPDU(0xDED1)) == MiuraFormatError(.missing(.transactionType)))
        #expect(
            error(MiuraAPDU(0xDED1, data: [0xE1, 0])) == MiuraFormatError(.missing(.commandData))
        )
        #expect(
            error(MiuraAPDU(0xDED1, data: [0xE0, 4, 0x9F, 2, 1, 0]))
                == MiuraFormatError(.missing(.transactionType))
        )
        #expect(
            error(MiuraAPDU(0xDED1, data: [0xE0, 4, 0x9F, 2, 5, 0]))
                == MiuraFormatError(.notTLV(.valueTooLong), offset: 10)
        )
        #expect(
            error(MiuraAPDU(0xD010, data: [0xE0, 5, 0x9A, 3, 0x26, 0x13, 1]))
                == MiuraFormatError(.malformed(.date))
        )
    }

    @Test func valuesOutOfRangeAreNotEncodable() {
        let commands: [MiuraCommand] = [
            .readBinary(offset: 0x80_0000, byteCount: 1), .readBinary(offset: -1, byteCount: 1),
            .readBinary(offset: 0, byteCount: 0), .readBinary(offset: 0, byteCount: 1015),
            .streamBinary(MiuraStream(offset: 0, byteCount: 0)),
            .streamBinary(MiuraStream(offset: 0x100_0000, byteCount: 1)),
            .startTransaction(MiuraTransaction(amountMinorUnits: -1, currency: 826)),
            .startTransaction(MiuraTransaction(amountMinorUnits: 1_000_000_000_000, currency: 826)),
            .startContactless(MiuraTransaction(amountMinorUnits: 1, currency: 1000)),
            .selectFile(MiuraFileSelection("", .append)),
            .selectFile(MiuraFileSelection("ä.cfg", .append)),
            .displayText(MiuraText(String(repeating: "x", count: 1018))),
        ]
        for command in commands { #expect(!command.isEncodable) }
    }

    @Test func commandNamesAreThePublishedOnes() {
        #expect(MiuraCommandName.resetDevice.title == "RESET DEVICE")
        #expect(MiuraCommandName.p2peGetKSNForMAC.title == "P2PE GET KSN FOR MAC")
        #expect(MiuraCommandName.getSecurePAN.title == "GET SECURE PAN")
        #expect(MiuraCommandName.setupUSBSerialAdaptor.title == "SETUP USB SERIAL ADAPTOR")
    }

    @Test func descriptionsShowNoData() {
        let secret = "4761739001010010"
        let command = MiuraCommand.onlinePIN(
            MiuraOnlinePIN(
                amountMinorUnits: 1,
                currency: 840,
                label: "VISA",
                maskedTrack2: Array(secret.utf8)
            )
        )
        for text in [
            "\(command.apdu)", "\(command.message())", "\(command.message().frames)",
            "\(MiuraResponse(Array(secret.utf8)))", String(reflecting: command.message()),
        ] {
            #expect(!text.contains(secret) && !text.contains("34373631"))
        }
    }
}
