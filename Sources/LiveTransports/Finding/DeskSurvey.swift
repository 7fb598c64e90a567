import Kernel
import USB

/// Looks at what lies on the desk: readers on USB, and serial ports.
///
/// USB devices are those that libusb lists; what the kernel says of them (strings, drivers, who may
/// open them) is read from its files. Nothing is opened, so that a reader which another program uses
/// is not disturbed, and a serial port's lines stay as they are.
public struct DeskSurvey: Sendable {
    /// Who lists USB devices.
    public enum USBListing: Hashable, Sendable {
        /// libusb, as the transport does.
        case libusb
        /// The kernel's files, for trees that are made up.
        case files
    }

    /// A USB device as it is listed.
    struct Listed: Hashable {
        var ids: USBIDs
        var port: String
        var node: String
    }

    let tree: SystemTree
    private let listing: USBListing

    /// Prepares to look.
    public init(_ tree: SystemTree = .machine, listing: USBListing = .libusb) {
        self.tree = tree
        self.listing = listing
    }

    /// Whether libusb lists USB devices.
    var listsWithLibUSB: Bool { listing == .libusb }

    /// What was found.
    public struct Result: Hashable, Sendable {
        /// The readers on USB by port, then the serial ports by name.
        public var readers: [FoundReader]
        /// Why USB could not be looked at; `nil` when it could.
        public var usbProblem: String?
    }

    /// Looks once.
    ///
    /// - Complexity: O(*n*) in the number of devices and of open files of other processes.
    public func look() -> Result {
        var result = Result(readers: [])
        do throws(USBError) {
            result.readers = try usbDevices().compactMap { usbReader($0) }
        } catch {
            result.usbProblem =
                "USB cannot be looked at: \(error.description)"
                + (Paths.kind(of: "\(tree.dev)/bus/usb") == nil
                    ? "; there is no \(tree.dev)/bus/usb: in a container it must be passed in" : "")
        }
        result.readers += serialPorts()
        return result
    }

    // MARK: USB

    /// Lists the USB devices, ordered by port.
    ///
    /// - Throws: ``USB/USBError`` when libusb cannot be started.
    func usbDevices() throws(USBError) -> [Listed] {
        switch listing {
        case .libusb:
            return try USBContext().devices().map { device in
                Listed(
                    ids: USBIDs(vendorID: device.vendorID, productID: device.productID),
                    port: device.place.path,
                    node: Self.node(bus: Int(device.place.bus), address: Int(device.place.address))
                )
            }
        case .files:
            let folder = "\(tree.sys)/bus/usb/devices"
            return Paths.names(in: folder).filter { !$0.contains(":") }.compactMap { port in
                guard let vendor = tree.hexNumber("\(folder)/\(port)/idVendor"),
                    let product = tree.hexNumber("\(folder)/\(port)/idProduct"),
                    let bus = tree.text("\(folder)/\(port)/busnum").flatMap({ Int($0) }),
                    let address = tree.text("\(folder)/\(port)/devnum").flatMap({ Int($0) })
                else { return nil }
                return Listed(
                    ids: USBIDs(vendorID: vendor, productID: product),
                    port: port,
                    node: Self.node(bus: bus, address: address)
                )
            }
        }
    }

    private static func node(bus: Int, address: Int) -> String {
        func digits(_ number: Int) -> String {
            String(repeating: "0", count: max(0, 3 - "\(number)".count)) + "\(number)"
        }
        return "bus/usb/\(digits(bus))/\(digits(address))"
    }

    /// Describes a device that is a reader; `nil` for others, and for one that is a serial port and
    /// listed as that.
    private func usbReader(_ device: Listed) -> FoundReader? {
        let known = KnownReader.with(
            vendorID: device.ids.vendorID,
            productID: device.ids.productID
        )
        guard known?.wire != .serial else { return nil }
        let vendor = KnownReader.vendor(device.ids.vendorID)
        guard known != nil || vendor != nil else { return nil }
        let folder = "\(tree.sys)/bus/usb/devices/\(device.port)"
        let serialNumber = tree.name("\(folder)/serial")
        let product = tree.name("\(folder)/product")
        let unknown = "\(vendor ?? "") device that is not in the table"
        var reader = FoundReader(
            endpoint: "usb:\(device.ids)" + (serialNumber.map { ":\($0)" } ?? ""),
            node: "/dev/\(device.node)",
            name: known?.name ?? product.map { "\(unknown): \($0)" } ?? unknown,
            known: known,
            ids: device.ids,
            serialNumber: serialNumber,
            port: device.port
        )
        // Two readers without serial numbers are told apart by their ports only.
        if serialNumber == nil { reader.endpoint = "usb:\(device.port)" }
        reader.driver = driver(ofInterfaceOf: device.port)
        reader.trouble = trouble(with: device, driver: reader.driver)
        return reader
    }

    private func driver(ofInterfaceOf port: String) -> String? {
        let folder = "\(tree.sys)/bus/usb/devices"
        let target = Paths.names(in: folder).first { $0.hasPrefix("\(port):") }
            .flatMap { Paths.linkTarget(of: "\(folder)/\($0)/driver") }
        return target.flatMap { $0.split(separator: "/").last.map(String.init) }
    }

    private func trouble(with device: Listed, driver: String?) -> FoundReader.Trouble? {
        let node = "\(tree.dev)/\(device.node)"
        switch tree.access(to: node) {
        case .missing:
            return FoundReader.Trouble(
                kind: .noNode,
                reason: "the kernel sees it, but there is no /dev/\(device.node)",
                remedy: "run udevd, or pass /dev/bus/usb into this container"
            )
        case .denied:
            return deniedTrouble(device)
        case .allowed:
            break
        }
        // The kernel's own driver is no trouble: the transport takes the interface from it.
        let holders = tree.holders(of: device.node)
        guard driver == "usbfs" || !holders.isEmpty else { return nil }
        return Self.heldTrouble(by: holders)
    }

    private func deniedTrouble(_ device: Listed) -> FoundReader.Trouble {
        let rules = UdevRules(tree).about(
            vendorID: device.ids.vendorID,
            productID: device.ids.productID,
            node: "usb"
        )
        let rule = KnownReader.usbRule(
            vendorID: device.ids.vendorID,
            productID: device.ids.productID
        )
        let write = "write the line \(rule) to /etc/udev/rules.d/60-cardrig.rules"
        let reload = "then sudo udevadm control --reload, unplug the reader and plug it in"
        var reason = "this user may not open /dev/\(device.node)"
        var remedy = "\(write), \(reload)"
        if let good = rules.last(where: { $0.effect == .opens || $0.effect == .opensToAll }) {
            reason += ", though \(good.place) lets it: the rule was not applied yet"
            remedy = "sudo udevadm control --reload, unplug the reader and plug it in"
        } else if let bad = rules.last, case .opensNothing(let why) = bad.effect {
            reason += "; the rule in \(bad.place) does not help: \(why)"
        } else {
            reason += "; no udev rule is about \(device.ids)"
        }
        return FoundReader.Trouble(kind: .denied, reason: reason, remedy: remedy)
    }

    static func heldTrouble(by holders: [NodeHolder]) -> FoundReader.Trouble {
        guard !holders.isEmpty else {
            return FoundReader.Trouble(
                kind: .held,
                reason: "it is in use by a process of another user",
                remedy: "sudo cardrig devices names it; end that one"
            )
        }
        let names = holders.map(\.description).joined(separator: ", ")
        return FoundReader.Trouble(
            kind: .held,
            reason: "it is in use by \(names)",
            remedy: "end \(holders.count == 1 ? "that process" : "those processes")"
        )
    }
}
