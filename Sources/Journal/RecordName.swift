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
    case consumed
    case chargeRecovered

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
