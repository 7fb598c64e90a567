import CLibUSB

/// What libusb refused, and during which operation.
public struct USBError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kinds of refusal that a transport decides on.
    public enum Kind: Hashable, Sendable {
        /// The node may not be opened by this user (-3).
        case accessDenied
        /// The device is gone (-4).
        case noDevice
        /// The interface is held by a driver or another process (-6).
        case busy
        /// The request was stalled (-9).
        case stalled
        /// The time limit passed (-7).
        case timedOut
        /// There is no such interface, driver or descriptor (-5).
        case notFound
        /// The platform cannot do that (-12).
        case notSupported
        /// Any other code.
        case other
    }

    /// What was tried.
    public enum Operation: String, Hashable, Sendable {
        case initialize = "start libusb"
        case listDevices = "list USB devices"
        case readDescriptors = "read descriptors of"
        case open = "open"
        case detachDriver = "detach the kernel driver from"
        case attachDriver = "give back to the kernel driver"
        case claimInterface = "claim the interface of"
        case controlTransfer = "send a control request to"
        case submitTransfer = "submit a transfer to"
        case clearHalt = "clear the halt of"
        case handleEvents = "handle events of"
        case watchHotplug = "watch for USB devices"
    }

    /// The libusb code, negative.
    public var code: Int32
    /// What was tried.
    public var operation: Operation

    /// Creates the error of an operation from libusb's code.
    public init(code: Int32, operation: Operation) {
        self.code = code
        self.operation = operation
    }

    /// The kind of refusal.
    public var kind: Kind {
        switch libusb_error(rawValue: code) {
        case LIBUSB_ERROR_ACCESS: .accessDenied
        case LIBUSB_ERROR_NO_DEVICE: .noDevice
        case LIBUSB_ERROR_BUSY: .busy
        case LIBUSB_ERROR_PIPE: .stalled
        case LIBUSB_ERROR_TIMEOUT: .timedOut
        case LIBUSB_ERROR_NOT_FOUND: .notFound
        case LIBUSB_ERROR_NOT_SUPPORTED: .notSupported
        default: .other
        }
    }

    /// One line for people, with libusb's name of the code.
    public var description: String {
        "cannot \(operation.rawValue) the device: \(String(cString: libusb_error_name(code)))"
    }
}

/// Returns what libusb returned, or throws its negative code.
@discardableResult
func checked(_ code: Int32, _ operation: USBError.Operation) throws(USBError) -> Int32 {
    guard code >= 0 else { throw USBError(code: code, operation: operation) }
    return code
}
