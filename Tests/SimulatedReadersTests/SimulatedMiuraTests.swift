import CardCrypto
import CardData
import EventLoops
import ReaderProtocols
import SimulatedReaders
import Testing

@Suite("Simulated Miura reader")
struct SimulatedMiuraTests {
    // MARK: The link

    @Test func theProbeIsAnsweredWithSerialNumberAndSoftware() throws {
        var desk = MiuraDesk()
        desk.send([0x01, 0x00, 0x04, 0xD0, 0x00, 0x00, 0x00, 0xD5])
        guard case .software(let software) = desk.answer(to: .resetDevice(.soft)) else {
            Issue.record("no software")
            return
        }
        #expect(software.serialNumber == "17000470")
        #expect(software.software.map { $0.name } == ["M000-MPI", "M000-OS"])
        #expect(software.understandsExtendedAPDU)
        #expect(MiuraReaderConfiguration().bluetoothName == "AgentCASH 470")
    }

    @Test(arguments: [true, false])
    func aConnectionIsGreetedWhereTheLinkIsNoCable(_ announces: Bool) {
        var desk = MiuraDesk({ $0.announcesPowerOn = announces }, isLinked: false)
        desk.connect()
        let expected: [MiuraEvent] = [
            .readerStatus(MiuraReaderStatus(.poweredOn, "Powered on"))
        ]
        #expect(desk.events() == (announces ? expected : []))
    }

    @Test func aByteByByteFrameIsOneCommand() {
        var desk = MiuraDesk()
        for byte in MiuraCommand.getDeviceInfo.message().bytes { desk.send([byte]) }
        #expect(desk.messages.count == 1)
    }

