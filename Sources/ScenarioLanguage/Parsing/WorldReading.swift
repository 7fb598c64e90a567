import YAML

extension ScenarioReading {
    /// Reads what `rig` says besides readers and gateway; the readers are known.
    mutating func world(_ fields: Fields) {
        if let node = fields["link"] { wholeLink(node) }
        if let node = fields["app"] { app(node) }
        if let node = fields["sdk"] { sdk(node) }
        if let node = fields["host"] { host(node) }
        if let node = fields["clock"] { clock(node) }
        if let node = fields["merchantServer"] {
            let known = MerchantServerPlan.allCases.map { ($0.rawValue, $0) }
            merchantServer = word(node, "the merchant's server", among: known) ?? .none
            if merchantServer == .relay, isRigKnown, gateway != .nmi {
                complain(
                    at: node.mark,
                    "expected `gateway: nmi` in `rig` for a relay, found "
                        + (gateway.map { "`gateway: \($0.rawValue)`" } ?? "no gateway")
                )
            }
        }
        if let node = fields["terminal"] { terminal(node) }
        if let node = fields["mode"] {
            let known = PaymentMode.allCases.map { ($0.rawValue, $0) }
            mode = word(node, "a mode", among: known) ?? .test
            requireAgentCASH(for: "mode", at: node.mark)
        }
    }

    private mutating func app(_ node: YAMLNode) {
        guard let fields = fields(node, Grammar.app) else { return }
        if let node = fields["prompts"] {
            let known = AppPlan.Prompts.allCases.map { ($0.rawValue, $0) }
            app.prompts = word(node, "how prompts are answered", among: known) ?? .accept
        }
        if let node = fields["settings"] { settings(node) }
        guard let entry = fields.entry("accessoryProtocols") else { return }
        guard case .sequence(let nodes) = entry.value.content else {
            complain(
                at: entry.value.mark,
                "expected a list of protocol strings, found \(Words.found(entry.value))",
                hint: "none is written `[]`, an iDynamo's `[\(AppPlan.idynamoProtocol)]`"
            )
            return
        }
        app.accessoryProtocols = nodes.compactMap { text($0, "a protocol string") }
        if isRigKnown, !readers.contains(where: { $0.kind == .idynamo || $0.kind == .miura }) {
            complain(
                at: entry.keyMark,
                "expected an idynamo or a miura in `rig` for `accessoryProtocols`, found none",
                hint: "other readers need no declaration, so that it has no effect"
            )
        }
    }

    private mutating func sdk(_ node: YAMLNode) {
        guard let fields = fields(node, Grammar.sdk) else { return }
        if let node = fields["delegate"] {
            let hasDelegate = word(
                node,
                "the delegate of the controller",
                among: [("app", true), ("none", false)]
            )
            sdk.hasDelegate = hasDelegate ?? true
        }
        sdk.isUnreadyAfterSwipe = fields["unreadyAfterSwipe"].flatMap { flag($0) } ?? false
        sdk.isSilentInBackground = fields["silentInBackground"].flatMap { flag($0) } ?? false
        sdk.reportsCutSwipes = fields["reportsCutSwipes"].flatMap { flag($0) } ?? false
        audioSDK(fields)
        paymentSDK(fields)
        if let node = fields["chargeClass"] {
            let known = ChargeClass.allCases.map { ($0.rawValue, $0) }
            sdk.chargeClass = word(node, "a published class", among: known)
        }
    }

    private mutating func clock(_ node: YAMLNode) {
        let expected = "a moment such as 2024-06-03T09:00:00Z"
        guard let word = text(node, expected) else { return }
        guard let seconds = ClockText.secondsSince1970(word) else {
            complain(
                at: node.mark,
                "expected \(expected), found \(Words.quoted(word))",
                hint: "years 1970 to 9999, always UTC with a Z at the end"
            )
            return
        }
        clockSecondsSince1970 = seconds
        if isRigKnown, gateway == nil {
            complain(
                at: node.mark,
                "expected a gateway in `rig` for `clock`, found none",
                hint: "only a gateway's calendar shows it"
            )
        }
    }
}

/// How a moment of the calendar is written: `2024-06-03T09:00:00Z`.
public enum ClockText {
    /// Returns the seconds since 1970 UTC, or `nil` when the text is no such moment; years 1970 to
    /// 9999.
    public static func secondsSince1970(_ text: String) -> Int64? {
        let bytes = Array(text.utf8)
        let form = Array("0000-00-00T00:00:00Z".utf8)
        guard bytes.count == form.count else { return nil }
        for (byte, wanted) in zip(bytes, form) {
            let isDigit = byte >= 0x30 && byte <= 0x39
            guard wanted == 0x30 ? isDigit : byte == wanted else { return nil }
        }
        func number(_ range: Range<Int>) -> Int64 {
            bytes[range].reduce(0) { $0 * 10 + Int64($1 - 0x30) }
        }
        let (year, month, day) = (number(0..<4), number(5..<7), number(8..<10))
        let (hour, minute, second) = (number(11..<13), number(14..<16), number(17..<19))
        guard year >= 1970, (1...12).contains(month), hour < 24, minute < 60, second < 60,
            day >= 1, day <= length(ofMonth: month, year)
        else { return nil }
        return days(year, month, day) * 86_400 + hour * 3_600 + minute * 60 + second
    }

    private static func isLeap(_ year: Int64) -> Bool {
        year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    }

    private static func length(ofMonth month: Int64, _ year: Int64) -> Int64 {
        switch month {
        case 2: isLeap(year) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    private static func days(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
        var days: Int64 = 0
        for past in 1970..<year { days += isLeap(past) ? 366 : 365 }
        for past in 1..<month { days += length(ofMonth: past, year) }
        return days + day - 1
    }
}
