/// A mistake planted on purpose, to prove that some scenario or law catches it.
///
/// Each is read where the branch decides; all are off unless one is asked for by its name, and at
/// most one is on in a run.
public enum Plant: UInt8, CaseIterable, Hashable, Sendable {
    // How a reader is announced.

    /// An attach is told without activationFinished.
    case skipsActivation
    /// An attach is told without becameReady.
    case skipsReady
    /// A reader that cannot be used is announced as one that can.
    case readyThoughUnusable
    /// The activation of a reader that cannot be used finishes with success.
    case successThoughUnusable
    /// A loss is told without becameUnready.
    case skipsUnready
    /// A loss is told without deactivated.
    case skipsDeactivated
    /// A loss is told without disconnected.
    case skipsDisconnected
    /// A loss is told with the reason canceled.
    case wrongReason
    /// A loss that an attach follows before it was told is not told at all.
    case forgetsALoss
    /// The flag for ready holds the old value when a callback runs.
    case staleFlags

    // What a session makes of bytes.

    /// What a detach cut is glued to the bytes of the next session.
    case keepsBytesAcrossSessions
    /// The same record again gives another event.
    case repeatsARecord
    /// A new record of the same card is taken for a repetition.
    case dropsTheSameCard
    /// An unreadable swipe gives no event.
    case dropsUnreadable
    /// An unreadable record that is damaged gives no event.
    case dropsDamaged
    /// A swipe that arrived whole is lost when the reader is detached before it was told.
    case losesSwipesAtDetach
    /// A cut swipe gives an event though the profile does not ask for one.
    case reportsCutSwipes
    /// Each swipe ends a ready period though the profile does not ask for it.
    case renewsAfterSwipe
    /// With the profile's renewal, ready does not come back.
    case neverRenews
    /// A second connect notification starts the session again.
    case believesRepeatedConnect
    /// A disconnect notification of an earlier connection ends the present one.
    case believesStaleDisconnect
    /// A session that cannot be opened is not tried again.
    case neverRetries
    /// A session that cannot be opened is tried for ever.
    case retriesForEver

    // What the controller does.

    /// Events are told after close.
    case tellsAfterClose
    /// Events are told to nobody and so lost while there is no delegate.
    case losesEventsWithoutDelegate
    /// Swipes that nobody listened to surprise a later delegate.
    case keepsUnheardSwipes
    /// A new delegate is told of everything again.
    case tellsNewDelegateAgain
    /// Every event names the first reader.
    case confusesReaders
    /// A controller made without a delegate does not miss the readers that are there.
    case seesReadersWithoutDelegate
    /// Bytes that come while the app is in the background are read.
    case readsWhileAsleep
    /// Events are told while the app is in the background.
    case tellsWhileAsleep
    /// A delegate set on one reader is obeyed.
    case obeysReaderDelegate
    /// A report that has begun is not ended by silence.
    case ignoresSilence

    // What the audio jack does: each law has one that shows only when two events race.

    /// A request that reached its time limit is not renewed (refresh-renews).
    case forgetsRenewal
    /// A request that a swipe ended is not renewed (refresh-renews).
    case forgetsRenewalAfterSwipe
    /// A request that reached its limit while a record was arriving is not renewed
    /// (refresh-renews).
    case forgetsRenewalInMidRecord

    /// A request ends 100 ms before its time limit (timeout-honoured).
    case endsRequestsEarly
    /// A request ends 100 ms after its time limit (timeout-honoured).
    case endsRequestsLate
    /// A time limit that is set counts for the request that is open (timeout-honoured).
    case limitsOpenRequests
    /// A request whose limit is reached while a record is arriving ends with the record or 1 s
    /// later (timeout-honoured).
    case holdsRequestsForRecords

    /// An autodetection tells that something is connected (autodetect-silent).
    case tellsConnectedInDetection
    /// An autodetection prompts before the tone (autodetect-silent).
    case promptsInDetection
    /// An autodetection that fails is complete without a word (autodetect-silent).
    case tellsNoFailedDetection
    /// An autodetection whose reader is pulled out is never complete (autodetect-silent).
    case forgetsDetectionAtUnplug

    /// A new library is loaded before the old one is unloaded (one-audio-reader).
    case loadsBeforeUnloading
    /// An autodetection loads a library and leaves the one before it loaded (one-audio-reader).
    case keepsLibrariesInDetection
    /// A type that is chosen leaves the old library loaded (one-audio-reader).
    case keepsLibraryOfOldType
    /// An autodetection that is cut short leaves its library loaded (one-audio-reader).
    case keepsLibraryOfCutDetection

    /// The user is not asked before a power-up (no-tone-without-consent).
    case neverAsks
    /// A refusal is taken for consent (no-tone-without-consent).
    case ignoresRefusals
    /// A reader powers up without being asked for when the route is back (no-tone-without-consent).
    case resumesWithoutAsking
    /// A prompt that an unplug withdrew counts as answered at the next attach
    /// (no-tone-without-consent).
    case remembersWithdrawnPrompts

    // What the payment client does.

