import CardData
public import EventLoops

/// Writes records as lines for people, such as
/// `12.345 ms sdk didSwipeCard reader: idynamo, card: none`.
///
/// Texts are scrubbed once more on the way, so that not even a mistake in the journal prints a
/// card number.
public struct RecordText: Sendable {
    /// The names of the rig's readers, by their index.
    public let readerNames: [String]

    /// Creates a writer of lines.
    ///
    /// - Parameter readerNames: The names of the rig's readers, by their index; a reader beyond
    ///   them is written by its number.
    public init(readerNames: [String]) { self.readerNames = readerNames }

    /// Returns the whole record in one line: time, source, name, attributes.
    public func line(_ record: Record, in journal: Journal) -> String {
        var text = Self.time(record.time)
        text += " " + record.source.spelling + " " + Vocabulary.definition(of: record.name).spelling
        let attributes = attributes(of: record, in: journal) { _ in true }
        if !attributes.isEmpty { text += " " + attributes }
        return text
    }

    /// Returns the attributes for which a condition holds, as `name: value, name: value`.
    public func attributes(
        of record: Record,
        in journal: Journal,
        where isIncluded: (AttributeName) -> Bool
    ) -> String {
        var text = ""
        for attribute in journal.attributes(of: record) where isIncluded(attribute.name) {
            if !text.isEmpty { text += ", " }
            text += Vocabulary.spelling(of: attribute.name) + ": "
            text += value(attribute.value) + Self.unit(of: attribute.name)
        }
        return text
    }

    /// Returns a pattern as a scenario writes it, such as `didSwipeCard { card: none }`.
    public func pattern(_ pattern: RecordPattern) -> String {
        var text = ""
        for attribute in pattern.attributes {
            if !text.isEmpty { text += ", " }
            text += Vocabulary.spelling(of: attribute.name) + ": "
            text += value(attribute.value) + Self.unit(of: attribute.name)
        }
        let spelling = Vocabulary.definition(of: pattern.name).spelling
        return text.isEmpty ? spelling : spelling + " { " + text + " }"
    }

    private static func unit(of name: AttributeName) -> String {
        switch name {
        case .volume, .battery: "%"
        default: ""
        }
    }

    /// Returns a value as a scenario writes it.
    public func value(_ value: AttributeValue) -> String {
        switch value {
        case .integer(let integer): SafeText(Int(integer)).description
        case .flag(let flag): flag ? "true" : "false"
        case .amount(let amount): amount.description
        case .symbol(let symbol): Vocabulary.spelling(of: symbol)
        case .duration(let duration): Self.duration(duration)
        case .text(let text): SafeText(scrubbing: text.description).description
        case .reader(let index):
            readerNames.indices.contains(index) ? readerNames[index] : "reader \(index)"
        }
    }

    /// Returns an instant as `12.345 ms`, from one second on as `1.500 s`; cut off, not rounded.
    public static func time(_ instant: VirtualInstant) -> String {
        fixed(instant.nanoseconds)
    }

    /// Returns a length of time as `12.345 ms`, from one second on as `1.500 s`; cut off, not
    /// rounded.
    public static func duration(_ duration: VirtualDuration) -> String {
        fixed(duration.nanoseconds)
    }

    private static func fixed(_ nanoseconds: Int64) -> String {
        let magnitude = nanoseconds.magnitude
        let isSeconds = magnitude >= 1_000_000_000
        let thousandths = magnitude / (isSeconds ? 1_000_000 : 1_000)
        let decimals = String(thousandths % 1_000 + 1_000).dropFirst()
        let sign = nanoseconds < 0 ? "-" : ""
        return "\(sign)\(thousandths / 1_000).\(decimals) \(isSeconds ? "s" : "ms")"
    }
}
