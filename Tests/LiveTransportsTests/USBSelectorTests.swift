import Testing

@testable import LiveTransports

@Suite("USB selector")
struct USBSelectorTests {
    @Test(arguments: [
        "usb:0801:0011", "usb:0801:0011:B0B0B0B", "usb:abcd:ffff:with:colons", "usb:1-2.4",
        "usb:3-1", "usb:255-1.2.3.4.5.6.7",
    ])
    func readsWhatItWrites(text: String) throws {
        #expect(try USBSelector(parsing: text).description == text)
    }

    @Test(arguments: [
        (
            "usb:0801:0011:B0B",
            #"SUBSYSTEM=="usb", ATTR{idVendor}=="0801", ATTR{idProduct}=="0011", "#
        ),
        ("usb:1-2.4", #"SUBSYSTEM=="usb", KERNEL=="1-2.4", "#),
    ])
    func aReaderThatIsNotSeenIsNamedWithTheRuleForIt(text: String, rule: String) throws {
        let absence = try USBTransport(try USBSelector(parsing: text)).absence
        #expect(absence.hasPrefix("no USB device \(text.dropFirst(4)) was seen; lsusb lists "))
        #expect(absence.contains(rule + #"MODE="0660", TAG+="uaccess" to /etc/udev/"#))
    }

    @Test(arguments: [
        ("0801:0011", "usb: at the beginning"),
        ("usb:", "VID:PID, or a bus from 1 to 255 and a port, as in 1-2.4"),
        ("usb:801:0011", "a vendor id of four hex digits"),
        ("usb:+801:0011", "a vendor id of four hex digits"),
        ("usb:0801:001g", "a product id of four hex digits"),
        ("usb:0801:0011:", "a serial number after the last colon"),
        ("usb:0-1", "VID:PID, or a bus from 1 to 255 and a port, as in 1-2.4"),
        ("usb:1-", "one to seven port numbers from 1 to 255"),
        ("usb:1-2..3", "one to seven port numbers from 1 to 255"),
        ("usb:1-1.2.3.4.5.6.7.8", "one to seven port numbers from 1 to 255"),
        ("usb:1-2-3", "VID:PID, or a bus from 1 to 255 and a port, as in 1-2.4"),
    ])
    func saysWhatWasExpected(text: String, expected: String) {
        #expect(throws: USBSelectorError(text: text, expected: expected)) {
            try USBSelector(parsing: text)
        }
    }
}
