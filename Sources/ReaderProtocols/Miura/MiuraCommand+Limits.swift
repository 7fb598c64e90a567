extension MiuraCommand {
    /// Whether every value is in its range, so that the command can be sent as it is meant.
    public var isEncodable: Bool { isEncodable(as: apdu) }

    /// The same for a command whose APDU is at hand.
    func isEncodable(as apdu: MiuraAPDU) -> Bool {
        guard apdu.isEncodable else { return false }
        return switch self {
        case .readBinary(let offset, let byteCount):
            (0...0x7F_FFFF).contains(offset)
                && (1...MiuraAPDU.maximumExpectedByteCount).contains(byteCount)
        case .streamBinary(let stream):
            (0...MiuraStream.maximumByteCount).contains(stream.offset)
                && (1...MiuraStream.maximumByteCount).contains(stream.byteCount)
                && (0...0xFFFF).contains(stream.timeLimit)
        case .startTransaction(let transaction), .startContactless(let transaction):
            transaction.isEncodable
        case .onlinePIN(let request):
            Self.isAmount(request.amountMinorUnits) && Self.isCurrency(request.currency)
        case .selectFile(let selection): Self.isFileName(selection.name)
        case .deleteFile(let name, _): name.map(Self.isFileName) ?? true
        default: true
        }
    }

    /// Whether a name can be sent: ASCII without blanks and controls.
    private static func isFileName(_ name: String) -> Bool {
        !name.isEmpty && name.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }
    }

    fileprivate static func isAmount(_ minorUnits: Int) -> Bool {
        (0...MiuraTransaction.maximumAmountMinorUnits).contains(minorUnits)
    }

    fileprivate static func isCurrency(_ number: Int) -> Bool { (0...999).contains(number) }
}

extension MiuraTransaction {
    /// Whether every value has no more digits than its object.
    var isEncodable: Bool {
        MiuraCommand.isAmount(amountMinorUnits) && MiuraCommand.isCurrency(currency)
            && MiuraCommand.isAmount(otherAmountMinorUnits ?? 0)
            && (0...99_999_999).contains(sequenceCounter ?? 0)
            && (0...0xFFFF).contains(timeLimitSeconds ?? 0)
    }
}
