import CardData
import GatewayProtocols
import Journal
import Laws
import Rig
import SDKCore
import ScenarioLanguage
import SimulatedGateways

// What steps ask of PAYMILL and the HoneyStore. Each returns why it cannot be done, or `nil` when
// it was done.
extension Rig {
    mutating func perform(_ act: StoreAct) -> String? {
        let noApp = "the app is not running"
        switch act {
        case .signUp(let user, let email):
            return call(.signUp(username: user, password: "honey", email: email)) ? nil : noApp
        case .logIn(let user, let isRight):
            let password = isRight ? "honey" : "money"
            return call(.logIn(username: user, password: password)) ? nil : noApp
        case .saveUser(let email): return call(.saveUser(email: email)) ? nil : noApp
        case .enterAccount(let plan):
            return enterStoreAccount(PAYMILLAccount(plan)) ? nil : noApp
        case .makeToken(let amount): return call(.token(amount)) ? nil : noApp
        case .listCards: return call(.cards) ? nil : noApp
        case .listProducts: return call(.products) ? nil : noApp
        case .buy(let plan):
            let isDone = buy(
                product: plan.product,
                price: plan.price,
                amount: plan.amount,
                orderID: plan.orderID,
                payer: HoneyStorePurchase.Payer(plan.payer)
            )
            return isDone ? nil : noApp
        }
    }

    /// Pays a free amount at the store.
    mutating func performAtStore(_ charge: ChargePlan, isHeld: Bool) -> String? {
        let isDone = buy(
            amount: charge.amount,
            orderID: charge.orderID,
            payer: HoneyStorePurchase.Payer(charge.payer ?? .card),
            isHeld: isHeld
        )
        return isDone ? nil : "the app is not running"
    }

    /// Lets the merchant's office do something with what was approved or held last.
    mutating func order(_ work: OfficeWork, _ amount: Amount? = nil) -> String? {
        orderOffice(work, amount)
            ? nil : "there is nothing to do it with: nothing was approved before this step"
    }

    /// Types a card in at the store.
    mutating func enterStoreCard(_ plan: EnteredCardPlan) -> Bool {
        guard let stripe = TestCard.named(plan.card),
            let track = Track2(parsing: stripe.unmaskedTrack2), let date = track.expirationDate
        else { return false }
        var number = track.pan.unmasked
        if plan.hasWrongNumber, let last = number.popLast(), let digit = last.wholeNumberValue {
            number += String((digit + 1) % 10)
        }
        let brand = PAYMILLCardBrand(number: number)
        let isAmex = brand == .amex
        let code: String =
            switch plan.securityCode {
            case .wrong: "12"
            case .right, nil: isAmex ? "1234" : "123"
            }
        let parts = plan.expires?.split(separator: "/").map(String.init) ?? []
        let month = parts.count == 2 ? parts[0] : Self.text(date.month)
        let year = parts.count == 2 ? parts[1] : "20" + Self.text(date.year)
        return enterStoreCard(
            PAYMILLCard(
                unmaskedNumber: number,
                expiryMonth: month,
                expiryYear: year,
                unmaskedCode: code,
                holder: "TEST CARD"
            )
        )
    }

    private static func text(_ number: UInt8) -> String {
        number < 10 ? "0\(number)" : "\(number)"
    }

    /// The store's money, as the outcome sees it.
    var storeFacts: [LedgerFact] {
        (storeBooks?.transactions ?? []).compactMap { entry in
            guard !entry.isCapture else { return nil }
            let transaction = entry.transaction
            var amount = transaction.originAmount
            let state: Symbol
            if entry.isHeld {
                if let captured = entry.capturedAmount {
                    amount = captured
                    state = .captured
                } else if transaction.responseCode == .voided {
                    state = .canceled
                } else if entry.isLetGo {
                    state = .expired
                } else {
                    state = transaction.responseCode.isSuccess ? .authorised : .failed
                }
            } else {
                switch transaction.status {
                case .refunded: state = .refunded
                case .failed: state = .failed
                case .open, .pending, .closed, .partialRefunded, .chargeback, .preauth:
                    state = .complete
                }
            }
            return LedgerFact(type: entry.isHeld ? .auth : .sale, amount: amount, state: state)
        }
    }
}

extension PAYMILLAccount {
    /// The account of test mode, with the mistakes that a scenario asks for.
    init(_ plan: EnteredAccountPlan) {
        let account = PAYMILLTestCards.accounts[0]
        let iban = PAYMILLTestCards.ibans[0]
        let name: Name
        if plan.isByIBAN {
            let bic = plan.hasUnknownBank ? "NOSUDEFFXXX" : PAYMILLTestCards.bankIdentifiers[0]
            let number = plan.hasWrongNumber ? iban.replacing("DE", with: "D8") : iban
            name = .international(unmaskedIBAN: number, bic: bic)
        } else {
            name = .national(
                unmaskedNumber: plan.hasWrongNumber ? "x" + account.number : account.number,
                bankCode: plan.hasUnknownBank ? "70070010" : account.bankCode,
                country: "DE"
            )
        }
        self.init(name, holder: plan.holder)
    }
}

extension HoneyStorePurchase.Payer {
    init(_ payer: StorePayer) {
        self =
            switch payer {
            case .card: .card
            case .token: .token
            case .stored: .storedCard
            case .foreign: .payment("")
            case .sdk: .sdk
            }
    }
}

extension HoneyStoreSetup {
    /// The store that a scenario's `rig:` asks for; `nil` when it asks for none.
    ///
    /// - Parameters:
    ///   - plan: What the scenario asks for.
    ///   - library: Whose library plays; `nil` leaves it to the plan. Observed backend and app have
    ///     all the mistakes of the published ones.
    init?(_ plan: RigPlan, library: SDKPlan.Library?) {
        guard plan.gateway == .paymill else { return nil }
        self.init()
        if let seconds = plan.clockSecondsSince1970 { gateway.startSecondsSince1970 = seconds }
        let store = plan.store
        gateway.declineStatus = store.declineStatus
        gateway.writesCodesAsText = store.writesCodesAsText
        gateway.hasThreeDSecure = store.hasThreeDSecure
        gateway.lateTokens = store.failsLateTokens ? .failedTransaction : .refused
        gateway.comparesTokenAmounts = store.comparesTokenAmounts
        gateway.tellsBeginningsLast = store.tellsBeginningsLast
        gateway.tellsTwice = store.tellsTwice
        if store.hasShortTokens { gateway.tokenDigitCount = 20 }
        backend.version = store.api == .v2 ? .v2 : .v2point1
        backend.takesFreeAmounts = store.takesFreeAmounts
        let isObserved = (library ?? plan.sdk.library) == .observed
        for defect in isObserved ? StorePlan.Defect.allCases : store.defects { adopt(defect) }
        hasUser = store.hasUser
        webhookStatuses = plan.account.webhookStatuses
        webhookEvents = plan.account.webhookEvents
    }

    private mutating func adopt(_ defect: StorePlan.Defect) {
        switch defect {
        case .forgetsRejections: backend.defects.insert(.forgetsRejections)
        case .namesNoError: backend.defects.insert(.namesNoError)
        case .ignoresResponseCodes: backend.defects.insert(.ignoresResponseCodes)
        case .clientForEverySave: backend.defects.insert(.clientForEverySave)
        case .trustsAmounts: backend.defects.insert(.trustsAmounts)
        case .takesAnyPayment: backend.defects.insert(.takesAnyPayment)
        case .hasNoLookUp:
            backend.defects.insert(.hasNoLookUp)
            app.canLookUp = false
        case .cutsPrices: app.cutsPrices = true
        }
    }
}
