import CLibUSB

/// Where a device is: no two that are there at the same time have the same place.
public struct USBPlace: Hashable, Comparable, Sendable {
    /// The number of the bus.
    public var bus: UInt8
    /// The ports from the root hub to the device, at most seven.
    public var ports: [UInt8]
    /// The address on the bus; a new one each time it is plugged in.
    public var address: UInt8

    init(of raw: OpaquePointer) {
        bus = libusb_get_bus_number(raw)
        address = libusb_get_device_address(raw)
        var numbers = [UInt8](repeating: 0, count: 7)
        let count = libusb_get_port_numbers(raw, &numbers, 7)
        ports = Array(numbers.prefix(Int(max(0, count))))
    }

    /// The bus and the ports as the kernel writes them: `1-2.4`.
    public var path: String {
        "\(bus)-" + ports.map(String.init).joined(separator: ".")
    }

    /// Orders by bus, then ports, then address.
    public static func < (left: Self, right: Self) -> Bool {
        if left.bus != right.bus { return left.bus < right.bus }
        if left.ports != right.ports { return left.ports.lexicographicallyPrecedes(right.ports) }
        return left.address < right.address
    }
}

/// An endpoint that carries interrupt transfers to the host.
public struct USBInterruptEndpoint: Hashable, Sendable {
    /// Its address, with bit 7 set.
    public var address: UInt8
    /// The most bytes of one packet, `wMaxPacketSize` without its upper bits.
    public var maximumPacketByteCount: Int
}

/// A device that libusb has seen; it may have left since.
public final class USBDevice {
    private let raw: OpaquePointer
    private let context: USBContext
    /// Where it is.
    public let place: USBPlace
    /// The vendor id of its descriptor.
    public let vendorID: UInt16
    /// The product id of its descriptor.
    public let productID: UInt16
    private let serialNumberIndex: UInt8

    init(retaining raw: OpaquePointer, context: USBContext) {
        libusb_ref_device(raw)
        self.raw = raw
        self.context = context
        place = USBPlace(of: raw)
        var descriptor = libusb_device_descriptor()
        libusb_get_device_descriptor(raw, &descriptor)
        vendorID = descriptor.idVendor
        productID = descriptor.idProduct
        serialNumberIndex = descriptor.iSerialNumber
    }

    deinit { libusb_unref_device(raw) }

    /// Returns the first interrupt IN endpoint of the interface's first setting, or `nil`.
    ///
    /// - Throws: ``USBError`` when the device is not configured.
    public func interruptEndpoint(interface: Int) throws(USBError) -> USBInterruptEndpoint? {
        var pointer: UnsafeMutablePointer<libusb_config_descriptor>?
        try checked(libusb_get_active_config_descriptor(raw, &pointer), .readDescriptors)
        guard let pointer else { return nil }
        defer { libusb_free_config_descriptor(pointer) }
        guard interface < Int(pointer.pointee.bNumInterfaces) else { return nil }
        let settings = pointer.pointee.interface[interface]
        guard settings.num_altsetting > 0 else { return nil }
        let setting = settings.altsetting[0]
        for index in 0..<Int(setting.bNumEndpoints) {
            let endpoint = setting.endpoint[index]
            let isInterrupt = endpoint.bmAttributes & 3 == 3
            if isInterrupt, endpoint.bEndpointAddress & 0x80 != 0 {
                let size = Int(endpoint.wMaxPacketSize & 0x07FF)
                guard size > 0 else { continue }
                return USBInterruptEndpoint(
                    address: endpoint.bEndpointAddress,
                    maximumPacketByteCount: size
                )
            }
        }
        return nil
    }

    /// Opens the device.
    ///
    /// - Throws: ``USBError`` of kind `accessDenied`, `noDevice` or `other`.
    public func open() throws(USBError) -> USBDeviceHandle {
        var handle: OpaquePointer?
        try checked(libusb_open(raw, &handle), .open)
        guard let handle else { throw USBError(code: -99, operation: .open) }
        return USBDeviceHandle(
            adopting: handle,
            context: context,
            serialNumberIndex: serialNumberIndex
        )
    }
}
