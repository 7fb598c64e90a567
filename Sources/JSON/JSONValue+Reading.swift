import CLibJSON

extension JSONValue {
    /// The longest document accepted, in bytes.
    public static let maximumByteCount = 4_194_304
    /// The deepest nesting of arrays and objects accepted.
    public static let maximumDepth = 32

    /// Reads a document: UTF-8, one value of any kind, nothing after it.
    ///
    /// - Throws: ``JSONError`` with the place when the document is empty, longer than
    ///   ``maximumByteCount``, nested deeper than ``maximumDepth``, not well-formed, or has a name
    ///   twice in an object, a NUL in a text, or a number that is not whole.
    public init(reading document: [UInt8]) throws(JSONError) {
        guard document.count <= Self.maximumByteCount else {
            throw JSONError(code: .documentTooLong, line: 1, column: 1)
        }
        var problem = json_error_t()
        let root = document.withUnsafeBytes { bytes in
            json_loadb(
                bytes.baseAddress?.assumingMemoryBound(to: CChar.self),
                bytes.count,
                Int(JSON_REJECT_DUPLICATES | JSON_DECODE_ANY),
                &problem
            )
        }
        guard let root else {
            throw JSONError(
                code: .malformed,
                line: max(1, Int(problem.line)),
                column: max(1, Int(problem.column))
            )
        }
        defer { json_decref(root) }
        self = try Self(root, depth: 0)
    }

    private init(_ node: UnsafeMutablePointer<json_t>, depth: Int) throws(JSONError) {
        guard depth <= Self.maximumDepth else { throw JSONError(code: .tooDeep) }
        switch node.pointee.type {
        case JSON_OBJECT:
            var members: [JSONMember] = []
            members.reserveCapacity(json_object_size(node))
            var iterator = json_object_iter(node)
            while let position = iterator {
                if let name = json_object_iter_key(position),
                    let value = json_object_iter_value(position)
                {
                    members.append(
                        JSONMember(String(cString: name), try Self(value, depth: depth + 1))
                    )
                }
                iterator = json_object_iter_next(node, position)
            }
            self = .object(members)
        case JSON_ARRAY:
            var values: [JSONValue] = []
            values.reserveCapacity(json_array_size(node))
            for index in 0..<json_array_size(node) {
                guard let value = json_array_get(node, index) else { continue }
                values.append(try Self(value, depth: depth + 1))
            }
            self = .array(values)
        case JSON_STRING: self = .string(json_string_value(node).map { String(cString: $0) } ?? "")
        case JSON_INTEGER: self = .integer(Int64(json_integer_value(node)))
        case JSON_TRUE: self = .bool(true)
        case JSON_FALSE: self = .bool(false)
        case JSON_NULL: self = .null
        default: throw JSONError(code: .numberNotWhole)
        }
    }
}

/// Why a document cannot be read.
public struct JSONError: Error, Hashable, Sendable {
    /// The kind of mistake.
    public enum Code: Hashable, Sendable {
        /// The document is longer than ``JSONValue/maximumByteCount``.
        case documentTooLong
        /// Arrays and objects are nested deeper than ``JSONValue/maximumDepth``.
        case tooDeep
        /// A number has a fraction or an exponent.
        case numberNotWhole
        /// The document is not well-formed, or a name stands twice in an object.
        case malformed
    }

    /// The kind of mistake, for programs.
    public var code: Code
    /// The line where the library stopped, from 1; `nil` when it had read all of it.
    public var line: Int?
    /// The column in that line, in bytes from 1.
    public var column: Int?

    /// Creates an error.
    public init(code: Code, line: Int? = nil, column: Int? = nil) {
        self.code = code
        self.line = line
        self.column = column
    }
}

extension JSONError: CustomStringConvertible {
    /// Where, what, and what would be right.
    public var description: String {
        let place = line.map { "line \($0), column \(column ?? 1): " } ?? ""
        return switch code {
        case .documentTooLong: "more than \(JSONValue.maximumByteCount) bytes of JSON"
        case .tooDeep: "nested deeper than \(JSONValue.maximumDepth) arrays and objects"
        case .numberNotWhole: "a number with a fraction; write whole numbers, or a decimal string"
        case .malformed: "\(place)not well-formed JSON, or a name twice in one object"
        }
    }
}
