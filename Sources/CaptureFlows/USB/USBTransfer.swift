import CaptureFiles

/// One submission or completion of a USB transfer, whoever recorded it.
struct USBTransfer: Sendable {
    /// What happened.
    enum Event: Sendable {
        case submission
        case completion
        case submissionError
        /// A control transfer's data on their own, as old USBPcap has them.
        case data
    }

    var event: Event
    var urbID: UInt64
    var bus: UInt16
    var device: UInt16
    /// Bit 7 is set for IN.
    var endpoint: UInt8
    var transfer: USBMonPacket.TransferType
    var setup: USBSetupPacket?
    var status: USBStatus
    var data: ArraySlice<UInt8>
    /// Where `data` begin in the file.
    var dataByteOffset: Int
    /// How many bytes behind `data` are not in the file.
    var missingByteCount = 0
    /// Made up by USBPcap when the capture began: it only tells descriptors.
    var isInjected = false
    /// Whether OUT data may stand in the submission and in the completion too, as on macOS.
    var mayRepeatData = false

    var isIn: Bool { endpoint & 0x80 != 0 }
    /// Which way its data go.
    var direction: FlowDirection { isIn ? .fromReader : .toReader }
}
