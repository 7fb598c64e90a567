import YAML

/// Puts the values of a cell into a document, and notes what was asked for in vain.
struct Substitution {
    let cell: [MatrixReading.Value]
    /// Which values were used.
    private(set) var isUsed: [Bool]
    /// Placeholders that no name of the matrix fits, and texts whose value is no text.
    private(set) var mistakes: [(mark: YAMLMark, message: String, name: String)] = []
    /// How many bytes may still be copied.
    private(set) var budget: Int

    init(_ cell: [MatrixReading.Value], budget: Int) {
        self.cell = cell
        self.budget = budget
        isUsed = Array(repeating: false, count: cell.count)
    }

    /// Returns the node with the values in it.
    mutating func apply(to node: YAMLNode) -> YAMLNode {
        budget -= 16
        guard budget > 0 else { return node }
        switch node.content {
        case .scalar(let scalar):
            return replace(scalar, at: node.mark)
        case .sequence(let nodes):
            return YAMLNode(.sequence(nodes.map { apply(to: $0) }), at: node.mark)
        case .mapping(let entries):
            let replaced = entries.map { entry in
                YAMLEntry(key: entry.key, keyMark: entry.keyMark, value: apply(to: entry.value))
            }
            return YAMLNode(.mapping(replaced), at: node.mark)
        }
    }

    private mutating func replace(_ scalar: YAMLScalar, at mark: YAMLMark) -> YAMLNode {
        let bytes = Array(scalar.text.utf8)
        budget -= bytes.count
        guard let open = bytes.firstIndex(of: 0x3C) else {
            return YAMLNode(.scalar(scalar), at: mark)
        }
        if open == 0, let close = Self.close(bytes, open), close == bytes.count - 1,
            let index = index(of: bytes[1..<close], at: mark)
        {
            return placed(cell[index].node, at: mark)
        }
        var text: [UInt8] = []
        var position = 0
        while position < bytes.count {
            guard bytes[position] == 0x3C, let close = Self.close(bytes, position),
                let index = index(of: bytes[(position + 1)..<close], at: mark)
            else {
                text.append(bytes[position])
                position += 1
                continue
            }
            position = close + 1
            guard case .scalar(let value) = cell[index].node.content else {
                let name = cell[index].name
                mistakes.append((mark, "expected text for `<\(name)>` inside a text", name))
                continue
            }
            budget -= value.text.utf8.count
            guard budget > 0 else { break }
            text.append(contentsOf: value.text.utf8)
        }
        let replaced = String(decoding: text, as: UTF8.self)
        return YAMLNode(.scalar(YAMLScalar(replaced, isPlain: scalar.isPlain)), at: mark)
    }

    /// Returns a value with all its places at the placeholder's, so that a complaint shows where it
    /// is used.
    private mutating func placed(_ node: YAMLNode, at mark: YAMLMark) -> YAMLNode {
        budget -= 16
        guard budget > 0 else { return YAMLNode(node.content, at: mark) }
        switch node.content {
        case .scalar(let scalar):
            budget -= scalar.text.utf8.count
            return YAMLNode(node.content, at: mark)
        case .sequence(let nodes):
            return YAMLNode(.sequence(nodes.map { placed($0, at: mark) }), at: mark)
        case .mapping(let entries):
            let entries = entries.map { entry in
                YAMLEntry(key: entry.key, keyMark: mark, value: placed(entry.value, at: mark))
            }
            return YAMLNode(.mapping(entries), at: mark)
        }
    }

    /// Returns where the placeholder that begins there ends, or `nil` when it is none.
    private static func close(_ bytes: [UInt8], _ open: Int) -> Int? {
        var position = open + 1
        while position < bytes.count, position - open <= 33 {
            if bytes[position] == 0x3E {
                let name = String(decoding: bytes[(open + 1)..<position], as: UTF8.self)
                return ScenarioReading.isName(name) ? position : nil
            }
            position += 1
        }
        return nil
    }

    private mutating func index(of name: ArraySlice<UInt8>, at mark: YAMLMark) -> Int? {
        let name = String(decoding: name, as: UTF8.self)
        if let index = cell.firstIndex(where: { $0.name == name }) {
            isUsed[index] = true
            return index
        }
        mistakes.append((mark, "expected a name of the matrix, found '\(name)'", name))
        return nil
    }
}
