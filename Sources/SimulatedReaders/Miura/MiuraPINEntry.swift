import CardData
import EventLoops
import ReaderProtocols

/// A PIN that is being typed; no description or mirror shows it.
///
/// | key | effect |
/// | --- | --- |
/// | digit | one more, up to 12 |
/// | Clear | all digits go |
/// | Enter | with 4 digits or more the PIN is complete; with none it is bypassed where that is allowed |
/// | Cancel | it is cancelled |
struct PINEntry: Hashable {
    enum Outcome: Hashable {
        /// It goes on; whether the number of digits changed.
        case typing(hasChanged: Bool)
        case complete([UInt8])
        case bypassed
        case cancelled
    }

    static let digitCounts = 4...12

    private var digits: [UInt8] = []
    let allowsBypass: Bool
    /// The key's command, for ONLINE PIN: whether the answer has the SRED form.
    let wantsEncryptedData: Bool
    let deadline: VirtualInstant

    init(allowsBypass: Bool, wantsEncryptedData: Bool = false, deadline: VirtualInstant) {
        self.allowsBypass = allowsBypass
        self.wantsEncryptedData = wantsEncryptedData
        self.deadline = deadline
    }

    var digitCount: Int { digits.count }

    mutating func press(_ key: MiuraKey) -> Outcome {
        switch key {
        case .digit(let digit):
            guard digit < 10, digits.count < Self.digitCounts.upperBound else {
                return .typing(hasChanged: false)
            }
            digits.append(0x30 + digit)
            return .typing(hasChanged: true)
        case .clear:
            let hasChanged = !digits.isEmpty
            digits = []
            return .typing(hasChanged: hasChanged)
        case .enter:
            if digits.isEmpty, allowsBypass { return .bypassed }
            guard digits.count >= Self.digitCounts.lowerBound else {
                return .typing(hasChanged: false)
            }
            return .complete(digits)
        case .cancel: return .cancelled
        }
    }
}

extension PINEntry: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    var description: String { "PIN entry" }
    var debugDescription: String { description }
    var customMirror: Mirror { Mirror(self, children: []) }
}
