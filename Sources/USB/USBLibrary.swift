import CLibUSB

/// The libusb that this process runs on.
public enum USBLibrary {
    /// Its version, as in `1.0.26`.
    public static var version: String {
        guard let version = libusb_get_version()?.pointee else { return "unknown" }
        return "\(version.major).\(version.minor).\(version.micro)"
    }
}
