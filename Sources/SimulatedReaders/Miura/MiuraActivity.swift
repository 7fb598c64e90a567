import CardData
import EventLoops
import ReaderProtocols

/// What a reader does that takes time, so that other commands wait.
enum Activity: Hashable {
    case idle
    /// Raw bytes of a STREAM BINARY are coming.
    case streaming(Streaming)
    /// A chip transaction, from START or CONTINUE to its answer.
    case chip(ChipRun)
    /// A contactless transaction, from its command to its answer.
    case contactless(ContactlessRun)
    /// A PIN that ONLINE PIN asked for.
    case pin(PINEntry)
    /// A command that asks the person.
    case input(InputRun)
    /// P2PE INITIALISE.
    case initialising(until: VirtualInstant)

    struct Streaming: Hashable {
        var stream: MiuraStream
        var receivedByteCount = 0
        var due: VirtualInstant
    }

    /// When it goes on by itself.
    var deadline: VirtualInstant? {
        switch self {
        case .idle: nil
        case .streaming(let streaming): streaming.due
        case .chip(let run): run.deadline
        case .contactless(let run): run.deadline
        case .pin(let entry): entry.deadline
        case .input(let run): run.deadline
        case .initialising(let end): end
        }
    }

    var isIdle: Bool { self == .idle }
}

/// A transaction whose reader waits for CONTINUE.
struct PendingTransaction: Hashable {
    /// What it waits for.
    enum Wait: Hashable {
        /// The application that the host chose.
        case application
        /// The host's word on risk management.
        case risk
        /// What the issuer said.
        case issuer
    }

    var wait: Wait
    var run: ChipRun
}

/// What a chip remembers from one transaction to the next.
struct ChipMemory: Hashable {
    /// The card's name, since test cards have different ones.
    var card: String
    /// The application transaction counter, tag 9F36.
    var transactionCounter = 0
    /// How many wrong PINs may still be entered.
    var pinTriesLeft: Int
}
