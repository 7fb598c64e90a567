import Testing

@testable import LiveTransports

@Suite("Desk survey")
struct DeskSurveyTests {
    @Test func aKnownReaderIsListedWithWhatRunTakes() throws {
        let desk = try MadeUpTree()
        try desk.usb("0801:0011", serial: "B000795", mode: "666")
        let readers = desk.look()
        try #require(readers.count == 1)
        #expect(readers[0].endpoint == "usb:0801:0011:B000795")
        #expect(readers[0].name == "MagTek Dynamag")
        #expect(readers[0].port == "1-2")
        #expect(readers[0].node == "/dev/bus/usb/001/004")
        #expect(readers[0].driver == "usbhid")
        #expect(readers[0].trouble == nil)
        #expect(readers[0].isUsable)
    }

    @Test func readersWithoutASerialNumberAreToldApartByTheirPorts() throws {
        let desk = try MadeUpTree()
        try desk.usb("0801:0011", port: "1-2", mode: "666")
        try desk.usb("0801:0011", port: "1-3.1", address: 5, mode: "666")
        #expect(desk.look().map(\.endpoint) == ["usb:1-2", "usb:1-3.1"])
    }

    @Test func whatIsNoReaderIsNotListed() throws {
        let desk = try MadeUpTree()
        try desk.usb("046d:c31c")
        #expect(desk.look().isEmpty)
    }

    @Test func aDeviceOfAReadersVendorIsListedThoughItsIdIsUnknown() throws {
        let desk = try MadeUpTree()
        try desk.usb("0acd:faaf", product: "Finger", mode: "666")
        let reader = try #require(desk.look().first)
        #expect(reader.name == "ID TECH device that is not in the table: Finger")
        #expect(!reader.isUsable)
    }

    @Test func aReaderThatMayNotBeOpenedHasTheExactRule() throws {
        let desk = try MadeUpTree()
        try desk.usb("0801:0011", serial: "B1")
        let trouble = try #require(desk.look().first?.trouble)
        #expect(trouble.kind == .denied)
        #expect(trouble.reason.hasSuffix("/004; no udev rule is about 0801:0011"))
        let rule = #"SUBSYSTEM=="usb", ATTR{idVendor}=="0801", ATTR{idProduct}=="0011", "#
        #expect(trouble.remedy.contains(rule + #"MODE="0660", TAG+="uaccess""#))
    }

