import CardData
import EventLoops
import ReaderProtocols

/// A transaction with a chip or in the field, from its command to its last answer.
struct ChipRun: Hashable {
    /// Where a running one is.
    enum Phase: Hashable {
        /// The chip's applications are read.
        case selecting(until: VirtualInstant)
        /// The cardholder chooses one.
        case choosing(until: VirtualInstant)
        /// A PIN is typed.
        case typing(PINEntry, isOnline: Bool)
        /// The chip checks a PIN.
        case checkingPIN(until: VirtualInstant, isRight: Bool)
        /// The chip makes its first cryptogram.
        case deciding(until: VirtualInstant)
        /// The chip makes its second one, after the issuer's word.
        case closing(until: VirtualInstant, isApproved: Bool)
    }

    var phase: Phase
    let transaction: MiuraTransaction
    let card: TestCard
    let sequenceCounter: Int
    let isContactless: Bool
    /// The places of the applications that can be used, in the chip's list.
    var candidates: [Int] = []
    var application: ChipApplication?
    /// Which of the application's verifications is under way.
    var verificationIndex = 0
    /// What of them may be skipped, as below a contactless limit.
    var needsNoVerification = false
    /// Terminal verification results, tag 95: more than the floor limit, so online.
    var verificationResults: [UInt8] = [0x00, 0x00, 0x00, 0x80, 0x00]
    /// Tag 9F34.
    var methodResults: [UInt8] = [0x3F, 0x00, 0x00]
    /// Tag DF28.
    var verificationStatus: UInt8 = 0
    var transactionCounter = 0
    var unpredictableNumber: UInt32 = 0
    /// DFAE04 and DFAE05, when a PIN goes to the issuer.
    var pinObjects: [TLV] = []
    /// Whether the host has answered the stop at risk management.
    var hasPassedRisk = false

    var deadline: VirtualInstant {
        switch phase {
        case .selecting(let end), .choosing(let end), .checkingPIN(let end, _),
            .deciding(let end), .closing(let end, _):
            end
        case .typing(let entry, _): entry.deadline
        }
    }

    var isAskingForKeys: Bool {
        switch phase {
        case .choosing, .typing: true
        case .selecting, .checkingPIN, .deciding, .closing: false
        }
    }

    /// What the chip decided, tag 9F27.
    enum Cryptogram: UInt8, Hashable {
        case declined = 0x00
        case approved = 0x40
        case online = 0x80
    }
}
