import EventLoops
import Journal

extension SettlingBound {
    /// The bounds as `Docs/bounds.md` holds them.
    public static var document: String {
        var text = """
            # How soon a reader settles

            The bounds of the law `settles`: when the last of something is over, a reader is ready \
            again, refused by
            its activation, or away, within this time. A test keeps this file like \
            `Sources/Laws/SettlingBound.swift`.

            | reader | what is over | within | source |
            |---|---|---|---|

            """
        for bound in all {
            text += "| `\(bound.reader)` | \(bound.disturbance.meaning) | "
            text += "\(RecordText.duration(bound.bound)) | \(bound.source) |\n"
        }
        return text
    }
}
