/// The name of a record: one observable fact of a run.
///
/// Spellings, sources and attributes stand in ``Vocabulary``, from which the scenario language,
/// the reports and the documents take them.
public enum RecordName: UInt16, CaseIterable, Hashable, Sendable {
    // The SDK's events, named as in its document.
    case deviceConnected
    case deviceActivationFinished
    case deviceBecameReadyForSwipe
    case deviceBecameUnreadyForSwipe
    case deviceDeactivated
    case deviceDisconnected
    case didSwipeCard

    // What the app sees besides.
    case misuse

    // What hands do.
    case pluggedIn
    case unplugged
    case cardSwiped

    // What the merchant asks for.
    case chargeRequested
    case voidRequested
    case authorizationRequested
    case captureRequested
    case refundRequested

    // What the app does with the SDK, and what becomes of the app.
    case appLaunched
    case appKilled
    case appSentToBackground
    case appBroughtToForeground
    case delegateSet
    case controllerClosed

    // What the link did.
    case readerAttached
    case readerDetached
    case swipeArrived
    case linkFault

    // The gateway and the app's payment client.
    case requestReceived
    case booked
    case canceled
    case gatewayFault
    case gatewayAnswered
    case gatewayUnanswered
    case chargeFinished
    case voidFinished
    case authorizationFinished
    case captureFinished
    case refundFinished
    case captured
    case settled

    // More of the SDK's events; from here on at the end, so that the digests of journals stay.
    case deviceAutodetectStarted
    case deviceAutodetectComplete
    case ipsCommunicationTestCompleteWithResult

    // What the app shows, and what its user answers.
    case promptShown
    case promptAnswered
    case alertShown
    case alertDismissed

    // What the app asks of an audio-jack reader.
    case methodCalled

    // The audio jack, its host and what lives off it.
    case toneStarted
    case toneChanged
    case toneRefused
    case toneStopped
    case volumeChanged
    case volumeRefused
    case libraryLoaded
    case libraryUnloaded
    case routeTaken
    case routeReturned
    case recordingPermissionChanged
    case readerPoweredUp
    case readerLostPower
    case readerSlept
    case readerWoke
    case batteryChanged
    case swipeLost

    // The events of a card payment: `ACPaymentProvider`.
    case progressChanged
    case userActionRequired
    case completed
    case openPaymentSettled

    // What hands do at a payment reader.
    case cardInserted
    case cardTapped
    case cardRemoved
    case keysPressed
    case readerSwitchedOff
    case readerSwitchedOn
    case readerRebooted

    // What the merchant asks for, and what the reader shows.
    case paymentRequested
    case signatureGiven
    case paymentCancelled
    case infoRequested
    case readerOpened
    case readerNotFound
    case readerClosed
    case displayed
    case pinAsked
    case choiceAsked
    case cardDecided
    case fileLoaded
    case readerRoamed
    case frameDamaged

    // More of a payment service.
    case released
    case expired
    case reversed
    case refunded
    case webhookDelivered

    // More that the merchant asks of NMI, and how it ends; at the end, so that the digests stay.
    case creditRequested
    case validationRequested
    case offlineRequested
    case updateRequested
    case customerRequested
    case planRequested
    case subscriptionRequested
    case creditFinished
    case validationFinished
    case offlineFinished
    case updateFinished
    case customerFinished
    case planFinished
    case subscriptionFinished

    // The merchant's own server between app and gateway.
    case merchantServerReceived
    case merchantServerFault

    // A card scanner's screen.
    case cardScanned
    case userDidProvideCreditCardInfo
    case userDidCancelPaymentViewController

    // Inner Fence's terminal app, and the app that charges through it.
    case terminalRequested
    case urlOpened
    case terminalShown
    case terminalRefused
    case terminalAnswered
    case receiptMailed
    case terminalCalledBack
    case terminalClosed
    case chargeResponse
    case chargeResponseRefused
    case creditCardTerminalNotInstalled
    case chargeHeld
    // PAYMILL's tokens, and the HoneyStore app with its backend.
    case userRequested
    case userFinished
    case tokenRequested
    case tokenFinished
    case listRequested
    case listFinished
    case tokenCreated
    case tokenRefused
    case tokenUsed
    case tokenRejected

    // A reader that is there and cannot be opened.
    case readerUnusable
}

/// The name of a record's attribute.
public enum AttributeName: UInt16, CaseIterable, Hashable, Sendable {
    case reader
    case isConnected
    case isActivated
    case isReadyForSwipe
    case result
    case reason
    case card
    case maskedCardNumber
    case expirationDate
    case cardholderName
    case text
    case quality
    case swipe
    case isWhole
    case number
    case kind
    case type
    case amount
    case orderID
    case state
    case transactionID
    case response
    case responseCode
    case responseText
    case phase
    case fault
    case byteCount
    case delegate
    case success
    case message
    case answer
    case by
    case method
    case isOn
    case limit
    case audioJackReaderType
    case tone
    case volume
    case into
    case library
    case isClean
    case object
    case permission
    case battery
    case payment
    case currency
    case error
    case action
    case entryMode
    case verification
    case reference
    case capturedAmount
    case refundedAmount
    case isSigned
    case count
    case keys
    case attempt
    case event
    case status
    case isCaptured
    case customer
    case plan
    case subscription
    case hasClearCardData
    case isSure
    case isScanned
    case cardType
    case redactedCardNumber
    case taxAmount
    case taxRate
    case tipAmount
    case extraParams
    case field
    case token
    case user
}

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
