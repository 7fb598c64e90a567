import CardData
import EventLoops
import GatewayProtocols
import ReaderProtocols

/// What a Miura reader is to take money for.
struct MiuraSale: Hashable, Sendable {
    /// Kind, amount and currency; time, selection and limits are filled in by the session.
    var transaction: MiuraTransaction
    /// What the display shows while a card is awaited, such as `15.00 GBP`.
    var text: String
    /// Whether taps are taken, where the reader has a field.
    var takesTaps = true
    /// How long a card is awaited.
    var cardLimit = VirtualDuration.seconds(120)

    init(transaction: MiuraTransaction, text: String) {
        self.transaction = transaction
        self.text = text
    }
}

/// How a session treats its reader and its cards.
struct MiuraSessionOptions: Hashable, Sendable {
    /// How the link is treated.
    var link = MPIOptions()
    /// Whether the app chooses among applications; else the reader asks.
    var appChoosesApplication = false
    /// After so many inserts without a working chip the stripe of a chip card is taken.
    ///
    /// Source: three in a published app (OnepayMiura, EmvTransaction).
    var insertsBeforeSwipe = 3
    /// Whether a cardholder may go on without a PIN after a swipe.
    var allowsPINBypass = false
    /// Whether cards are taken from a reader that does not encrypt them.
    var takesClearCards = false
    /// For the report of a card whose insert or swipe ended a contactless transaction.
    var reportLimit = VirtualDuration.seconds(1)

    /// The options of a reader on Bluetooth or TCP.
    init() {
        link.initialisation = [
            .resetDevice(.soft), .getDeviceInfo, .p2peStatus, .batteryStatus(.query),
        ]
    }
}

/// What is known of a reader that was set up.
struct MiuraReaderFacts: Hashable, Sendable {
    /// Serial number and software.
    var software: MiuraSoftware?
    /// Whether it can read cards without contacts.
    var hasField = false
    /// Which keys it has.
    var keys: MiuraP2PEStatus = []
    /// Its battery.
    var battery: MiuraBattery?

    init(_ answers: [MiuraAnswer]) {
        for answer in answers {
            switch answer {
            case .software(let software): self.software = software
            case .entries(let entries):
                hasField = entries.contains { $0.name == "Contactless" }
            case .p2peStatus(let status): keys = status
            case .battery(let battery): self.battery = battery
            default: break
            }
        }
    }
}

/// How far a payment is, for the cashier's screen.
enum MiuraProgress: Hashable, Sendable {
    /// The reader is set up; its link may be on its way.
    case connectingReader
    /// The card of the payment before is still in the slot.
    case removeCard
    /// Insert, swipe or tap.
    case waitingForCard
    /// A card is in the slot.
    case cardInserted
    /// A card was swiped.
    case cardSwiped
    /// A card was tapped.
    case cardTapped
    /// The chip did not answer.
    case chipUnreadable
    /// The stripe could not be read.
    case badSwipe
    /// The stripe says that there is a chip: insert or tap.
    case insertInstead
    /// The chip cannot be used: the stripe will be taken.
    case swipeInstead
    /// This card cannot be tapped: insert or swipe.
    case tapNotPossible
    /// The cardholder shall look at the phone, and tap again.
    case seePhone
    /// The reader shows the choice of applications.
    case selectingApplication
    /// Something about the PIN; without a status a digit was typed, or it is asked for.
    case pinEntry(MiuraReaderStatus.PINEntry?)
    /// The issuer is asked.
    case authorising
    /// The chip has the issuer's answer.
    case finalising
}

/// An application among which the cardholder may choose.
struct MiuraApplication: Hashable, Sendable {
    /// Its identifier, 9F06.
    var identifier: [UInt8]
    /// Its label, 50.
    var label: String
}

/// What the issuer, or nobody, said.
enum MiuraAuthorisation: Hashable, Sendable {
    /// Approved, with what goes to the chip beside 8A (91, 71, 72).
    case approved([TLV])
    /// Declined, with what goes to the chip beside 8A.
    case declined([TLV])
    /// Nobody could be asked.
    case unavailable

    /// 8A as published for Miura readers: 00, Z1; and Z3, which is EMV's (assumed here).
    var objects: [TLV] {
        switch self {
        case .approved(let further): [TLV(.authorisationResponseCode, text: "00")] + further
        case .declined(let further): [TLV(.authorisationResponseCode, text: "Z1")] + further
        case .unavailable: [TLV(.authorisationResponseCode, text: "Z3")]
        }
    }
}

/// How the reader's part of a payment ended.
///
/// It says nothing of the money: the issuer may have authorised the payment whatever the end is
/// once it was asked, also where its answer never came. Whoever asked it knows, or looks it up, and
/// gives up what the card did not agree to in the end.
enum MiuraSaleEnd: Hashable, Sendable {
    /// The card agrees; a signature may still be wanted.
    case approved(MiuraCardReading)
    /// The issuer refused, or the app had the payment declined in its place.
    case declinedByIssuer
    /// The card or the reader refused.
    case declinedByCard
    /// The app took it back before the issuer was asked.
    case cancelledByApp
    /// The Cancel key was pressed.
    case cancelledByCardholder
    /// It could not be done.
    case failed(MiuraSaleFailure)
}

/// Why a payment could not be done at the reader.
enum MiuraSaleFailure: Hashable, Sendable {
    /// No card came in time, or the cardholder did nothing.
    case timedOut
    /// The card was pulled out early.
    case cardRemoved
    /// The card has no application that can be used, and its stripe may not be.
    case cardRefused
    /// The reader has no keys, or a card came in clear.
    case keysMissing
    /// The PIN could not be encrypted.
    case pinFailed
    /// The issuer could not be asked.
    case notAuthorised
    /// The link was lost.
    case linkLost
    /// The reader started anew or was switched off.
    case readerRestarted
    /// The reader refused with a status word.
    case refused(MiuraStatusWord)
    /// The reader's answer did not come or cannot be right.
    case readerFailed
}
