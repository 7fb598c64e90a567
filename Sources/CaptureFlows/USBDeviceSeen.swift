/// What a capture tells of one USB device: what its descriptors say, as far as they are in it.
///
/// A serial number is not kept, since it names a single device.
public struct USBDeviceSeen: Hashable, Sendable {
    /// One interface descriptor.
    public struct Interface: Hashable, Sendable {
        /// bInterfaceNumber.
        public var number: UInt8
        /// bInterfaceClass: 3 is HID, 2 and 10 are those of a CDC-ACM line.
        public var interfaceClass: UInt8
        /// bInterfaceSubClass.
        public var subclass: UInt8
        /// bInterfaceProtocol.
        public var interfaceProtocol: UInt8
        /// The addresses of its endpoints.
        public var endpoints: [UInt8]
    }

    /// The bus.
    public var bus: UInt16
    /// The address on it.
    public var device: UInt16
    /// idVendor; `nil` when the device descriptor is not in the capture.
    public var vendorID: UInt16?
    /// idProduct.
    public var productID: UInt16?
    /// The interfaces of its configuration, in order.
    public var interfaces: [Interface]
    /// The product's name, at most 64 characters of it.
    public var product: String?
    /// The manufacturer's name, at most 64 characters of it.
    public var manufacturer: String?
}
