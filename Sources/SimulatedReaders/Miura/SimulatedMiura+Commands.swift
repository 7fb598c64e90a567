import CardCrypto
import CardData
import EventLoops
public import ReaderProtocols

extension SimulatedMiura {
    // MARK: From the link

    mutating func take(_ reading: MiuraReading, _ cache: CryptoCache) {
        switch reading {
        case .message(let message): take(message, cache)
        case .rawBytes(let bytes, let remaining): takeRaw(bytes, remaining: remaining, cache)
        case .damaged(let damage):
            guard departure == nil else { return }
            effects.append(.noted(.damaged(damage)))
            switch configuration.badFrame {
            case .isAnswered: refuse(.packetProblem, nil, .reader)
            case .isIgnored: break
            case .dropsLink: dropLink()
            }
        case .skipped: break
        }
    }

    private mutating func take(_ message: MiuraMessage, _ cache: CryptoCache) {
        // A reader that has announced its end listens no more.
        guard isLinked, departure == nil else { return }
        guard message.node == .reader || configuration.hasHub else { return }
        let command: MiuraCommand
        do throws(MiuraFormatError) {
            let apdu = try MiuraAPDU(message.payload)
            if apdu.needsExtendedForm, !configuration.understandsExtendedAPDU {
                return refuse(.formatError, nil, message.node)
            }
            command = try MiuraCommand(apdu)
        } catch {
            let code = UInt16(message.payload[0]) << 8 | UInt16(message.payload[1])
            let name = MiuraCommandName(rawValue: code)
            if activity.isIdle { return refuse(error.statusWord, name, message.node) }
            return wait(message)
        }
        if message.node == .hub {
            begin(command)
            return executeOnHub(command)
        }
        if case .abort = command {
            begin(command)
            return abort(cache)
        }
        guard activity.isIdle else {
            if configuration.earlyCommand == .isRefused {
                return refuse(.notAllowed, command.name, .reader)
            }
            return wait(message)
        }
        begin(command)
        execute(command, cache)
        if !activity.isIdle { busyCommand = command.name }
    }

    private mutating func begin(_ command: MiuraCommand) {
        answeredCommand = command.name
        effects.append(.noted(.began(command.name)))
    }

    private mutating func wait(_ message: MiuraMessage) {
        guard waitingCommands.count < Self.commandBound else {
            effects.append(.noted(.commandDropped))
            return
        }
        waitingCommands.append(message)
    }

    /// Executes what waited for the end of a command, up to the next one that takes time.
    mutating func resume(_ cache: CryptoCache) {
        while activity.isIdle, !waitingCommands.isEmpty {
            take(waitingCommands.removeFirst(), cache)
        }
    }

    mutating func refuse(
        _ statusWord: MiuraStatusWord,
        _ name: MiuraCommandName?,
        _ node: MiuraNode = .reader
    ) {
        answeredCommand = name
        answer(.refused(statusWord, []), from: node)
    }

    // MARK: Commands

    private mutating func execute(_ command: MiuraCommand, _ cache: CryptoCache) {
        switch command {
        case .resetDevice(let reset): self.reset(reset)
        case .getConfiguration: answer(.entries(configurationEntries))
        case .getDeviceInfo: answer(.entries(abilities))
        case .cardStatus(let reports):
            // The answer is an unsolicited message, and nothing else.
            cardReports = reports
            effects.append(.noted(.answers(.cardStatus, .success)))
            tell(.cardStatus(cardReport(reports)))
        case .cardStatusSolicited(let reports): answer(.cardStatus(cardReport(reports)))
        case .keyboardStatus(let request):
            reportsKeys = request.reportsKeys ?? reportsKeys
            answer(.done)
        case .batteryStatus(let request): execute(request)
        case .printerStatus(let reports):
            reportsPrinter = reports
            answer(.printer([]))
        case .usbStatus(let reports):
            reportsUSB = reports
            answer(.usb(isPlugged: battery.charging != .onBattery))
        case .readClock: answer(.clock(clock))
        case .setClock(let clock):
            clockSeconds = clock.secondsSince2000
            clockSetAt = now
            answer(.done)
        case .systemLog(let removes):
            if removes { store.remove("mpi.log", .installation) } else { store.put("mpi.log", []) }
            answer(.done)
        case .abort: answer(.done)
        case .peripheralStatus, .cashDrawer, .barCodeScanner:
            refuse(.invalidParameter, command.name)
        case .displayText(let text):
            show(text.text)
            answer(.done)
        case .input(let input): begin(input, cache)
        case .selectFile, .deleteFile, .listFiles, .readBinary, .streamBinary:
            executeOnFiles(command)
        case .startTransaction(let transaction): start(transaction, cache)
        case .continueTransaction(let objects): continueTransaction(objects, cache)
        case .startContactless(let transaction): startContactless(transaction)
        case .onlinePIN(let request): askForOnlinePIN(request)
        case .getNextSequenceCounter: answer(.sequenceCounter(nextSequenceCounter))
        case .p2peStatus: answer(.p2peStatus(keyStatus))
        case .p2peInitialise:
            activity = .initialising(until: now + max(.zero, configuration.initialisationTime))
        case .p2peImport: importKeys()
        case .p2peGetKSNForMAC: answer(.ksn(sredKSN.bytes))
        case .other(let apdu): executeOther(apdu)
        }
    }

