import Kernel

/// One line of udev's rules that is about a reader, and what it does for it.
public struct UdevRule: Hashable, Sendable {
    /// What a rule does for a reader.
    public enum Effect: Hashable, Sendable {
        /// The user at the seat, or a group this user is in, may open the reader.
        case opens
        /// It does not; the text says why, and what would.
        case opensNothing(String)
        /// Everybody on the machine may open the reader.
        case opensToAll
    }

    /// The file it stands in.
    public var file: String
    /// Its line, counted from 1.
    public var line: Int
    /// What it does.
    public var effect: Effect

    /// Where it stands: `/etc/udev/rules.d/60-cardrig.rules:3`.
    public var place: String { "\(file):\(line)" }
}

/// Reads udev's rules for what they say about readers.
///
/// It knows what matters here: which device a rule is about (vendor and product id, the subsystem
/// of the node) and what it grants (`MODE`, `GROUP`, `TAG+="uaccess"`). Field bug WICG/webhid 87: the
/// rule named hiddev, and the node in use was hidraw, so nobody but root could open the reader.
///
/// Source: udev(7); `uaccess` is applied by `73-seat-late.rules`, so a tag set later has no effect.
public struct UdevRules: Sendable {
    private let tree: SystemTree

    /// Prepares to read the rules of a tree, for its user.
    public init(_ tree: SystemTree) { self.tree = tree }

    /// The line that grants a tag too late is in a file that sorts after this one.
    private static let seatRules = "73-seat-late.rules"

    /// Finds the rules about a reader, in the order in which udev reads them; the node is `usb` for a
    /// reader that is opened through libusb, and `tty` for a serial port.
    public func about(vendorID: UInt16, productID: UInt16, node: String) -> [UdevRule] {
        var rules: [UdevRule] = []
        for (name, path) in files() {
            var number = 0
            var begin = 0
            var pending = ""
            for line in tree.lines(path) {
                number += 1
                if pending.isEmpty { begin = number }
                if line.hasSuffix("\\"), pending.utf8.count < 16_384 {
                    pending += line.dropLast()
                    continue
                }
                let whole = pending + line
                pending = ""
                let parts = Self.parts(of: whole)
                guard Self.isAbout(parts, vendorID, productID) else { continue }
                let effect = effect(of: parts, file: name, vendorID, productID, node)
                if let effect { rules.append(UdevRule(file: path, line: begin, effect: effect)) }
            }
        }
        return rules
    }

    /// The files by name; one in `/etc` hides one of the same name elsewhere.
    private func files() -> [(name: String, path: String)] {
        var found: [(name: String, path: String)] = []
        let folders = [tree.etc, tree.run, tree.lib].map { "\($0)/udev/rules.d" }
        for folder in folders {
            for name in Paths.names(in: folder) where name.hasSuffix(".rules") {
                if !found.contains(where: { $0.name == name }) {
                    found.append((name, "\(folder)/\(name)"))
                }
            }
        }
        return found.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
    }

    // MARK: One rule

    /// One `KEY{attribute}OPERATOR"value"`.
    private struct Part {
        var key: String
        var isMatch: Bool
        var value: String
    }

    /// Splits a rule; a comment gives none.
    private static func parts(of line: String) -> [Part] {
        var parts: [Part] = []
        var rest = line[...]
        rest = rest.drop { $0 == " " || $0 == "\t" }
        guard !rest.hasPrefix("#") else { return [] }
        while parts.count < 64, let quote = rest.firstIndex(of: "\"") {
            let head = rest[..<quote].filter { $0 != " " && $0 != "\t" && $0 != "," }
            let behind = rest[rest.index(after: quote)...]
            guard let end = behind.firstIndex(of: "\"") else { break }
            let key = head.prefix { !"=!+-:".contains($0) }
            let sign = head.dropFirst(key.count)
            parts.append(
                Part(
                    key: String(key),
                    isMatch: sign == "==" || sign == "!=",
                    value: sign == "!=" ? "" : String(behind[..<end])
                )
            )
            rest = behind[behind.index(after: end)...]
        }
        return parts
    }

