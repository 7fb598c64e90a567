import CardData
import EventLoops
import GatewayProtocols
import Journal
import Rig
import SDKCore
import SimulatedGateways
import SimulatedReaders
import Testing
import Transports

@Suite("Payment readers of a rig")
struct PaymentReaderTests {
    @Test(arguments: [
        PaymentReaderAddress.Carrier.bluetooth, .network, .serial,
    ])
    func chipAndPINIsCharged(over carrier: PaymentReaderAddress.Carrier) {
        let desk = PaymentRig(carrier)
        #expect(desk.sell())
        desk.rig.act(.removeCard(reader: 0))
        desk.settle()
        #expect(desk.values(.result, of: .completed) == [.symbol(.approved)])
        #expect(desk.rig.serviceEntries.map(\.transaction.state) == [.captured])
        #expect(desk.names.last == .displayed)
        #expect(desk.names.contains(.readerClosed))
    }

    // MARK: Secrets

    @Test func digitsOfAPINAreShownNowhere() {
        let desk = PaymentRig { $0.isRecorded = true }
        #expect(desk.sell())
        #expect(desk.values(.keys, of: .keysPressed).map { "\($0)" } == ["text(•••• enter)"])
        #expect(!desk.texts.contains { $0.contains("1234") })
        #expect("\(HandAct.press(reader: 0, [.digit(7)], pause: .zero))".contains("7") == false)
        let sent = desk.rig.wireTap?.entries.flatMap { entry -> [UInt8] in
            switch entry.traffic {
            case .fromHost(let unit), .fromReader(let unit): Array(unit.payload)
            case .attached, .detached, .featureFinished: []
            }
        }
        let pins = [Array("1234".utf8), [0x12, 0x34], [1, 2, 3, 4]]
        for pin in pins {
            #expect(sent?.isEmpty == false)
            #expect(sent.map { contains($0, pin) } == false, "\(pin.count) bytes")
        }
    }

    private func contains(_ bytes: [UInt8], _ part: [UInt8]) -> Bool {
        bytes.indices.dropLast(part.count - 1).contains {
            bytes[$0..<($0 + part.count)].elementsEqual(part)
        }
    }

    // MARK: Reach

    @Test func aReaderWithAnotherNameIsNotFound() {
        let desk = PaymentRig()
        #expect(desk.charge(address: "AgentCASH 999"))
        desk.settle()
        #expect(desk.values(.error, of: .completed) == [.symbol(.noSuchReader)])
        #expect(desk.values(.reader, of: .readerNotFound) == [])
    }

    @Test(arguments: [HandAct.unplug(reader: 0), .switchOff(reader: 0), .reboot(reader: 0)])
    func aReaderThatIsNotThereIsNotFoundUntilItIs(act: HandAct) {
        let desk = PaymentRig()
        desk.rig.act(act)
        #expect(desk.charge())
        #expect(desk.take(until: .completed))
        #expect(desk.values(.error, of: .completed) == [.symbol(.noSuchReader)])
        #expect(desk.values(.reader, of: .readerNotFound) == [.reader(0)])
        desk.settle()
        desk.rig.act(.plugIn(reader: 0))
        desk.rig.act(.switchOn(reader: 0))
        #expect(desk.sell())
    }

    @Test func aReaderThatKnowsNoNetworkIsNotFoundThere() {
        let desk = PaymentRig(.network) { configuration in
            guard case .miura(var miura) = configuration.readers[0].endpoint else { return }
            miura.wifi = nil
            configuration.readers[0].endpoint = .miura(miura)
        }
        #expect(desk.charge())
        desk.settle()
        #expect(desk.values(.error, of: .completed) == [.symbol(.noSuchReader)])
    }

    @Test func eachOfTwoReadersIsFoundByItsOwnName() {
        let desk = PaymentRig(readerCount: 2)
        #expect(desk.charge(reader: 1))
        #expect(desk.take(until: .progressChanged, .waitingForCard))
        #expect(desk.values(.reader, of: .readerOpened) == [.reader(1)])
        desk.rig.act(.insert(reader: 0, card: "emv-visa-no-cvm"))
        desk.rig.act(.insert(reader: 1, card: "emv-visa-no-cvm"))
        #expect(desk.take(until: .completed))
        #expect(desk.values(.result, of: .completed) == [.symbol(.approved)])
    }

