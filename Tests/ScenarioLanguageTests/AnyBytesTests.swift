import ScenarioLanguage
import Testing

@Suite("Bytes that are no scenario")
struct AnyBytesTests {
    @Test func bytesOfAnyKindGiveAScenarioOrDiagnosticsAndNeverATrap() {
        let seeds = [
            DesignExamples.charged, DesignExamples.volumeTooLow,
            DesignExamples.pulledOutDuringASwipe,
        ].map {
            Array($0.utf8)
        }
        let spice = Array("\t:{}[]-&*!|>'\"#%,?\n\r \u{85}é0".utf8) + [0x00, 0xC3, 0xFF]
        var state: UInt64 = 2
        func draw(_ bound: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % bound
        }
        for round in 0..<1_500 {
            var bytes = seeds[round % seeds.count]
            for _ in 0...draw(4) {
                let place = draw(bytes.count)
                switch draw(4) {
                case 0: bytes[place] = spice[draw(spice.count)]
                case 1: bytes.insert(spice[draw(spice.count)], at: place)
                case 2: bytes.removeSubrange(place..<min(bytes.count, place + draw(20)))
                default: bytes.replaceSubrange(place..<place, with: bytes[draw(bytes.count)...])
                }
                if bytes.isEmpty { bytes = [0x2D] }
            }
            let parsed = ScenarioParser.parse(file: "a.yaml", bytes: bytes)
            #expect((parsed.scenario == nil) == !parsed.diagnostics.isEmpty)
            #expect(parsed.diagnostics.count <= ScenarioParser.maximumDiagnosticCount)
            #expect(parsed.diagnostics.allSatisfy { $0.description.utf8.count < 2_000 })
        }
    }
}
