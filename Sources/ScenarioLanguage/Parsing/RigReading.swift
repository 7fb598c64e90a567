import Journal
import YAML

extension ScenarioReading {
    /// Reads `rig` into ``readers`` and ``gateway``.
    mutating func rig(_ node: YAMLNode) {
        guard let fields = fields(node, Grammar.rig) else { return }
        isRigKnown = true
        if let node = fields["gateway"] {
            gatewayAccount(node)
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
        case (nil, nil) where gateway.map { $0 != .agentcash } ?? (fields["gateway"] != nil):
            break
        case (nil, nil):
            complain(
                at: node.mark,
                "expected a reader in `rig`, found none",
                hint: "write `reader: idynamo`, or `readers: { left: idynamo, right: dynamag }`"
            )
            isRigKnown = false
        }
        if let node = fields["attached"] { attach(node) }
        world(fields)
    }

    /// Reports a step about a reader of a rig that has none, and returns whether it has one.
    mutating func hasReaders(for shape: StepShape) -> Bool {
        guard isRigKnown, readers.isEmpty else { return true }
        switch shape.word {
        case .plugIn, .unplug, .swipe, .insert, .tap, .removeCard, .keys, .switchOff, .switchOn,
            .reboot, .link, .expectState:
            complain(
                at: shape.mark,
                "expected a reader in `rig` for `\(shape.word.rawValue)`, found none"
            )
            return false
        default: return true
        }
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
        guard var reader = readerPlan(node) else {
            isRigKnown = false
            return
        }
        let name = name ?? reader.kind.rawValue
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
        if reader.kind.isAudioJack, let other = readers.first(where: { $0.kind == reader.kind }) {
            complain(
                at: node.mark,
                "expected one \(reader.kind.rawValue) in `rig`, found '\(name)' beside "
                    + "'\(other.name)'",
                hint: "the SDK serves one of each kind at the audio jack"
            )
            return
        }
        reader.name = name
        // It powers itself: it is on and within reach.
        reader.isAttachedAtStart = reader.kind == .miura
        reader.location = SourceLocation(mark ?? node.mark)
        readers.append(reader)
    }

    /// Reads `dynamag` or `{ kind: dynamag, packetByteCount: 64 }`; name and place come later.
    private mutating func readerPlan(_ node: YAMLNode) -> ReaderPlan? {
        let kinds = ReaderKind.allCases.map { ($0.rawValue, $0) }
        guard case .mapping = node.content else {
            return word(node, "a reader", among: kinds)
                .map { ReaderPlan(name: "", kind: $0) }
        }
        guard let fields = fields(node, Grammar.reader) else { return nil }
        let kind = fields["kind"].flatMap {
            word($0, "a reader", among: kinds)
        }
        let size = fields["packetByteCount"].flatMap {
            integer($0, "the size of a packet, 1 to 1024", in: 1...1_024)
        }
        let failures = fields["sessionOpenFailures"].flatMap {
            integer($0, "how often opening a session fails, 0 to 100", in: 0...100)
        }
        let notifications = fields["notifications"].flatMap {
            let known = ReaderPlan.Notifications.allCases.map { ($0.rawValue, $0) }
            return word($0, "how the system tells of the reader", among: known)
        }
        guard let kind else { return nil }
        complainForeign(fields, kind)
        return ReaderPlan(
            name: "",
            kind: kind,
            packetByteCount: size.map(Int.init),
            protocolString: fields["protocolString"].flatMap { text($0, "a protocol string") },
            sessionOpenFailureCount: Int(failures ?? 0),
            notifications: notifications ?? .once,
            audio: audioReader(fields),
            miura: miura(fields)
        )
    }

    /// Reports keys that have no effect on a reader of that kind.
    private mutating func complainForeign(_ fields: Fields, _ kind: ReaderKind) {
        for name in Grammar.reader.names {
            guard let entry = fields.entry(name) else { continue }
            let owners = Self.owners(of: name)
            guard !owners.contains(kind) else { continue }
            complain(
                at: entry.keyMark,
                "expected \(owners.map(\.withArticle).joined(separator: " or ")) for `\(name)`, "
                    + "found '\(kind.rawValue)'",
                hint: "it has no effect on this reader"
            )
        }
    }

    private static func owners(of key: String) -> [ReaderKind] {
        switch key {
        case "packetByteCount": [.dynamag, .securemag]
        case "protocolString", "sessionOpenFailures": [.idynamo]
        case "notifications": [.idynamo, .dynamag, .securemag]
        case "serial": [.shuttle, .miura]
        case "battery": [.ips, .miura]
        case _ where Grammar.miuraReaderKeys.contains(where: { $0.name == key }): [.miura]
        default:
            switch (Grammar.shuttleKeys.contains(key), Grammar.ipsKeys.contains(key)) {
            case (true, false): [.shuttle]
            case (false, true): [.ips]
            case (true, true): [.shuttle, .ips]
            case (false, false): ReaderKind.allCases
            }
        }
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
            complainOfSecondPlug(index, besides: seen, at: item)
            seen.append(index)
            if readers.indices.contains(index) { readers[index].isAttachedAtStart = true }
        }
    }

    /// Complains of a reader that would be in the audio jack together with another one.
    private mutating func complainOfSecondPlug(
        _ index: Int,
        besides seen: [Int],
        at item: YAMLNode
    ) {
        guard readers.indices.contains(index), readers[index].kind.isAudioJack,
            let other = seen.first(where: {
                $0 != index && readers.indices.contains($0) && readers[$0].kind.isAudioJack
            })
        else { return }
        complain(
            at: item.mark,
            "expected one reader in the audio jack, found '\(readers[index].name)' beside "
                + "'\(readers[other].name)'",
            hint: "a phone has one audio jack: attach one, and plug the other in later"
        )
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

    /// Whether it can name a reader or a value of a matrix.
    static func isName(_ text: String) -> Bool {
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
