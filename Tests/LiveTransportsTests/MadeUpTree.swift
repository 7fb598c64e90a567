import Kernel

@testable import LiveTransports

/// A tree of the system's files that is made up for one test and removed with it.
final class MadeUpTree {
    let root: String
    private var made: [String] = []

    /// Creates an empty tree with a folder for USB nodes.
    init() throws {
        root = "/tmp/cardrig-tree-\(ProcessEnvironment.processID)-\(Self.next())"
        try FileBytes.makeDirectory("\(root)/dev/bus/usb")
        try FileBytes.makeDirectory("\(root)/proc")
        try file("etc/group", "root:x:0:\ndialout:x:20:\nplugdev:x:46:\n")
    }

    deinit {
        if let child = try? ChildProcess(["rm", "-rf", root]) { Self.await(child) }
    }

    private static func await(_ child: consuming ChildProcess) {
        _ = try? child.wait(untilMonotonicNanoseconds: MonotonicClock.now + 5_000_000_000)
    }

    private static func next() -> Int64 { MonotonicClock.now }

    /// The tree, for a user who is neither root nor in a group of its nodes.
    func tree(groupIDs: [UInt32] = [1_000]) -> SystemTree {
        var tree = SystemTree(root: root)
        tree.user = SystemUser(id: 1_000, groupIDs: groupIDs)
        return tree
    }

    /// Writes a file, with the folders above it.
    func file(_ path: String, _ text: String, mode: String? = nil) throws {
        let whole = "\(root)/\(path)"
        try FileBytes.makeDirectory(
            whole.split(separator: "/").dropLast().reduce("") { "\($0)/\($1)" }
        )
        try FileBytes.write(Array(text.utf8), to: whole)
        if let mode { try run("chmod", mode, whole) }
    }

    /// Makes a symbolic link, with the folders above it.
    func link(_ path: String, to target: String) throws {
        let whole = "\(root)/\(path)"
        try FileBytes.makeDirectory(
            whole.split(separator: "/").dropLast().reduce("") { "\($0)/\($1)" }
        )
        try run("ln", "-s", target, whole)
    }

    /// Runs a program of the system and waits for it.
    func run(_ words: String...) throws {
        var child = try ChildProcess(words)
        _ = try child.wait(untilMonotonicNanoseconds: MonotonicClock.now + 5_000_000_000)
    }

    /// Plugs a USB device in.
    func usb(
        _ ids: String,
        port: String = "1-2",
        address: Int = 4,
        serial: String? = nil,
        product: String? = nil,
        driver: String? = "usbhid",
        mode: String = "664"
    ) throws {
        let parts = ids.split(separator: ":")
        let device = "sys/devices/usb1/\(port)"
        try file("\(device)/idVendor", "\(parts[0])\n")
        try file("\(device)/idProduct", "\(parts[1])\n")
        try file("\(device)/busnum", "1\n")
        try file("\(device)/devnum", "\(address)\n")
        if let serial { try file("\(device)/serial", "\(serial)\n") }
        if let product { try file("\(device)/product", "\(product)\n") }
        try file("\(device)/\(port):1.0/bInterfaceNumber", "00\n")
        try link("sys/bus/usb/devices/\(port)", to: "../../../devices/usb1/\(port)")
        try link(
            "sys/bus/usb/devices/\(port):1.0",
            to: "../../../devices/usb1/\(port)/\(port):1.0"
        )
        if let driver {
            try link("\(device)/\(port):1.0/driver", to: "../../../../bus/usb/drivers/\(driver)")
        }
        let digits = String(repeating: "0", count: 3 - "\(address)".count) + "\(address)"
        try file("dev/bus/usb/001/\(digits)", "", mode: mode)
    }

    /// Plugs a serial port in that belongs to a USB device.
    func port(_ name: String, of usb: String?, byID: String? = nil, mode: String = "660") throws {
        if let usb {
            let device = "sys/devices/usb1/\(usb)/\(usb):1.0/tty/\(name)"
            try file("\(device)/dev", "166:0\n")
            try link("\(device)/device", to: "../../../\(usb):1.0")
            try link(
                "sys/class/tty/\(name)",
                to: "../../devices/usb1/\(usb)/\(usb):1.0/tty/\(name)"
            )
        } else {
            try file("sys/devices/platform/\(name)/tty/\(name)/type", "4\n")
            try link("sys/devices/platform/\(name)/tty/\(name)/device", to: "../../../\(name)")
            try link("sys/class/tty/\(name)", to: "../../devices/platform/\(name)/tty/\(name)")
        }
        try file("dev/\(name)", "", mode: mode)
        if let byID { try link("dev/serial/by-id/\(byID)", to: "../../\(name)") }
    }

    /// Starts a process that has a node open.
    func process(_ number: Int, _ name: String, holds node: String? = nil) throws {
        try file("proc/\(number)/comm", "\(name)\n")
        if let node { try link("proc/\(number)/fd/7", to: "\(root)/dev/\(node)") }
    }

    /// Writes udev rules.
    func rules(_ name: String, _ text: String) throws { try file("etc/udev/rules.d/\(name)", text) }

    /// Looks at the desk.
    func look(groupIDs: [UInt32] = [1_000]) -> [FoundReader] {
        DeskSurvey(tree(groupIDs: groupIDs), listing: .files).look().readers
    }
}
