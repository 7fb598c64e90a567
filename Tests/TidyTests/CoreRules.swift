/// What the core does without, found in the words of its source.
///
/// The core is every target of ``LayerTable/core``. Limits: the rule on unordered collections knows
/// a name only in the file that declares it with its type or its literal (`let a: [K: V]`,
/// `a: Set<T>`, `var a = [K: V]()`, `= Set(…)`), not through inference from a call, a type alias or
/// another file. It takes any use of such a name as iteration except the members of
/// ``orderFreeMembers``.
enum CoreRules {
    /// Text that must not stand in the core, and what is right there.
    static let banned: [(text: String, instead: String)] = [
        ("String(format:", "byte loops or interpolation"),
        ("import Foundation", "the standard library"),
        ("import FoundationEssentials", "the standard library"),
        ("import Glibc", "a wrapper target"),
        ("async", "events on the loop"),
        ("Task {", "events on the loop"),
        ("Task(", "events on the loop"),
        ("Task.", "events on the loop"),
        ("Thread", "events on the loop"),
        ("fatalError(", "an error, or a precondition for a mistake of our own caller"),
        ("try!", "throws"),
        ("SystemRandomNumberGenerator", "the run's ChoiceSource"),
        ("ContinuousClock", "the loop's time"),
        ("SuspendingClock", "the loop's time"),
        (".hashValue", "a hash of our own: Swift's differs in every process"),
        ("Hasher(", "a hash of our own: Swift's differs in every process"),
        (".random(", "the run's ChoiceSource"),
        (".shuffled(", "the run's ChoiceSource"),
    ]

    /// Members that give the same whatever the order, or bring an order.
    static let orderFreeMembers = [
        "count", "isEmpty", "contains", "insert", "remove", "removeValue", "removeAll",
        "updateValue", "update", "reserveCapacity", "sorted", "index", "isSubset", "isSuperset",
        "isDisjoint", "union", "formUnion", "subtract", "subtracting", "intersection", "capacity",
        "formIntersection", "allSatisfy",
    ]

    static func complaints(_ file: TrackedFile) -> [String] {
        let parts = file.path.split(separator: "/")
        guard parts.count > 2, parts[0] == "Sources", LayerTable.isCore(String(parts[1])),
            file.path.hasSuffix(".swift")
        else { return [] }
        let code = SwiftCode(file.bytes)
        var found: [(offset: Int, text: String)] = []
        for (text, instead) in banned {
            for offset in code.offsets(ofWord: text) {
                found.append((offset, "'\(text)' has no place in the core; use \(instead)"))
            }
        }
        for name in unorderedNames(in: code) {
            for offset in iterations(of: name, in: code) {
                found.append((offset, "'\(name)' has no order; iterate sorted() or an array"))
            }
        }
        return found.sorted { $0.offset < $1.offset }
            .map { "\(file.path):\(file.line(at: $0.offset)): \($0.text)" }
    }

    // MARK: Unordered collections

    /// The names that the file declares as dictionaries or sets.
    private static func unorderedNames(in code: SwiftCode) -> [String] {
        var names: [String] = []
        for mark in [": [", ": Dictionary<", ": Set<", "= [", "= Dictionary", "= Set"] {
            for offset in offsets(of: mark, in: code.bytes) {
                let type = offset + 2
                guard code.bytes[type] != UInt8(ascii: "[") || isDictionary(code.bytes[type...])
                else { continue }
                let name = identifier(before: offset, in: code.bytes)
                if !name.isEmpty, !names.contains(name) { names.append(name) }
            }
        }
        return names
    }

    /// True for `[K: V]` and `[:]`: a colon stands directly inside the outermost bracket.
    private static func isDictionary(_ bytes: ArraySlice<UInt8>) -> Bool {
        var depth = 0
        for byte in bytes {
            switch byte {
            case UInt8(ascii: "["), UInt8(ascii: "("), UInt8(ascii: "{"): depth += 1
            case UInt8(ascii: "]"), UInt8(ascii: ")"), UInt8(ascii: "}"):
                depth -= 1
                if depth == 0 { return false }
            case UInt8(ascii: ":") where depth == 1: return true
            case UInt8(ascii: "?") where depth == 1: return false  // a ternary in a list
            default: break
            }
        }
        return false
    }

    /// Where a use of the name depends on the order of its elements.
    private static func iterations(of name: String, in code: SwiftCode) -> [Int] {
        code.offsets(ofWord: name).filter { offset in
            let rest = code.bytes[(offset + name.utf8.count)...]
            if rest.first == UInt8(ascii: ".") {
                let member = identifier(after: rest.startIndex + 1, in: code.bytes)
                if member == "keys" || member == "values" {
                    let next = rest.startIndex + 2 + member.utf8.count
                    let second =
                        next <= code.bytes.count && code.bytes[next - 1] == UInt8(ascii: ".")
                        ? identifier(after: next, in: code.bytes) : ""
                    return !orderFreeMembers.contains(second)
                }
                return !orderFreeMembers.contains(member)
            }
            let before = identifier(before: offset, in: code.bytes)
            return before == "in" && rest.first { $0 != UInt8(ascii: " ") } == UInt8(ascii: "{")
        }
    }

    private static func identifier(before end: Int, in bytes: [UInt8]) -> String {
        var last = end
        while last > 0, bytes[last - 1] == UInt8(ascii: " ") { last -= 1 }
        var first = last
        while first > 0, SwiftCode.isIdentifier(bytes[first - 1]) { first -= 1 }
        return String(decoding: bytes[first..<last], as: UTF8.self)
    }

    private static func identifier(after start: Int, in bytes: [UInt8]) -> String {
        let rest = bytes[min(start, bytes.count)...]
        return String(decoding: rest.prefix(while: SwiftCode.isIdentifier), as: UTF8.self)
    }
}
