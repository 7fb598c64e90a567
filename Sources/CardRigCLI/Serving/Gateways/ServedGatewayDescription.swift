import EventLoops
import SimulatedGateways
import SimulatedReaders

/// What `serve gateway NAME --describe` tells.
struct ServedGatewayDescription: DescribedServing {
    let settings: ServedGatewaySettings

    var handForms: String { "" }

    var behaviours: [ReaderBehaviour] {
        var all = [
            ReaderBehaviour(
                "latency",
                "answers come at once",
                .assumed(option: "latency"),
                source: "what is measured against it is the client"
            )
        ]
        if settings.nmi != nil {
            all += [
                ReaderBehaviour(
                    "duplicates",
                    "the same payment within the window is refused as a duplicate",
                    .assumed(option: "duplicate-window"),
                    source: "the window is a setting of each account"
                ),
                ReaderBehaviour(
                    "repeated fields",
                    "of a field that comes twice the last one counts",
                    .assumed(option: "repeated-fields"),
                    source: "as the PHP servers on which gateways run"
                ),
            ]
        }
        if settings.paymill != nil {
            all += PAYMILLServeOption.all.map { option in
                let subject = option.name
                // What is published can be changed as well: other years and accounts differ.
                return switch option.basis {
                case .documented:
                    ReaderBehaviour(subject, option.text, .documented, source: option.source)
                case .recorded:
                    ReaderBehaviour(subject, option.text, .captured, source: option.source)
                case .assumed:
                    ReaderBehaviour(
                        subject,
                        option.text,
                        .assumed(option: option.name),
                        source: option.source
                    )
                }
            }
        }
        return all
    }

    var options: [ServedOption] {
        let forms = ServedGatewaySettings.options
        func option(_ name: String, _ value: String) -> ServedOption {
            ServedOption(
                name: name,
                form: forms.first { $0.name == name }?.form ?? "",
                value: value
            )
        }
        let latency = settings.nmi?.latency ?? settings.agentcash?.latency
        var all = [option("latency", (latency ?? settings.paymill?.latency ?? .zero).text)]
        if let nmi = settings.nmi {
            all.append(option("duplicate-window", nmi.duplicateWindow.text))
            let isLast = nmi.repeatedFields == .lastCounts
            all.append(option("repeated-fields", isLast ? "last" : "refused"))
        }
        if settings.paymill != nil {
            all += PAYMILLServeOption.all.map { option($0.name, $0.value(settings)) }
        }
        return all
    }
}
