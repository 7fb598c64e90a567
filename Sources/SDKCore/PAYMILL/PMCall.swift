/// A call of `PMManager` that goes to PAYMILL's backend for apps, or to the bridge and then there.
///
/// Source: PAYMILL iOS SDK 2.2.0, `PMManager.h`; [names](names.md) lists the selectors.
public enum PMCall: Hashable, Sendable {
    /// Make the installation known: `initWithTestMode:merchantPublicKey:newDeviceId:init:`.
    ///
    /// With `newDeviceID` a device that is known already is left for a new one.
    case initialise(testMode: Bool, publicKey: String, newDeviceID: Bool)
    /// The same, and what is not consumed yet: `…init:success:failure:success:failure:`.
    case initialiseAndList(testMode: Bool, publicKey: String, newDeviceID: Bool)
    /// Charge: `transactionWithMethod:`, `…WithToken:`, `…WithPayment:`, `…WithPaymentId:`.
    case transaction(PMPayer, PMPaymentParams, isConsumable: Bool)
    /// Hold money: `preauthorizationWithMethod:` and the like; a transaction comes of it.
    case preauthorization(PMPayer, PMPaymentParams, isConsumable: Bool)
    /// Make a token: `generateTokenWithMethod:parameters:success:failure:`.
    case generateToken(PMPaymentMethod, PMPaymentParams?)
    /// `getTransactionsList:failure:`
    case transactionsList
    /// `getTransactionForId:success:failure:`
    case transactionForID(String)
    /// `getPreauthorizationsList:onFailure:`
    case preauthorizationsList
    /// `getPreauthorzationForId:success:failure:`
    case preauthorizationForID(String)
    /// `getNonConsumedTransactionsList:failure:`
    case nonConsumedTransactionsList
    /// `getNonConsumedPreauthorizationsList:failure:`
    case nonConsumedPreauthorizationsList
    /// `consumeTransactionForId:success:failure:`
    case consumeTransaction(String)
    /// `consumePreauthorizationForId:success:failure:`
    case consumePreauthorization(String)
    /// `getNewDeviceIdWithBlock:failure:`
    case newDeviceID
    /// `savePayment:withPassword:successBlock:andFailureBlock:`
    case savePayment(String, password: String)
    /// `getPaymentsListWithPassword:successBlock:andFailureBlock:`
    case paymentsList(password: String)
    /// `arePaymentsAvailableWithSuccessBlock:andFailureBlock:`
    case arePaymentsAvailable
    /// `resetPaymentsWithWithSuccessBlock:andFailureBlock:`
    case resetPayments
    /// `deletePayment:withPassword:successBlock:andFailureBlock:`
    case deletePayment(String, password: String)
}

/// What pays for a call of the SDK.
public enum PMPayer: Hashable, Sendable {
    /// What was typed in: the SDK makes a token of it first.
    case method(PMPaymentMethod)
    /// A token, once.
    case token(String)
    /// A card that is kept, by its id.
    case payment(String)
}

/// What a success block receives.
public enum PMValue: Hashable, Sendable {
    /// Whether it was done, or whether there are any.
    case flag(Bool)
    /// A token, a device's id, or the id of what was consumed.
    case text(String)
    /// One transaction; of held money too.
    case transaction(PMTransaction)
    /// Several; of held money too.
    case transactions([PMTransaction])
    /// What is not consumed, charges and held money.
    case notConsumed(transactions: [PMTransaction], preauthorizations: [PMTransaction])
    /// A card of the safe.
    case payment(PMPayment)
    /// The cards of the safe.
    case payments([PMPayment])
}

/// Whom the SDK asks.
public enum PMHost: Hashable, Sendable {
    /// The bridge, for tokens.
    case bridge
    /// The backend for apps.
    case mobile
}
