import Journal

/// The JSON Schema of scenario files, for editors that complete and check while one types.
///
/// It is written from the tables by which the parser reads, and from the vocabulary. It knows the
/// structure: keys, words, and the forms of values. What depends on the rest of the file (names of
/// readers, a gateway that a step needs) only the parser knows.
public enum ScenarioSchema {
    /// Returns the schema, JSON Schema draft 2020-12, with a line feed at the end.
    ///
    /// The text is the same in every process.
    ///
    /// - Parameter isIndented: Whether each element stands on a line of its own.
    /// - Returns: The schema's text.
    public static func json(isIndented: Bool = true) -> String {
        var writer = SchemaWriter(isIndented: isIndented)
        writer.write()
        return String(decoding: writer.json.bytes, as: UTF8.self)
    }
}

/// The JSON Schema of bench files.
public enum BenchSchema {
    /// Returns the schema, JSON Schema draft 2020-12, with a line feed at the end.
    public static func json() -> String {
        var writer = SchemaWriter(isIndented: true)
        writer.writeBench()
        return String(decoding: writer.json.bytes, as: UTF8.self)
    }
}

/// Writes the tables as a schema.
struct SchemaWriter {
    var json: JSONWriter
    /// Whether a value of the matrix may stand for any other.
    private var allowsPlaceholders = true

    init(isIndented: Bool) { json = JSONWriter(isIndented: isIndented) }

    mutating func write() {
        json.beginObject()
        text("$schema", "https://json-schema.org/draft/2020-12/schema")
        text("title", "CardRig scenario")
        text(
            "description",
            "What the cardholder, the merchant, the reader, the link and the gateway do, and what "
                + "must come of it."
        )
        text("$ref", "#/$defs/scenario")
        json.key("$defs")
        json.beginObject()
        json.key("scenario")
        object(Grammar.scenario)
        writePlaceholder()
        for definition in Definition.allCases {
            json.key(definition.rawValue)
            value(Grammar.shape(of: definition))
        }
        json.endObject()
        json.endObject()
        json.endLine()
    }

    mutating func writeBench() {
        allowsPlaceholders = false
        json.beginObject()
        text("$schema", "https://json-schema.org/draft/2020-12/schema")
        text("title", "CardRig bench")
        text("description", "What lies on a desk: readers and cards by name, and who has the keys.")
        text("$ref", "#/$defs/bench")
        json.key("$defs")
        json.beginObject()
        json.key("bench")
        object(Grammar.bench)
        json.endObject()
        json.endObject()
        json.endLine()
    }

    private mutating func writePlaceholder() {
        json.key("placeholder")
        json.beginObject()
        text("description", "A value of the matrix.")
        text("type", "string")
        text("pattern", "<[A-Za-z][A-Za-z0-9_-]*>")
        json.endObject()
    }

    private mutating func text(_ key: String, _ value: String) {
        json.key(key)
        json.string(value)
    }

    private mutating func integer(_ key: String, _ value: Int64) {
        json.key(key)
        json.integer(value)
    }

    /// Writes a shape, or the placeholder that may stand for it.
    private mutating func value(_ shape: Shape, meaning: String? = nil) {
        if case .defined = shape, meaning == nil {
            json.beginObject()
            plain(shape)
            json.endObject()
            return
        }
        json.beginObject()
        if let meaning { text("description", meaning) }
        switch shape {
        case .text, .any, .defined:
            plain(shape)
        default:
            json.key("anyOf")
            json.beginArray()
            alternatives(shape)
            if allowsPlaceholders {
                json.beginObject()
                text("$ref", "#/$defs/placeholder")
                json.endObject()
            }
            json.endArray()
        }
        json.endObject()
    }

    /// Writes what may stand there, one after the other, choices inside choices made flat.
    private mutating func alternatives(_ shape: Shape) {
        if case .either(let shapes) = shape {
            for shape in shapes { alternatives(shape) }
        } else if case .map(let table) = shape {
            object(table)
        } else {
            json.beginObject()
            plain(shape)
            json.endObject()
        }
    }

    /// Writes the keywords of a shape into the object that was begun.
    private mutating func plain(_ shape: Shape) {
        switch shape {
        case .text:
            types(["string", "number", "boolean"])
            integer("minLength", 1)
        case .integer(let range):
            text("type", "integer")
            integer("minimum", range.lowerBound)
            if range.upperBound < Int64.max { integer("maximum", range.upperBound) }
        case .flag:
            text("type", "boolean")
        case .amount:
            types(["string", "number"])
            text("pattern", "^[0-9]+(\\.[0-9]{1,2})?$")
            integer("minimum", 0)
        case .duration:
            text("type", "string")
            text("pattern", "^[0-9]+(\\.[0-9]{1,9})?(ns|us|ms|s|min|h)$")
        case .instant:
            text("type", "string")
            text("pattern", "^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$")
        case .words(let words):
            words.count == 1 ? text("const", words[0]) : list("enum", words)
        case .pattern(let expression):
            text("type", "string")
            text("pattern", expression)
        case .nothing:
            text("type", "null")
        case .any:
            break
        case .list(let item, let minimumCount):
            text("type", "array")
            if minimumCount > 0 { integer("minItems", Int64(minimumCount)) }
            json.key("items")
            value(item)
        case .named(let shape):
            text("type", "object")
            integer("minProperties", 1)
            json.key("propertyNames")
            json.beginObject()
            text("pattern", "^[A-Za-z][A-Za-z0-9_-]{0,31}$")
            json.endObject()
            json.key("additionalProperties")
            value(shape)
        case .timed(let shape):
            text("type", "object")
            integer("minProperties", 1)
            integer("maxProperties", 1)
            json.key("propertyNames")
            json.beginObject()
            text("pattern", "^[0-9]+(\\.[0-9]{1,9})?(ns|us|ms|s|min|h)$")
            json.endObject()
            json.key("additionalProperties")
            value(shape)
        case .defined(let definition):
            text("$ref", "#/$defs/\(definition.rawValue)")
        case .map, .either:
            json.key("anyOf")
            json.beginArray()
            alternatives(shape)
            json.endArray()
        }
    }

    /// Writes a map with its keys.
    private mutating func object(_ table: MapTable) {
        json.beginObject()
        text("type", "object")
        json.key("properties")
        json.beginObject()
        for row in table.keys {
            json.key(row.name)
            value(row.shape, meaning: row.meaning)
        }
        json.endObject()
        json.key("additionalProperties")
        json.flag(false)
        let required = table.keys.filter(\.isRequired).map(\.name)
        if !required.isEmpty { list("required", required) }
        let groups = table.exactlyOne + (table.atLeastOne.isEmpty ? [] : [table.atLeastOne])
        if !groups.isEmpty {
            json.key("allOf")
            json.beginArray()
            for (index, group) in groups.enumerated() {
                json.beginObject()
                json.key(index < table.exactlyOne.count ? "oneOf" : "anyOf")
                json.beginArray()
                for name in group {
                    json.beginObject()
                    list("required", [name])
                    json.endObject()
                }
                json.endArray()
                json.endObject()
            }
            json.endArray()
        }
        json.endObject()
    }

    private mutating func list(_ key: String, _ values: [String]) {
        json.key(key)
        json.beginArray()
        for value in values { json.string(value) }
        json.endArray()
    }

    private mutating func types(_ types: [String]) { list("type", types) }
}
