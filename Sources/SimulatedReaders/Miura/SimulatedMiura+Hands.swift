public import CardCrypto
import CardData
public import EventLoops
public import ReaderProtocols

extension SimulatedMiura {
    /// Presses keys one after the other.
    ///
    /// | the reader | digits, Clear, Enter | Cancel |
    /// | --- | --- | --- |
    /// | asks for a PIN, a choice or input | are its | ends it, and a chip transaction with it (9F41) |
    /// | waits for a tap | nothing | ``MiuraReaderConfiguration/cancelKey`` |
    /// | reads a chip | nothing | ends the transaction (9F41) |
    /// | waits for the chip's cryptogram | nothing | nothing |
    ///
    /// Keys are reported to a host that asked for it, but for those of a PIN.
    public mutating func press(
        _ keys: [MiuraKey],
        cache: CryptoCache,
        at instant: VirtualInstant
    ) -> [MiuraReaderEffect] {
        act(at: instant, cache) { reader in
            for key in keys { reader.press(key, cache) }
        }
    }

    private mutating func press(_ key: MiuraKey, _ cache: CryptoCache) {
        guard power == .on else { return effects.append(.noted(.keyIgnored)) }
        var isSecret = false
        switch activity {
        case .pin: isSecret = true
        case .chip(let run):
            if case .typing = run.phase { isSecret = true }
        case .contactless(let run):
            if case .reading(let reading) = run.phase, case .typing = reading.phase {
                isSecret = true
            }
        case .input: isSecret = true
        case .idle, .streaming, .initialising: break
        }
        if reportsKeys, !isSecret { tell(.keyPressed(key.code)) }
        switch activity {
        case .idle, .streaming, .initialising:
            if !reportsKeys { effects.append(.noted(.keyIgnored)) }
        case .contactless(let run):
            if case .reading(let reading) = run.phase { return press(key, in: reading, cache) }
            guard key == .cancel else {
                return effects.append(.noted(.keyIgnored))
            }
            switch configuration.cancelKey {
            case .endsTransaction: endContactless(.cancelled, cache)
            case .firstSwitchesContactlessOff: endContactless(.contactlessNotPossible, cache)
            }
        case .pin(let entry): press(key, inOnlinePIN: entry, cache)
        case .input(let run): press(key, in: run, cache)
        case .chip(let run): press(key, in: run, cache)
        }
    }

    /// Charges or drains the battery, or plugs in a charger; at 0 % the reader switches itself off.
    public mutating func setBattery(
        percent: Int,
        charging: MiuraBattery.Charging? = nil,
        cache: CryptoCache,
        at instant: VirtualInstant
    ) -> [MiuraReaderEffect] {
        act(at: instant, cache) { reader in
            let old = reader.battery
            reader.battery.percentage = AudioJack.percent(percent)
            if let charging { reader.battery.charging = charging }
            let low = reader.configuration.lowBatteryPercent
            let becameLow = old.percentage > low && reader.battery.percentage <= low
            let changedCharging = old.charging != reader.battery.charging
            if (reader.reportsLowBattery && becameLow)
                || (reader.reportsCharging && changedCharging)
            {
                reader.tell(.battery(reader.battery))
            }
            if reader.battery.percentage == 0, reader.battery.charging == .onBattery {
                reader.switchOff()
            }
        }
    }

    /// Switches the reader off by its button.
    public mutating func switchOff(
        cache: CryptoCache,
        at instant: VirtualInstant
    ) -> [MiuraReaderEffect] {
        act(at: instant, cache) { reader in reader.switchOff() }
    }

    /// Switches the reader on; a host can reach it at once.
    ///
    /// With an empty battery it stays off.
    public mutating func switchOn(
        cache: CryptoCache,
        at instant: VirtualInstant
    ) -> [MiuraReaderEffect] {
        act(at: instant, cache) { reader in
            let hasPower =
                reader.battery.percentage > 0 || reader.battery.charging != .onBattery
            guard reader.power == .off, hasPower else { return }
            reader.power = .on
            reader.effects.append(.noted(.listens(port: reader.wifi?.listenPort)))
            reader.effects.append(.reachable)
        }
    }

    /// Makes the reader start anew, as its daily security check does.
    public mutating func reboot(
        cache: CryptoCache,
        at instant: VirtualInstant
    ) -> [MiuraReaderEffect] {
        act(at: instant, cache) { reader in
            guard reader.power == .on else { return }
            reader.tell(.readerStatus(MiuraReaderStatus(.rebooting, "Rebooting")))
            reader.departure = nil
            reader.dropLink()
            reader.beginReboot()
        }
    }

    /// Scans a bar code at the hub.
    public mutating func scan(
        _ code: [UInt8],
        cache: CryptoCache,
        at instant: VirtualInstant
    ) -> [MiuraReaderEffect] {
        act(at: instant, cache) { reader in
            guard reader.configuration.hasHub, reader.reportsBarCodes else { return }
            reader.tell(.barCode(code), from: .hub)
        }
    }

    /// Closes the cash drawer at the hub.
    public mutating func closeDrawer() { isDrawerOpen = false }

    private mutating func switchOff() {
        guard power != .off else { return }
        tell(.readerStatus(MiuraReaderStatus(.poweringOff, "Powering off")))
        departure = nil
        dropLink()
        loseState()
        power = .off
        effects.append(.noted(.listens(port: nil)))
    }

    /// Forgets what a link that is not there could not make it forget.
    private mutating func loseState() {
        activity = .idle
        pending = nil
        extraAnswer = nil
        display = Self.idleDisplay
    }
}
