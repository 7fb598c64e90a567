/// What a recording of ours says of itself, in comments on its section that people can read too.
///
/// | comment | says |
/// | --- | --- |
/// | `cardrig recording 1` | it is one |
/// | `card data: …` | whether card data was replaced by stand-ins or kept |
/// | `begin: S.N` | when the run began, in seconds since 1970-01-01 UTC with nine decimals |
/// | `scenario: PATH`, `cell: N` | what was played |
/// | `options: …` | how, as on the command line of `run` |
/// | `scenario text N of M:` | the scenario's file in pieces, a line feed before each |
public struct RecordingHeader: Hashable, Sendable {
    /// The most bytes of a scenario's text in one comment.
    static let pieceByteCount = 3_500
    /// The longest scenario that is kept; of a longer one the path alone is.
    public static let textByteCountLimit = 512 * 1_024

    /// Whether card data stands in it as it was.
    public var keepsCardData: Bool
    /// When the run began, in nanoseconds since 1970-01-01 UTC.
    public var beginNanoseconds: Int64
    /// The scenario's file; `nil` when none was played.
    public var scenarioPath: String?
    /// The cell of its matrix, from 1; `nil` for a file without one.
    public var cell: Int?
    /// The words behind `run`, without the file.
    public var options: [String]
    /// The scenario as it was read; empty when it is not kept.
    public var scenarioText: String
    /// Other remarks, such as that the recording was cut short.
    public var remarks: [String]

    /// Creates a header.
    public init(
        keepsCardData: Bool,
        beginNanoseconds: Int64,
        scenarioPath: String? = nil,
        cell: Int? = nil,
        options: [String] = [],
        scenarioText: String = "",
        remarks: [String] = []
    ) {
        self.keepsCardData = keepsCardData
        self.beginNanoseconds = beginNanoseconds
        self.scenarioPath = scenarioPath
        self.cell = cell
        self.options = options
        self.scenarioText = scenarioText
        self.remarks = remarks
    }

    private static let kept = "card data: KEPT AS IT WAS (--unsafe-keep-card-data)"
    private static let replaced = "card data: replaced by stand-ins"

    /// The comments, in the order in which they stand in the file.
    public var comments: [String] {
        var comments = ["cardrig recording 1", keepsCardData ? Self.kept : Self.replaced]
        comments.append("begin: \(Self.seconds(beginNanoseconds))")
        if let scenarioPath { comments.append("scenario: \(scenarioPath)") }
        if let cell { comments.append("cell: \(cell)") }
        if !options.isEmpty { comments.append("options: \(options.joined(separator: " "))") }
        comments += remarks
        let pieces = Self.pieces(of: scenarioText)
        for (index, piece) in pieces.enumerated() {
            comments.append("scenario text \(index + 1) of \(pieces.count):\n\(piece)")
        }
        return comments
    }

    /// Reads the comments of a section; `nil` when it is no recording of ours.
    public init?(comments: [String]) {
        guard comments.contains("cardrig recording 1") else { return nil }
        self.init(keepsCardData: comments.contains(Self.kept), beginNanoseconds: 0)
        for comment in comments {
            if let value = comment.value(of: "begin: ") {
                beginNanoseconds = Self.nanoseconds(value)
            } else if let value = comment.value(of: "scenario: ") {
                scenarioPath = String(value)
            } else if let value = comment.value(of: "cell: ") {
                cell = Int(value)
            } else if let value = comment.value(of: "options: ") {
                options = value.split(separator: " ").map(String.init)
            } else if comment.hasPrefix("scenario text "),
                let end = comment.firstIndex(of: "\n")
            {
                scenarioText += comment[comment.index(after: end)...]
            }
        }
    }

    /// Seconds with nine decimals: so many digits in a row would look like a card number.
    private static func seconds(_ nanoseconds: Int64) -> String {
        let (seconds, rest) = max(0, nanoseconds).quotientAndRemainder(dividingBy: 1_000_000_000)
        return "\(seconds).\(String(1_000_000_000 + rest).dropFirst())"
    }

    private static func nanoseconds(_ text: Substring) -> Int64 {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 2, parts[1].utf8.count == 9, let seconds = Int64(parts[0]),
            let rest = Int64(parts[1]), (0..<9_000_000_000).contains(seconds), rest >= 0
        else { return 0 }
        return seconds * 1_000_000_000 + rest
    }

    /// Cuts a text at characters.
    private static func pieces(of text: String) -> [String] {
        guard text.utf8.count <= textByteCountLimit else { return [] }
        var pieces: [String] = []
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            var count = min(pieceByteCount, rest.count)
            while count < rest.count, rest[rest.startIndex + count] & 0xC0 == 0x80 { count -= 1 }
            pieces.append(String(decoding: rest.prefix(count), as: UTF8.self))
            rest = rest.dropFirst(count)
        }
        return pieces
    }
}

extension String {
    /// What stands behind a beginning, or `nil` when the text begins otherwise.
    fileprivate func value(of beginning: String) -> Substring? {
        hasPrefix(beginning) ? dropFirst(beginning.count) : nil
    }
}
