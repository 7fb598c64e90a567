import Journal
import YAML

/// Writes YAML nodes as JSON, scalars typed as an editor types them (YAML 1.2, core schema).
enum NodeJSON {
    static func write(_ node: YAMLNode, to json: inout [UInt8]) {
        switch node.content {
        case .scalar(let scalar):
            write(scalar, to: &json)
        case .sequence(let nodes):
            json.append(UInt8(ascii: "["))
            for (index, node) in nodes.enumerated() {
                if index > 0 { json.append(UInt8(ascii: ",")) }
                write(node, to: &json)
            }
            json.append(UInt8(ascii: "]"))
        case .mapping(let entries):
            json.append(UInt8(ascii: "{"))
            for (index, entry) in entries.enumerated() {
                if index > 0 { json.append(UInt8(ascii: ",")) }
                quote(entry.key.text, to: &json)
                json.append(UInt8(ascii: ":"))
                write(entry.value, to: &json)
            }
            json.append(UInt8(ascii: "}"))
        }
    }

    static func quote(_ text: String, to json: inout [UInt8]) {
        var writer = JSONWriter()
        writer.string(text)
        json += writer.bytes
    }

    private static func write(_ scalar: YAMLScalar, to json: inout [UInt8]) {
        if scalar.isAbsent {
            json += Array("null".utf8)
        } else if scalar.isPlain, scalar.text == "true" || scalar.text == "false" {
            json += Array(scalar.text.utf8)
        } else if scalar.isPlain, isNumber(scalar.text) {
            json += Array(scalar.text.utf8)
        } else {
            quote(scalar.text, to: &json)
        }
    }

    /// Whether the text is a number in JSON as well.
    private static func isNumber(_ text: String) -> Bool {
        let parts = text.utf8.split(separator: 0x2E, omittingEmptySubsequences: false)
        guard (1...2).contains(parts.count) else { return false }
        for part in parts {
            guard !part.isEmpty, part.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }) else { return false }
        }
        return parts[0].count == 1 || parts[0].first != 0x30
    }
}
