import Journal
import YAML

extension ScenarioReading {
    private static let rigKeys = ["reader", "readers", "attached", "gateway"]
    private static let laterRigKeys = [
        "link", "merchantServer", "app", "clock", "sdk", "host", "mode",
    ]
    private static let laterReaders = ["shuttle", "ips", "securemag", "miura"]
    private static let laterGateways = ["agentcash", "paymill", "innerfence"]

    /// Reads `rig` into ``readers`` and ``gateway``.
    mutating func rig(_ node: YAMLNode) {
        guard
            let fields = fields(
                node,
                of: "`rig`",
                known: Self.rigKeys,
                later: Self.laterRigKeys
            )
        else { return }
        isRigKnown = true
        if let node = fields["gateway"] {
            gateway = word(
                node,
                "a gateway",
                among: GatewayKind.allCases.map { ($0.rawValue, $0) },
                later: Self.laterGateways
            )
            // A misspelled gateway is one complaint, not one more for each step that needs it.
            if gateway == nil { isRigKnown = false }
        }
        switch (fields.entry("reader"), fields.entry("readers")) {
        case (let single?, nil):
            addReader(single.value, name: nil)
        case (nil, let several?):
            addReaders(several.value)
        case (.some, let several?):
            complain(
                at: several.keyMark,
                "expected either `reader` or `readers`, found both",
                hint: "write one `readers` with all of them"
            )
            isRigKnown = false
        case (nil, nil):
            complain(
                at: node.mark,
                "expected a reader in `rig`, found none",
                hint: "write `reader: idynamo`, or `readers: { left: idynamo, right: dynamag }`"
            )
            isRigKnown = false
        }
        if let node = fields["attached"] { attach(node) }
    }

    private mutating func addReaders(_ node: YAMLNode) {
        switch node.content {
        case .mapping(let entries):
            if entries.isEmpty { complainNoReaders(node) }
            for entry in entries {
                if !Self.isName(entry.key.text) {
                    complain(
                        at: entry.keyMark,
                        "expected a reader's name, found \(Words.quoted(entry.key.text))",
                        hint: "a name has letters, digits, - and _, and begins with a letter"
                    )
                }
                addReader(entry.value, name: entry.key.text, at: entry.keyMark)
            }
        case .sequence(let nodes):
            if nodes.isEmpty { complainNoReaders(node) }
            for node in nodes { addReader(node, name: nil) }
        case .scalar:
            complain(
                at: node.mark,
                "expected a list or a map of readers, found \(Words.found(node))",
                hint: "one reader is written `reader: idynamo`"
            )
            isRigKnown = false
        }
    }

    private mutating func complainNoReaders(_ node: YAMLNode) {
        complain(at: node.mark, "expected at least one reader, found none")
        isRigKnown = false
    }

    /// Adds a reader that is called by its kind when it has no name.
    private mutating func addReader(_ node: YAMLNode, name: String?, at mark: YAMLMark? = nil) {
        let kinds = ReaderKind.allCases.map { ($0.rawValue, $0) }
        guard let kind = word(node, "a reader", among: kinds, later: Self.laterReaders) else {
            isRigKnown = false
            return
        }
        let name = name ?? kind.rawValue
        if readers.contains(where: { $0.name == name }) {
            // The same key twice in a map is reported as such.
            if mark == nil {
                complain(
                    at: node.mark,
                    "expected each kind once in a list of readers, found '\(name)' again",
                    hint: "give them names: `readers: { left: \(name), right: \(name) }`"
                )
            }
            return
        }
        readers.append(
            ReaderPlan(name: name, kind: kind, location: SourceLocation(mark ?? node.mark))
        )
    }

    private mutating func attach(_ node: YAMLNode) {
        var seen: [Int] = []
        for item in items(node) {
            guard let index = reader(item) else { continue }
            if seen.contains(index) {
                complain(
                    at: item.mark,
                    "expected each reader once, found \(Words.found(item)) again"
                )
            }
            seen.append(index)
            if readers.indices.contains(index) { readers[index].isAttachedAtStart = true }
        }
    }

    /// Reads the name of a reader of the rig and returns its index; any name serves as long as the
    /// rig itself is wrong.
    mutating func reader(_ node: YAMLNode) -> Int? {
        guard isRigKnown else { return 0 }
        return word(
            node,
            "the name of a reader of the rig",
            among: readers.enumerated().map { ($0.element.name, $0.offset) }
        )
    }

    private static func isName(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        guard let first = bytes.first, isLetter(first), bytes.count <= 32 else { return false }
        return bytes.allSatisfy {
            isLetter($0) || ($0 >= 0x30 && $0 <= 0x39) || $0 == 0x2D || $0 == 0x5F
        }
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x7A
    }
}
