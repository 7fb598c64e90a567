/// Builds one document from libyaml's events, within the limits of ``YAMLDocument``.
struct DocumentBuilder: ~Copyable {
    private var parser: EventParser
    private var nodeCount = 0
    private var duplicateKeys: [YAMLDuplicateKey] = []

    init(_ parser: consuming EventParser) { self.parser = parser }

    /// Returns the only document of the stream.
    mutating func document() throws(YAMLError) -> YAMLDocument {
        _ = try parser.next()  // The stream's start.
        let start = try parser.next()
        guard case .documentStart = start.event else {
            throw YAMLError(
                .empty,
                at: YAMLMark(line: 1, column: 1),
                "expected a document, found an empty file"
            )
        }
        let root = try node(try parser.next(), depth: 0)
        _ = try parser.next()  // The document's end.
        let end = try parser.next()
        guard case .streamEnd = end.event else {
            throw YAMLError(
                .severalDocuments,
                at: end.mark,
                "expected one document in the file, found a second one"
            )
        }
        return YAMLDocument(root: root, duplicateKeys: duplicateKeys)
    }

    private mutating func node(_ event: MarkedEvent, depth: Int) throws(YAMLError) -> YAMLNode {
        try admit(event, depth: depth)
        switch event.event {
        case .scalar(let scalar): return YAMLNode(.scalar(scalar), at: event.mark)
        case .sequenceStart:
            var nodes: [YAMLNode] = []
            while true {
                let next = try parser.next()
                if case .sequenceEnd = next.event { break }
                nodes.append(try node(next, depth: depth + 1))
            }
            return YAMLNode(.sequence(nodes), at: event.mark)
        case .mappingStart: return try mapping(at: event.mark, depth: depth)
        case .streamStart, .streamEnd, .documentStart, .documentEnd, .sequenceEnd, .mappingEnd,
            .alias:
            throw YAMLError(.syntax, at: event.mark, "not YAML: expected a node")
        }
    }

    private mutating func mapping(at mark: YAMLMark, depth: Int) throws(YAMLError) -> YAMLNode {
        var entries: [YAMLEntry] = []
        var firsts: [String: YAMLMark] = [:]
        while true {
            let next = try parser.next()
            if case .mappingEnd = next.event { break }
            let keyNode = try node(next, depth: depth + 1)
            guard case .scalar(let key) = keyNode.content else {
                throw YAMLError(
                    .complexKey,
                    at: keyNode.mark,
                    "expected a word as key, found a list or a map"
                )
            }
            let value = try node(try parser.next(), depth: depth + 1)
            if let first = firsts[key.text] {
                duplicateKeys.append(
                    YAMLDuplicateKey(key: key.text, first: first, mark: keyNode.mark)
                )
            } else {
                firsts[key.text] = keyNode.mark
            }
            entries.append(YAMLEntry(key: key, keyMark: keyNode.mark, value: value))
        }
        return YAMLNode(.mapping(entries), at: mark)
    }

    /// Refuses what the limits do not allow.
    private mutating func admit(_ event: MarkedEvent, depth: Int) throws(YAMLError) {
        if case .alias = event.event {
            throw YAMLError(.alias, at: event.mark, "expected a value, found an alias (*name)")
        }
        if event.hasAnchor {
            throw YAMLError(.anchor, at: event.mark, "expected a value, found an anchor (&name)")
        }
        if event.hasTag {
            throw YAMLError(.tag, at: event.mark, "expected a value, found a tag (!name)")
        }
        guard depth < YAMLDocument.maximumDepth else {
            throw YAMLError(
                .tooDeep,
                at: event.mark,
                "expected at most \(YAMLDocument.maximumDepth) levels of lists and maps, found more"
            )
        }
        nodeCount += 1
        guard nodeCount <= YAMLDocument.maximumNodeCount else {
            throw YAMLError(
                .tooManyNodes,
                at: event.mark,
                "expected at most \(YAMLDocument.maximumNodeCount) nodes, found more"
            )
        }
    }
}
