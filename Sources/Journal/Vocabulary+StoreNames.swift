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
