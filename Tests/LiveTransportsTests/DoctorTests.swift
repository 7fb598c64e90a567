import EventLoops
import Testing

@testable import LiveTransports

@Suite("Doctor")
struct DoctorTests {
    private func checks(
        _ desk: MadeUpTree,
        groupIDs: [UInt32] = [1_000],
        late: VirtualDuration = .zero
    ) -> [DoctorCheck] {
        var timers = LatenessTally()
        timers.note(late)
        return Doctor(desk.tree(groupIDs: groupIDs), listing: .files, timers: timers).checks()
    }

    private func check(_ name: String, in checks: [DoctorCheck]) throws -> DoctorCheck {
        try #require(checks.first { $0.name == name }, "there is no line '\(name)'")
    }

    @Test func withoutAReaderNothingIsWrong() throws {
        let checks = checks(try MadeUpTree())
        #expect(!checks.contains { $0.status == .notOk })
        let line = try check("readers", in: checks)
        #expect(line.status == .notNeeded)
        #expect(line.finding == "no reader is attached; plug one in and look again")
    }

    @Test func aReaderWithItsRuleIsOk() throws {
        let desk = try MadeUpTree()
        try desk.usb("0801:0011", serial: "B1")
        try desk.run("chgrp", "46", "\(desk.root)/dev/bus/usb/001/004")
        try desk.rules(
            "60-cardrig.rules",
            #"SUBSYSTEM=="usb", ATTR{idVendor}=="0801", GROUP="plugdev", MODE="0660""#
        )
        let checks = checks(desk, groupIDs: [46])
        #expect(try check("usb:0801:0011:B1", in: checks).status == .ok)
        #expect(try check("usb:0801:0011:B1 udev rule", in: checks).status == .ok)
        let driver = try check("usb:0801:0011:B1 driver", in: checks)
        #expect(driver.status == .ok)
        #expect(driver.finding.hasPrefix("the kernel's usbhid has the interface"))
    }

    @Test(arguments: ["0acd:2030", "0801:0001"])
    func aReaderThatIsAKeyboardIsToldHowToBeNone(ids: String) throws {
        let desk = try MadeUpTree()
        try desk.usb(ids, serial: "B1")
        let line = try check("usb:\(ids):B1 mode", in: checks(desk))
        #expect(line.status == .notOk)
        #expect(line.finding.contains("US layout"))
        #expect(line.remedy?.contains("switch it to HID") == true)
        #expect(!checks(desk).contains { $0.name.hasSuffix("0011:B1 mode") })
    }

    @Test func aRuleThatIsMissingIsGivenExactly() throws {
        let desk = try MadeUpTree()
        try desk.usb("0801:0011", serial: "B1")
        let line = try check("usb:0801:0011:B1 udev rule", in: checks(desk))
        #expect(line.status == .notOk)
        let rule = #"SUBSYSTEM=="usb", ATTR{idVendor}=="0801", ATTR{idProduct}=="0011", "#
        #expect(line.remedy?.contains(rule + #"MODE="0660", TAG+="uaccess""#) == true)
    }

    @Test func aWorldWritableNodeIsNotOkThoughItOpens() throws {
        let desk = try MadeUpTree()
        try desk.usb("0801:0011", serial: "B1", mode: "666")
        var checks = checks(desk)
        #expect(try check("usb:0801:0011:B1", in: checks).status == .ok)
        #expect(try check("usb:0801:0011:B1 udev rule", in: checks).status == .notOk)
        try desk.rules(
            "60-a.rules",
            #"SUBSYSTEM=="usb", ATTR{idVendor}=="0801", MODE="0666""#
        )
        checks = self.checks(desk)
        let line = try check("usb:0801:0011:B1 udev rule", in: checks)
        #expect(line.finding.hasSuffix("60-a.rules:1 lets everybody on this machine read cards"))
    }

    /// Field bug 12.
    @Test func aRuleNamedHiddevIsNotOk() throws {
        let desk = try MadeUpTree()
        try desk.usb("0801:0011", serial: "B1")
        try desk.rules(
            "60-a.rules",
            #"KERNEL=="hiddev*", ATTRS{idVendor}=="0801", ATTRS{idProduct}=="0011", MODE="0660""#
        )
        let line = try check("usb:0801:0011:B1 udev rule", in: checks(desk))
        #expect(line.status == .notOk)
        #expect(line.finding.contains("it is about hiddev nodes, and CardRig opens the usb node"))
    }

    @Test func aProcessThatHoldsTheReaderIsNamed() throws {
        let desk = try MadeUpTree()
        try desk.usb("0801:0011", serial: "B1", driver: "usbfs", mode: "660")
        try desk.run("chgrp", "46", "\(desk.root)/dev/bus/usb/001/004")
        try desk.process(77, "till", holds: "bus/usb/001/004")
        let checks = checks(desk, groupIDs: [46])
        let line = try check("usb:0801:0011:B1", in: checks)
        #expect(line.finding == "MagTek Dynamag: it is in use by till (process 77)")
        #expect(line.remedy == "end that process")
        #expect(try check("usb:0801:0011:B1 driver", in: checks).status == .notOk)
    }

    @Test func aModemManagerMattersOnlyToAReaderThatIsASerialPort() throws {
        let desk = try MadeUpTree()
        try desk.process(9, "ModemManager")
        #expect(try check("modem manager", in: checks(desk)).status == .notNeeded)
        try desk.usb("0525:a4a7", port: "1-4", driver: "cdc_acm")
        try desk.port("ttyACM0", of: "1-4", mode: "666")
        #expect(try check("modem manager", in: checks(desk)).status == .notOk)
        try desk.rules("60-cardrig.rules", UdevRuleFile.text)
        #expect(try check("modem manager", in: checks(desk)).status == .notNeeded)
    }

    @Test func programsThatAreMissingAreNotNeeded() throws {
        let desk = try MadeUpTree()
        let missing = try check("uhubctl", in: checks(desk))
        #expect(missing.status == .notNeeded)
        #expect(missing.remedy == "apt-get install uhubctl")
        try desk.file("usr/sbin/uhubctl", "")
        #expect(try check("uhubctl", in: checks(desk)).status == .ok)
    }

    @Test func lateTimersAreNotOk() throws {
        let desk = try MadeUpTree()
        #expect(try check("timers", in: checks(desk, late: .milliseconds(5))).status == .ok)
        let line = try check("timers", in: checks(desk, late: .milliseconds(6)))
        #expect(line.status == .notOk)
        #expect(line.finding.contains("6 ms late"))
    }

    @Test func udevdTellsOfWhatIsPluggedIn() throws {
        let desk = try MadeUpTree()
        #expect(try check("hotplug", in: checks(desk)).status == .notNeeded)
        try desk.file("run/udev/control", "")
        #expect(try check("hotplug", in: checks(desk)).status == .ok)
    }

    @Test func withoutNodesOfUSBAReaderCannotBeFound() throws {
        let desk = try MadeUpTree()
        try desk.run("rm", "-r", "\(desk.root)/dev/bus")
        #expect(try check("usb nodes", in: checks(desk)).status == .notNeeded)
        try desk.file("sys/bus/usb/uevent", "")
        #expect(try check("usb nodes", in: checks(desk)).status == .notOk)
    }
}
