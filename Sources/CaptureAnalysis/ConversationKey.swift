public import CaptureFlows

/// What tells one reader's conversation in a capture from another: all endpoints of a USB device are
/// one, of everything else each flow is.
public enum ConversationKey: Hashable, Sendable, CustomStringConvertible {
    /// A USB device with all of its endpoints.
    case usbDevice(bus: UInt16, device: UInt16)
    /// A TCP connection, an RFCOMM channel, a serial line or bytes of a recording.
    case flow(FlowKey)

    /// The conversation to which a flow belongs.
    public init(_ key: FlowKey) {
        switch key {
        case .usb(let endpoint):
            self = .usbDevice(bus: endpoint.bus, device: endpoint.device)
        case .tcp, .rfcomm, .exported, .journal, .serial: self = .flow(key)
        }
    }

    /// One line, such as `usb 1.4` or `rfcomm 00:11:22:33:44:55 channel 1 dlci 2`.
    public var description: String {
        switch self {
        case .usbDevice(let bus, let device): "usb \(bus).\(device)"
        case .flow(let key): key.description
        }
    }

    /// Whether it is the journal of a recording, no bytes of a reader.
    public var isJournal: Bool {
        if case .flow(.journal) = self { return true }
        return false
    }
}
