import CardData

extension MiuraPINResult: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// What came of it, with the key serial number; the block is not shown.
    public var description: String {
        switch self {
        case .block(_, let ksn): "PIN block, KSN \(Hexadecimal.encode(ksn))"
        case .encryptedData(_, let ksn): "encrypted PIN data, KSN \(Hexadecimal.encode(ksn))"
        case .cancelledOrTimedOut: "cancelled or timed out"
        case .internalError(let code): "internal error \(Hexadecimal.encode([code]))"
        case .bypassed: "bypassed"
        }
    }

    /// The same as ``description``.
    public var debugDescription: String { description }

    /// A mirror without children.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension MiuraAnswer: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// What the answer says; of bytes without tags only how many they are.
    public var description: String {
        switch self {
        case .done: "done"
        case .software(let software): "software \(software)"
        case .entries(let entries): "entries \(entries)"
        case .cardStatus(let report): "card status \(report)"
        case .battery(let battery): "battery \(battery)"
        case .printer(let status): "printer \(status)"
        case .usb(let isPlugged): "USB \(isPlugged ? "plugged" : "unplugged")"
        case .clock(let clock): "clock \(clock)"
        case .cashDrawer(let isOpen): "cash drawer \(isOpen ? "open" : "closed")"
        case .peripherals(let names): "peripherals \(names)"
        case .input(let objects): "input \(objects)"
        case .file(let byteCount, _): "file of \(byteCount) bytes"
        case .files(let names, let spaceUsed, let slotsUsed):
            "files \(names), \(spaceUsed) bytes, \(slotsUsed) slots"
        case .fileBytes(let bytes): "\(bytes.count) bytes of a file"
        case .md5: "MD5"
        case .transaction(let outcome): "\(outcome)"
        case .onlinePIN(let result): "\(result)"
        case .sequenceCounter(let counter): "sequence counter \(counter)"
        case .p2peStatus(let status): "P2PE status \(status)"
        case .ksn(let ksn): "KSN \(Hexadecimal.encode(ksn))"
        case .other(let bytes): "\(bytes.count) bytes"
        case .refused(let statusWord, let body):
            "refused \(statusWord) (\(statusWord.meaning)), \(body.count) bytes"
        }
    }

    /// The same as ``description``.
    public var debugDescription: String { description }

    /// A mirror without children.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension MiuraCommand: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Name, parameters and length of the data, which is not shown.
    public var description: String {
        let apdu = apdu
        return (MiuraCommandName(rawValue: apdu.code)?.title ?? "unknown command")
            + " (\(apdu))"
    }

    /// The same as ``description``.
    public var debugDescription: String { description }

    /// A mirror without children.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension MPIAction: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// What is to be done or known; of bytes only how many they are.
    public var description: String {
        switch self {
        case .write(let bytes): "write \(bytes.count) bytes"
        case .answered(let ticket, let answer): "answered \(ticket.number): \(answer)"
        case .failed(let ticket, let failure): "failed \(ticket.number): \(failure)"
        case .event(let node, let event): "event of the \(node): \(event)"
        case .readerRestarted(let node): "the \(node) started anew"
        case .initialised(let node, let answers): "the \(node) is set up: \(answers)"
        case .unmatched(let node, let response, let ticket):
            "unmatched answer of the \(node): \(response)"
                + (ticket.map { ", while \($0.number) waits" } ?? "")
        case .damaged(let damage): "damaged: \(damage)"
        case .skipped(let byteCount): "passed over \(byteCount) bytes"
        case .probing(let node): "probing the \(node)"
        case .dropLink(let reason): "drop the link: \(reason)"
        }
    }

    /// The same as ``description``.
    public var debugDescription: String { description }

    /// A mirror without children.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
