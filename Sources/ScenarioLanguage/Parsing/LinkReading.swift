import EventLoops
import Journal
import YAML

extension ScenarioReading {
    /// Reads a fault of the link, such as `{ corrupt: 1, at: { block: 2, byte: 7 } }`.
    mutating func linkFault(_ node: YAMLNode) -> LinkFaultPlan? {
        guard let fields = fields(node, Grammar.linkFault) else { return nil }
        let entries = Grammar.linkActions.compactMap { fields.entry($0) }
        guard let entry = entries.first else {
            complain(
                at: node.mark,
                "expected what the link does, found nothing",
                hint: "there is \(Words.list(Grammar.linkActions))"
            )
            return nil
        }
        for other in entries.dropFirst() {
            complain(
                at: other.keyMark,
                "expected one thing that the link does, found '\(other.key.text)' too",
                hint: "write another `- link: …`"
            )
        }
        let reader = fields["reader"].map { self.reader($0) } ?? 0
        guard let reader else { return nil }
        if entry.key.text == "open" { return openingFault(entry, of: reader, fields["at"]) }
        if fields.entry("at") == nil {
            complain(
                at: node.mark,
                "expected `at` beside `\(entry.key.text)`, found none",
                hint: "it says where: `{ \(entry.key.text), at: { byte: 1 } }`"
            )
            return nil
        }
        let address = fields["at"].flatMap { self.address($0, of: reader) }
        let action = linkAction(entry)
        guard let address, let action, let node = fields["at"] else { return nil }
        switch action {
        case .split, .corrupt:
            if address.byte == nil {
                complain(
                    at: node.mark,
                    "expected `byte` in the address of `\(entry.key.text)`, found none"
                )
            }
        case .merge:
            if address.unit == nil && address.command == nil || address.byte != nil {
                complain(
                    at: node.mark,
                    "expected a whole unit as the address of `merge`, found a byte"
                )
            }
        case .delay, .drop, .duplicate, .cut, .open: break
        }
        let receiver = receiver(fields, address, reader)
        let fault = LinkFaultPlan(reader: reader, action, at: address, to: receiver)
        if isRigKnown, readers.indices.contains(reader),
            let reason = readers[reader].kind.refusal(of: fault)
        {
            complain(
                at: entry.keyMark,
                "expected a fault that \(readers[reader].kind.withArticle)'s link has, found "
                    + "'\(entry.key.text)' of a byte",
                hint: reason
            )
        }
        return fault
    }

    /// Reads `to`, or returns what the phase of a command says.
    private mutating func receiver(
        _ fields: Fields,
        _ address: LinkFaultPlan.Address,
        _ reader: Int
    ) -> LinkFaultPlan.Receiver {
        let said: LinkFaultPlan.Receiver = address.command?.phase == .sent ? .reader : .host
        guard let entry = fields.entry("to"), let node = fields["to"] else { return said }
        let known = LinkFaultPlan.Receiver.allCases.map { ($0.rawValue, $0) }
        let receiver = word(node, "who is to receive it", among: known) ?? said
        if let command = address.command, receiver != said {
            complain(
                at: entry.keyMark,
                "expected no `to` beside the phase `\(command.phase.rawValue)`, found "
                    + "'\(receiver.rawValue)'",
                hint: "what is `sent` goes to the reader, what is `answered` to the host"
            )
        }
        if receiver == .reader, isRigKnown, readers.indices.contains(reader),
            readers[reader].kind != .miura
        {
            complain(
                at: node.mark,
                "expected a miura as the reader that frames are sent to, found "
                    + readers[reader].kind.withArticle,
                hint: "of other readers only what they send can be disturbed"
            )
        }
        return receiver
    }

