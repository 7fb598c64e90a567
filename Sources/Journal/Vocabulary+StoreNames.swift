extension Vocabulary {
    /// The names of PAYMILL's SDK and of the HoneyStore.
    ///
    /// Source: SDK document, "Payment: entering a new credit card", "Setting up the backend".
    static let storeNames: [NameTable] = [
        NameTable(
            title: "Purchases with PAYMILL's SDK",
            rows: [
                NameRow("PMFactory", "PMFactory", StepWord.enterCard.rawValue),
                NameRow(
                    "genCardPaymentWithAccHolder:cardNumber:expiryMonth:expiryYear:verification:error:",
                    "PMFactory.genCardPayment",
                    StepWord.enterCard.rawValue
                ),
                NameRow(
                    "genNationalPaymentWithAccNumber:accBank:accHolder:accCountry:error:",
                    "PMFactory.genNationalPayment",
                    StepWord.enterAccount.rawValue
                ),
                NameRow(
                    "genNationalPaymentWithIban:andBic:accHolder:error:",
                    "PMFactory.genNationalPayment",
                    StepWord.enterAccount.rawValue
                ),
                NameRow("toUrlParams", "PMPaymentMethod.unmaskedURLParameters", nil),
                NameRow("newDictionaryParams", "PMPaymentMethod.unmaskedParameters", nil),
                NameRow(
                    "genPaymentParamsWithCurrency:amount:description:error:",
                    "PMFactory.genPaymentParams",
                    StepWord.charge.rawValue
                ),
                NameRow("PMPaymentMethod", "PMPaymentMethod", nil),
                NameRow("PMPaymentParams", "PMPaymentParams", nil),
                NameRow("PMManager", "PMManager", "paymill"),
                NameRow(
                    "generateTokenWithPublicKey:testMode:method:parameters:success:failure:",
                    "PMManager.tokenRequest",
                    StepWord.makeToken.rawValue
                ),
                NameRow(
                    "initWithTestMode:merchantPublicKey:newDeviceId:init:",
                    "PMCall.initialise",
                    "with: sdk"
                ),
                NameRow(
                    "initWithTestMode:merchantPublicKey:newDeviceId:init:success:failure:success:failure:",
                    "PMCall.initialiseAndList",
                    nil
                ),
                NameRow(
                    "transactionWithMethod:parameters:consumable:success:failure:",
                    "PMCall.transaction",
                    "with: sdk"
                ),
                NameRow(
                    "transactionWithToken:parameters:consumable:success:failure:",
                    "PMCall.transaction",
                    nil
                ),
                NameRow(
                    "transactionWithPayment:parameters:consumable:success:failure:",
                    "PMCall.transaction",
                    nil
                ),
                NameRow(
                    "transactionWithPaymentId:parameters:consumable:success:failure:",
                    "PMCall.transaction",
                    nil
                ),
                NameRow(
                    "preauthorizationWithMethod:parameters:consumable:success:failure:",
                    "PMCall.preauthorization",
                    nil
                ),
                NameRow(
                    "preauthorizationWithToken:parameters:consumable:success:failure:",
                    "PMCall.preauthorization",
                    nil
                ),
                NameRow(
                    "preauthorizationWithPayment:parameters:consumable:success:failure:",
                    "PMCall.preauthorization",
                    nil
                ),
                NameRow(
                    "preauthorizationWithPaymentId:parameters:consumable:success:failure:",
                    "PMCall.preauthorization",
                    nil
                ),
                NameRow(
                    "generateTokenWithMethod:parameters:success:failure:",
                    "PMCall.generateToken",
                    nil
                ),
                NameRow("getTransactionsList:failure:", "PMCall.transactionsList", nil),
                NameRow("getTransactionForId:success:failure:", "PMCall.transactionForID", nil),
                NameRow("getPreauthorizationsList:onFailure:", "PMCall.preauthorizationsList", nil),
                NameRow(
                    "getPreauthorzationForId:success:failure:",
                    "PMCall.preauthorizationForID",
                    nil
                ),
                NameRow(
                    "getNonConsumedTransactionsList:failure:",
                    "PMCall.nonConsumedTransactionsList",
                    spelling(of: .chargeRecovered)
                ),
                NameRow(
                    "getNonConsumedPreauthorizationsList:failure:",
                    "PMCall.nonConsumedPreauthorizationsList",
                    nil
                ),
                NameRow(
                    "consumeTransactionForId:success:failure:",
                    "PMCall.consumeTransaction",
                    spelling(of: .consumed)
                ),
                NameRow(
                    "consumePreauthorizationForId:success:failure:",
                    "PMCall.consumePreauthorization",
                    nil
                ),
                NameRow("getNewDeviceIdWithBlock:failure:", "PMCall.newDeviceID", nil),
                NameRow("getDeviceId", "PMInstallation.deviceID", nil),
                NameRow("isInit", "PMInstallation.isInit", nil),
                NameRow("SDKVersion", "PMManager.sdkVersion", nil),
                NameRow(
                    "savePayment:withPassword:successBlock:andFailureBlock:",
                    "PMCall.savePayment",
                    nil
                ),
                NameRow(
                    "getPaymentsListWithPassword:successBlock:andFailureBlock:",
                    "PMCall.paymentsList",
                    nil
                ),
                NameRow(
                    "arePaymentsAvailableWithSuccessBlock:andFailureBlock:",
                    "PMCall.arePaymentsAvailable",
                    nil
                ),
                NameRow(
                    "resetPaymentsWithWithSuccessBlock:andFailureBlock:",
                    "PMCall.resetPayments",
                    nil
                ),
                NameRow(
                    "deletePayment:withPassword:successBlock:andFailureBlock:",
                    "PMCall.deletePayment",
                    nil
                ),
                NameRow("PMTransaction", "PMTransaction", nil),
                NameRow("PMPreauthorization", "PMPreauthorization", nil),
                NameRow("PMPayment", "PMPayment", nil),
                NameRow("PMClient", "PMClient", nil),
                NameRow("success:", "PMManager.token", spelling(of: .tokenFinished)),
                NameRow("PMError", "PMError", spelling(of: .tokenFinished)),
                NameRow("PFLogInViewController", "HoneyStoreCall.logIn", StepWord.logIn.rawValue),
                NameRow("SignUp", "HoneyStoreCall.signUp", StepWord.signUp.rawValue),
                NameRow("getPayments", "HoneyStoreCall.cards", StepWord.list.rawValue),
                NameRow("PMLProduct", "HoneyStoreCall.products", StepWord.buy.rawValue),
                NameRow(
                    "createTransactionWithToken",
                    "HoneyStorePurchase.Payer.card",
                    "with: card"
                ),
                NameRow(
                    "createTransactionWithPayment",
                    "HoneyStorePurchase.Payer.storedCard",
                    "with: stored"
                ),
                NameRow("transactionSucceed", "PurchaseResult.approved", "approved"),
                NameRow("transactionFailWithError:", "PurchaseResult.error", "error"),
            ]
        )
    ]

    private static func spelling(of record: RecordName) -> String {
        definition(of: record).spelling
    }
}
