import Glibc

/// A POSIX extended regular expression that is looked for in lines of text.
///
/// Called by the command line for mappings that people write. Back-references, which can make a
/// search take for ever, and large repetitions are refused, and lines are cut: a search takes a time
/// that grows with the line alone. It is a class since the compiled pattern belongs to glibc; it is
/// used by one thread.
///
/// Source: POSIX.1-2017, Base Definitions, chapter 9; `regcomp(3)`.
public final class LinePattern {
    /// The longest pattern, in bytes.
    public static let patternByteCountLimit = 512
    /// The most repetitions that all bounds of a pattern (`{2,5}`) make together.
    public static let repetitionLimit = 256
    /// How much of a line is searched, in bytes.
    public static let lineByteCountLimit = 4_096

    /// Why a pattern cannot be used.
    public struct Problem: Error, Hashable, Sendable, CustomStringConvertible {
        /// One line.
        public var description: String
    }

    /// How many groups in brackets it has.
    public let groupCount: Int
    private let compiled: UnsafeMutablePointer<regex_t>

    /// Compiles a pattern.
    ///
    /// - Throws: ``Problem`` that says what is wrong with it.
    public init(_ pattern: String) throws(Problem) {
        if let problem = Self.problem(Array(pattern.utf8)) { throw Problem(description: problem) }
        let compiled = UnsafeMutablePointer<regex_t>.allocate(capacity: 1)
        compiled.initialize(to: regex_t())
        let code = regcomp(compiled, pattern, REG_EXTENDED)
        guard code == 0 else {
            var text = [CChar](repeating: 0, count: 256)
            regerror(code, compiled, &text, text.count)
            compiled.deallocate()
            let reason = text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
            throw Problem(
                description: "no regular expression: \(String(decoding: reason, as: UTF8.self))"
            )
        }
        self.compiled = compiled
        groupCount = Int(compiled.pointee.re_nsub)
    }

    deinit {
        regfree(compiled)
        compiled.deallocate()
    }

    /// Returns where the pattern and its groups stand in a line, or `nil` when it does not.
    ///
    /// The first range is the whole match; a group that took no part is `nil`.
    public func match(_ line: ArraySlice<UInt8>) -> [Range<Int>?]? {
        // A NUL would end the line for glibc.
        let text = line.prefix(Self.lineByteCountLimit).map { CChar(bitPattern: $0 == 0 ? 1 : $0) }
        var places = [regmatch_t](repeating: regmatch_t(), count: groupCount + 1)
        guard regexec(compiled, text + [0], places.count, &places, 0) == 0 else { return nil }
        return places.map { place in
            guard place.rm_so >= 0, place.rm_eo >= place.rm_so else { return nil }
            return line.startIndex + Int(place.rm_so)..<line.startIndex + Int(place.rm_eo)
        }
    }

    private static func problem(_ pattern: [UInt8]) -> String? {
        guard !pattern.isEmpty else { return "the regular expression is empty" }
        guard pattern.count <= patternByteCountLimit else {
            return "the regular expression is longer than \(patternByteCountLimit) bytes"
        }
        var repetitions = 1
        var index = 0
        while index < pattern.count {
            switch pattern[index] {
            case 0: return "the regular expression holds a NUL"
            case UInt8(ascii: "\\"):
                index += 1
                if index < pattern.count, (0x31...0x39).contains(pattern[index]) {
                    return "back-references such as \\1 are not possible"
                }
            case UInt8(ascii: "{"):
                var largest = 0
                var number = 0
                while index + 1 < pattern.count, pattern[index + 1] != UInt8(ascii: "}") {
                    index += 1
                    let digit = pattern[index]
                    number = (0x30...0x39).contains(digit) ? number * 10 + Int(digit) - 0x30 : 0
                    largest = max(largest, number)
                    if largest > repetitionLimit { break }
                }
                repetitions *= max(1, largest)
                guard repetitions <= repetitionLimit else {
                    return "its repetitions are more than \(repetitionLimit) together"
                }
            default: break
            }
            index += 1
        }
        return nil
    }
}
