import CLibUSB

/// How a submitted transfer ended.
public enum USBTransferResult: Hashable, Sendable {
    /// These bytes arrived (or were taken, for a request towards the device).
    case completed([UInt8])
    /// It was cancelled.
    case cancelled
    /// Its time limit passed.
    case timedOut
    /// The endpoint stalled.
    case stalled
    /// The device is gone.
    case noDevice
    /// The device sent more than was asked for.
    case overflow
    /// The bus or the controller failed.
    case failed
}

/// One transfer that runs while the thread handles events, and may be submitted again after it.
///
/// While it is in flight it keeps itself, its buffer and the open device alive, so that nothing
/// libusb still writes to can go. All calls belong to the thread that handles events.
public final class USBTransfer {
    private let raw: UnsafeMutablePointer<libusb_transfer>
    private let buffer: UnsafeMutablePointer<UInt8>
    private let handle: USBDeviceHandle
    private let isControl: Bool
    private let completion: (USBTransfer, USBTransferResult) -> Void
    /// Whether it is submitted and has not ended.
    public private(set) var isInFlight = false

    private init(
        _ handle: USBDeviceHandle,
        bufferByteCount: Int,
        isControl: Bool,
        completion: @escaping (USBTransfer, USBTransferResult) -> Void
    ) throws(USBError) {
        guard let raw = libusb_alloc_transfer(0) else {
            throw USBError(code: LIBUSB_ERROR_NO_MEM.rawValue, operation: .submitTransfer)
        }
        self.raw = raw
        buffer = .allocate(capacity: bufferByteCount)
        buffer.initialize(repeating: 0, count: bufferByteCount)
        self.handle = handle
        self.isControl = isControl
        self.completion = completion
    }

    deinit {
        libusb_free_transfer(raw)
        buffer.deallocate()
    }

    /// Prepares a transfer of up to so many bytes from an interrupt endpoint, without time limit.
    ///
    /// It completes when the buffer is full or a packet is shorter than the endpoint's size.
    ///
    /// - Throws: ``USBError`` when memory is short.
    public convenience init(
        _ handle: USBDeviceHandle,
        interrupt endpoint: USBInterruptEndpoint,
        byteCount: Int,
        completion: @escaping (USBTransfer, USBTransferResult) -> Void
    ) throws(USBError) {
        try self.init(
            handle,
            bufferByteCount: byteCount,
            isControl: false,
            completion: completion
        )
        libusb_fill_interrupt_transfer(
            raw,
            handle.raw,
            endpoint.address,
            buffer,
            Int32(byteCount),
            finishTransfer,
            nil,
            0
        )
    }

    /// Prepares a control request; `data` goes to the device for a request in that direction.
    ///
    /// - Throws: ``USBError`` when memory is short.
    public convenience init(
        _ handle: USBDeviceHandle,
        control setup: USBSetup,
        data: ArraySlice<UInt8>,
        timeoutMilliseconds: UInt32,
        completion: @escaping (USBTransfer, USBTransferResult) -> Void
    ) throws(USBError) {
        try self.init(
            handle,
            bufferByteCount: 8 + Int(setup.length),
            isControl: true,
            completion: completion
        )
        libusb_fill_control_setup(
            buffer,
            setup.requestType,
            setup.request,
            setup.value,
            setup.index,
            setup.length
        )
        for (offset, byte) in data.prefix(Int(setup.length)).enumerated() {
            buffer[8 + offset] = byte
        }
        libusb_fill_control_transfer(
            raw,
            handle.raw,
            buffer,
            finishTransfer,
            nil,
            timeoutMilliseconds
        )
    }

    /// Starts the transfer; its end comes to the closure, never from inside this call.
    ///
    /// - Throws: ``USBError`` of kind `noDevice` or `other`; the closure is not called then.
    public func submit() throws(USBError) {
        precondition(!isInFlight, "a transfer can be submitted again only after its end")
        let retained = Unmanaged.passRetained(self)
        raw.pointee.user_data = retained.toOpaque()
        let code = libusb_submit_transfer(raw)
        guard code == 0 else {
            retained.release()
            throw USBError(code: code, operation: .submitTransfer)
        }
        isInFlight = true
    }

    /// Asks for an early end; one that has ended is left alone.
    public func cancel() {
        if isInFlight { _ = libusb_cancel_transfer(raw) }
    }

    fileprivate func finish() {
        isInFlight = false
        let result: USBTransferResult =
            switch raw.pointee.status {
            case LIBUSB_TRANSFER_COMPLETED: .completed(received())
            case LIBUSB_TRANSFER_CANCELLED: .cancelled
            case LIBUSB_TRANSFER_TIMED_OUT: .timedOut
            case LIBUSB_TRANSFER_STALL: .stalled
            case LIBUSB_TRANSFER_NO_DEVICE: .noDevice
            case LIBUSB_TRANSFER_OVERFLOW: .overflow
            default: .failed
            }
        completion(self, result)
    }

    private func received() -> [UInt8] {
        let start = isControl ? 8 : 0
        let count = Int(raw.pointee.actual_length)
        return Array(UnsafeBufferPointer(start: buffer + start, count: count))
    }
}

/// Called by libusb on the thread that handles events.
private func finishTransfer(_ raw: UnsafeMutablePointer<libusb_transfer>?) {
    guard let userData = raw?.pointee.user_data else { return }
    Unmanaged<USBTransfer>.fromOpaque(userData).takeRetainedValue().finish()
}
