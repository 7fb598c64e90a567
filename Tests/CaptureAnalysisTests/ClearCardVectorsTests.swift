import CaptureFlows
import Testing

@testable import CaptureAnalysis

@Suite("Clear card screen")
struct ClearCardVectorsTests {
    /// Imports pasted lines of bytes and lets the screen look at them.
    private func findings(_ pieces: [[UInt8]]) -> [ClearCardScreen.Finding] {
        var text = ""
        for piece in pieces {
            text +=
                "< "
                + piece.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }
                .joined(separator: " ") + "\n"
        }
        var importer = CaptureImporter()
        importer.append(Array(text.utf8)[...])
        importer.finish()
        var screen = ClearCardScreen()
        while let item = importer.next() {
            if case .unit(let unit) = item { screen.note(unit, flows: importer.flows) }
        }
        return screen.findings
    }

    @Test(arguments: ["4111111111111111", ";4111 1111 1111 1111=2512", "378282246310005"])
    func aNumberInClearIsFound(_ text: String) {
        #expect(findings([Array(text.utf8)]).map(\.encoding) == [.ascii])
    }

    @Test(arguments: 1..<16)
    func aNumberOverTheBorderOfUnitsIsFound(_ cut: Int) {
        let bytes = Array("x4111111111111111x".utf8)
        #expect(findings([Array(bytes[..<cut]), Array(bytes[cut...])]).map(\.packetNumber) == [2])
    }

    @Test func aPackedNumberBehindItsTagIsFound() {
        let bytes: [UInt8] = [
            0x70, 0x0A, 0x5A, 0x08, 0x41, 0x11, 0x11, 0x11, 0x11, 0x11, 0x11, 0x11,
        ]
        #expect(findings([bytes]).map(\.encoding) == [.packed])
    }

    @Test(arguments: ["4111000010001111", "4111111111111112", "411111111111", "1234567890123452"])
    func whatIsMaskedOrNoNumberIsNotFound(_ text: String) {
        #expect(findings([Array(text.utf8)]).isEmpty)
    }
}
