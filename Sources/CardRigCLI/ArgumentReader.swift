/// The arguments of one verb, taken one option at a time.
///
/// Each `take` call removes what it matched. Reading the positionals ends the parse: it consumes
/// the reader, so nothing can be read after the check for leftovers, and every unknown option is
/// reported. `--` ends the options; a value that begins with `-` must be written `--name=value`.
struct ArgumentReader: ~Copyable {
    private var arguments: [String]
    private let literals: [String]
    private var known: [String] = []

    /// Creates a reader over what follows the verb.
    init(_ arguments: [String]) {
        if let end = arguments.firstIndex(of: "--") {
            self.arguments = Array(arguments[..<end])
            literals = Array(arguments[(end + 1)...])
        } else {
            self.arguments = arguments
            literals = []
        }
    }

    /// The first argument when it is no option; where it decides which options there are.
    var firstPositional: String? { arguments.first.flatMap { $0.hasPrefix("-") ? nil : $0 } }

    /// Takes the first argument when it is no option.
    mutating func takeFirstPositional() -> String? {
        guard let first = firstPositional else { return nil }
        arguments.removeFirst()
        return first
    }

    /// Takes an option without a value; returns whether it was there.
    mutating func takeFlag(_ name: String) throws(UsageError) -> Bool {
        known.append(name)
        guard let index = arguments.firstIndex(of: name) else {
            if let valued = arguments.first(where: { $0.hasPrefix(name + "=") }) {
                throw .unexpectedValue(
                    option: name,
                    value: String(valued.dropFirst(name.count + 1))
                )
            }
            return false
        }
        arguments.remove(at: index)
        guard !arguments.contains(name) else { throw .repeated(name) }
        return true
    }

    /// Takes an option with a value, written `--name value` or `--name=value`.
    ///
    /// A secret value, such as a security code, is never said again.
    mutating func takeValue<Value>(
        _ name: String,
        expected: String,
        isSecret: Bool = false,
        _ convert: (String) -> Value?
    ) throws(UsageError) -> Value? {
        known.append(name)
        guard
            let index = arguments.firstIndex(where: { $0 == name || $0.hasPrefix(name + "=") })
        else { return nil }
        let argument = arguments.remove(at: index)
        let text: String
        if argument == name {
            guard index < arguments.count, !arguments[index].hasPrefix("-") else {
                let next = index < arguments.count ? arguments[index] : nil
                throw .missingValue(name, expected: expected, found: isSecret ? nil : next)
            }
            text = arguments.remove(at: index)
        } else {
            text = String(argument.dropFirst(name.count + 1))
        }
        guard !arguments.contains(where: { $0 == name || $0.hasPrefix(name + "=") }) else {
            throw .repeated(name)
        }
        guard let value = convert(text) else {
            guard !isSecret else {
                throw .wrong("the option \(name) wants \(expected), found something else")
            }
            throw .invalidValue(option: name, value: text, expected: expected)
        }
        return value
    }

    /// Returns what is left; an option among it is unknown.
    consuming func takePositionals() throws(UsageError) -> [String] {
        if let option = arguments.first(where: { $0.hasPrefix("-") && $0 != "-" }) {
            let name = option.split(separator: "=", maxSplits: 1).first.map(String.init) ?? option
            throw .unknownOption(name, suggestion: nearest(to: name, among: known))
        }
        return arguments + literals
    }
}

/// A mistake in the command line.
enum UsageError: Error, Equatable, Sendable, CustomStringConvertible {
    case unknownVerb(String, suggestion: String?)
    case unknownOption(String, suggestion: String?)
    case repeated(String)
    case missingValue(String, expected: String, found: String? = nil)
    case unexpectedValue(option: String, value: String)
    case invalidValue(option: String, value: String, expected: String)
    case wrong(String)

    /// One line: what is wrong and what would be right.
    var description: String {
        switch self {
        case .unknownVerb(let verb, let suggestion):
            "there is no '\(verb)'" + Self.hint(suggestion) + "; `cardrig --help` lists the verbs"
        case .unknownOption(let option, let suggestion):
            "there is no option '\(option)'" + Self.hint(suggestion)
        case .repeated(let option):
            "the option \(option) is given twice"
        case .missingValue(let option, let expected, let found):
            "the option \(option) wants \(expected), found "
                + (found.map { "'\($0)'; a value that begins with - is written \(option)=\($0)" }
                    ?? "nothing")
        case .unexpectedValue(let option, let value):
            "the option \(option) takes no value, found '\(value)'"
        case .invalidValue(let option, let value, let expected):
            "the option \(option) wants \(expected), found '\(value)'"
        case .wrong(let sentence):
            sentence
        }
    }

    private static func hint(_ suggestion: String?) -> String {
        suggestion.map { "; did you mean '\($0)'?" } ?? ""
    }
}

/// Returns the word within edit distance 2, the nearest first and ties by name.
func nearest(to word: String, among words: [String]) -> String? {
    var best: (distance: Int, word: String)?
    for candidate in words.sorted() {
        let distance = editDistance(Array(word.utf8), Array(candidate.utf8))
        if distance <= 2, distance < (best?.distance ?? .max) { best = (distance, candidate) }
    }
    return best?.word
}

private func editDistance(_ left: [UInt8], _ right: [UInt8]) -> Int {
    guard left.count <= 64, right.count <= 64 else { return .max }
    var row = Array(0...right.count)
    for (i, byte) in left.enumerated() {
        var diagonal = row[0]
        row[0] = i + 1
        for (j, other) in right.enumerated() {
            let above = row[j + 1]
            row[j + 1] = min(above + 1, row[j] + 1, diagonal + (byte == other ? 0 : 1))
            diagonal = above
        }
    }
    return row[right.count]
}
