public import EventLoops
import Kernel
import USB

/// Looks whether this machine can be used with readers, one thing after another.
///
/// Everything it reads comes from a ``SystemTree`` and from the times it is given, so that each line
/// can be tested on a tree that is made up.
public struct Doctor: Sendable {
    let tree: SystemTree
    private let survey: DeskSurvey
    private let isMachine: Bool
    private let timers: LatenessTally

    /// Prepares to look.
    ///
    /// - Parameters:
    ///   - tree: The machine, or a tree that is made up.
    ///   - listing: Who lists USB devices.
    ///   - timers: How late the timers of a short test were; see ``sampleTimers()``.
    public init(
        _ tree: SystemTree = .machine,
        listing: DeskSurvey.USBListing = .libusb,
        timers: LatenessTally
    ) {
        self.tree = tree
        survey = DeskSurvey(tree, listing: listing)
        isMachine = listing == .libusb
        self.timers = timers
    }

    /// Lets a hundred timers of a millisecond expire and notes how late each was; takes 0.1 s.
    ///
    /// - Throws: ``EventLoops/WallClockError`` when the kernel gives no timers.
    public static func sampleTimers() throws(WallClockError) -> LatenessTally {
        let clock = try WallClock()
        var tally = LatenessTally()
        for _ in 0..<100 {
            let due = clock.now + .milliseconds(1)
            try clock.sleep(until: due)
            tally.note(clock.now - due)
        }
        return tally
    }

    /// Looks at everything, in the order in which it is shown.
    public func checks() -> [DoctorCheck] {
        let found = survey.look()
        var checks = usb(found) + [hotplug]
        let ports = found.readers.filter { $0.isSerialPort }
        let readers = found.readers.filter { !$0.isSerialPort || $0.known != nil }
        if readers.isEmpty {
            checks.append(
                DoctorCheck(
                    "readers",
                    .notNeeded,
                    "no reader is attached; plug one in and look again"
                )
            )
        }
        for reader in readers { checks += self.checks(of: reader) }
        checks += serialPorts(ports.filter { $0.known == nil }) + [modemManager(ports)]
        checks += tools + clocks
        return checks
    }

    // MARK: USB

    private func usb(_ found: DeskSurvey.Result) -> [DoctorCheck] {
        var checks: [DoctorCheck] = []
        let library = isMachine ? "libusb \(USBLibrary.version)" : "libusb was not asked"
        if let problem = found.usbProblem {
            checks.append(
                DoctorCheck(
                    "libusb",
                    .notOk,
                    "\(library): \(problem)",
                    remedy:
                        "readers on USB need usbfs: outside of a container load usbcore, in one "
                        + "pass /dev/bus/usb in"
                )
            )
        } else {
            checks.append(DoctorCheck("libusb", .ok, library))
        }
        if Paths.kind(of: "\(tree.dev)/bus/usb") == .directory {
            checks.append(DoctorCheck("usb nodes", .ok, "/dev/bus/usb is there"))
        } else if Paths.kind(of: "\(tree.sys)/bus/usb") == nil {
            checks.append(DoctorCheck("usb nodes", .notNeeded, "this machine has no USB"))
        } else {
            checks.append(
                DoctorCheck(
                    "usb nodes",
                    .notOk,
                    "the kernel has USB, but there is no /dev/bus/usb",
                    remedy: "in a container pass it in, as with docker run --device /dev/bus/usb"
                )
            )
        }
        return checks
    }

    private var hotplug: DoctorCheck {
        Paths.kind(of: "\(tree.run)/udev/control") != nil
            ? DoctorCheck("hotplug", .ok, "udevd runs and tells of what is plugged in")
            : DoctorCheck(
                "hotplug",
                .notNeeded,
                "no udevd runs here; the list of USB devices is looked through every 250 ms instead"
            )
    }

    // MARK: Readers