    @Test func twoCommandsInOneReadAreAnsweredInOrder() throws {
        var desk = MiuraDesk()
        desk.send(
            MiuraCommand.p2peStatus.message().bytes + MiuraCommand.readClock.message().bytes
        )
        #expect(desk.answer(to: .p2peStatus) == .p2peStatus([.pinReady, .sredReady]))
        #expect(
            desk.answer(to: .readClock)
                == .clock(MiuraClock(year: 24, month: 6, day: 3, hour: 9))
        )
    }

    @Test(arguments: MiuraReaderConfiguration.BadFrame.allCases)
    func aBadFrameHasItsReactionAndTheNextOneIsRead(_ badFrame: MiuraReaderConfiguration.BadFrame) {
        var desk = MiuraDesk { $0.badFrame = badFrame }
        desk.send([0x01, 0x00, 0x04, 0xD0, 0x00, 0x00, 0x00, 0xD4])
        desk.send(.p2peStatus)
        switch badFrame {
        case .isAnswered: #expect(desk.statusWords() == [.packetProblem, .success])
        case .isIgnored: #expect(desk.statusWords() == [.success])
        case .dropsLink:
            #expect(desk.dropCount == 1)
            #expect(desk.messages.isEmpty)
        }
    }

    @Test func aLostLinkEndsEverythingWithoutAnAnswer() throws {
        var desk = MiuraDesk()
        #expect(desk.ask(.cardStatus(.payments)) == nil)
        try desk.start("emv-visa-pin")
        #expect(desk.reader.isAskingForKeys)
        desk.disconnect()
        #expect(desk.reader.nextDeadline == nil)
        #expect(desk.reader.display == SimulatedMiura.idleDisplay)
        desk.messages = []
        desk.connect()
        desk.removeCard()
        #expect(desk.events().count == 1)
        #expect(desk.ask(MiuraDesk.approval) == .refused(.notReady, []))
    }

    // MARK: Small commands

    @Test func theClockGoesOnFromWhereItWasSet() {
        var desk = MiuraDesk()
        let set = MiuraClock(year: 85, month: 10, day: 26, hour: 1, minute: 21, second: 22)
        #expect(desk.ask(.setClock(set)) == .done)
        desk.wait(.seconds(86_400 * 66 + 38))
        #expect(
            desk.ask(.readClock)
                == .clock(MiuraClock(year: 85, month: 12, day: 31, hour: 1, minute: 22))
        )
        desk.wait(.seconds(86_400))
        #expect(
            desk.ask(.readClock)
                == .clock(MiuraClock(year: 86, month: 1, day: 1, hour: 1, minute: 22))
        )
    }

    @Test func textIsShown() {
        var desk = MiuraDesk()
        #expect(desk.ask(.displayText(MiuraText("Processing..."))) == .done)
        #expect(desk.reader.display == "Processing...")
        #expect(desk.facts.contains(.displayed("Processing...")))
    }

    @Test func keysAreReportedWhileTheHostAskedForThem() throws {
        var desk = MiuraDesk()
        try desk.press("cancel")
        #expect(desk.messages.isEmpty)
        _ = desk.ask(.keyboardStatus(MiuraKeyboardReports(reportsKeys: true)))
        try desk.press("cancel 7")
        #expect(desk.events() == [.keyPressed(0x1B), .keyPressed(0x37)])
    }

    @Test func theBatteryReportsWhatItWasAskedFor() {
        var desk = MiuraDesk()
        #expect(
            desk.ask(.batteryStatus(.query))
                == .battery(MiuraBattery(percentage: 100, charging: .onBattery))
        )
        desk.battery(4)
        #expect(desk.messages.isEmpty)
        desk.battery(50)
        _ = desk.ask(.batteryStatus(.report(chargingChanges: true, lowCharge: true)))
        desk.battery(6)
        desk.battery(5)
        desk.battery(4)
        desk.battery(4, .charging)
        #expect(
            desk.events() == [
                .battery(MiuraBattery(percentage: 5, charging: .onBattery)),
                .battery(MiuraBattery(percentage: 4, charging: .charging)),
            ]
        )
    }

    @Test func anEmptyBatterySwitchesTheReaderOff() {
        var desk = MiuraDesk()
        desk.battery(0)
        #expect(desk.dropCount == 1)
        #expect(!desk.reader.isReachable)
        desk.collect(desk.reader.switchOn(cache: desk.cache, at: desk.now))
        #expect(!desk.reader.isReachable)
        desk.battery(0, .charging)
        desk.collect(desk.reader.switchOn(cache: desk.cache, at: desk.now))
        #expect(desk.reader.isReachable)
    }

    @Test(arguments: [MiuraBatteryRequest.sleep, .powerOff])
    func sleepAndPowerOffAnswerAndThenDropTheLink(_ request: MiuraBatteryRequest) {
        var desk = MiuraDesk()
        desk.send(.batteryStatus(request))
        #expect(desk.statusWords() == [.success])
        #expect(desk.dropCount == 0)
        desk.wait(.milliseconds(100))
        #expect(desk.dropCount == 1)
        #expect(desk.reader.isReachable == (request == .sleep))
    }

    @Test func aHubAnswersAsItsOwnNode() {
        var desk = MiuraDesk { $0.hasHub = true }
        #expect(desk.ask(.cashDrawer(opens: false), to: .hub) == .cashDrawer(isOpen: false))
        #expect(desk.ask(.cashDrawer(opens: true), to: .hub) == .cashDrawer(isOpen: true))
        #expect(desk.ask(.barCodeScanner(reportsCodes: true), to: .hub) == .done)
        desk.collect(desk.reader.scan([0x34, 0x32], cache: desk.cache, at: desk.now))
        #expect(desk.messages.first?.node == .hub)
        var plain = MiuraDesk()
        #expect(plain.ask(.cashDrawer(opens: false), to: .hub) == nil)
    }

    @Test func commandsThatAreWrongGetTheirStatusWord() {
        let cases: [(MiuraAPDU, MiuraStatusWord)] = [
            (MiuraAPDU(0xD000, p1: 9), .invalidParameter),
            (MiuraAPDU(0xDED1), .invalidReference),
            (MiuraAPDU(0xDED1, data: [0xE0, 0x7F]), .formatError),
            (MiuraAPDU(0xD010, data: [0xE0, 0x02, 0x9A, 0x00]), .invalidData),
            (MiuraAPDU(0x1234), .invalidParameter),
            (MiuraAPDU(0xD230), .noHardware),
        ]
        for (apdu, statusWord) in cases {
            var desk = MiuraDesk()
            desk.send(MiuraMessage(payload: apdu.bytes).bytes)
            #expect(desk.statusWords() == [statusWord], "\(apdu)")
        }
    }

    @Test func aReaderThatRoamsLosesItsLinkAndCanBeReachedAgain() throws {
        var desk = MiuraDesk { $0.wifi = MiuraWiFiConfiguration() }
        try desk.start("emv-visa-pin")
        desk.collect(desk.reader.roam(for: .seconds(3), cache: desk.cache, at: desk.now))
        #expect(desk.dropCount == 1)
        #expect(!desk.reader.isReachable)
        desk.messages = []
        desk.connect()
        #expect(!desk.reader.isLinked)
        desk.wait(.seconds(3))
        #expect(desk.reachableCount == 1)
        desk.connect()
        #expect(desk.reader.isLinked)
        #expect(desk.reader.listenPort == 6543)
    }

    @Test func theNetworkAndTheNameAreTold() {
        var desk = MiuraDesk { $0.wifi = MiuraWiFiConfiguration() }
        desk.send(.other(MiuraAPDU(0xDA03, p1: 3, p2: 1)))
        #expect(desk.statusWords() == [.success])
        guard case .wifi(let entries) = desk.events().first else {
            Issue.record("no network")
            return
        }
        #expect(entries.first == MiuraEntry("Connection Status", "Connected"))
        desk.send(.other(MiuraAPDU(0xD0BC)))
        let name = MiuraResponse(desk.messages[0])
        #expect(String(decoding: name.body, as: UTF8.self).contains("AgentCASH 470"))
    }

    @Test func printingNeedsAHub() {
        let print = MiuraCommand.other(MiuraAPDU(0xD2A4, data: [0x41, 0x0A]))
        var desk = MiuraDesk { $0.hasHub = true }
        desk.send(print, to: .hub)
        #expect(desk.statusWords() == [.success])
        desk.send(print)
        #expect(desk.statusWords() == [MiuraStatusWord(0x9F, 0x01)])
    }

    // MARK: What waits

    @Test(arguments: MiuraReaderConfiguration.EarlyCommand.allCases)
    func commandsSentEarlyWaitOrAreRefused(_ early: MiuraReaderConfiguration.EarlyCommand) throws {
        var desk = MiuraDesk { $0.earlyCommand = early }
        try desk.insert("emv-visa-signature")
        desk.send(.startTransaction(MiuraDesk.sale))
        desk.send(.p2peStatus)
        desk.send(.displayText(MiuraText("next")))
        switch early {
        case .waits:
            #expect(desk.messages.isEmpty)
            desk.wait(.seconds(2))
            #expect(desk.messages.count == 3)
            #expect(MiuraResponse(desk.messages[0]).body.first == 0xE4)
        case .isRefused: #expect(desk.statusWords() == [.notAllowed, .notAllowed])
        }
    }

    @Test func tooManyCommandsAreDroppedAndNotedAndTheOthersAnswered() throws {
        var desk = MiuraDesk()
        try desk.insert("emv-visa-signature")
        desk.send(.startTransaction(MiuraDesk.sale))
        for _ in 0..<(SimulatedMiura.commandBound + 3) { desk.send(.readClock) }
        #expect(desk.facts.filter { $0 == .commandDropped }.count == 3)
        desk.wait(.seconds(2))
        #expect(desk.statusWords().count == SimulatedMiura.commandBound + 1)
    }

    @Test func eachAnswerNamesItsCommandWheneverItComes() throws {
        var desk = MiuraDesk()
        try desk.insert("emv-visa-signature")
        desk.facts = []
        desk.send(.startTransaction(MiuraDesk.sale))
        desk.send(.p2peStatus)
        desk.wait(.seconds(2))
        desk.send(MiuraDesk.refusal)
        desk.send(.abort)
        desk.send([0x01, 0x00, 0x04, 0xD0, 0x00, 0x00, 0x00, 0x00])
        #expect(
            desk.facts.exchanges == [
                "began startTransaction", "startTransaction 9000", "began p2peStatus",
                "p2peStatus 9000", "began continueTransaction", "began abort", "abort 9000",
                "continueTransaction 9F41", "none 6F00",
            ]
        )
    }

    @Test func anExtraAnswerNamesNoCommand() throws {
        var desk = MiuraDesk()
        try desk.start("emv-visa-signature")
        desk.wait(.seconds(1))
        desk.facts = []
        desk.removeCard()
        desk.wait(.seconds(1))
        #expect(desk.facts.exchanges == ["none 9000"])
    }

    @Test func aReaderCanSpeakInsideAChain() throws {
        var desk = MiuraDesk { $0.speaksInsideChains = true }
        try desk.start("emv-visa-signature")
        desk.wait(.seconds(1))
        #expect(desk.messages.map(\.isUnsolicited) == [true, false])
        #expect(desk.messages.last.flatMap { MiuraResponse($0).body.first } == 0xE4)
    }

    // MARK: Starting anew

    @Test func aRebootDropsTheLinkAndComesBack() {
        var desk = MiuraDesk()
        desk.collect(desk.reader.reboot(cache: desk.cache, at: desk.now))
        #expect(
            desk.events() == [.readerStatus(MiuraReaderStatus(.rebooting, "Rebooting"))]
        )
        #expect(desk.dropCount == 1)
        #expect(!desk.reader.isReachable)
        desk.wait(.seconds(19))
        #expect(desk.reachableCount == 0)
        desk.wait(.seconds(1))
        #expect(desk.reachableCount == 1)
    }
}

extension MiuraDesk {
    mutating func battery(_ percent: Int, _ charging: MiuraBattery.Charging? = nil) {
        collect(reader.setBattery(percent: percent, charging: charging, cache: cache, at: now))
    }
}

extension [MiuraFact] {
    /// The commands that began and the answers, in a short form.
    var exchanges: [String] {
        compactMap { fact in
            switch fact {
            case .began(let name): "began \(name.map { "\($0)" } ?? "none")"
            case .answers(let name, let word): "\(name.map { "\($0)" } ?? "none") \(word)"
            default: nil
            }
        }
    }
}
