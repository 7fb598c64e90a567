public import CaptureFlows
import CardData
import EventLoops
import JSON
public import Journal

/// One record of a journal in a capture, as its JSON says it.
public struct RecordedRecord: Hashable, Sendable {
    /// Its time in nanoseconds since the run began.
    public var time: Int64
    /// The how-manieth record of the run it is, from 0.
    public var sequence: Int
    /// What happened, by its spelling.
    public var name: String
    /// The line of the step that caused it.
    public var line: Int?
    /// What is said of it, as text, in order.
    public var attributes: [Attribute]

    /// One thing that is said of a record.
    public struct Attribute: Hashable, Sendable {
        /// The attribute's spelling.
        public var name: String
        /// Its value as the JSON has it; texts without their quotes.
        public var value: String

        /// Creates an attribute.
        public init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    /// Creates a record.
    public init(
        time: Int64,
        sequence: Int,
        name: String,
        line: Int?,
        attributes: [Attribute]
    ) {
        self.time = time
        self.sequence = sequence
        self.name = name
        self.line = line
        self.attributes = attributes
    }

    /// Reads the JSON of one record; `nil` for anything else.
    public init?(_ json: [UInt8]) {
        guard let value = try? JSONValue(reading: json), let time = value["time"]?.integer,
            let sequence = value["sequence"]?.integer, let name = value["name"]?.text,
            let list = value["attributes"]?.members
        else { return nil }
        self.init(
            time: time,
            sequence: Int(sequence),
            name: name,
            line: value["line"]?.integer.map(Int.init),
            attributes: list.map { Attribute($0.name, $0.value.plain) }
        )
    }

    /// Returns the record's value of that name.
    public subscript(name: String) -> String? {
        attributes.first { $0.name == name }?.value
    }

    /// One line for people: `12.345 ms didSwipeCard reader: idynamo, card: none`.
    public var description: String {
        var text = RecordText.time(VirtualInstant(nanoseconds: time)) + " " + name
        for (index, attribute) in attributes.enumerated() {
            text += (index == 0 ? " " : ", ") + attribute.name + ": " + attribute.value
        }
        return SafeText(scrubbing: text).description
    }
}

extension RecordedRecord: CustomStringConvertible {}

extension JSONValue {
    /// The value as one text.
    fileprivate var plain: String {
        text ?? integer.map(String.init) ?? bool.map { $0 ? "true" : "false" } ?? ""
    }
}

/// What a recording of ours says of the run: its header and its journal.
public struct RecordedRun: Sendable {
    /// The most records that are kept.
    public static let recordLimit = 1 << 20

    /// What the recording says of itself; `nil` when the file is none of ours.
    public private(set) var header: RecordingHeader?
    /// The journal, as far as it could be read.
    public private(set) var records: [RecordedRecord] = []
    /// Records that could not be read, by the numbers of their packets; at most 64.
    public private(set) var unreadablePackets: [Int] = []

    private var comments: [String] = []

    /// Creates a run of which nothing was read.
    public init() {}

    /// Takes the next item of the import.
    public mutating func note(_ item: CaptureItem, flows: [Flow]) {
        switch item {
        case .comment(let comment):
            if comment.packetNumber == nil, comments.count < 1_024 {
                comments.append(comment.text)
                header = RecordingHeader(comments: comments)
            }
        case .notice: break
        case .unit(let unit):
            guard flows.indices.contains(unit.flow), case .journal = flows[unit.flow].key,
                !unit.bytes.isEmpty, records.count < Self.recordLimit
            else { return }
            if let record = RecordedRecord(Array(unit.bytes)) {
                records.append(record)
            } else if unreadablePackets.count < 64 {
                unreadablePackets.append(unit.packetNumber)
            }
        }
    }

    /// The records that only the recorded reader and its link can have made, as a replay takes them
    /// over.
    ///
    /// - Returns: The facts in the order of the recorded run.
    /// - Parameters:
    ///   - readerNames: The names of the scenario's readers.
    ///   - simulated: The names of those that are simulated in the replay, too.
    ///   - step: The step on a line, an index into the scenario's flattened steps.
    public func foreignFacts(
        readerNames: [String],
        except simulated: [String] = [],
        step: (_ line: Int) -> Int?
    ) -> [ForeignFact] {
        records.compactMap { record in
            guard let definition = Vocabulary.record(spelled: record.name),
                Self.isForeign(definition.name),
                !(record["reader"].map(simulated.contains) ?? false)
            else { return nil }
            return ForeignFact(
                time: VirtualInstant(nanoseconds: record.time),
                sequence: record.sequence,
                name: definition.name,
                step: record.line.flatMap(step),
                attributes: record.attributes.compactMap { attribute in
                    Self.attribute(attribute, of: definition, readerNames)
                }
            )
        }
    }

    private static func isForeign(_ name: RecordName) -> Bool {
        switch name {
        case .swipeArrived, .linkFault, .displayed, .pinAsked, .choiceAsked, .cardDecided: true
        default: false
        }
    }

    private static func attribute(
        _ attribute: RecordedRecord.Attribute,
        of definition: RecordDefinition,
        _ readerNames: [String]
    ) -> Attribute? {
        guard
            let known = definition.attributes.first(where: {
                Vocabulary.spelling(of: $0.name) == attribute.name
            })
        else { return nil }
        let text = attribute.value
        let value: AttributeValue?
        switch known.kind {
        case .integer, .percent: value = Int64(text).map { .integer($0) }
        case .flag: value = .flag(text == "true")
        case .amount: value = Amount(text).map { .amount($0) }
        case .duration: value = Int64(text).map { .duration(.nanoseconds($0)) }
        case .text: value = .text(SafeText(scrubbing: text))
        case .symbol:
            value = Symbol.allCases.first { Vocabulary.spelling(of: $0) == text }
                .map { .symbol($0) }
        case .reader: value = readerNames.firstIndex(of: text).map { .reader($0) }
        }
        return value.map { Attribute(known.name, $0) }
    }
}
