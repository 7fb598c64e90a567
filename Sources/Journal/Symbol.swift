/// A word that an attribute can hold.
public enum Symbol: UInt16, CaseIterable, Hashable, Sendable {
    // Activation results and reasons of the SDK document.
    case success
    case failure
    case timeout
    case volumeTooLow
    case disconnected
    case timedOut
    case canceled
    case refreshing
    case swipeDone

    // Cards.
    case magnesafe
    case none

    // Swipe qualities.
    case good
    case partial
    case reversed
    case tooFast
    case physical
    case unreadable

    // Gateway.
    case approved
    case declined
    case error
    case unknown
    case notCharged
    case sale
    case void
    case query
    case pending
    case pendingsettlement
    case complete
    case failed
    case beforeBooking
    case afterBooking
    case reset
    case refused
    case garbage
    case httpError
    case slow
    case found
    case notFound
    case auth
    case capture
    case refund
    case credit
    case validate
    case offline
    case update

    // Links.
    case left
    case cut
    case overflow
    case closed
    case endOfCapture
    case drop
    case split
    case delay
    case merge
    case corrupt
    case duplicate

    // Delegates.
    case app
    case other

    // More of the gateway; at the end, so that the digests of journals stay.
    case httpApproval
    case otherOrder

    // Audio-jack readers: kinds, results and cards.
    case encrypted
    case uniMag
    case ips
    case autodetectOnConnect
    case fail
    case shuttle
    case headphones
    case nothing

    // Prompts, alerts and answers.
    case cardReaderActivationPrompt
    case cardReaderActivationAtMaxVolumePrompt
    case initializingReaderMessage
    case cardReaderTimeoutMessage
    case volumeTooLowMessage
    case yes
    case no

    // The audio jack's host.
    case power
    case communicationTest
    case user
    case setting
    case sdk
    case volumeLimiter
    case phoneCall
    case granted

    // How tones end, and why nothing comes of a swipe.
    case stopped
    case over
    case interrupted
    case unplugged
    case unpowered
    case booting
    case busy
    case emptyBattery
    case asleep
    case unread
    case keysExhausted
    case noReader

    // Methods of the SDK.
    case setReaderDelegate
    case setAudioJackReaderType
    case beginAutodetectAudioJackCardReader
    case activateReaderOnAttach
    case automaticallySetVolumeToMaxOnActivate
    case alwaysAcceptSwipe
    case messageOptions
    case powerUpDevice
    case powerDown
    case requestSwipe
    case cancelSwipeRequest
    case setSwipeTimeoutDuration
    case beginTestCommunication
    case shutdown

    // More kinds of requests to a gateway.
    case vault
    case recurring

    // How far a card payment has come.
    case connectingReader
    case readerReady
    case waitingForCard
    case contactlessSwitchedOff
    case cardInserted
    case cardSwiped
    case cardTapped
    case insertRequested
    case swipeRequested
    case seePhone
    case otherInterfaceRequested
    case cardRetryRequested
    case selectingApplication
    case pinEntry
    case onlineAuthorisation
    case lookingUp
    case signatureRequested
    case finalising
    case removeCard
    case readerDisconnected
    case finished
    case collectSignature
    case dropLink
    case resync

    // What the app asks of a payment service.
    case authorise
    case confirm
    case reverse
    case paymentInfo
    case payments
    case cancel

    // How a card payment ended, and why.
    case cancelled
    case signaturesDontMatch
    case successful
    case invalidAmount
    case invalidCurrency
    case invalidInstallmentCount
    case invalidExternalID
    case invalidWebhookURL
    case wrongCredentials
    case invalidReader
    case accessoryProtocolNotDeclared
    case anotherPaymentRunning
    case tooManyRequests
    case serviceUnreachable
    case noAnswer
    case noSuchReader
    case readerSilent
    case readerFailed
    case noCardInTime
    case cardNotUsable
    case cardRemoved
    case signatureCancelled
    case signatureNotCollected
    case notCarriedOut
    case outcomeUnknown

    // How a card was read, and its holder verified.
    case chip
    case contactless
    case magstripe
    case signature
    case offlinePIN
    case onlinePIN

    // Where the money of a payment service is.
    case authorised
    case captured
    case released
    case expired
    case refunded

    // More of NMI: what becomes of customers, plans and subscriptions.
    case add
    case delete
    case kept

    // A card scanner.
    case scanned
    case manual
    case unrecognized
    case amex
    case visa
    case mastercard
    case discover
    case jcb

    // Who hands a URL to whom, and why an answer of the terminal is refused.
    case terminal
    case browser
    case badURL
    case undecodable
    case noOutstandingRequest
    case nonceMissing
    case nonceMismatch
    case badField
    case unknownType
    case missingField
    case unexpectedField
    case otherRecord
    case otherVersion
    case paid
    // PAYMILL and the HoneyStore: requests, and why a token is not taken.
    case token
    case signUp
    case logIn
    case saveUser
    case cards
    case products
    case used
    case unconfirmed

    // What stands in the way of opening a reader.
    case denied
    case late
}
