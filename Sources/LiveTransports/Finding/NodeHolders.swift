import Kernel

/// A process that has a node open, as far as this user can see.
public struct NodeHolder: Hashable, Sendable, CustomStringConvertible {
    /// Its number.
    public var processID: Int
    /// The name of its program.
    public var name: String

    /// Name and number, as in `ser2net (1234)`.
    public var description: String { "\(name) (process \(processID))" }
}

extension SystemTree {
    /// How many processes are looked at.
    private static let processLimit = 65_536

    /// Returns the processes other than this one that have a node open, lowest number first.
    ///
    /// Only root sees into the processes of others; what cannot be seen is left out. Lock files in
    /// the style of uucp, as `ser2net` and `minicom` write them, count as well.
    ///
    /// - Parameter node: The path below `/dev`, as in `bus/usb/001/004` or `ttyACM0`.
    /// - Returns: The processes; empty when none can be seen.
    /// - Complexity: O(*n*) in the number of open files that can be seen.
    func holders(of node: String) -> [NodeHolder] {
        let path = "/dev/\(node)"
        var found: [NodeHolder] = []
        let numbers = Paths.names(in: proc).prefix(Self.processLimit).compactMap { Int($0) }
        for number in numbers.sorted() where number != Int(ProcessEnvironment.processID) {
            let folder = "\(proc)/\(number)/fd"
            let holds = Paths.names(in: folder).contains { entry in
                // Below another root (a container, a test bed) the path only ends like it.
                Paths.linkTarget(of: "\(folder)/\(entry)")?.hasSuffix(path) == true
            }
            if holds { found.append(holder(number)) }
        }
        if let locked = lockHolder(of: node), !found.contains(locked) { found.append(locked) }
        return found
    }

    /// Returns the processes other than this one that have a serial line open which programs use
    /// without locks, lowest number first.
    ///
    /// Unlike ``holders(of:)`` it tells lines of the same name below other roots apart, as ptys of
    /// containers are.
    ///
    /// - Parameter path: The line's path, without links in it.
    /// - Returns: The processes; empty when none can be seen.
    /// - Complexity: O(*n*) in the number of open files that can be seen.
    func openers(of path: String) -> [NodeHolder] {
        guard let name = path.split(separator: "/").last else { return [] }
        var found: [NodeHolder] = []
        let numbers = Paths.names(in: proc).prefix(Self.processLimit).compactMap { Int($0) }
        for number in numbers.sorted() where number != Int(ProcessEnvironment.processID) {
            let folder = "\(proc)/\(number)/fd"
            let holds = Paths.names(in: folder).contains { entry in
                let link = "\(folder)/\(entry)"
                guard let target = Paths.linkTarget(of: link) else { return false }
                return target.hasSuffix("/\(name)") && Paths.areSameFile(link, path)
            }
            if holds { found.append(holder(number)) }
        }
        return found
    }

    private func holder(_ number: Int) -> NodeHolder {
        NodeHolder(processID: number, name: name("\(proc)/\(number)/comm") ?? "a process")
    }

    /// Who wrote the lock file of a serial port, when that process is still there.
    private func lockHolder(of node: String) -> NodeHolder? {
        guard !node.contains("/"), let text = text("\(run)/lock/LCK..\(node)"),
            let number = text.split(separator: " ").first.flatMap({ Int($0) }),
            number > 0, number != Int(ProcessEnvironment.processID),
            Paths.kind(of: "\(proc)/\(number)") == .directory
        else { return nil }
        return holder(number)
    }
}
