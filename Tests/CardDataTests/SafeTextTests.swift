import CardData
import Testing

@Suite("Safe text")
struct SafeTextTests {
    @Test func whatATerminalWouldActOnIsReplaced() {
        let turning = [0x202A, 0x202E, 0x2066, 0x2069] as [UInt32]
        for value in [0, 0x1B, 0x7F, 0x9B] + turning {
            let scalar = Unicode.Scalar(value).map(Character.init) ?? "?"
            #expect(SafeText(scrubbing: "a\(scalar)b").description == "a\u{FFFD}b")
        }
        let harmless = "caf\u{E9} \u{2029}\u{202F}\u{2065}\u{206A} \u{5D0}"
        #expect(SafeText(scrubbing: harmless).description == harmless)
    }
}
