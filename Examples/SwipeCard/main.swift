// A card is swiped through an iDynamo; the app shows what it may show.
//
// After the SDK document's example of a delegate: didSwipeCard fills two text fields with the masked
// number and the expiration date, or shows a message when the card could not be read.
import CardCrypto
import CardData
import EventLoops
import SDKCore
import SimulatedReaders
import Transports

/// An app with the SDK, and the reader that somebody plugs into its phone.
struct App {
    var controller = SwipeController(readers: [.accessoryStream])
    var reader = SimulatedMagneSafeReader(MagneSafeReaderConfiguration(.idynamo))
    let cache = CryptoCache()

    /// Takes what the phone tells, and answers the SDK's events as the delegate.
    mutating func take(_ event: TransportEvent) {
        controller.input(event, from: 0, at: .zero)
        while let event = controller.nextEvent() { received(event) }
    }

    /// The app's delegate.
    func received(_ event: SwipeEvent) {
        switch event.kind {
        case .connected: print("deviceConnected")
        case .activationFinished(let result): print("deviceActivationFinished: \(result)")
        case .becameReadyForSwipe: print("deviceBecameReadyForSwipe")
        case .becameUnreadyForSwipe(let reason): print("deviceBecameUnreadyForSwipe: \(reason)")
        case .deactivated: print("deviceDeactivated")
        case .disconnected: print("deviceDisconnected")
        case .didSwipeCard(let card?):
            let number = card.maskedCardNumber?.description ?? ""
            print("didSwipeCard: \(number), \(card.expirationDate?.description ?? "")")
        case .didSwipeCard(nil): print("didSwipeCard: the card could not be read, swipe again")
        case .promptShown, .alertShown, .alertDismissed, .autodetectStarted, .autodetectComplete,
            .communicationTestCompleted:
            break
        }
    }

    /// The hand that swipes.
    mutating func swipe(_ name: String, _ quality: SwipeQuality) {
        guard let card = TestCard.named(name) else { return }
        for transmission in reader.swipe(card: card, quality: quality, cache: cache) {
            take(.received(transmission.unit))
        }
    }
}

var app = App()
app.take(.attached(Attachment()))
app.swipe("visa", .good)
app.swipe("visa", .unreadable)
app.take(.detached(.left))
