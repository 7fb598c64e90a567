import CardData
import Journal
package import Rig
import SDKCore
package import ScenarioLanguage
import Transports
import SimulatedReaders

// What steps ask of a payment reader and of the payment provider. Each returns why it cannot be
// done, or `nil` when it was done.
extension Rig {
    /// Asks for money: at a payment reader, or of the card that was swiped or typed in last.
    mutating func perform(_ charge: ChargePlan, isCaptured: Bool? = nil) -> String? {
        if hasStore { return performAtStore(charge, isHeld: isCaptured == false) }
        guard hasPaymentProvider else {
            let extras = PaymentExtras(charge.details)
            let isDone =
                isCaptured == false
                ? authorize(charge.amount, orderID: charge.orderID, extras: extras)
                : self.charge(charge.amount, orderID: charge.orderID, extras: extras)
            return isDone ? nil : "there is no card to charge: no swipe gave one before this step"
        }
        let plan = charge.payment ?? PaymentPlan()
        var parameters = AuthRequestParams(
            amount: plan.amountText ?? charge.amount.description,
            currency: plan.currency,
            capture: isCaptured ?? plan.isCaptured
        )
        parameters.installmentCount = plan.installmentCount
        parameters.externalID = plan.externalID.isEmpty ? charge.orderID ?? "" : plan.externalID
        parameters.webhookURL = plan.webhookURL
        let isDone = pay(
            .authorize(parameters, reader: plan.reader, address: plan.readerAddress)
        )
        return isDone ? nil : "there is no payment reader, or the app was killed before"
    }

    mutating func performCapture(_ amount: Amount?) -> String? {
        if hasStore { return order(.capture, amount) }
        let isDone = hasPaymentProvider ? pay(.capture(amount)) : capture(amount)
        return isDone
            ? nil : "there is nothing to capture: nothing was authorised before this step"
    }

    mutating func perform(_ refund: RefundPlan) -> String? {
        if hasStore { return order(.refund, refund.amount) }
        let isDone =
            hasPaymentProvider
            ? pay(.refund(refund.amount))
            : self.refund(refund.amount, orderID: refund.orderID, isCheck: refund.isCheck)
        return isDone
            ? nil : "there is nothing to pay back: nothing was approved before this step"
    }

    mutating func perform(_ care: ReaderCarePlan) -> String? {
        switch care.act {
        case .loadWiFi(let text):
            return loadWiFi(text, reader: care.reader)
                ? nil : "the reader is off, or the app has a link to it"
        case .roam(let duration):
            roam(care.reader, for: duration)
            return nil
        }
    }

    mutating func perform(_ sign: SignPlan) -> String? {
        let result: SignatureCollectionResult =
            switch sign.result {
            case .successful: .successful
            case .signaturesDontMatch: .signaturesDontMatch
            default: .cancelled
            }
        return pay(.sign(result, hasImage: sign.hasImage))
            ? nil : "there is nothing to sign: no card payment was asked for before this step"
    }

    /// Calls a method of the payment provider.
    mutating func performAtProvider(_ call: CallPlan) -> String? {
        guard hasPaymentProvider else { return "the rig has no payment provider" }
        switch (call.method, call.argument) {
        case (.cancel, _):
            return pay(.cancel) ? nil : "there is no card payment that could be given up"
        case (.paymentInfo, _):
            return pay(.paymentInfo) ? nil : "no card payment is known by its number"
        case (.payments, .text(let externalID)):
            return pay(.payments(externalID: "\(externalID)")) ? nil : "the app was killed before"
        case (_, _): return "\(call.method.spelling) lacks its argument"
        }
    }

    /// Charges or drains the battery of the reader that has one: a Miura, else an IPS.
    mutating func changeBattery(percent: Int) -> Bool {
        if let reader = paymentReader {
            act(.setBattery(reader: reader, percent: percent))
            return true
        }
        return setBattery(percent: percent)
    }
}

extension StepAction {
    /// What a hand does at a reader; `nil` for steps that are not a hand's.
    package var handAct: HandAct? {
        switch self {
        case .plugIn(let reader): .plugIn(reader: reader)
        case .unplug(let reader): .unplug(reader: reader)
        case .swipe(let swipe):
            .swipe(reader: swipe.reader, card: swipe.card, quality: SwipeQuality(swipe))
        case .insert(let act): .insert(reader: act.reader, card: act.card)
        case .tap(let act): .tap(reader: act.reader, card: act.card)
        case .removeCard(let reader): .removeCard(reader: reader)
        case .keys(let plan):
            .press(reader: plan.reader, plan.keys.map { MiuraKey($0) }, pause: plan.pause)
        case .link(let fault):
            if case .open(let opening) = fault.action {
                .obstruct(reader: fault.reader, OpeningFault(opening))
            } else {
                nil
            }
        case .power(let reader, .off): .switchOff(reader: reader)
        case .power(let reader, .on): .switchOn(reader: reader)
        case .power(let reader, .reboot): .reboot(reader: reader)
        default: nil
        }
    }
}

extension MiuraKey {
    fileprivate init(_ key: KeysPlan.Key) {
        self =
            switch key {
            case .digit(let digit): .digit(digit)
            case .enter: .enter
            case .clear: .clear
            case .cancel: .cancel
            }
    }
}
