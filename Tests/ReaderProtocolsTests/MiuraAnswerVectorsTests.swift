import CardData
import ReaderProtocols
import Testing

@Suite("Miura answers and events")
struct MiuraAnswerVectorsTests {
    typealias V = MiuraVectors

    private func message(_ bytes: [UInt8]) throws -> MiuraMessage {
        var decoder = MiuraDecoder(.fromReader)
        decoder.append(bytes[...])
        guard case .message(let message) = decoder.next() else {
            throw MiuraFormatError(.commandTooShort)
        }
        return message
    }

    private func answer(
        _ bytes: [UInt8],
        to command: MiuraCommand
    ) throws -> MiuraAnswer {
        try MiuraAnswer(MiuraResponse(message(bytes)), to: command)
    }

    @Test func theSmallestAnswerSaysThatItIsDone() throws {
        #expect(try answer(V.m02, to: .abort) == .done)
        #expect(MiuraAnswer.done.message().bytes == V.m02)
    }

    @Test func aHubSaysWhoItIs() throws {
        let software = MiuraSoftware(
            serialNumber: "04000203",
            software: [MiuraEntry("M100-RPI", "1-1"), MiuraEntry("M100-OS", "1-6")]
        )
        #expect(try answer(V.m21, to: .resetDevice(.soft)) == .software(software))
        #expect(MiuraAnswer.software(software).message(from: .hub).bytes == V.m21)
        // Software 1-1 of the hub writes DF0D for DF7F.
        var faulty = Array(V.m21[3..<53])
        faulty[45] = 0x0D
        let response = MiuraResponse(faulty)
        #expect(
            try MiuraAnswer(response, to: .resetDevice(.soft)) == .software(software)
        )
    }

    @Test func aTransactionGoesOnline() throws {
        let command = MiuraCommand.startTransaction(
            MiuraTransaction(amountMinorUnits: 1000, currency: 840)
        )
        guard case .transaction(let outcome) = try answer(V.m24, to: command),
            case .onlineRequired(let objects) = outcome
        else {
            Issue.record("no E4")
            return
        }
        #expect(objects.count == 35)
        #expect(objects.first(.verificationMethodResults)?.value == [0x44, 0x03, 0x02])
        #expect(objects.first(.cryptogramInformation)?.value == [0x80])
        #expect(objects.first(.serialNumber)?.text == "10003316")
        #expect(MiuraAnswer.transaction(outcome).message().bytes == V.m24)
    }

    @Test func aPINBlockComesWithItsKSN() throws {
        let command = MiuraCommand.onlinePIN(
            MiuraOnlinePIN(amountMinorUnits: 1, currency: 840, label: "", maskedTrack2: [])
        )
        let result = MiuraAnswer.onlinePIN(
            .block(
                V.bytes("8B68AF72199529B8"),
                ksn: V.bytes("FFFF0102628D12000001")
            )
        )
        #expect(try answer(V.m26, to: command) == result)
        #expect(result.message().bytes == V.m26)
        for (byte, result) in [
            (0x08, .cancelledOrTimedOut), (0x0A, .internalError(0x0A)), (0x0C, .bypassed),
        ] as [(UInt8, MiuraPINResult)] {
            let response = MiuraResponse([byte])
            #expect(try MiuraAnswer(response, to: command) == .onlinePIN(result))
            #expect(MiuraAnswer.onlinePIN(result).response == response)
        }
        #expect(throws: MiuraFormatError.self) {
            try MiuraAnswer(MiuraResponse([0x07] as [UInt8]), to: command)
        }
    }

    @Test func aRefusalHasItsStatusWord() throws {
        #expect(try answer(V.m27, to: .continueTransaction([])) == .refused(.cancelled, []))
        #expect(MiuraAnswer.refused(.cancelled, []).message().bytes == V.m27)
        #expect(try answer(V.m07, to: .abort) == .refused(MiuraStatusWord(0x50, 0x60), []))
        #expect("\(MiuraStatusWord.cancelled)" == "9F41")
    }

    @Test func eventsAreTheOnesOfTheirTags() throws {
        let events: [([UInt8], MiuraEvent)] = [
            (V.m18, .cardStatus(MiuraCardReport([.present, .chip, .track1]))),
            (V.m19, .keyPressed(0x1B)), (V.m20, .printer([.powered, .attached])),
        ]
        for (bytes, event) in events {
            #expect(MiuraEvent(MiuraResponse(try message(bytes))) == event)
            #expect(event.message().bytes == bytes)
        }
        guard case .cardStatus(let swipe) = MiuraEvent(MiuraResponse(try message(V.m22))) else {
            Issue.record("no card status")
            return
        }
        #expect(swipe.status == [.swiped, .track1, .track2])
        #expect(swipe.objects.map(\.tag) == [.track1, .track2, .maskedTrack2])
        #expect(MiuraEvent.cardStatus(swipe).message().bytes == V.m22)
    }

    @Test func eventsAndAnswersComeBackAsTheyWereSent() throws {
        let events: [MiuraEvent] = [
            .readerStatus(MiuraReaderStatus(.poweredOn, "Powered on")),
            .readerStatus(
                MiuraReaderStatus(.pinEntry, "PIN OK", pinDigitCount: 4, pinEntry: .correct)
            ),
            .barCode(Array("4006381333931".utf8)), .usbSerialData([1, 2, 3]),
            .battery(MiuraBattery(percentage: 5, charging: .onBattery)), .touched(3),
            .wifi([MiuraEntry("SSID", "shop"), MiuraEntry("IP", "10.0.0.7")]),
            .usb(isPlugged: true), .pairingRequest(passcode: "123456", address: [1, 2]),
            .other(MiuraResponse([TLV(0x9999, [1])])), .other(MiuraResponse([0xFF, 0xFF])),
        ]
        for event in events {
            #expect(MiuraEvent(MiuraResponse(event.message())) == event)
        }
        let clock = MiuraClock(year: 26, month: 11, day: 30, hour: 23, minute: 59, second: 59)
        let answers: [(MiuraCommand, MiuraAnswer)] = [
            (.getConfiguration, .entries([MiuraEntry("emv.cfg", "1.2"), MiuraEntry("x")])),
            (.cardStatusSolicited([]), .cardStatus(MiuraCardReport([.present]))),
            (.batteryStatus(.query), .battery(MiuraBattery(percentage: 100, charging: .charged))),
            (.batteryStatus(.report(chargingChanges: true, lowCharge: true)), .done),
            (.printerStatus(reportsChanges: true), .printer([.powered, .hasPaper])),
            (.usbStatus(reportsChanges: true), .usb(isPlugged: false)),
            (.readClock, .clock(clock)), (.cashDrawer(opens: false), .cashDrawer(isOpen: true)),
            (.peripheralStatus, .peripherals(["Printer", "Scanner"])),
            (.input(MiuraInput(.menuOption)), .input([TLV(.numericData, text: "Yes")])),
            (
                .selectFile(MiuraFileSelection("a", .append)),
                .file(byteCount: 0x1_0000, md5: nil)
            ),
            (
                .selectFile(MiuraFileSelection("a", .appendWithMD5)),
                .file(byteCount: 0, md5: [UInt8](repeating: 9, count: 16))
            ),
            (
                .listFiles(.installation),
                .files(names: ["a", "b"], spaceUsed: 123_456, slotsUsed: 2)
            ),
            (.readBinary(offset: 0, byteCount: 3), .fileBytes([1, 2, 3])),
            (.streamBinary(MiuraStream(offset: 0, byteCount: 1)), .done),
            (.getNextSequenceCounter, .sequenceCounter(94)),
            (.p2peStatus, .p2peStatus([.pinReady, .sredReady])),
            (.p2peGetKSNForMAC, .ksn([UInt8](repeating: 7, count: 10))),
            (.displayText(MiuraText("")), .done), (.abort, .other([1])),
            (.setClock(clock), .refused(.formatError, [])),
        ]
        for (command, answer) in answers {
            #expect(try MiuraAnswer(answer.response, to: command) == answer)
        }
    }

    @Test func anAnswerWithoutItsObjectNamesIt() {
        func error(_ response: MiuraResponse, _ command: MiuraCommand) -> MiuraFormatError? {
            do throws(MiuraFormatError) {
                _ = try MiuraAnswer(response, to: command)
                return nil
            } catch { return error }
        }
        let clock = MiuraResponse([TLV(.responseData, [TLV(.date, [0x26, 0x01, 0x02])])])
        #expect(error(clock, .readClock) == MiuraFormatError(.missing(.time)))
        #expect(error(clock, .resetDevice(.soft)) == MiuraFormatError(.missing(.serialNumber)))
        #expect(
            error(MiuraResponse([0xE1, 0x05]), .readClock)
                == MiuraFormatError(.notTLV(.valueTooLong), offset: 2)
        )
        let battery = MiuraResponse([TLV(.batteryPercentage, [101])])
        #expect(
            error(battery, .batteryStatus(.query))
                == MiuraFormatError(.malformed(.batteryPercentage))
        )
    }
}
