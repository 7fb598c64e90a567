public import CardData
import JSON

extension FieldListing {
    /// Lists the fields of a message of PAYMILL: a query or an address of the bridge, a body of the
    /// REST interface, an answer of either, the body of a webhook, or an exported list.
    ///
    /// Card numbers are masked; security codes, keys and other secrets are told by their length
    /// only, however their names are spelt and wherever they stand.
    public init(paymill bytes: [UInt8]) {
        self.init()
        var text = bytes[...]
        while let last = text.last, last == 0x0A || last == 0x0D || last == 0x20 {
            text.removeLast()
        }
        let isCall =
            text.last == UInt8(ascii: ")") && text.contains(UInt8(ascii: "("))
        if text.first == UInt8(ascii: "{") || isCall {
            listJSON(text, of: bytes)
        } else if PAYMILLExport.isExport(text) {
            listExport(Array(text))
        } else {
            listForm(text)
        }
    }

    private mutating func listJSON(_ text: ArraySlice<UInt8>, of bytes: [UInt8]) {
        var document = text
        if text.first != UInt8(ascii: "{"), let open = text.firstIndex(of: UInt8(ascii: "(")) {
            let name = String(decoding: text[..<open], as: UTF8.self)
            add("jsonPFunction", at: 0, byteCount: open, SecretName.masked(name))
            document = text[(open + 1)...].dropLast()
        }
        do throws(JSONError) {
            let json = try JSONValue(reading: Array(document))
            list(json, named: "", document.startIndex..<document.endIndex)
        } catch {
            // The place of the mistake, counted from the beginning of the whole text.
            var place = document.startIndex
            for _ in 1..<max(1, error.line ?? 1) {
                place = document[place...].firstIndex(of: 0x0A).map { $0 + 1 } ?? place
            }
            place = min(place + max(0, (error.column ?? 1) - 1), document.endIndex)
            complain("\(error)", at: error.line == nil ? document.endIndex : place)
        }
    }

    private mutating func listExport(_ text: [UInt8]) {
        do throws(PAYMILLExport.Problem) {
            let export = try PAYMILLExport(reading: text)
            for (number, line) in export.lines.enumerated() {
                for (name, value) in zip(export.names, line) {
                    let place = value.offset..<(value.offset + value.byteCount)
                    add("\(number).\(name)", place, value.text)
                }
            }
        } catch {
            complain(error.reason, at: error.offset)
        }
    }

    private mutating func list(_ json: JSONValue, named name: String, _ place: Range<Int>) {
        func path(_ part: String) -> String { name.isEmpty ? part : name + "." + part }
        switch json {
        case .object(let members):
            for member in members { list(member.value, named: path(member.name), place) }
        case .array(let values):
            if values.isEmpty { add(name, place, "[]") }
            for index in values.indices { list(values[index], named: path(String(index)), place) }
        case .null: add(name, place, "null")
        case .bool(let bool): add(name, place, bool ? "true" : "false")
        case .integer(let number): add(name, place, String(number))
        case .string(let text): add(name, place, text)
        }
    }

    private mutating func add(_ name: String, _ place: Range<Int>, _ value: String) {
        var meaning = ""
        if name.hasSuffix("response_code"), let number = Int(value) {
            meaning = PAYMILLResponseCode(rawValue: number).text ?? "not a code that is known here"
        } else if name.hasSuffix("return.code") {
            meaning = PAYMILLBridgeError(returnCode: value)?.rawValue ?? "success"
        }
        add(
            SecretName.masked(name).description,
            at: place.lowerBound,
            byteCount: place.count,
            SecretName.masked(name, Array(value.utf8)),
            meaning: meaning
        )
    }

    private mutating func listForm(_ text: ArraySlice<UInt8>) {
        var form = text
        if let mark = text.firstIndex(of: UInt8(ascii: "?")) {
            let address = String(decoding: text[..<mark], as: UTF8.self)
            add("address", at: 0, byteCount: mark, SecretName.masked(address))
            form = text[(mark + 1)...]
        }
        let start = form.startIndex
        let body = Array(form)
        let pairs = FormPair.split(body)
        if pairs.isEmpty || !pairs[0].hasEquals {
            return complain("this is no query, no form, no JSON and no exported list", at: start)
        }
        for pair in pairs {
            let name = pair.name(in: body)
            guard let value = pair.value(in: body, as: .request) else {
                return complain(
                    "% is followed by two hexadecimal digits",
                    at: start + pair.valueStart
                )
            }
            add(
                SecretName.masked(name).description,
                at: start + pair.valueStart,
                byteCount: pair.byteCount,
                SecretName.masked(name, value)
            )
        }
    }
}
