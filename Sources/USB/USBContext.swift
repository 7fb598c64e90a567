import CLibUSB

/// One session with libusb; devices, handles and transfers made from it keep it alive.
///
/// - Note: Unchecked because libusb locks its contexts itself. One thread at a time calls
///   ``handleEvents(timeoutMilliseconds:)``; callbacks run on that thread.
public final class USBContext: @unchecked Sendable {
    let raw: OpaquePointer

    /// Starts libusb and looks at the devices that are there now.
    ///
    /// - Throws: ``USBError`` where there is no usbfs, as in most containers.
    public init() throws(USBError) {
        var context: OpaquePointer?
        try checked(libusb_init(&context), .initialize)
        guard let context else { throw USBError(code: -99, operation: .initialize) }
        raw = context
    }

    deinit { libusb_exit(raw) }

    /// Whether libusb was built with hotplug.
    ///
    /// It says so even where no udevd runs, and there no event ever comes and ``devices()`` never changes: make a new context to look again.
    public static var claimsHotplug: Bool {
        libusb_has_capability(LIBUSB_CAP_HAS_HOTPLUG.rawValue) != 0
    }

    /// Lists the devices, ordered by bus and port so that the first match is always the same.
    ///
    /// - Throws: ``USBError`` when memory is short.
    /// - Complexity: O(*n* log *n*) in the number of devices.
    public func devices() throws(USBError) -> [USBDevice] {
        var list: UnsafeMutablePointer<OpaquePointer?>?
        let count = libusb_get_device_list(raw, &list)
        guard count >= 0, let list else {
            throw USBError(code: Int32(clamping: count), operation: .listDevices)
        }
        defer { libusb_free_device_list(list, 1) }
        return (0..<count)
            .compactMap { list[$0].map { USBDevice(retaining: $0, context: self) } }
            .sorted { $0.place < $1.place }
    }

    /// Waits for completions and hotplug events and runs their closures on this thread.
    ///
    /// - Throws: ``USBError`` when the kernel fails in a way that is not a device's leaving.
    public func handleEvents(timeoutMilliseconds: Int) throws(USBError) {
        var time = timeval(
            tv_sec: timeoutMilliseconds / 1_000,
            tv_usec: timeoutMilliseconds % 1_000 * 1_000
        )
        let code = libusb_handle_events_timeout_completed(raw, &time, nil)
        // A signal is no failure: the caller looks around and comes back.
        if code != LIBUSB_ERROR_INTERRUPTED.rawValue { try checked(code, .handleEvents) }
    }

    /// Makes the present or the next ``handleEvents(timeoutMilliseconds:)`` return; any thread.
    public func interruptEvents() { libusb_interrupt_event_handler(raw) }
}

/// What happened to a device.
public enum USBHotplugEvent: Hashable, Sendable {
    /// It arrived at the place.
    case arrived(USBPlace)
    /// It left the place.
    case left(USBPlace)
}

/// A registration for arrivals and departures; it ends with its owner.
public final class USBHotplugWatch {
    private let context: USBContext
    private let body: (USBHotplugEvent) -> Void
    private var registration: libusb_hotplug_callback_handle = 0

    /// Watches all devices; the closure runs on the thread that handles events.
    ///
    /// - Throws: ``USBError`` where libusb has no hotplug.
    public init(
        _ context: USBContext,
        _ body: @escaping (USBHotplugEvent) -> Void
    ) throws(USBError) {
        self.context = context
        self.body = body
        let events =
            Int32(LIBUSB_HOTPLUG_EVENT_DEVICE_ARRIVED.rawValue)
            | Int32(LIBUSB_HOTPLUG_EVENT_DEVICE_LEFT.rawValue)
        let code = libusb_hotplug_register_callback(
            context.raw,
            events,
            0,
            LIBUSB_HOTPLUG_MATCH_ANY,
            LIBUSB_HOTPLUG_MATCH_ANY,
            LIBUSB_HOTPLUG_MATCH_ANY,
            { _, device, event, userData in
                guard let device, let userData else { return 0 }
                let watch = Unmanaged<USBHotplugWatch>.fromOpaque(userData).takeUnretainedValue()
                let place = USBPlace(of: device)
                watch.body(
                    event == LIBUSB_HOTPLUG_EVENT_DEVICE_LEFT ? .left(place) : .arrived(place)
                )
                return 0
            },
            // Unretained: the registration ends in deinit, before the watch goes.
            Unmanaged.passUnretained(self).toOpaque(),
            &registration
        )
        try checked(code, .watchHotplug)
    }

    deinit { libusb_hotplug_deregister_callback(context.raw, registration) }
}