    /// Reads `{ command, phase, byte }`.
    private mutating func commandPlace(
        _ fields: Fields,
        _ reader: Int
    ) -> LinkFaultPlan.CommandPlace? {
        guard let entry = fields.entry("command"), let node = fields["command"] else { return nil }
        if isRigKnown, readers.indices.contains(reader), readers[reader].kind != .miura {
            let kind = readers[reader].kind
            complain(
                at: entry.keyMark,
                "expected an address that \(kind.withArticle) has, found 'command'",
                hint: "\(kind.withArticle) sends \(kind.unit.rawValue)s; commands go to a miura"
            )
            return nil
        }
        let known = Grammar.miuraCommands.map { ($0, $0) }
        let phases = LinkFaultPlan.CommandPlace.Phase.allCases.map { ($0.rawValue, $0) }
        let name = word(node, "the name of a command", among: known)
        let phase = fields["phase"].map { word($0, "a phase of a command", among: phases) }
        guard let name, let phase = phase ?? .answered else { return nil }
        return LinkFaultPlan.CommandPlace(name: name, phase)
    }

    /// Reads `{ open: busy }`, which has no address.
    private mutating func openingFault(
        _ entry: YAMLEntry,
        of reader: Int,
        _ address: YAMLNode?
    ) -> LinkFaultPlan? {
        if let address {
            complain(
                at: address.mark,
                "expected no address beside `open`, found one",
                hint: "it is about the next time that the reader is plugged in"
            )
            return nil
        }
        guard let opening = opening(entry.value) else { return nil }
        let fault = LinkFaultPlan(reader: reader, .open(opening), at: LinkFaultPlan.Address())
        if isRigKnown, readers.indices.contains(reader),
            let reason = readers[reader].kind.refusal(of: fault)
        {
            complain(
                at: entry.keyMark,
                "expected a fault that \(readers[reader].kind.withArticle)'s link has, found 'open'",
                hint: reason
            )
        }
        return fault
    }

    /// Reads what stands in the way: `busy`, or `{ busy: 300ms }`.
    private mutating func opening(_ node: YAMLNode) -> OpeningPlan? {
        if case .scalar = node.content {
            let causes = OpeningPlan.Cause.allCases.map { ($0.rawValue, $0) }
            return word(node, "what stands in the way", among: causes).map { OpeningPlan($0) }
        }
        guard let fields = fields(node, Grammar.openingMap) else { return nil }
        let entries = Grammar.openingCauses.compactMap { fields.entry($0) }
        guard entries.count == 1, let cause = OpeningPlan.Cause(rawValue: entries[0].key.text)
        else {
            complain(
                at: node.mark,
                "expected one of \(Words.list(Grammar.openingCauses)), found \(entries.count)"
            )
            return nil
        }
        return duration(entries[0].value).map { OpeningPlan(cause, for: $0) }
    }

    private mutating func linkAction(_ entry: YAMLEntry) -> LinkFaultPlan.Action? {
        let value = entry.value
        switch entry.key.text {
        case "delay": return duration(value).map { .delay($0) }
        case "split": return duration(value).map { .split(gap: $0) }
        case "merge": return duration(value).map { .merge(within: $0) }
        case "corrupt":
            if case .scalar(let scalar) = value.content, scalar.isAbsent {
                return .corrupt(xor: 0xFF)
            }
            return integer(value, "what the byte is changed by, 1 to 255", in: 1...255)
                .map { .corrupt(xor: UInt8($0)) }
        default: break
        }
        guard case .scalar(let scalar) = value.content, scalar.isAbsent else {
            complain(
                at: value.mark,
                "expected nothing behind `\(entry.key.text)`, found \(Words.found(value))",
                hint: "write `{ \(entry.key.text), at: … }`"
            )
            return nil
        }
        switch entry.key.text {
        case "drop": return .drop
        case "duplicate": return .duplicate
        default: return .cut
        }
    }

