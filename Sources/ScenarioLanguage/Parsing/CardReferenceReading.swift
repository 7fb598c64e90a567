import CardData
import Journal
import YAML

extension ScenarioReading {
    /// Reads `$card.masked`, a field of the card that the steps above used last, or `$visa.masked`.
    mutating func cardReference(_ node: YAMLNode, _ text: String) -> CardReference? {
        let parts = text.dropFirst().split(separator: ".", omittingEmptySubsequences: false)
        let fields = CardField.allCases.map(\.rawValue)
        let form = "a card's field such as $card.masked"
        guard parts.count == 2 else {
            complain(
                at: node.mark,
                "expected \(form), found \(Words.quoted(text))",
                hint: "the fields are \(Words.list(fields))"
            )
            return nil
        }
        guard let field = CardField(rawValue: String(parts[1])) else {
            complainUnknown(String(parts[1]), at: node.mark, expected: form, known: fields)
            return nil
        }
        let name = String(parts[0])
        let card: String
        if name == "card" {
            guard let lastCard else {
                complain(
                    at: node.mark,
                    "expected a step that uses a card above `$card`, found none",
                    hint: "name the card: `$visa.\(field.rawValue)`"
                )
                return nil
            }
            card = lastCard
        } else {
            guard TestCard.named(name) != nil else {
                complainUnknown(
                    name,
                    at: node.mark,
                    expected: "`card` or the name of a card behind `$`",
                    known: ["card"] + TestCard.names
                )
                return nil
            }
            card = name
        }
        if isRigKnown, let reader = readers.first, ![.idynamo, .dynamag].contains(reader.kind) {
            complain(
                at: node.mark,
                "expected a MagTek reader in `rig` for \(Words.quoted(text)), found "
                    + "'\(reader.kind.rawValue)'",
                hint: "write the value as this reader masks it"
            )
            return nil
        }
        let reference = CardReference(
            card: card,
            field: field,
            location: SourceLocation(node.mark)
        )
        cardReferences.append(reference)
        return reference
    }
}