    private static func isAbout(_ parts: [Part], _ vendorID: UInt16, _ productID: UInt16) -> Bool {
        func fits(_ keys: [String], _ id: UInt16) -> Bool? {
            guard let part = parts.first(where: { $0.isMatch && keys.contains($0.key) }) else {
                return nil
            }
            return part.value.split(separator: "|").contains { $0.lowercased() == hexadecimal(id) }
        }
        let vendorKeys = ["ATTR{idVendor}", "ATTRS{idVendor}", "ENV{ID_VENDOR_ID}"]
        let productKeys = ["ATTR{idProduct}", "ATTRS{idProduct}", "ENV{ID_MODEL_ID}"]
        return fits(vendorKeys, vendorID) == true && fits(productKeys, productID) != false
    }

    private func effect(
        of parts: [Part],
        file: String,
        _ vendorID: UInt16,
        _ productID: UInt16,
        _ node: String
    ) -> UdevRule.Effect? {
        func values(_ key: String) -> [String] { parts.filter { $0.key == key }.map(\.value) }
        let grantsTag = parts.contains { $0.key == "TAG" && !$0.isMatch && $0.value == "uaccess" }
        let mode = parts.last { $0.key == "MODE" && !$0.isMatch }.flatMap {
            UInt32($0.value, radix: 8)
        }
        let group = parts.last { $0.key == "GROUP" && !$0.isMatch }?.value
        // A rule that grants nothing to anybody (names, links, power) is none about opening.
        guard grantsTag || mode != nil || group != nil else { return nil }

        let matched = parts.filter { $0.isMatch && $0.key.hasSuffix("}") }.map(\.value).joined()
        if matched.contains(where: { ("A"..."F").contains($0) }),
            parts.contains(where: { $0.key.hasPrefix("ATTR") })
        {
            return .opensNothing("it writes the ids in capitals, and udev compares small letters")
        }
        if let wrong = wrongNode(values("SUBSYSTEM") + values("KERNEL"), wanted: node) {
            return .opensNothing(
                "it is about \(wrong) nodes, and CardRig opens the \(node) node: it must say "
                    + "SUBSYSTEM==\"\(node)\""
            )
        }
        if let mode, mode & 0o002 != 0 { return .opensToAll }
        if grantsTag {
            return file.utf8.lexicographicallyPrecedes(Self.seatRules.utf8)
                ? .opens
                : .opensNothing(
                    "its file is read after \(Self.seatRules), too late for uaccess: name it "
                        + "60-\(file.drop { $0.isNumber || $0 == "-" })"
                )
        }
        if let group { return effect(ofGroup: group, mode: mode) }
        return .opensNothing("it names no group and no uaccess, so only root has the mode it sets")
    }

    /// What nodes the rule is about when they are not those wanted.
    private func wrongNode(_ values: [String], wanted: String) -> String? {
        for value in values {
            let first = value.split(separator: "|").first.map(String.init) ?? value
            let names = ["hiddev", "hidraw", "usbmisc", "usb", "tty", "input", "block"]
            guard let name = names.first(where: { first.hasPrefix($0) }) else { continue }
            if name == wanted { return nil }
            return name == "usbmisc" ? "hiddev" : name
        }
        return nil
    }

    private func effect(ofGroup group: String, mode: UInt32?) -> UdevRule.Effect {
        guard let id = tree.groupID(of: group) else {
            return .opensNothing("there is no group \(group) on this machine")
        }
        if let mode, mode & 0o060 != 0o060 {
            return .opensNothing("its mode does not let the group \(group) read and write")
        }
        guard tree.user.id == 0 || tree.user.groupIDs.contains(id) else {
            return .opensNothing(
                "this user is not in the group \(group): sudo usermod -aG \(group) \"$USER\", then "
                    + "log in again"
            )
        }
        return .opens
    }
}

extension SystemTree {
    /// Returns the number of a group, or `nil` when there is none of the name.
    func groupID(of name: String) -> UInt32? {
        for line in lines("\(etc)/group") {
            let fields = line.split(separator: ":", omittingEmptySubsequences: false)
            if fields.count >= 3, fields[0] == name { return UInt32(fields[2]) }
        }
        return nil
    }

    /// Returns the name of a group, or its number where it has none.
    func groupName(of id: UInt32) -> String {
        for line in lines("\(etc)/group") {
            let fields = line.split(separator: ":", omittingEmptySubsequences: false)
            if fields.count >= 3, UInt32(fields[2]) == id { return String(fields[0]) }
        }
        return "\(id)"
    }
}
