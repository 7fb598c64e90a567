import CardCrypto
import CardData
import Journal
import Kernel
import Reporting

/// `cardrig decode`: shows what the bytes of one message say.
struct DecodeVerb: Verb {
    static let name = "decode"
    static let summary = "Shows what the bytes of a message say, field by field."
    static var help: String {
        var text = """
            Usage: cardrig decode PROTOCOL INPUT... [--from SIDE] [--private-key FILE] [--json]

            Shows one message field by field with its offsets; card data is masked. INPUT is
            hexadecimal, with blanks as you like, or the text itself; - reads standard input, which
            may also be the bytes as they are. What is wrong is named with its byte, and the exit
            code is then 2.

            Protocols:

            """
        for entry in DecodeProtocol.all {
            let padding = String(repeating: " ", count: max(1, 18 - entry.name.utf8.count))
            text += "  \(entry.name)\(padding)\(entry.summary)\n"
        }
        return text + """

              Example: ./cardrig decode magnesafe-stream \
            '%E?;E?+E?|0600||||A1050000||B000795|21685F158B5C6BE0|FFFF9876543210E00008|9559||0000'

            """
    }

    /// The most bytes that are read from standard input.
    static let inputLimit = 1 << 20

    private let wantsJSON: Bool
    private let side: DecodeSide?
    private let privateKey: PGEncryptPrivateKey?
    private let entry: DecodeProtocol
    private let inputs: [String]

    init(_ reader: consuming ArgumentReader) throws(UsageError) {
        wantsJSON = try reader.takeFlag("--json")
        side = try reader.takeValue(
            "--from",
            expected: "host or reader",
            DecodeSide.init(rawValue:)
        )
        let keyPath = try reader.takeValue("--private-key", expected: "a file") { $0 }
        let positionals = try reader.takePositionals()
        guard let name = positionals.first else {
            throw .wrong("decode wants a protocol: " + Self.names.joined(separator: ", "))
        }
        guard let entry = DecodeProtocol.named(name) else {
            let hint = nearest(to: name, among: Self.names).map { "; did you mean '\($0)'?" }
            let rest = "; the protocols are " + Self.names.joined(separator: ", ")
            throw .wrong("there is no protocol '\(name)'" + (hint ?? rest))
        }
        guard side == nil || entry.listFromSide != nil else {
            throw .wrong("--from does not go with \(entry.name): its messages say whose they are")
        }
        guard keyPath == nil || entry.listWithKey != nil else {
            throw .wrong("--private-key does not go with \(entry.name): nothing in it is encrypted")
        }
        self.entry = entry
        privateKey = try keyPath.map { (path) throws(UsageError) in try Self.key(at: path) }
        inputs = Array(positionals.dropFirst())
        guard !inputs.isEmpty else {
            throw .wrong("decode wants the message, or - for standard input")
        }
        guard !entry.readsFile || inputs.count == 1 && inputs != ["-"] else {
            throw .wrong("decode \(entry.name) wants the path of one file")
        }
        guard inputs == ["-"] || !inputs.contains("-") else {
            throw .wrong("- stands alone: the message comes from standard input")
        }
    }

    /// Reads a private key; nothing of it is ever written.
    private static func key(at path: String) throws(UsageError) -> PGEncryptPrivateKey {
        let bytes: [UInt8]
        do throws(KernelError) {
            bytes = try FileBytes.read(path: path, limit: inputLimit)
        } catch {
            throw .wrong("--private-key: \(error)")
        }
        guard let key = PGEncryptPrivateKey(bytes) else {
            throw .wrong(
                "--private-key: \(path) is no RSA key of 1024 to 4096 bits in PEM or DER without "
                    + "a passphrase"
            )
        }
        return key
    }

    private static var names: [String] { DecodeProtocol.all.map(\.name) }

    func run(_ streams: Streams) -> ExitCode {
        if entry.readsFile {
            return SwipeAudioTask(path: inputs[0], wantsJSON: wantsJSON).run(streams)
        }
        let isFromStandardInput = inputs == ["-"]
        let input: [UInt8]
        do {
            input =
                isFromStandardInput
                ? try streams.readInput(limit: Self.inputLimit)
                : Array(inputs.joined(separator: " ").utf8)
        } catch {
            streams.complain("\(error)")
            return .wrong
        }
        guard input.count <= Self.inputLimit else {
            streams.complain("\(entry.name): a message is never longer than a megabyte")
            return .wrong
        }
        let bytes: [UInt8]
        do {
            bytes = try entry.bytes(of: input, isFromStandardInput: isFromStandardInput)
        } catch {
            streams.complain("\(entry.name): character \(error.offset): \(error.reason)")
            return .wrong
        }
        let listing =
            side.flatMap { entry.listFromSide?(bytes, $0) }
            ?? privateKey.flatMap { entry.listWithKey?(bytes, $0) } ?? entry.list(bytes)
        streams.write(wantsJSON ? json(listing, byteCount: bytes.count) : Self.table(listing))
        for problem in listing.problems {
            streams.complain("\(entry.name): byte \(problem.offset): \(problem.text)")
        }
        return listing.problems.isEmpty ? .held : .wrong
    }

    /// One line for each field: offset, length, name, value and meaning.
    private static func table(_ listing: FieldListing) -> [UInt8] {
        guard !listing.fields.isEmpty else { return [] }
        let offsetWidth = max(6, listing.fields.map { String($0.offset).utf8.count }.max() ?? 0)
        let countWidth = max(5, listing.fields.map { String($0.byteCount).utf8.count }.max() ?? 0)
        let nameWidth = min(30, listing.fields.map { $0.name.utf8.count }.max() ?? 0)
        var text = left("offset", offsetWidth) + "  " + left("bytes", countWidth) + "  field\n"
        for field in listing.fields {
            text += left(String(field.offset), offsetWidth) + "  "
            text += left(String(field.byteCount), countWidth) + "  "
            let padding = String(repeating: " ", count: max(0, nameWidth - field.name.utf8.count))
            text += "\(field.name)\(padding)  \(field.value)"
            text += field.meaning.isEmpty ? "\n" : "  (\(field.meaning))\n"
        }
        return Array(text.utf8)
    }

    private static func left(_ text: String, _ width: Int) -> String {
        String(repeating: " ", count: max(0, width - text.utf8.count)) + text
    }

    private func json(_ listing: FieldListing, byteCount: Int) -> [UInt8] {
        var json = JSONWriter(isIndented: true)
        json.beginObject()
        json.key("protocol")
        json.string(entry.name)
        json.key("byteCount")
        json.integer(Int64(byteCount))
        json.key("fields")
        json.beginArray()
        for field in listing.fields {
            json.beginObject()
            json.key("offset")
            json.integer(Int64(field.offset))
            json.key("byteCount")
            json.integer(Int64(field.byteCount))
            json.key("name")
            json.string(field.name)
            json.key("value")
            json.string(field.value.description)
            json.key("meaning")
            json.string(field.meaning)
            json.endObject()
        }
        json.endArray()
        json.key("problem")
        if let problem = listing.problem { Self.add(problem, to: &json) } else { json.null() }
        json.key("problems")
        json.beginArray()
        for problem in listing.problems { Self.add(problem, to: &json) }
        json.endArray()
        json.endObject()
        json.endLine()
        return json.bytes
    }

    private static func add(_ problem: FieldListing.Problem, to json: inout JSONWriter) {
        json.beginObject()
        json.key("offset")
        json.integer(Int64(problem.offset))
        json.key("text")
        json.string(problem.text)
        json.endObject()
    }
}
