import CardData
import EventLoops
import GatewayProtocols
import Journal
import ReaderProtocols
import SDKCore

// The SDK's events, and what it asks of the audio jack before each of them.
extension Rig {
    /// Delivers the SDK's events one at a time, each with the flags that the app would read inside
    /// its callback.
    ///
    /// At an event of ``pausesAtEvents`` it stops inside the callback: nothing more is taken from
    /// links or the SDK before ``returnFromCallback()``.
    mutating func deliverSwipeEvents() {
        guard !app.isInCallback, isAppAlive else { return }
        if controller.mayTell { deliverWaitingEvents() }
        watchSDK()
        if let jack {
            for reader in jack.readers { watchLink(reader) }
            watchJack()
        }
    }

    private mutating func deliverWaitingEvents() {
        while let event = nextSwipeEvent() {
            let name = RecordName(event.kind)
            write(event, as: name)
            if pausesAtEvents.contains(name) { app.callback = (name, journal.step) }
            if case .promptShown = event.kind { answerAsSet() }
            if app.isInCallback { break }
        }
    }

    /// Returns the SDK's next event, after what it asks of the audio jack before.
    private mutating func nextSwipeEvent() -> SwipeEvent? {
        guard jack != nil else { return controller.nextEvent(at: now) }
        while true {
            while let command = controller.nextJackCommand() { carryOut(command) }
            if let event = controller.nextEvent(at: now) { return event }
            guard let command = controller.nextJackCommand() else { return nil }
            carryOut(command)
        }
    }

    private mutating func write(_ event: SwipeEvent, as name: RecordName) {
        journal.begin(name, at: now)
        switch event.kind {
        case .connected, .becameReadyForSwipe, .deactivated, .disconnected:
            addFlags(event)
        case .activationFinished(let result):
            addFlags(event)
            journal.add(.result, .symbol(Symbol(result)))
        case .becameUnreadyForSwipe(let reason):
            addFlags(event)
            journal.add(.reason, .symbol(Symbol(reason)))
        case .didSwipeCard(let card):
            addFlags(event)
            addCard(card)
        case .autodetectComplete(let result):
            app.save(result)
            addFlags(event)
            journal.add(.result, .symbol(Symbol(result)))
            journal.add(.audioJackReaderType, .symbol(Symbol(controller.audioJackReaderType)))
        case .communicationTestCompleted(let isSuccess):
            journal.add(.success, .flag(isSuccess))
        case .promptShown(let message):
            addMessage(message)
        case .alertShown(let message):
            jack?.shownAlert = message
            addMessage(message)
        case .alertDismissed:
            if let message = jack?.shownAlert { journal.add(.text, .symbol(Symbol(message))) }
        case .autodetectStarted:
            break
        }
        journal.add(.delegate, .symbol(Symbol(controller.delegate)))
        journal.end()
    }

    private mutating func addFlags(_ event: SwipeEvent) {
        journal.add(.reader, .reader(recordReader(of: event)))
        journal.add(.isConnected, .flag(controller.isConnected(event.reader)))
        journal.add(.isActivated, .flag(controller.isActivated(event.reader)))
        journal.add(.isReadyForSwipe, .flag(controller.isReadyForSwipe(event.reader)))
    }

    /// Wakes the SDK at its deadline.
    ///
    /// A timer that is set is left alone while there is a deadline that is not earlier, and looks
    /// again when it comes: one that moves with every packet costs nothing.
    private mutating func watchSDK() {
        guard let deadline = controller.nextDeadline else {
            if let timer = sdkTimer {
                loop.cancel(timer.id)
                sdkTimer = nil
            }
            return
        }
        let instant = max(deadline, now) + .nanoseconds(1)
        let isIdle = controller.awaitsOnlyRenewal
        if let timer = sdkTimer {
            if timer.isIdle == isIdle, timer.instant <= instant { return }
            loop.cancel(timer.id)
        }
        let id = loop.post(
            RigEvent(.sdkDeadline, step: journal.step),
            to: RigComponent.sdkDeadline,
            at: instant,
            isBackground: isIdle
        )
        sdkTimer = SDKTimer(id: id, instant: instant, isIdle: isIdle)
    }

    /// The reader of the rig that an event names: at the audio jack the one whose library sends it.
    private func recordReader(of event: SwipeEvent) -> Int {
        guard let jack, event.reader == jack.reader else { return event.reader }
        if case .autodetectComplete(let result) = event.kind {
            switch result {
            case .uniMag: return jack.reader(as: .uniMag)
            case .ips: return jack.reader(as: .ips)
            // What the detection left connected, if anything.
            case .fail: return jack.reader(as: controller.device(of: event.reader))
            }
        }
        return jack.reader(as: event.device)
    }

    private mutating func addMessage(_ message: UniMagMessage) {
        journal.add(.text, .symbol(Symbol(message)))
        if let text = controller.uniMagOptions.messageOptions[message] {
            journal.add(.message, .text(text))
        }
    }

    private mutating func addCard(_ card: SwipedCard?) {
        guard let card else {
            journal.add(.card, .symbol(.none))
            return
        }
        switch card {
        case .magnesafe(let card):
            journal.add(.card, .symbol(.magnesafe))
            payments?.card = .magneSafe(card.swipe)
        case .encrypted(let card):
            journal.add(.card, .symbol(.encrypted))
            let reading = app.profile.audioJack.reading
            payments?.card = .encrypted(NMIEncryptedTracks(card.packet, reading: reading))
        }
        if let number = card.maskedCardNumber {
            journal.add(.maskedCardNumber, .text(number.safeText))
        }
        if let date = card.expirationDate { journal.add(.expirationDate, .text(SafeText(date))) }
        journal.add(.cardholderName, .text(card.cardholderName))
    }
}
