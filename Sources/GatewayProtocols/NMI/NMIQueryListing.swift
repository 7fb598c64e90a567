public import CardData
import XML

extension FieldListing {
    /// What a report of the Query API says, element by element, with the names of the elements
    /// around it.
    ///
    /// Numbers are masked, keys are shown as lengths only. An element's offset and length are those
    /// of its text in the document.
    public init(nmiQuery body: [UInt8]) {
        self.init()
        var walk = ReportWalk(body)
        do throws(XMLError) {
            var reader = try XMLReader(body)
            while let node = try reader.next() { walk.take(node, &self) }
        } catch {
            complain(error.description + walk.whereabouts(error.offset), at: error.offset)
            return
        }
        do throws(NMIQueryResponseError) {
            let report = try NMIQueryResponse(decoding: body)
            if report.errorText != nil {
                add(
                    "note",
                    at: body.count,
                    byteCount: 0,
                    SafeText("an error"),
                    meaning: "whatever else the report holds"
                )
            }
        } catch {
            let found = error.code == .wrongRoot ? walk.root.map { ", found `\($0)`" } : nil
            complain(error.description + (found ?? ""), at: error.offset)
        }
    }
}

/// Follows the nodes of a report through its bytes.
private struct ReportWalk {
    private let body: [UInt8]
    private var path: [String] = []
    private var text = ""
    private var hasChildren = false
    private var cursor = 0
    private var start = 0
    /// The number of the item at hand among those of its kind.
    private var counts: [(name: String, count: Int)] = []

    /// The name of the outermost element, scrubbed.
    private(set) var root: String?

    init(_ body: [UInt8]) { self.body = body }

    /// The elements that are open where reading stopped, for an error.
    func whereabouts(_ offset: Int) -> String {
        let names = path.map { SafeText(scrubbing: String($0.prefix(40))).description }
        guard let last = names.last else { return "" }
        let open = names.prefix(8).joined(separator: "/")
        return offset >= body.count
            ? ": the document ends inside `\(open)`, and `</\(last)>` is expected"
            : ", inside `\(open)`"
    }

    mutating func take(_ node: XMLReader.Node, _ listing: inout FieldListing) {
        switch node {
        case .start(let name):
            if path.isEmpty {
                root = SafeText(scrubbing: String(name.prefix(40))).description
            }
            path.append(name)
            text = ""
            hasChildren = false
            cursor = place(of: "<\(name)", from: cursor)
            start = place(of: ">", from: cursor)
            if ["transaction", "action", "customer", "subscription", "plan"].contains(name) {
                listing.add(
                    path.dropFirst().joined(separator: "/"),
                    at: cursor,
                    byteCount: 0,
                    SafeText(number(name)),
                    meaning: "begins"
                )
            }
        case .text(let piece): text += piece
        case .end(let name):
            let end = place(of: "</\(name)", from: start) - name.utf8.count - 2
            if !hasChildren, path.count > 1 { add(name, end: max(start, end), &listing) }
            hasChildren = true
            text = ""
            path.removeLast()
        }
    }

    private mutating func number(_ name: String) -> Int {
        if name == "transaction" { counts.removeAll { $0.name == "action" } }
        guard let index = counts.firstIndex(where: { $0.name == name }) else {
            counts.append((name, 1))
            return 1
        }
        counts[index].count += 1
        return counts[index].count
    }

    private func add(_ name: String, end: Int, _ listing: inout FieldListing) {
        let isClear = name == "cc_number" && SafeText(scrubbing: text).description != text
        let meaning = isClear ? "not masked, as a gateway's would be" : Self.meaning(name, text)
        let value: SafeText =
            switch name {
            case "cc_number" where isClear: SafeText(scrubbing: text)
            case "sdk_key", "cc_hash", "check_hash":
                SafeText(scrubbing: "\(text.utf8.count) characters")
            case "cc_number": MaskedCardNumber(text).map { SafeText($0) } ?? SafeText("no number")
            case "date" where Self.isMoment(text):
                // A moment is no card number, though it may look like one: two digits a byte.
                SafeText(wireBytes: Self.packed(text))
            default: NMIFieldMeaning.masked(name, Array(text.utf8), isKnown: meaning != nil)
            }
        listing.add(
            path.dropFirst().joined(separator: "/"),
            at: start,
            byteCount: end - start,
            value,
            meaning: meaning ?? ""
        )
    }

