public import CaptureFiles
public import CaptureFlows
import EventLoops

/// What is in a capture: its conversations, and which of them are a reader's.
///
/// It is told each item of the import once, in order, and keeps counts only: a capture of any size
/// needs no more memory than its conversations do.
public struct CaptureSurvey: Sendable {
    /// The most conversations that are told apart; further ones are counted in ``furtherCount``.
    public static let conversationLimit = 4_096
    /// The most notices and comments that are kept of each.
    public static let textLimit = 1_024

    /// The conversations in the order in which they began.
    public private(set) var conversations: [SurveyedConversation] = []
    /// What was damaged or not understood, in the order of the file.
    public private(set) var notices: [CaptureNotice] = []
    /// The remarks in the file, in its order.
    public private(set) var comments: [CaptureComment] = []
    /// How many notices and comments were left out.
    public private(set) var droppedTextCount = 0
    /// How many flows began past ``conversationLimit``.
    public private(set) var furtherCount = 0
    /// The time of the earliest item that has one.
    public private(set) var firstTime: CaptureTime?
    /// The time of the latest item that has one.
    public private(set) var lastTime: CaptureTime?
    /// How many records of a journal the file holds.
    public private(set) var recordCount = 0

    private var indexOfFlow: [Int?] = []

    /// Creates a survey of a file of which nothing was read.
    public init() {}

    /// Takes the next item of the import.
    ///
    /// - Parameters:
    ///   - item: What ``CaptureImporter/next()`` returned.
    ///   - flows: The importer's flows at that moment.
    public mutating func note(_ item: CaptureItem, flows: [Flow]) {
        switch item {
        case .notice(let notice):
            if notices.count < Self.textLimit {
                notices.append(notice)
            } else {
                droppedTextCount += 1
            }
        case .comment(let comment):
            if comments.count < Self.textLimit {
                comments.append(comment)
            } else {
                droppedTextCount += 1
            }
        case .unit(let unit):
            if let time = unit.time {
                firstTime = min(firstTime ?? time, time)
                lastTime = max(lastTime ?? time, time)
            }
            guard let index = index(of: unit.flow, flows) else { return }
            if conversations[index].key.isJournal { recordCount += 1 }
            let flow = flows[unit.flow]
            conversations[index].note(
                unit,
                isReport: flow.key.isReport,
                isGuessed: flow.isDirectionGuessed
            )
        }
    }

    /// Ends the survey: what has begun anywhere is over.
    public mutating func finish() {
        for index in conversations.indices { conversations[index].finish() }
    }

    /// The conversations that certainly or perhaps are a reader's.
    public var readers: [SurveyedConversation] {
        conversations.filter { !$0.candidates.isEmpty }
    }

    private mutating func index(of flow: Int, _ flows: [Flow]) -> Int? {
        while indexOfFlow.count < flows.count {
            let flow = flows[indexOfFlow.count]
            let key = ConversationKey(flow.key)
            if let known = conversations.firstIndex(where: { $0.key == key }) {
                conversations[known].flows.append(indexOfFlow.count)
                indexOfFlow.append(known)
            } else if conversations.count < Self.conversationLimit {
                indexOfFlow.append(conversations.count)
                conversations.append(
                    SurveyedConversation(
                        key,
                        number: conversations.count + 1,
                        interfaceName: flow.interfaceName,
                        flow: indexOfFlow.count - 1
                    )
                )
            } else {
                furtherCount += 1
                indexOfFlow.append(nil)
            }
        }
        return indexOfFlow.indices.contains(flow) ? indexOfFlow[flow] : nil
    }
}

extension FlowKey {
    /// Whether its units are HID reports rather than pieces of a stream.
    var isReport: Bool {
        if case .usb(let endpoint) = self { return endpoint.transfer == .interrupt }
        return false
    }
}
