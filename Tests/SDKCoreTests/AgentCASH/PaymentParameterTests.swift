import EventLoops
import GatewayProtocols
import SimulatedGateways
import Testing

@testable import SDKCore

/// What is wrong with a request is found before any reader is contacted.
@Suite("Parameters of authorize")
struct PaymentParameterTests {
    private func error(
        of change: (inout AuthRequestParams) -> Void,
        _ reader: CardReader = PaymentTill.reader,
        _ configure: (inout PaymentProvider.Configuration) -> Void = { _ in }
    ) -> PaymentError? {
        var till = PaymentTill(.playedSession, [], configure)
        var parameters = PaymentTill.parameters()
        change(&parameters)
        _ = till.provider.authorize(parameters, cardReader: reader, at: till.now)
        till.carry()
        #expect(till.completions.count <= 1)
        guard let completion = till.completions.first else { return nil }
        #expect(completion.result == .failed && till.openCount == 0 && till.sent.isEmpty)
        return completion.error
    }

    @Test(
        arguments: [
            "", "0", "0.00", "-5", "15.999", "1e3", "15,00", " 15", "10000000000.00", ".50", "5.",
        ]
    )
    func anAmountThatIsNoneIsRefused(_ amount: String) {
        #expect(error { $0.amount = amount } == .invalidAmount)
    }

    @Test(arguments: ["0.01", "15", "15.9", "15.99", "9999999999.99"])
    func amountsAreTakenToTwoDecimalsAndTwelveDigits(_ amount: String) {
        #expect(error { $0.amount = amount } == nil)
    }

    @Test(arguments: ["", "gbp", "GB", "GBPX", "XXX", "ABC", "12E", "JPY"])
    func aCurrencyThatIsNoneIsRefused(_ currency: String) {
        #expect(error { $0.currency = currency } == .invalidCurrency)
    }

    @Test(arguments: ["GBP", "EUR", "CHF", "ZMW", "AED"])
    func currenciesAreTaken(_ currency: String) {
        #expect(error { $0.currency = currency } == nil)
    }

    @Test func everyCurrencyOfTheListHasANumberOfItsOwn() {
        #expect(CurrencyNumber.number(of: "GBP") == 826)
        #expect(CurrencyNumber.number(of: "EUR") == 978)
        #expect(CurrencyNumber.number(of: "ALL") == 8)
        #expect(CurrencyNumber.number(of: "784") == nil)
    }

    @Test(arguments: [0, 2, -1, Int.max])
    func onlyOneInstalmentIsTaken(_ count: Int) {
        #expect(error { $0.installmentCount = count } == .invalidInstallmentCount)
    }

    @Test(arguments: ["ftp://shop.example", "shop.example", "http://a b", "https://ä"])
    func aWebhookThatIsNoWebAddressIsRefused(_ url: String) {
        #expect(error { $0.webhookURL = url } == .invalidWebhookURL)
    }

    @Test func textsThatAreTooLongAreRefused() {
        let long = String(repeating: "x", count: 2_049)
        #expect(error { $0.externalID = long } == .invalidExternalID)
        #expect(error { $0.webhookURL = "http://" + long } == .invalidWebhookURL)
    }

    @Test(
        arguments: [
            CardReader.bluetooth(.miura, name: ""), .network(.miura, address: "", port: 6543),
            .network(.miura, address: "192.168.0.90 port:6543", port: 6543),
            .network(.miura, address: "192.168.0.90", port: 0),
            .network(.miura, address: "192.168.0.90", port: 65_536), .serial(.miura, path: ""),
        ]
    )
    func aReaderThatCannotBeOneIsRefused(_ reader: CardReader) {
        #expect(error(of: { _ in }, reader) == .invalidReader)
    }

    @Test func bluetoothReadersNeedTheAccessoryProtocol() {
        let undeclared = error(of: { _ in }) { $0.accessoryProtocols = ["com.example"] }
        #expect(undeclared == .accessoryProtocolNotDeclared)
        let reader = CardReader.network(.miura, address: "192.168.0.90", port: 6543)
        #expect(error(of: { _ in }, reader, { $0.accessoryProtocols = [] }) == nil)
    }

    @Test func emptyCredentialsAreRefused() {
        #expect(error(of: { _ in }) { $0.credentials.password = "" } == .wrongCredentials)
        #expect(error(of: { _ in }) { $0.credentials.username = "" } == .wrongCredentials)
    }

    @Test func wrongCredentialsAreFoundBeforeTheReaderIsOpened() {
        var till = PaymentTill {
            $0.profile.checksAccountFirst = true
            $0.credentials.password = "guessed"
        }
        till.authorize()
        till.finish()
        #expect(till.completions == [PaymentCompletion(.failed, .wrongCredentials)])
        #expect(till.openCount == 0 && till.sent == [.account])
    }

    @Test func theAccountIsAskedForOnceALaunch() {
        var till = PaymentTill { $0.profile.checksAccountFirst = true }
        for _ in 0..<2 {
            till.authorize()
            till.wait(.seconds(1))
            till.read()
            till.wait(.seconds(1))
            till.report(.completed(isApproved: true))
            till.finish()
        }
        #expect(till.results == [.approved, .approved])
        #expect(till.sent == [.account, .authorise, .confirm, .authorise, .confirm])
    }

    @Test func aServiceThatIsAwayIsFoundBeforeTheReaderIsOpened() {
        let refused = GatewayFault(kind: .query, phase: .beforeBooking, answer: .refused)
        let silent = GatewayFault(kind: .query, phase: .beforeBooking, answer: .timeout)
        var till = PaymentTill(.playedSession, [refused, silent, silent, silent, silent]) {
            $0.profile.checksAccountFirst = true
        }
        till.authorize()
        till.finish()
        till.authorize()
        till.finish()
        #expect(till.completions.map(\.error) == [.serviceUnreachable, .noAnswer])
        #expect(till.openCount == 0)
    }
}
