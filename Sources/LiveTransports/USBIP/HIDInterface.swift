/// The first HID interface with an interrupt endpoint towards the host, as a configuration descriptor
/// tells it.
///
/// Source: USB 2.0, sections 9.6.3 (configuration), 9.6.5 (interface) and 9.6.6 (endpoint).
struct HIDInterface: Equatable {
    /// What SET_CONFIGURATION is given.
    var configuration: UInt8
    /// The interface's number.
    var number: UInt8
    /// The endpoint's number, 1 to 15.
    var endpoint: UInt8
    /// The endpoint's largest packet, at least 1.
    var packetByteCount: Int

    /// Reads a configuration with all that belongs to it; `nil` when there is no such interface
    /// before the end, or before what cannot be right.
    init?(configuration bytes: [UInt8]) {
        guard bytes.count >= 9 else { return nil }
        var rest = bytes[...]
        var isHID = false
        var number: UInt8 = 0
        while let length = rest.first.map({ Int($0) }), length >= 2, length <= rest.count {
            let descriptor = Array(rest.prefix(length))
            rest = rest.dropFirst(length)
            switch (descriptor[1], length) {
            case (4, 9...):
                number = descriptor[2]
                isHID = descriptor[5] == 3
            case (5, 7...):
                let isInterrupt = descriptor[3] & 3 == 3
                let (address, isIn) = (descriptor[2] & 0x0F, descriptor[2] & 0x80 != 0)
                guard isHID, isInterrupt, isIn, address != 0 else { continue }
                configuration = bytes[5]
                self.number = number
                endpoint = address
                packetByteCount = max(1, Int(descriptor[4]) | Int(descriptor[5] & 0x07) << 8)
                return
            default: continue
            }
        }
        return nil
    }
}
