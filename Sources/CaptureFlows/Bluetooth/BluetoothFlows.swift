import CaptureFiles

/// Bluetooth.
struct BluetoothFlows: Sendable {
    mutating func take(
        _ packet: CapturedPacket,
        _ output: inout FlowOutput
    ) throws(DecodingFailure) {}

    mutating func finish(_ output: inout FlowOutput) {}
}
