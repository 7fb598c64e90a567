/// Whether an answer can be the one to a command.
///
/// Answers carry no number: hosts match them by order. After a card was pulled the order is off by
/// one, and only the shape of an answer shows it.
enum MPIMatching: Hashable, Sendable {
    case fits(MiuraAnswer)
    case malformed(MiuraFormatError)
    /// It belongs to something else.
    case foreign

    init(_ response: MiuraResponse, to command: MiuraCommand) {
        guard Self.isPossible(response, for: command) else {
            self = .foreign
            return
        }
        do throws(MiuraFormatError) {
            self = .fits(try MiuraAnswer(response, to: command))
        } catch {
            switch error.code {
            case .missing, .wrongBodyLength: self = .foreign
            case .commandTooShort, .wrongDataLength, .notTLV, .malformed, .wrongParameter:
                self = .malformed(error)
            }
        }
    }

    /// ABORT's answer: success without a body.
    static func isOfAbort(_ response: MiuraResponse) -> Bool {
        response.statusWord.isSuccess && response.body.isEmpty
    }

    /// Whether an answer says that a transaction ended.
    static func endsTransaction(_ response: MiuraResponse) -> Bool {
        response.statusWord.isSuccess
            ? response.body.first == 0xE3 || response.body.first == 0xE5
            : response.statusWord.isOfTransaction
    }

    private static func isPossible(_ response: MiuraResponse, for command: MiuraCommand) -> Bool {
        let isTransaction: Bool
        switch command {
        case .startTransaction, .startContactless:
            guard response.statusWord != .notReady else { return false }
            isTransaction = true
        case .continueTransaction: isTransaction = true
        default: isTransaction = false
        }
        guard !isTransaction else { return !isOfAbort(response) }
        guard !response.statusWord.isOfTransaction else { return false }
        guard response.statusWord.isSuccess else { return true }
        switch command {
        case .readBinary, .other: break
        default:
            if let first = response.body.first, (0xE2...0xE5).contains(first) { return false }
        }
        return switch answerBody(of: command) {
        case .always: !response.body.isEmpty
        case .never: response.body.isEmpty
        case .perhaps: true
        }
    }

    private enum Body { case always, never, perhaps }

    /// Whether a successful answer to a command has a body.
    private static func answerBody(of command: MiuraCommand) -> Body {
        switch command {
        case .resetDevice, .getDeviceInfo, .cardStatusSolicited, .printerStatus, .usbStatus,
            .readClock, .peripheralStatus, .cashDrawer, .selectFile, .startTransaction,
            .continueTransaction, .startContactless, .onlinePIN, .getNextSequenceCounter,
            .p2peStatus, .p2peGetKSNForMAC:
            .always
        case .batteryStatus(let request): request == .query ? .always : .perhaps
        case .streamBinary(let stream): stream.returnsMD5 ? .perhaps : .never
        case .keyboardStatus, .setClock, .systemLog, .abort, .barCodeScanner, .displayText,
            .deleteFile, .p2peInitialise, .p2peImport:
            .never
        case .getConfiguration, .cardStatus, .input, .listFiles, .readBinary, .other: .perhaps
        }
    }
}
