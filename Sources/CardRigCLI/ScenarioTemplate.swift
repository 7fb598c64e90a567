import CardData
import ScenarioLanguage

/// The scenario that `cardrig new` writes: it passes as it is, and its comments say what its lines
/// could be instead.
struct ScenarioTemplate {
    let reader: ReaderKind
    let gateway: GatewayKind?

    /// Returns the file.
    func text(title: String) -> String {
        guard reader != .miura else { return paymentText(title: Self.quoted(title)) }
        return """
            # What the scenario shows, in one sentence; reports name it so.
            scenario: \(Self.quoted(title))

            # The world at the start: `readers:` for several, `attached: [\(reader.rawValue)]` for one
            # that is plugged in already.
            rig:
              reader: \(reader.rawValue)
            \(gateway.map { "  gateway: \($0.rawValue)\n" } ?? "")
            # What happens, in order. `expect` takes exactly the next events, `await` lets others pass
            # until the one named, `race` does things at any moment of a window.
            steps:
              - plug in
              - await: { deviceBecameReadyForSwipe: {}, within: 5s }

              # Other cards: \(Self.otherCards).
              # \(unreadable)
              - swipe: { card: visa }
              - await: { didSwipeCard: { card: \(reader.isAudioJack ? "encrypted" : "magnesafe") }, within: 5s }
            \(charge)
              - unplug
              - await: deviceDisconnected

            # Events that must not come at all.
            never:
              - deviceBecameUnreadyForSwipe: { reason: timedOut }
            \(outcome)
            """
    }

    private static var otherCards: String {
        let chips = ["emv", "contactless"]
        let names = TestCard.names.filter { name in
            name != "visa" && !chips.contains { name.hasPrefix($0) }
        }
        return listed(names, "  # ")
    }

    private var unreadable: String {
        reader == .ips
            ? "After `swipe: { card: visa, quality: unreadable }` an IPS says nothing."
            : "`swipe: { card: visa, quality: unreadable }` gives `didSwipeCard: { card: none }`."
    }

    private var charge: String {
        guard gateway != nil else { return "" }
        return """

              # Before a charge, `gateway: { answer: reset, when: after booking }` would lose its
              # answer after it was booked.
              - charge: { amount: 10.99 }
              - await: { gatewayAnswered: { response: approved }, within: 10s }

            """
    }

    private var outcome: String {
        guard gateway != nil else { return "" }
        return """

            # What the gateway must have booked at the end.
            outcome:
              charges:
                - { type: sale, amount: 10.99, state: pendingsettlement }

            """
    }

    /// The name of a scenario whose file was named: `cut-twice.yaml` gives `cut twice`.
    static func title(ofFile file: String) -> String {
        let last = file.split(separator: "/").last.map(String.init) ?? file
        let base = last.prefix { $0 != "." }
        let words = base.map { $0 == "-" || $0 == "_" ? " " : String($0) }.joined()
        return words.isEmpty ? "A new scenario" : words
    }

    /// The text as a quoted scalar of YAML.
    private static func quoted(_ text: String) -> String {
        var quoted = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": quoted += "\\\""
            case "\\": quoted += "\\\\"
            case "\n": quoted += "\\n"
            case "\t": quoted += "\\t"
            default: quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted + "\""
    }
}