    private func checks(of reader: FoundReader) -> [DoctorCheck] {
        let name = reader.endpoint
        var checks: [DoctorCheck] = []
        if let trouble = reader.trouble {
            checks.append(
                DoctorCheck(
                    name,
                    .notOk,
                    "\(reader.name): \(trouble.reason)",
                    remedy: trouble.remedy
                )
            )
        } else {
            checks.append(DoctorCheck(name, .ok, "\(reader.name) can be opened"))
        }
        if let advice = reader.known?.keyboardAdvice(layout: tree.keyboardLayout) {
            checks.append(
                DoctorCheck(
                    "\(name) mode",
                    .notOk,
                    "\(reader.name): \(advice.reason)",
                    remedy: advice.remedy
                )
            )
        }
        if !reader.isSerialPort { checks.append(driver(of: reader)) }
        if let ids = reader.ids { checks.append(rule(for: reader, ids)) }
        return checks
    }

    private func driver(of reader: FoundReader) -> DoctorCheck {
        let name = "\(reader.endpoint) driver"
        switch reader.driver {
        case nil: return DoctorCheck(name, .ok, "no driver has the interface")
        case "usbfs"?:
            return DoctorCheck(
                name,
                .notOk,
                "another program has claimed the interface",
                remedy: reader.trouble?.remedy
            )
        case let driver?:
            return DoctorCheck(
                name,
                .ok,
                "the kernel's \(driver) has the interface; CardRig takes it for a run and gives it "
                    + "back"
            )
        }
    }

    private func rule(for reader: FoundReader, _ ids: USBIDs) -> DoctorCheck {
        let name = "\(reader.endpoint) udev rule"
        let rules = UdevRules(tree).about(
            vendorID: ids.vendorID,
            productID: ids.productID,
            node: reader.isSerialPort ? "tty" : "usb"
        )
        let right =
            reader.known?.udevRule
            ?? KnownReader.usbRule(vendorID: ids.vendorID, productID: ids.productID)
        let status = Paths.status(of: tree.dev + reader.node.dropFirst("/dev".count))
        let write =
            "write the line \(right) to /etc/udev/rules.d/60-cardrig.rules, or see "
            + "--write-udev-rules"
        if let wide = rules.last(where: { $0.effect == .opensToAll }) {
            return DoctorCheck(
                name,
                .notOk,
                "\(wide.place) lets everybody on this machine read cards",
                remedy: "put \(right) in its place"
            )
        }
        if let mode = status?.mode, mode & 0o002 != 0 {
            return DoctorCheck(
                name,
                .notOk,
                "everybody on this machine may open \(reader.node)",
                remedy: write
            )
        }
        if let good = rules.last(where: { $0.effect == .opens }) {
            return DoctorCheck(name, .ok, "\(good.place) opens it to this user")
        }
        if let bad = rules.last, case .opensNothing(let why) = bad.effect {
            return DoctorCheck(name, .notOk, "\(bad.place) does not help: \(why)", remedy: write)
        }
        if reader.trouble?.kind == .denied {
            return DoctorCheck(name, .notOk, "there is none about \(ids)", remedy: write)
        }
        return DoctorCheck(
            name,
            .notNeeded,
            "there is none about \(ids), and this user may open it without"
        )
    }

    // MARK: Serial ports

    private func serialPorts(_ ports: [FoundReader]) -> [DoctorCheck] {
        guard !ports.isEmpty else {
            return [DoctorCheck("serial ports", .notNeeded, "there is no other serial port")]
        }
        return ports.map { port in
            guard let trouble = port.trouble else {
                return DoctorCheck(port.endpoint, .ok, "\(port.name) can be opened")
            }
            return DoctorCheck(
                port.endpoint,
                .notOk,
                "\(port.name): \(trouble.reason)",
                remedy: trouble.remedy
            )
        }
    }

