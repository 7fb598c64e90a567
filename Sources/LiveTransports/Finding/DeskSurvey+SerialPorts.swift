import Kernel

extension DeskSurvey {
    /// Lists the serial ports that hardware is behind, ordered by name.
    func serialPorts() -> [FoundReader] {
        let folder = "\(tree.sys)/class/tty"
        let stable = stablePaths()
        return Paths.names(in: folder).compactMap { name in
            guard isPort(name, in: folder) else { return nil }
            return serialPort(name, in: folder, stablePath: stable.first { $0.name == name }?.path)
        }
    }

    /// Whether hardware is behind a tty: consoles and ptys have no device, and most machines have
    /// ports of type 0, which exist on paper.
    private func isPort(_ name: String, in folder: String) -> Bool {
        if name.hasPrefix("rfcomm") { return true }
        guard Paths.linkTarget(of: "\(folder)/\(name)/device") != nil else { return false }
        return !name.hasPrefix("ttyS") || (tree.text("\(folder)/\(name)/type") ?? "0") != "0"
    }

    /// The names under `/dev/serial/by-id`, which stay when ports are numbered anew.
    private func stablePaths() -> [(name: String, path: String)] {
        let folder = "\(tree.dev)/serial/by-id"
        return Paths.names(in: folder).compactMap { entry in
            guard let target = Paths.linkTarget(of: "\(folder)/\(entry)"),
                let name = target.split(separator: "/").last
            else { return nil }
            return (String(name), "/dev/serial/by-id/\(entry)")
        }
    }

    private func serialPort(
        _ name: String,
        in folder: String,
        stablePath: String?
    ) -> FoundReader {
        let usb = usbPort(of: "\(folder)/\(name)/device")
        let usbFolder = usb.map { "\(tree.sys)/bus/usb/devices/\($0)" }
        var ids: USBIDs?
        if let usbFolder, let vendorID = tree.hexNumber("\(usbFolder)/idVendor"),
            let productID = tree.hexNumber("\(usbFolder)/idProduct")
        {
            ids = USBIDs(vendorID: vendorID, productID: productID)
        }
        let known = ids.flatMap {
            KnownReader.with(vendorID: $0.vendorID, productID: $0.productID)
        }
        let product = usbFolder.flatMap { tree.name("\($0)/product") }
        var port = FoundReader(
            endpoint: "serial:\(stablePath ?? "/dev/\(name)")",
            node: "/dev/\(name)",
            name: known?.name ?? product
                ?? (name.hasPrefix("rfcomm") ? "Bluetooth port" : "serial port"),
            known: known,
            ids: ids,
            serialNumber: usbFolder.flatMap { tree.name("\($0)/serial") },
            port: usb
        )
        port.driver = Paths.linkTarget(of: "\(folder)/\(name)/device/driver")
            .flatMap { $0.split(separator: "/").last.map(String.init) }
        port.trouble = trouble(withPort: name)
        return port
    }

    /// The port of the USB device that a tty belongs to: the last part of its path that names an
    /// interface, as in `1-2.4:1.0`, says it.
    private func usbPort(of device: String) -> String? {
        guard let path = Paths.resolved(device) else { return nil }
        let interface = path.split(separator: "/").last { part in
            let sides = part.split(separator: ":")
            return sides.count == 2 && sides[0].contains("-")
                && sides[0].allSatisfy { $0.isNumber || $0 == "-" || $0 == "." }
                && sides[1].allSatisfy { $0.isNumber || $0 == "." }
        }
        return interface.flatMap { $0.split(separator: ":").first.map(String.init) }
    }

    private func trouble(withPort name: String) -> FoundReader.Trouble? {
        let path = "\(tree.dev)/\(name)"
        switch tree.access(to: path) {
        case .missing:
            return FoundReader.Trouble(
                kind: .noNode,
                reason: "the kernel sees it, but there is no /dev/\(name)",
                remedy: "run udevd, or pass /dev/\(name) into this container"
            )
        case .denied:
            let group = Paths.status(of: path).map { tree.groupName(of: $0.groupID) } ?? "dialout"
            let isRoots = group == "root"
            return FoundReader.Trouble(
                kind: .denied,
                reason: "this user may not open /dev/\(name), which belongs to the group \(group)",
                remedy: isRoots
                    ? "cardrig doctor --write-udev-rules 60-cardrig.rules writes rules for readers"
                    : "sudo usermod -aG \(group) \"$USER\", then log in again"
            )
        case .allowed:
            let holders = tree.holders(of: name)
            return holders.isEmpty ? nil : Self.heldTrouble(by: holders)
        }
    }
}