    private mutating func executeOnHub(_ command: MiuraCommand) {
        switch command {
        case .resetDevice:
            answer(
                .software(
                    MiuraSoftware(
                        serialNumber: configuration.serialNumber,
                        software: [MiuraEntry("M100-RPI", "1-6"), MiuraEntry("M100-OS", "1-6")]
                    )
                ),
                from: .hub
            )
        case .printerStatus(let reports):
            reportsPrinter = reports
            answer(.printer([.powered, .attached, .hasPaper]), from: .hub)
        case .peripheralStatus: answer(.peripherals(["Printer", "Cash Drawer"]), from: .hub)
        case .cashDrawer(let opens):
            isDrawerOpen = isDrawerOpen || opens
            answer(.cashDrawer(isOpen: isDrawerOpen), from: .hub)
        case .barCodeScanner(let reports):
            reportsBarCodes = reports
            answer(.done, from: .hub)
        case .usbStatus: answer(.usb(isPlugged: false), from: .hub)
        case .abort: answer(.done, from: .hub)
        case .other(let apdu):
            if apdu.isPrinting {
                answer(.done, from: .hub)
            } else {
                refuse(.invalidParameter, command.name, .hub)
            }
        default: refuse(.invalidParameter, command.name, .hub)
        }
    }

    private mutating func execute(_ request: MiuraBatteryRequest) {
        switch request {
        case .query: answer(.battery(battery))
        case .sleep:
            answer(.done)
            depart(.sleep)
        case .powerOff:
            answer(.done)
            depart(.off)
        case .report(let chargingChanges, let lowCharge):
            reportsCharging = chargingChanges
            reportsLowBattery = lowCharge
            answer(.done)
        }
    }

    private mutating func reset(_ reset: MiuraReset) {
        switch reset {
        case .soft: break
        case .hard:
            if let bytes = store.bytes(of: Self.wifiFileName) {
                do throws(MiuraWiFiConfiguration.Problem) {
                    wifi = try MiuraWiFiConfiguration(bytes)
                } catch {
                    return refuse(.invalidConfiguration, .resetDevice)
                }
            }
            answer(.software(software))
            return depart(.reboot)
        case .clearFiles, .clearFilesAndMassStorage:
            store.removeAll(in: .installation)
        }
        answer(.software(software))
    }

    static let wifiFileName = MiuraWiFiConfiguration.fileName

    /// The serial number and software, as RESET DEVICE tells them.
    var software: MiuraSoftware {
        MiuraSoftware(
            serialNumber: configuration.serialNumber,
            software: [
                MiuraEntry("M000-MPI", softwareVersion),
                MiuraEntry("M000-OS", configuration.systemVersion),
            ],
            abilities: configuration.understandsExtendedAPDU
                ? [MiuraEntry(MiuraSoftware.extendedAPDU)] : []
        )
    }

    private var abilities: [MiuraEntry] {
        var names = ["Smartcard", "USB_Bluetooth", "Display", "Keyboard", "Mag"]
        if configuration.model == .m010 { names.insert("Contactless", at: 1) }
        return names.map { MiuraEntry($0) }
    }

    private var configurationEntries: [MiuraEntry] {
        ["emv.cfg", "contactless.cfg", "MPI-Dynamic.cfg", "prompts.txt"]
            .map { MiuraEntry($0, "1.0") }
            + (wifi == nil ? [] : [MiuraEntry(Self.wifiFileName, "1.0")])
    }

    /// Date and time now.
    public var clock: MiuraClock {
        let passed = (now - clockSetAt).nanoseconds / 1_000_000_000
        let (seconds, isTooLarge) = clockSeconds.addingReportingOverflow(passed)
        return MiuraClock(secondsSince2000: isTooLarge ? 0 : seconds)
    }

    /// The number of the next transaction, eight digits.
    var nextSequenceCounter: Int { (sequenceCounter + 1) % 100_000_000 }

    private mutating func importKeys() {
        guard keyStatus.contains(.initialised) else {
            return refuse(.keysNotReady, .p2peImport)
        }
        keyStatus = [.pinReady, .sredReady]
        answer(.done)
    }

    // MARK: The end of the link

    private mutating func depart(_ kind: Departure.Kind) {
        switch kind {
        case .sleep: break
        case .off: tell(.readerStatus(MiuraReaderStatus(.poweringOff, "Powering off")))
        case .reboot: tell(.readerStatus(MiuraReaderStatus(.rebooting, "Rebooting")))
        }
        let delay = max(.zero, configuration.answerDelay) + .milliseconds(50)
        departure = Departure(kind: kind, due: now + delay)
    }

    mutating func depart() {
        guard let departed = departure else { return }
        departure = nil
        dropLink()
        switch departed.kind {
        case .sleep: break
        case .off: power = .off
        case .reboot: beginReboot()
        }
    }

    mutating func beginReboot() {
        power = .rebooting(until: now + max(.zero, configuration.rebootTime))
        effects.append(.noted(.listens(port: nil)))
    }

    mutating func finishReboot() {
        power = .on
        networkDue = nil
        let names = store.names(in: .installation)
        for name in names {
            if let version = Self.version(inFirmwareName: name) { softwareVersion = version }
        }
        store.removeAll(in: .installation)
        effects.append(.noted(.installed(names)))
        effects.append(.noted(.listens(port: wifi?.listenPort)))
        effects.append(.reachable)
    }

    /// `1-64` of `M000-MPI-V1-64.tar.gz`.
    private static func version(inFirmwareName name: String) -> String? {
        let (prefix, suffix) = ("M000-MPI-V", ".tar.gz")
        guard name.hasPrefix(prefix), name.hasSuffix(suffix) else { return nil }
        return String(name.dropFirst(prefix.count).dropLast(suffix.count))
    }
}

extension MiuraFormatError {
    /// What a reader answers to a command that it cannot read (assumed by the meaning of the words).
    var statusWord: MiuraStatusWord {
        switch code {
        case .commandTooShort: .packetProblem
        case .wrongDataLength, .notTLV: .formatError
        case .missing: .invalidReference
        case .malformed, .wrongBodyLength: .invalidData
        case .wrongParameter: .invalidParameter
        }
    }
}