    /// ModemManager opens each new serial port and sends commands of modems to it.
    private func modemManager(_ ports: [FoundReader]) -> DoctorCheck {
        let runs = Paths.names(in: tree.proc).contains { number in
            Int(number) != nil && tree.text("\(tree.proc)/\(number)/comm") == "ModemManager"
        }
        guard runs else { return DoctorCheck("modem manager", .ok, "it does not run") }
        let ids = ports.compactMap(\.ids).first
        let isIgnored = ports.allSatisfy { port in
            guard let known = port.known else { return port.ids == nil }
            let rules = UdevRules(tree).about(
                vendorID: known.vendorID,
                productID: known.productID,
                node: "tty"
            )
            return !rules.isEmpty
        }
        guard let ids, !isIgnored else {
            return DoctorCheck(
                "modem manager",
                .notNeeded,
                "it runs, and no reader is a serial port"
            )
        }
        return DoctorCheck(
            "modem manager",
            .notOk,
            "it runs, and sends commands of modems to the serial port of \(ids) when it is plugged in",
            remedy: "sudo systemctl stop ModemManager, or a udev rule with "
                + "ENV{ID_MM_DEVICE_IGNORE}=\"1\""
        )
    }

    // MARK: Programs

    /// A program that only some uses need.
    private struct Tool {
        var name: String
        var program: String
        var use: String
        var package: String
    }

    private static let toolRows = [
        Tool(
            name: "usbip",
            program: "usbip",
            use: "attaches a reader that is served over USB/IP to this kernel",
            package: "usbip"
        ),
        Tool(
            name: "uhubctl",
            program: "uhubctl",
            use: "switches the port of a reader off and on, in place of a hand",
            package: "uhubctl"
        ),
        Tool(
            name: "umockdev",
            program: "umockdev-run",
            use: "puts the test bed below libusb, for tests without hardware",
            package: "umockdev libumockdev-dev"
        ),
        Tool(
            name: "QEMU",
            program: "qemu-system-x86_64",
            use: "boots a kernel that takes served readers for real, in the self-test",
            package: "qemu-system-x86"
        ),
    ]

    private var tools: [DoctorCheck] {
        Self.toolRows.map { tool in
            guard let path = tree.program(tool.program) else {
                return DoctorCheck(
                    tool.name,
                    .notNeeded,
                    "it is not installed; it \(tool.use)",
                    remedy: "apt-get install \(tool.package)"
                )
            }
            var finding = path
            if tool.name == "usbip",
                Paths.kind(of: "\(tree.sys)/devices/platform/vhci_hcd.0") == nil
            {
                finding += "; to attach here the kernel needs its module: modprobe vhci-hcd"
            }
            return DoctorCheck(tool.name, .ok, finding)
        }
    }

    // MARK: Clocks

    private var clocks: [DoctorCheck] {
        let source =
            tree.name("\(tree.sys)/devices/system/clocksource/clocksource0/current_clocksource")
            ?? "unknown"
        let step = MonotonicClock.resolution
        var checks = [
            step <= 1_000
                ? DoctorCheck("clock", .ok, "steps of \(step) ns, source \(source)")
                : DoctorCheck(
                    "clock",
                    .notOk,
                    "its steps are \(VirtualDuration.nanoseconds(step).text), source \(source)",
                    remedy: "the kernel must be built with CONFIG_HIGH_RES_TIMERS"
                )
        ]
        let late = VirtualDuration.microseconds(timers.percentile(99).nanoseconds / 1_000).text
        checks.append(
            timers.isBusy
                ? DoctorCheck(
                    "timers",
                    .notOk,
                    "99 of 100 timers come up to \(late) late, and more than "
                        + "\(LatenessTally.busyLimit.text) cannot be trusted with time limits",
                    remedy: "end what else runs on this machine, or take another one"
                )
                : DoctorCheck("timers", .ok, "99 of 100 come at most \(late) late")
        )
        // 2024, before which nothing of this program was written.
        let isSet = Kernel.WallClock.now / 1_000_000_000 > 1_704_067_200
        checks.append(
            isSet
                ? DoctorCheck("time of day", .ok, "it is set")
                : DoctorCheck(
                    "time of day",
                    .notOk,
                    "it is before 2024, and captures would say so",
                    remedy: "set it: timedatectl set-ntp true"
                )
        )
        return checks
    }
}