    /// A charge without an answer is sent again.
    case chargesAgain
    /// A charge without an answer is given up without a look-up.
    case neverLooksUp
    /// A request that never left is looked up.
    case looksUpRefused
    /// A body that is no answer counts as a decline.
    case takesGarbageForDecline
    /// The body of an answer with a status from 500 on is read.
    case readsServerErrors
    /// An answer about another order is believed.
    case believesOtherOrders
    /// A look-up that finds nothing is not repeated.
    case looksUpOnce
    /// A look-up without an answer counts as one that found nothing, and ends the payment.
    case believesLostLookUps
    /// The same, from the second look-up without an answer in a row on.
    case believesTwoLostLookUps
    /// A charge that no look-up found is unknown.
    case neverCertain
    /// A canceled transaction counts as money taken.
    case countsCanceled
    /// A failed transaction counts as money taken.
    case countsFailed
    /// A transaction of another amount with the same order id is taken for this one.
    case ignoresAmounts
    /// The answer to a charge is waited for without a deadline.
    case waitsForEver
    /// Look-ups follow one another without a pause.
    case looksUpAtOnce
    /// A charge is sent while another is at work.
    case paysTwoAtOnce
    /// The payment that was asked for last is the next.
    case paysLastFirst
    /// A void without an answer counts as done.
    case trustsVoids
    /// A void whose transaction stands as before counts as done.
    case countsUncanceled

    // What the payment provider does, by the law that it breaks.

    // one-completion

    /// A reader that is lost while the issuer is asked ends the payment, and the answer again.
    case endsTwiceWithTheReader
    /// A confirmation in doubt ends the payment, and what came of it again.
    case endsTwiceInDoubt
    /// The last progress is told after the end.
    case tellsProgressAfterTheEnd

    // one-user-action

    /// A signature is asked for again when the reader is lost meanwhile.
    case asksAgainWithoutReader
    /// A signature is asked for again when the app forgot its image.
    case asksAgainAfterMisuse
    /// A signature is asked for again when the answer to its confirmation was lost.
    case asksAgainInDoubt

    // no-charge-without-consent

    /// A cancelled signature is confirmed.
    case confirmsCancelled
    /// A signature that does not match is confirmed.
    case confirmsMismatches
    /// A payment that needs a signature is confirmed without asking for one.
    case confirmsUnsigned
    /// A signature that never came is confirmed.
    case confirmsForgottenSignatures
    /// What the app cancelled while the issuer was asked is confirmed.
    case forgetsCancelWhileAuthorising
    /// What the card declines in the end is confirmed.
    case ignoresTheCardsNo

    // charged-at-most-once

    /// An authorisation without an answer is sent again.
    case authorisesAgain
    /// An authorisation that nobody could look up is sent again.
    case authorisesWhatIsUnknown
    /// An authorisation is sent again when the reader is lost while it is under way.
    case authorisesAgainWithoutReader

    // captured-within-authorised

    /// A capture is sent without a look at what is authorised.
    case capturesUnchecked
    /// A capture without an answer is sent again.
    case capturesAgain
    /// Two captures are at work at once.
    case capturesTwoAtOnce

    // refunded-within-captured

    /// A refund is sent without a look at what is captured.
    case refundsUnchecked
    /// A refund without an answer is sent again.
    case refundsAgain
    /// Two refunds are at work at once.
    case refundsTwoAtOnce

    // doubt-is-looked-up

    /// An authorisation without an answer is given up.
    case givesUpLostAuthorisations
    /// An answer that is none counts as one that nothing was charged.
    case takesGarbageForNothing
    /// A look-up without an answer counts as one that found nothing.
    case believesLostSearches
    /// A payment whose reader is lost while the issuer is asked is given up.
    case forgetsDoubtWithTheReader

    // What the client of NMI does in doubt.

    /// A payment whose look-ups all failed is sent again.
    case chargesWhatIsUnknown
    /// A payment whose look-up got no answer is sent again.
    case chargesAfterLostLookUps

    // no-card-data-to-merchant

    /// A charge of a card in clear goes to the merchant's server.
    case sendsCardsToMerchant
    /// An authorisation of a card in clear goes to the merchant's server.
    case authorizesCardsAtMerchant
    /// A charge of a card in clear that waited for another goes to the merchant's server.
    case sendsWaitingCardsToMerchant

    // What the app makes of Inner Fence's terminal: charged-at-most-once, answers-are-genuine

    /// A request without an answer is sent again when the app is launched.
    case resendsAtLaunch
    /// A request is sent again when an answer is refused.
    case resendsAfterRefusal
    /// An order that was paid, or may have been, is sent again when it is asked for.
    case sendsOrdersInDoubt
    /// An answer is taken whatever its nonce.
    case believesAnyNonce
    /// The nonce stays valid after its answer.
    case keepsNonce
    /// An answer to an earlier request is taken for that of the newest.
    case believesOlderNonces

    /// Whether it is one of the app that charges through Inner Fence's terminal.
    public var isOfTerminal: Bool {
        Plant.resendsAtLaunch.rawValue...Plant.believesOlderNonces.rawValue ~= rawValue
    }
    // token-used-once

    /// A purchase without an answer is sent again with its token.
    case sendsTokensAgain
    /// A purchase that no look-up found is sent again with its token.
    case sendsUnfoundTokensAgain
    /// The token of a purchase pays for the next one too.
    case keepsTokens

    /// Whether it is one of the payment provider.
    public var isOfPaymentProvider: Bool {
        Plant.endsTwiceWithTheReader.rawValue...Plant.forgetsDoubtWithTheReader.rawValue
            ~= rawValue
    }

    /// Whether it is one of the audio jack.
    public var isOfAudioJack: Bool {
        Plant.forgetsRenewal.rawValue...Plant.remembersWithdrawnPrompts.rawValue ~= rawValue
    }

    /// The name for `--plant`.
    public var name: String { "\(self)" }

    /// The plant with that name, or `nil`.
    public static func named(_ name: String) -> Plant? { allCases.first { $0.name == name } }
}
