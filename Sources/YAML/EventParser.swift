import CLibYAML

/// One event of libyaml, copied out of its memory.
enum YAMLEvent {
    case streamStart
    case streamEnd
    case documentStart
    case documentEnd
    case alias
    case scalar(YAMLScalar)
    case sequenceStart
    case sequenceEnd
    case mappingStart
    case mappingEnd
}

/// An event with its place and what hangs on it.
struct MarkedEvent {
    var event: YAMLEvent
    var mark: YAMLMark
    var hasAnchor = false
    var hasTag = false
}

/// libyaml's event parser over a buffer that outlives it.
///
/// Only ``DocumentBuilder`` calls it, on the thread that reads the document.
struct EventParser: ~Copyable {
    private let raw: UnsafeMutablePointer<yaml_parser_t>
    private let input: UnsafeBufferPointer<UInt8>
    private let hasMemory: Bool

    /// Creates a parser at the start of a buffer; the buffer must outlive it.
    init(reading input: UnsafeBufferPointer<UInt8>) {
        self.input = input
        raw = .allocate(capacity: 1)
        hasMemory = yaml_parser_initialize(raw) == 1
        guard hasMemory else { return }
        // Without this libyaml would take UTF-16 as well.
        yaml_parser_set_encoding(raw, YAML_UTF8_ENCODING)
        yaml_parser_set_input_string(raw, input.baseAddress, input.count)
    }

    deinit {
        if hasMemory { yaml_parser_delete(raw) }
        raw.deallocate()
    }

    /// Returns the next event; must not be called after the stream's end or an error.
    mutating func next() throws(YAMLError) -> MarkedEvent {
        guard hasMemory else { throw Self.outOfMemory(at: YAMLMark(line: 1, column: 1)) }
        var event = yaml_event_t()
        guard yaml_parser_parse(raw, &event) == 1 else { throw error() }
        defer { yaml_event_delete(&event) }
        let mark = Self.mark(event.start_mark)
        switch event.type {
        case YAML_STREAM_START_EVENT: return MarkedEvent(event: .streamStart, mark: mark)
        case YAML_DOCUMENT_START_EVENT: return MarkedEvent(event: .documentStart, mark: mark)
        case YAML_DOCUMENT_END_EVENT: return MarkedEvent(event: .documentEnd, mark: mark)
        case YAML_ALIAS_EVENT: return MarkedEvent(event: .alias, mark: mark)
        case YAML_SCALAR_EVENT:
            let scalar = event.data.scalar
            let bytes = UnsafeBufferPointer(start: scalar.value, count: scalar.length)
            let isPlain = scalar.style == YAML_PLAIN_SCALAR_STYLE
            return MarkedEvent(
                event: .scalar(
                    YAMLScalar(String(decoding: bytes, as: UTF8.self), isPlain: isPlain)
                ),
                mark: mark,
                hasAnchor: scalar.anchor != nil,
                hasTag: scalar.tag != nil
            )
        case YAML_SEQUENCE_START_EVENT:
            return MarkedEvent(
                event: .sequenceStart,
                mark: mark,
                hasAnchor: event.data.sequence_start.anchor != nil,
                hasTag: event.data.sequence_start.tag != nil
            )
        case YAML_SEQUENCE_END_EVENT: return MarkedEvent(event: .sequenceEnd, mark: mark)
        case YAML_MAPPING_START_EVENT:
            return MarkedEvent(
                event: .mappingStart,
                mark: mark,
                hasAnchor: event.data.mapping_start.anchor != nil,
                hasTag: event.data.mapping_start.tag != nil
            )
        case YAML_MAPPING_END_EVENT: return MarkedEvent(event: .mappingEnd, mark: mark)
        default: return MarkedEvent(event: .streamEnd, mark: mark)
        }
    }

    private static func mark(_ mark: yaml_mark_t) -> YAMLMark {
        YAMLMark(line: Int(mark.line) + 1, column: Int(mark.column) + 1)
    }

    private static func outOfMemory(at mark: YAMLMark) -> YAMLError {
        YAMLError(.memory, at: mark, "libyaml has no memory left")
    }

    /// Returns what libyaml says of its failure, in our words where its own are unclear.
    private func error() -> YAMLError {
        let parser = raw.pointee
        switch parser.error {
        case YAML_MEMORY_ERROR: return Self.outOfMemory(at: Self.mark(parser.mark))
        case YAML_READER_ERROR: return readerError(at: Int(parser.problem_offset))
        default: break
        }
        let mark = Self.mark(parser.problem_mark)
        let index = offset(of: parser.problem_mark)
        if let index, input[index] == 0x09 {
            return YAMLError(.tab, at: mark, "expected blanks for indentation, found a tab")
        }
        let problem = parser.problem.map { String(cString: $0) } ?? "unknown mistake"
        guard let context = parser.context.map({ String(cString: $0) }) else {
            return YAMLError(.syntax, at: mark, "not YAML: \(problem)")
        }
        let place = Self.mark(parser.context_mark)
        if problem.hasPrefix("did not find expected ',' or") {
            // The bracket is the mistake more often than what follows it, lines later.
            return YAMLError(
                .syntax,
                at: place,
                "expected a closing bracket, found none up to \(mark.line):\(mark.column)"
            )
        }
        let begin = place == mark ? "" : " that begins at \(place.line):\(place.column)"
        return YAMLError(.syntax, at: mark, "not YAML: \(problem) \(context)\(begin)")
    }

    /// Returns what the reader refuses: it looks ahead, and its offset can be inside a character.
    private func readerError(at offset: Int) -> YAMLError {
        var parser = Unicode.UTF8.ForwardParser()
        var bytes = input.makeIterator()
        var mark = YAMLMark(line: 1, column: 1)
        var position = 0
        var isAfterCarriageReturn = false
        while position < offset {
            guard case .valid(let character) = parser.parseScalar(from: &bytes) else {
                return Self.notUTF8(at: mark)
            }
            position += character.count
            let isLineFeed = character.first == 0x0A
            if isLineFeed || character.first == 0x0D {
                if !(isLineFeed && isAfterCarriageReturn) { mark.line += 1 }
                mark.column = 1
            } else {
                mark.column += 1
            }
            isAfterCarriageReturn = character.first == 0x0D
        }
        if case .error = parser.parseScalar(from: &bytes) { return Self.notUTF8(at: mark) }
        return YAMLError(.controlCharacter, at: mark, "expected text, found a control character")
    }

    private static func notUTF8(at mark: YAMLMark) -> YAMLError {
        YAMLError(.invalidUTF8, at: mark, "expected UTF-8, found a byte that is not")
    }

    /// Returns the byte at a mark, whose own index counts Unicode scalars.
    private func offset(of mark: yaml_mark_t) -> Int? {
        var remaining = Int(mark.index)
        for index in input.indices where input[index] & 0xC0 != 0x80 {
            if remaining == 0 { return index }
            remaining -= 1
        }
        return nil
    }
}
