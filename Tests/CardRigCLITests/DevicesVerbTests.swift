import Kernel
import Reporting
import Testing

@testable import CardRigCLI

@Suite("devices and doctor")
struct DevicesVerbTests {
    private let folder = TemporaryFolder()

    private func run(_ arguments: String...) -> (code: Int32, output: String, error: String) {
        let streams = Streams.captured()
        let code = CardRigCommand.run(arguments, streams: streams)
        return (
            code.rawValue, String(decoding: streams.output, as: UTF8.self),
            String(decoding: streams.error, as: UTF8.self)
        )
    }

    /// A tree with a Dynamag that everybody may open.
    private func plugIn(ids: (String, String) = ("0801", "0011"), serial: String = "B1") throws {
        let device = "sys/bus/usb/devices/1-2"
        _ = try folder.write("\(device)/idVendor", "\(ids.0)\n")
        _ = try folder.write("\(device)/idProduct", "\(ids.1)\n")
        _ = try folder.write("\(device)/busnum", "1\n")
        _ = try folder.write("\(device)/devnum", "4\n")
        _ = try folder.write("\(device)/serial", "\(serial)\n")
        _ = try folder.write("dev/bus/usb/001/004", "")
    }

    @Test func withoutAReaderThereIsOneHelpfulLine() throws {
        _ = try folder.write("sys/empty", "")
        let result = run("devices", "--root", folder.path)
        #expect(result.code == 3)
        #expect(result.output.isEmpty)
        #expect(result.error.hasPrefix("cardrig: no reader is attached: "))
        #expect(result.error.split(separator: "\n").count == 1)
        #expect(run("devices", "--json", "--root", folder.path).output.contains("\"readers\": []"))
    }

    @Test func aReaderIsShownWithWhatRunTakes() throws {
        try plugIn()
        let result = run("devices", "--root", folder.path)
        #expect(result.code == 0)
        #expect(result.output.hasPrefix("usb:0801:0011:B1\n     MagTek Dynamag, 0801:0011, "))
        #expect(result.output.contains("can be opened: run --reader usb:0801:0011:B1\n"))
        #expect(result.output.hasSuffix("1 known reader, 0 other serial ports, 1 can be opened\n"))
        let json = run("devices", "--json", "--root", folder.path).output
        #expect(json.contains("\"endpoint\": \"usb:0801:0011:B1\""))
        #expect(json.contains("\"canBeOpened\": true"))
    }

    /// A device says what it likes, a card's number too.
    @Test func aSerialNumberThatIsACardsIsMasked() throws {
        try plugIn(serial: "41111111" + "11111111")
        for option in ["--json", "--root=\(folder.path)"] {
            let result = run("devices", option, "--root=\(folder.path)")
            #expect(!result.output.contains("41111111" + "1111"))
        }
        #expect(!run("devices", "--root", folder.path).output.contains("41111111" + "1111"))
        #expect(!run("doctor", "--root", folder.path).output.contains("41111111" + "1111"))
    }

    @Test func aWatchTellsWhatIsThereAndEndsInTime() throws {
        try plugIn()
        let result = run("devices", "--watch", "--for", "1ms", "--json", "--root", folder.path)
        #expect(result.code == 0)
        #expect(result.output.hasPrefix("{\"change\":\"attached\",\"reader\":{"))
        #expect(result.output.split(separator: "\n").count == 1)
    }

    @Test func theDoctorSaysWhatIsNotOkWithItsRemedy() throws {
        try plugIn()
        _ = try folder.write(
            "etc/udev/rules.d/60-a.rules",
            #"SUBSYSTEM=="usb", ATTR{idVendor}=="0801", MODE="0666""#
        )
        let result = run("doctor", "--root", folder.path)
        #expect(result.code == 1)
        #expect(
            result.output.contains("ok          usb:0801:0011:B1: MagTek Dynamag can be opened\n")
        )
        #expect(result.output.contains("60-a.rules:1 lets everybody on this machine read cards\n"))
        #expect(result.output.contains("            do: put SUBSYSTEM==\"usb\", "))
        let json = run("doctor", "--json", "--root", folder.path).output
        #expect(json.contains("\"status\": \"not ok\""))
    }

    @Test func rulesAreWrittenUnderANameThatUdevTakes() throws {
        let path = "\(folder.path)/60-cardrig.rules"
        try FileBytes.makeDirectory(folder.path)
        #expect(run("doctor", "--write-udev-rules", path).code == 0)
        let text = String(decoding: try FileBytes.read(path: path, limit: 1 << 16), as: UTF8.self)
        #expect(text.contains(#"ATTR{idVendor}=="0801", ATTR{idProduct}=="0011", MODE="0660""#))
        FileBytes.remove(path: path)
        let refused = run("doctor", "--write-udev-rules", "\(folder.path)/99-cardrig.rules")
        #expect(refused.code == 2)
        #expect(refused.error.contains("too late for uaccess; call it 60-cardrig.rules"))
        let nowhere = run("doctor", "--write-udev-rules", "\(folder.path)/no/60-a.rules")
        #expect(nowhere.code == 3)
    }

    @Test(arguments: [
        (["devices", "x"], "devices takes no arguments, found 'x'"),
        (["devices", "--for", "1s"], "--for goes with --watch"),
        (["devices", "--watch", "--for", "soon"], "the option --for wants a time such as 10s"),
        (["devices", "--root", "/nowhere"], "--root /nowhere: there is no such folder"),
        (["devices", "--wach"], "did you mean '--watch'?"),
        (["doctor", "x"], "doctor takes no arguments, found 'x'"),
        (["doctor", "--write-udev-rules", "rules"], "whose names end with .rules"),
        (["doctor", "--json", "--write-udev-rules", "60-a.rules"], "goes without --json"),
    ])
    func aMistakeIsExitTwoAndOneLine(arguments: [String], part: String) {
        let streams = Streams.captured()
        #expect(CardRigCommand.run(arguments, streams: streams) == .wrong)
        let error = String(decoding: streams.error, as: UTF8.self)
        #expect(error.contains(part))
        #expect(error.split(separator: "\n").count == 1)
    }
}
