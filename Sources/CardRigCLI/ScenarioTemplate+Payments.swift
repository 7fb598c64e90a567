import CardData
import ScenarioLanguage

extension ScenarioTemplate {
    /// The gateways that a reader's cards can be charged at, the usual one first.
    static func gateways(of reader: ReaderKind) -> [GatewayKind] {
        switch reader {
        case .idynamo, .dynamag, .securemag, .shuttle, .ips: [.nmi]
        case .miura: [.agentcash]
        }
    }

    /// The scenario of a payment reader.
    func paymentText(title: String) -> String {
        """
        # What the scenario shows, in one sentence; reports name it so.
        scenario: \(title)

        # The world at the start; `link: { kind: tcp }` reaches the reader over a network,
        # and with `mode: mock` neither reader nor service is contacted.
        rig:
          reader: \(reader.rawValue)
          gateway: agentcash

        # What happens, in order. `expect` takes exactly the next events, `await` lets others pass
        # until the one named, `race` does things at any moment of a window.
        steps:
        \(Self.paymentSteps)
        \(Self.paymentOutcome)
        """
    }

    private static var paymentSteps: String {
        """
          - charge: { amount: 15.00, currency: GBP, capture: true }
          - await: { progressChanged: { state: waitingForCard }, within: 10s }

          # Other cards: \(listed(TestCard.names.filter { $0.hasPrefix("emv") }, "  # ")).
          # `tap: { card: … }` and `swipe: { card: … }` present them in other ways.
          - insert: { card: emv-visa-pin }
          - await: { progressChanged: { state: pinEntry }, within: 10s }

          # Before the answer, `gateway: { kind: authorise, answer: reset, when: after booking }`
          # would lose it after it was booked.
          - keys: "1234 enter"
          - await: { completed: { result: approved }, within: 10s }
          - remove card
        """
    }

    private static let paymentOutcome = """

        # What the service must have booked at the end.
        outcome:
          charges:
            - { type: sale, amount: 15.00, state: captured }

        """

    /// Names in lines of a comment that are short enough to read.
    static func listed(_ names: [String], _ margin: String) -> String {
        var text = ""
        var width = 30
        for (index, name) in names.enumerated() {
            if index > 0 { text += "," }
            if width + name.utf8.count > 90 {
                text += "\n\(margin)"
                width = margin.utf8.count
            } else if index > 0 {
                text += " "
            }
            text += name
            width += name.utf8.count + 2
        }
        return text
    }
}