    private mutating func address(_ node: YAMLNode, of reader: Int) -> LinkFaultPlan.Address? {
        guard let fields = fields(node, Grammar.address) else { return nil }
        let units = LinkFaultPlan.Address.Unit.allCases.map(\.rawValue) + ["command"]
        let entries = units.compactMap { fields.entry($0) }
        if entries.count > 1 {
            complain(
                at: entries[1].keyMark,
                "expected either `\(entries[0].key.text)` or `\(entries[1].key.text)` in an "
                    + "address, found both"
            )
            return nil
        }
        if entries.isEmpty, fields.entry("byte") == nil {
            complain(
                at: node.mark,
                "expected `block`, `report`, `piece`, `frame`, `command` or `byte` in an address, "
                    + "found none"
            )
            return nil
        }
        if let phase = fields.entry("phase"), fields.entry("command") == nil {
            complain(at: phase.keyMark, "expected a `command` beside `phase`, found none")
            return nil
        }
        let byte = fields["byte"].flatMap {
            integer($0, "the number of a byte, counted from 1", in: 1...1_000_000_000)
        }
        if fields.entry("byte") != nil, byte == nil { return nil }
        if fields.entry("command") != nil {
            guard let place = commandPlace(fields, reader) else { return nil }
            let maximum = LinkFaultPlan.Address.Unit.frame.byteCount
            if let byte, byte > maximum, let node = fields["byte"] {
                complain(
                    at: node.mark,
                    "expected a byte of the frame, 1 to \(maximum), found \(byte)"
                )
                return nil
            }
            return LinkFaultPlan.Address(byte: byte.map(Int.init), command: place)
        }
        guard let entry = entries.first,
            let unit = LinkFaultPlan.Address.Unit(rawValue: entry.key.text)
        else { return LinkFaultPlan.Address(byte: byte.map(Int.init)) }
        let number = integer(
            entry.value,
            "the number of a \(unit.rawValue), counted from 1",
            in: 1...1_000_000
        )
        guard let number else { return nil }
        if isRigKnown, readers.indices.contains(reader), readers[reader].kind.unit != unit {
            let kind = readers[reader].kind
            complain(
                at: entry.keyMark,
                "expected an address that \(kind.withArticle) has, found '\(unit.rawValue)'",
                hint: "\(kind.withArticle) sends \(kind.unit.rawValue)s: "
                    + "`at: { \(kind.unit.rawValue): \(number) }`"
            )
            return nil
        }
        let maximum = unit.byteCount
        if let byte, byte > maximum, let node = fields["byte"] {
            complain(
                at: node.mark,
                "expected a byte of the \(unit.rawValue), 1 to \(maximum), found \(byte)"
            )
            return nil
        }
        return LinkFaultPlan.Address(
            unit: unit,
            unitNumber: Int(number),
            byte: byte.map(Int.init)
        )
    }

    /// Reads `rig: { link: … }`.
    mutating func wholeLink(_ node: YAMLNode) {
        guard let fields = fields(node, Grammar.link) else { return }
        if let node = fields["kind"] {
            let kinds = LinkKind.allCases.map { ($0.rawValue, $0) }
            link.kind = word(node, "the kind of a link", among: kinds) ?? .direct
            if link.kind != .direct, isRigKnown, !readers.contains(where: { $0.kind == .miura }) {
                complain(
                    at: node.mark,
                    "expected a miura in `rig` for a link of this kind, found none",
                    hint: "the links of other readers are direct"
                )
            }
        }
        link.delay = fields["delay"].flatMap { duration($0) } ?? .zero
        if let node = fields["open"] {
            link.opening = opening(node)
            if isRigKnown, !readers.contains(where: \.kind.sendsReports) {
                complain(
                    at: node.mark,
                    "expected a dynamag in `rig` whose opening can be in the way, found none"
                )
            }
        }
        link.jitter = fields["jitter"].flatMap { duration($0) } ?? .zero
        if let node = fields["split"], let parts = self.fields(node, Grammar.parts) {
            let every = parts["every"].flatMap {
                integer($0, "how many bytes arrive at once", in: 1...1_000_000)
            }
            link.partByteCount = every.map(Int.init)
            if isRigKnown, let reader = readers.first(where: \.kind.sendsReports) {
                complain(
                    at: node.mark,
                    "expected readers whose units can come in parts, found a "
                        + reader.kind.rawValue,
                    hint: "the packets of a dynamag come whole or not at all"
                )
            }
            link.partGap = parts["gap"].flatMap { duration($0) } ?? .zero
        }
        if let node = fields["faults"] {
            guard case .sequence(let nodes) = node.content, !nodes.isEmpty else {
                complain(
                    at: node.mark,
                    "expected a list of faults, found \(Words.found(node))"
                )
                return
            }
            link.faults = nodes.compactMap { linkFault($0) }
        }
    }
}
