import EventLoops
import Journal

/// The app's requests for card payments, and what became of each.
///
/// Numbers begin anew with each launch; of requests that are over the newest
/// ``keptPaymentCount`` are remembered, so that memory stays flat.
struct PaymentAccount: Sendable {
    /// What the cardholder said to a payment that wants a signature.
    enum Consent: Hashable, Sendable {
        /// No signature was asked for.
        case notAsked
        /// A signature is awaited.
        case awaited
        /// The signature is that on the card.
        case given
        /// The signature was cancelled.
        case cancelled
        /// The signature is not that on the card.
        case mismatched
    }

    /// One `authorize`.
    struct Payment: Sendable {
        /// The number, counted over all launches.
        let serial: Int
        /// The number in its launch.
        let number: Int64
        var isCompleted = false
        var hasProgress = false
        var isActionAsked = false
        var consent = Consent.notAsked
        /// How often the app's word on the signature was taken.
        var takenCount = 0
        /// How often the service booked it.
        var bookedCount = 0
        /// When the app gave it up, while it was at work.
        var cancelInstant: VirtualInstant?
        /// Whether the card said no in the end, and nothing kept the app from hearing it.
        var isRefusedByCard = false
        /// How far the app was last told that it is.
        var progress: Symbol?
    }

    /// The app's last word on a signature, until it is known whether it was taken.
    struct Word: Sendable {
        let serial: Int
        let before: Consent
        let sequence: Int
        let time: VirtualInstant
    }

    static let keptPaymentCount = 64
    static let keptClosedCount = 64

    /// Whether the run has payments of this kind.
    private(set) var isPresent = false
    private(set) var payments: [Payment] = []
    /// The requests of this launch that are not over, by their numbers.
    private(set) var open: [Int64] = []
    /// The requests of this launch that are over, the newest.
    private var closed: [Int64] = []
    private var launchStart = 0
    private var serialCount = 0
    private(set) var killInstant: VirtualInstant?
    /// The reader to which the app's link was made last.
    var reader: Int?
    /// The serial number of the payment at work when that reader was disturbed last; whoever comes
    /// later was not disturbed.
    private(set) var disturbed: Int?
    var word: Word?
    /// The second word of an app on one signature, until it is known whether it was taken.
    var extraWord: Word?

    // MARK: Inputs

    /// Adopts that the app asked for a payment.
    mutating func authorise(_ number: Int64) {
        if payments.count == Self.keptPaymentCount {
            payments.removeFirst(Self.keptPaymentCount / 2)
        }
        payments.append(Payment(serial: serialCount, number: number))
        serialCount += 1
        ask(number)
    }

    /// Adopts that the app asked for something.
    mutating func ask(_ number: Int64) {
        isPresent = true
        open.append(number)
    }

    /// Adopts the end of a request; returns whether it was over already.
    mutating func complete(_ number: Int64) -> Bool {
        if let index = open.firstIndex(of: number) {
            open.remove(at: index)
            if closed.count == Self.keptClosedCount {
                closed.removeFirst(Self.keptClosedCount / 2)
            }
            closed.append(number)
            return false
        }
        return closed.contains(number)
    }

    /// Whether a request of this launch is over.
    func isOver(_ number: Int64) -> Bool { closed.contains(number) }

    /// Adopts that the app was killed: it hears nothing more of what it asked.
    mutating func kill(at time: VirtualInstant) {
        killInstant = time
        launchStart = serialCount
        open = []
        closed = []
        word = nil
        extraWord = nil
    }

    // MARK: Looking

    /// The payment of this launch with a number.
    func index(ofNumber number: Int64) -> Int? {
        payments.lastIndex { $0.serial >= launchStart && $0.number == number }
    }

    /// The payment with a serial number, if it is remembered.
    func index(ofSerial serial: Int) -> Int? {
        guard let first = payments.first, serial >= first.serial else { return nil }
        let index = serial - first.serial
        return payments.indices.contains(index) ? index : nil
    }

    /// The payment at work: the oldest of this launch that is not over.
    var atWork: Int? { payments.firstIndex { $0.serial >= launchStart && !$0.isCompleted } }

    /// Adopts that the reader was disturbed.
    mutating func disturb() { disturbed = atWork.map { payments[$0].serial } }

    /// Adopts the last word of the card in the reader.
    mutating func decideCard(isApproved: Bool) {
        if let index = atWork { payments[index].isRefusedByCard = !isApproved }
    }

    /// Adopts that what the reader said may not have come: nobody need know of a card's no.
    mutating func doubtTheCard() {
        if let index = atWork { payments[index].isRefusedByCard = false }
    }

    /// The payment that a booking at this time is for.
    ///
    /// What an app sent before it was killed may arrive when it is launched again.
    func payer(at time: VirtualInstant) -> Int? {
        if killInstant == time {
            let orphan = payments.firstIndex {
                $0.serial < launchStart && !$0.isCompleted && $0.bookedCount == 0
            }
            if let orphan { return orphan }
        }
        return atWork
    }

    /// Changes a payment.
    mutating func change(_ index: Int, _ change: (inout Payment) -> Void) {
        change(&payments[index])
    }
}