    // MARK: Losses

    @Test func aReaderThatGoesEndsThePaymentAndServesTheNext() {
        let desk = PaymentRig()
        #expect(desk.charge())
        #expect(desk.take(until: .progressChanged, .waitingForCard))
        desk.rig.act(.unplug(reader: 0))
        desk.settle()
        #expect(desk.values(.error, of: .completed) == [.symbol(.readerDisconnected)])
        #expect(desk.values(.reason, of: .readerDetached) == [.symbol(.left)])
        desk.rig.act(.plugIn(reader: 0))
        #expect(desk.sell())
    }

    @Test func aCutAtAnyFrameOrInsideOneChargesAtMostOnce() {
        let whole = PaymentRig()
        #expect(whole.sell())
        let frameCount = whole.rig.linkPosition(of: 0).unitCount
        #expect(frameCount > 10)
        var results: [AttributeValue] = []
        for frame in 1...frameCount {
            for address in [LinkFault.Address.unit(frame), .byteOfUnit(unit: frame, byte: 3)] {
                let desk = PaymentRig { $0.readers[0].faults = [LinkFault(.cut, at: address)] }
                _ = desk.charge()
                if desk.take(until: .progressChanged, .waitingForCard) {
                    desk.rig.act(.insert(reader: 0, card: "emv-visa-pin"))
                    if desk.take(until: .pinAsked) { desk.press("1234 enter") }
                }
                desk.settle()
                #expect(desk.names.count { $0 == .completed } == 1, "\(address)")
                let charged = desk.rig.serviceEntries.count { $0.transaction.state == .captured }
                let result = desk.values(.result, of: .completed)
                #expect(charged == (result == [.symbol(.approved)] ? 1 : 0), "\(address)")
                results += result
                // The link can be made again.
                desk.rig.act(.removeCard(reader: 0))
                desk.settle()
                #expect(desk.sell(), "\(address)")
            }
        }
        #expect(results.contains(.symbol(.failed)))
        #expect(results.contains(.symbol(.approved)))
    }

    @Test func aRebootInAPaymentIsALostReader() {
        let desk = PaymentRig()
        #expect(desk.charge())
        #expect(desk.take(until: .progressChanged, .waitingForCard))
        desk.rig.act(.reboot(reader: 0))
        desk.settle()
        #expect(desk.values(.result, of: .completed) == [.symbol(.failed)])
        #expect(desk.sell())
    }

    @Test func anEmptyBatterySwitchesTheReaderOff() {
        let desk = PaymentRig()
        #expect(desk.charge())
        #expect(desk.take(until: .progressChanged, .waitingForCard))
        desk.rig.act(.setBattery(reader: 0, percent: 0))
        desk.settle()
        #expect(desk.values(.battery, of: .batteryChanged) == [.integer(0)])
        #expect(desk.values(.result, of: .completed) == [.symbol(.failed)])
    }

    // MARK: Hands

    @Test func keysCanBePressedOneAfterTheOther() {
        let desk = PaymentRig()
        #expect(desk.charge())
        #expect(desk.take(until: .progressChanged, .waitingForCard))
        desk.rig.act(.insert(reader: 0, card: "emv-visa-pin"))
        #expect(desk.take(until: .pinAsked))
        let start = desk.rig.now
        desk.press("1234 enter", pause: .seconds(1))
        #expect(desk.take(until: .progressChanged, .onlineAuthorisation))
        #expect(desk.rig.now - start >= .seconds(4))
    }

    @Test func aCardThatStaysInTheSlotKeepsNothingPending() {
        let desk = PaymentRig()
        #expect(desk.sell())
        let end = desk.rig.now
        desk.settle()
        #expect(desk.rig.now - end < .seconds(1))
        #expect(desk.rig.isQuiet)
        #expect(!desk.names.contains(.readerClosed))
    }
}
