/// A text log of a format that was recognised.
struct TextLog: Sendable {
    let name = ""
    let clock = CaptureImporter.Clock.none

    init?(firstBytes: ArraySlice<UInt8>) { return nil }

    mutating func take(_ line: TextLine, _ output: inout FlowOutput) {}
    mutating func finish(_ output: inout FlowOutput) {}
}