    /// The place after the next occurrence of a text, or where the search began.
    private func place(of text: String, from start: Int) -> Int {
        let wanted = Array(text.utf8)
        guard start < body.count else { return start }
        var index = start
        while let found = body[index...].firstIndex(of: wanted[0]) {
            if body[found...].starts(with: wanted) { return found + wanted.count }
            index = found + 1
        }
        return start
    }

    /// Whether a text is `YYYYMMDDhhmmss` of this century or the last; no card number of 14 digits
    /// begins like that.
    private static func isMoment(_ text: String) -> Bool {
        let digits = text.utf8.map { Int($0) - 0x30 }
        guard digits.count == 14, digits.allSatisfy({ (0...9).contains($0) }) else { return false }
        func pair(_ index: Int) -> Int { digits[index] * 10 + digits[index + 1] }
        return (19...20).contains(pair(0)) && (1...12).contains(pair(4))
            && (1...31).contains(pair(6)) && pair(8) < 24 && pair(10) < 60 && pair(12) <= 60
    }

    /// Two decimal digits a byte.
    private static func packed(_ digits: String) -> [UInt8] {
        let values = digits.utf8.map { $0 & 0x0F }
        return stride(from: 0, to: values.count, by: 2).map { values[$0] << 4 | values[$0 + 1] }
    }

    private static func meaning(_ name: String, _ text: String) -> String? {
        switch name {
        case "condition":
            return switch NMICondition(rawValue: text) {
            case .pending: "authorised, awaits capture"
            case .pendingsettlement: "awaits settlement"
            case .inProgress: "not finished"
            case .abandoned: "never finished"
            case .failed: "declined or in error"
            case .canceled: "voided"
            case .complete: "settled"
            case .unknown, nil: "no condition that is known"
            }
        case "error_response": return "an error, whatever else the report holds"
        case "transaction_type":
            return text == "cc" ? "a card" : text == "ck" ? "a check" : "no type that is known"
        case "action_type":
            return text == "settle"
                ? "the money moved" : text == "level3" ? "its amount is not money" : ""
        case "success": return text == "1" ? "succeeded" : "did not succeed"
        case "response_code":
            return Int(text).flatMap(NMIResponseCode.init(rawValue:))?.meaning ?? "no code"
        case "avs_response": return NMIAVSCode(text)?.meaning ?? "no letter of the table"
        case "csc_response": return NMICVVCode(rawValue: text)?.meaning ?? "no letter of the table"
        case "sdk_key": return "the merchant's key for PGEncrypt"
        case "cc_number", "check_account": return "masked by the gateway"
        case "date": return "UTC, `YYYYMMDDhhmmss`"
        default: return nil
        }
    }
}

extension NMIQueryResponseError: CustomStringConvertible {
    /// One sentence without a full stop, and without the offset.
    public var description: String {
        switch code {
        case .tooLarge: "the report is too large"
        case .malformed: "the report is no well-formed XML, or has a document type"
        case .wrongRoot: "expected the root `nm_response`"
        }
    }
}

extension XMLError {
    /// One sentence without a full stop, and without the offset.
    fileprivate var description: String {
        switch code {
        case .documentTooLong: "the document is longer than \(XMLReader.maximumByteCount) bytes"
        case .tooDeep: "elements are nested deeper than \(XMLReader.maximumDepth)"
        case .documentType: "a document type is refused"
        case .entity: "an entity that is not built in"
        case .malformed: "this is no well-formed XML"
        }
    }
}
