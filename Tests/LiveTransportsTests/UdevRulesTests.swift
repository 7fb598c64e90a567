import Kernel
import Testing

@testable import LiveTransports

@Suite("udev rules")
struct UdevRulesTests {
    private func effects(
        _ text: String,
        file: String = "60-reader.rules"
    ) throws
        -> [UdevRule.Effect]
    {
        let desk = try MadeUpTree()
        try desk.rules(file, text)
        return UdevRules(desk.tree(groupIDs: [1_000, 46]))
            .about(vendorID: 0x0801, productID: 0x0011, node: "usb").map(\.effect)
    }

    private static let ids = #"ATTR{idVendor}=="0801", ATTR{idProduct}=="0011""#

    @Test(arguments: [
        #"SUBSYSTEM=="usb", \#(ids), MODE="0660", TAG+="uaccess""#,
        #"SUBSYSTEM=="usb",\#(ids),TAG+="uaccess""#,
        #"SUBSYSTEM=="usb", ATTR{idVendor}=="0801", GROUP="plugdev", MODE="660""#,
        #"SUBSYSTEMS=="usb", ATTRS{idVendor}=="0801", GROUP="plugdev""#,
    ])
    func opens(rule: String) throws { #expect(try effects(rule) == [.opens]) }

    @Test(arguments: [
        #"SUBSYSTEM=="usb", \#(ids), MODE="0666""#,
        #"SUBSYSTEM=="usb", \#(ids), MODE:="666", TAG+="uaccess""#,
    ])
    func opensToAll(rule: String) throws { #expect(try effects(rule) == [.opensToAll]) }

    @Test(arguments: [
        (#"SUBSYSTEM=="usb", \#(ids), MODE="0660""#, "it names no group"),
        (#"SUBSYSTEM=="usb", \#(ids), GROUP="dialout""#, "this user is not in the group dialout"),
        (#"SUBSYSTEM=="usb", \#(ids), GROUP="cards""#, "there is no group cards"),
        (#"SUBSYSTEM=="usb", \#(ids), GROUP="plugdev", MODE="0600""#, "its mode does not let"),
        (#"KERNEL=="hidraw*", \#(ids), TAG+="uaccess""#, "it is about hidraw nodes"),
        (#"KERNEL=="hiddev*", \#(ids), MODE="0666""#, "it is about hiddev nodes"),
        (
            #"SUBSYSTEM=="usb", ATTR{idVendor}=="0801", ATTR{idProduct}=="001A|0011", MODE="0666""#,
            "it writes the ids in capitals"
        ),
    ])
    func opensNothing(rule: String, why: String) throws {
        let effects = try effects(rule)
        guard case .opensNothing(let reason)? = effects.first else {
            Issue.record("expected a rule that opens nothing, found \(effects)")
            return
        }
        #expect(reason.hasPrefix(why))
    }

    @Test func aTagThatIsSetTooLateOpensNothing() throws {
        let rule = #"SUBSYSTEM=="usb", \#(Self.ids), TAG+="uaccess""#
        guard case .opensNothing(let why)? = try effects(rule, file: "99-reader.rules").first else {
            Issue.record("expected a rule that opens nothing")
            return
        }
        #expect(why.hasSuffix("too late for uaccess: name it 60-reader.rules"))
    }

    @Test(arguments: [
        "", "# SUBSYSTEM==\"usb\", ATTR{idVendor}==\"0801\", MODE=\"0666\"",
        #"SUBSYSTEM=="usb", ATTR{idVendor}=="0801", ATTR{idProduct}=="0012", MODE="0666""#,
        #"SUBSYSTEM=="usb", ATTR{idVendor}!="0801", MODE="0666""#,
        #"SUBSYSTEM=="usb", \#(ids), SYMLINK+="reader""#, #"MODE="0666"#, "\"\"\"\"\"", "\\",
        #"ATTR{idVendor}=="0801"#, "\u{0}\u{1}\u{FF}",
    ])
    func isAboutSomethingElse(rule: String) throws { #expect(try effects(rule) == []) }

    @Test func aFileInEtcHidesOneOfAPackage() throws {
        let desk = try MadeUpTree()
        let rule = #"SUBSYSTEM=="usb", \#(Self.ids), "#
        try desk.file("usr/lib/udev/rules.d/60-a.rules", rule + #"MODE="0666""#)
        try desk.rules("60-a.rules", rule + #"TAG+="uaccess""#)
        let rules = UdevRules(desk.tree()).about(vendorID: 0x0801, productID: 0x11, node: "usb")
        #expect(rules.map(\.effect) == [.opens])
        #expect(rules[0].place == "\(desk.root)/etc/udev/rules.d/60-a.rules:1")
    }

    /// What we offer must be what we would accept: every line of the file, for its reader.
    @Test(arguments: KnownReader.all)
    func theFileThatIsOfferedOpensEachReaderToTheSeatOnly(reader: KnownReader) throws {
        let desk = try MadeUpTree()
        try desk.rules("60-cardrig.rules", UdevRuleFile.text)
        let rules = UdevRules(desk.tree()).about(
            vendorID: reader.vendorID,
            productID: reader.productID,
            node: reader.wire == .serial ? "tty" : "usb"
        )
        #expect(rules.map(\.effect) == [.opens])
    }

    @Test(arguments: [
        ("60-cardrig.rules", true), ("/etc/udev/rules.d/72-x.rules", true), ("/dev/stdout", true),
        ("rules", false), (".rules", false), ("99-cardrig.rules", false), ("60-cardrig", false),
        ("73-seat-late.rules", false),
    ])
    func aNameThatUdevWouldNotTakeIsRefused(path: String, isTaken: Bool) {
        #expect((UdevRuleFile.problem(withName: path) == nil) == isTaken)
    }

    /// The page says what the table says.
    @Test func thePageListsEveryKnownReader() throws {
        let bytes = try FileBytes.read(path: "Docs/hardware.md", limit: 1 << 20)
        let rows = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
            .filter { $0.hasPrefix("| `0") }.map(String.init)
        let expected = KnownReader.all.map { reader in
            "| `\(reader.ids)` | \(reader.name) | \(reader.wire.rawValue) | "
                + (reader.playsAs.map { "`\($0)`" } ?? "")
                + " | \(reader.isInferred ? "inferred" : "stated") | \(reader.source) |"
        }
        #expect(rows == expected)
    }

    @Test func noTwoRowsOfTheTableHaveTheSameIds() {
        let ids = KnownReader.all.map(\.ids)
        #expect(Set(ids).count == ids.count)
        #expect(KnownReader.all.allSatisfy { !$0.source.isEmpty && !$0.name.isEmpty })
    }
}