    /// Field bug 12: the rule was there, and it was about another kind of node.
    @Test func aRuleAboutTheWrongNodesIsNamed() throws {
        let desk = try MadeUpTree()
        try desk.usb("0801:0011", serial: "B1")
        try desk.rules(
            "50-magtek.rules",
            #"""
            # MagTek
            KERNEL=="hiddev*", SUBSYSTEM=="usbmisc", ATTRS{idVendor}=="0801", \
                ATTRS{idProduct}=="0011", MODE="0666"
            """#
        )
        let trouble = try #require(desk.look().first?.trouble)
        #expect(
            trouble.reason.contains("50-magtek.rules:2 does not help: it is about hiddev nodes")
        )
        #expect(trouble.reason.contains(#"SUBSYSTEM=="usb""#))
    }

    @Test func aRuleThatWasNotAppliedYetIsNamed() throws {
        let desk = try MadeUpTree()
        try desk.usb("0801:0011", serial: "B1")
        try desk.rules(
            "60-cardrig.rules",
            #"SUBSYSTEM=="usb", ATTR{idVendor}=="0801", TAG+="uaccess""#
        )
        let trouble = try #require(desk.look().first?.trouble)
        #expect(trouble.reason.contains("60-cardrig.rules:1 lets it: the rule was not applied yet"))
        #expect(trouble.remedy.hasPrefix("sudo udevadm control --reload"))
    }

    @Test func theProcessThatHoldsAReaderIsNamed() throws {
        let desk = try MadeUpTree()
        try desk.usb("0801:0011", serial: "B1", driver: "usbfs", mode: "666")
        try desk.process(812, "till", holds: "bus/usb/001/004")
        try desk.process(813, "other", holds: "bus/usb/001/040")
        let trouble = try #require(desk.look().first?.trouble)
        #expect(trouble.kind == .held)
        #expect(trouble.reason == "it is in use by till (process 812)")
    }

    @Test func aHolderThatCannotBeSeenIsStillAHolder() throws {
        let desk = try MadeUpTree()
        try desk.usb("0801:0011", serial: "B1", driver: "usbfs", mode: "666")
        let trouble = try #require(desk.look().first?.trouble)
        #expect(trouble.reason == "it is in use by a process of another user")
    }

    @Test func aNodeThatIsMissingIsTrouble() throws {
        let desk = try MadeUpTree()
        try desk.usb("0801:0011", serial: "B1")
        try desk.run("rm", "\(desk.root)/dev/bus/usb/001/004")
        #expect(desk.look().first?.trouble?.kind == .noNode)
    }

    @Test func aSerialPortHasItsStablePathAndItsUSBIds() throws {
        let desk = try MadeUpTree()
        try desk.usb("0525:a4a7", port: "1-4", serial: "16021437", driver: "cdc_acm", mode: "660")
        try desk.port("ttyACM0", of: "1-4", byID: "usb-Miura_16021437-if00", mode: "666")
        let readers = desk.look()
        try #require(readers.count == 1)
        #expect(readers[0].endpoint == "serial:/dev/serial/by-id/usb-Miura_16021437-if00")
        #expect(readers[0].name == "Miura")
        #expect(readers[0].known?.isInferred == true)
        #expect(readers[0].serialNumber == "16021437")
        #expect(readers[0].port == "1-4")
        #expect(readers[0].driver == "cdc_acm")
        #expect(readers[0].isUsable)
    }

    @Test func aPortThatMayNotBeOpenedNamesItsGroup() throws {
        let desk = try MadeUpTree()
        try desk.port("ttyS0", of: nil)
        try desk.run("chgrp", "20", "\(desk.root)/dev/ttyS0")
        let port = try #require(desk.look().first)
        #expect(port.endpoint == "serial:/dev/ttyS0")
        #expect(port.trouble?.remedy == "sudo usermod -aG dialout \"$USER\", then log in again")
        #expect(desk.look(groupIDs: [20]).first?.trouble == nil)
    }

    @Test func aPortOfTypeZeroAndAConsoleAreNoPorts() throws {
        let desk = try MadeUpTree()
        try desk.port("ttyS0", of: nil)
        try desk.file("sys/devices/platform/ttyS0/tty/ttyS0/type", "0\n")
        try desk.file("sys/class/tty/tty1/dev", "4:1\n")
        #expect(desk.look().isEmpty)
    }

    @Test func aLockFileNamesWhoHasAPort() throws {
        let desk = try MadeUpTree()
        try desk.port("ttyS0", of: nil, mode: "666")
        try desk.file("run/lock/LCK..ttyS0", "      4711\n")
        #expect(desk.look().first?.trouble == nil, "the process is gone")
        try desk.process(4_711, "ser2net")
        #expect(desk.look().first?.trouble?.reason == "it is in use by ser2net (process 4711)")
    }

    @Test func whatADeviceSaysMovesNoCursor() throws {
        let desk = try MadeUpTree()
        let name = "\u{1B}[2Jreader\u{202E}" + String(repeating: "x", count: 1_000)
        try desk.usb("0801:0011", serial: "A\u{7}B", product: name, mode: "666")
        let reader = try #require(desk.look().first)
        #expect(reader.serialNumber == "A?B")
        try desk.usb("0801:4242", port: "1-7", product: name, mode: "666")
        let other = try #require(desk.look().last)
        #expect(!other.name.contains("\u{1B}") && !other.name.contains("\u{202E}"))
        #expect(other.name.count < 200)
    }

    @Test(arguments: ["", "zzzz", "0801 0011", "\u{0}\u{FF}", "80100000000000000"])
    func aDamagedAttributeIsNoDevice(text: String) throws {
        let desk = try MadeUpTree()
        try desk.usb("0801:0011")
        try desk.file("sys/devices/usb1/1-2/idProduct", text)
        #expect(desk.look().isEmpty)
    }

    @Test func changesAreWhatLeftWhatChangedAndWhatCame() throws {
        let desk = try MadeUpTree()
        try desk.usb("0801:0011", serial: "B1")
        let before = desk.look()
        try desk.run("chmod", "666", "\(desk.root)/dev/bus/usb/001/004")
        let opened = desk.look()
        #expect(DeskChange.between([], before) == [.attached(before[0])])
        #expect(DeskChange.between(before, opened) == [.changed(opened[0])])
        #expect(DeskChange.between(opened, opened).isEmpty)
        var again = opened
        again[0].node = "/dev/bus/usb/001/005"
        #expect(DeskChange.between(opened, again) == [.detached(opened[0]), .attached(again[0])])
    }
}
