import CardData
import GatewayProtocols
import Testing

@Suite("Listings of secrets")
struct SecretListingTests {
    private static let secret = "937"

    private static let names = [
        "account.verification", "ACCOUNT.VERIFICATION", "Account.Verification",
        "account_verification", "account[verification]", "account%5Bverification%5D",
        "account.cvc", "cvc", "CVC", "cvv", "c-v-c", "card%5Bcvv2%5D", "cardSecurityCode",
        "private_key", "privateKey", "Private-Key", "password", "pin", "user.pin", "iban",
        "account%255Bcvc%255D",
    ]

    private func text(_ listing: FieldListing) -> String {
        listing.fields.map { "\($0.name) \($0.value) \($0.meaning)\n" }.joined()
            + listing.problems.map(\.text).joined()
    }

    @Test(arguments: names)
    func aSecretInAFormIsALength(_ name: String) {
        let form = Array("a=1&\(name)=\(Self.secret)&b=2".utf8)
        let answer = Array("app://r?ifcc_responseType=declined&\(name)=\(Self.secret)".utf8)
        let request = Array("com-innerfence-ccterminal://charge/1.0.0/?\(name)=937".utf8)
        for listing in [
            FieldListing(paymill: form), FieldListing(innerFenceResponse: answer),
            FieldListing(innerFenceRequest: request),
        ] {
            let text = text(listing)
            #expect(!text.contains(Self.secret), "\(text)")
            #expect(text.contains("3 characters"), "\(text)")
        }
    }

    @Test(arguments: [
        #"{"account":{"number":"1","verification":"937"}}"#, #"{"ACCOUNT":{"CVC":"937"}}"#,
        #"{"cvc":937}"#, #"{"cvc":["937"]}"#, #"{"cvc":{"value":"937"}}"#,
        #"call({"x":[{"Account_Verification":"937"}]})"#, #"{"privateKey":"937"}"#,
        #"{"text":"{\"cvc\":\"937\"}"}"#, #" {"a":"b=1","cvc":"937"}"#,
        #"data={"cvc":+"937"}"#, "url=app%3A%2F%2Fx%3Fcvv%3D937", "url=app%253Ax%253Fcvv%253D937",
        #"x{"cvc":"937"}=1"#, "https://x/cvc=937?a=1", "note=the+security_code:+937",
    ])
    func aSecretIsFoundHoweverDeep(_ message: String) {
        let text = text(FieldListing(paymill: Array(message.utf8)))
        #expect(!text.contains(Self.secret), "\(text)")
    }

    @Test func theURLInAFieldOfARequestTellsNoSecret() {
        let url =
            "com-innerfence-ccterminal://charge/1.0.0/?returnURL=app%3A%2F%2Fr%3Fprivate_key%3D937"
        let text = text(FieldListing(innerFenceRequest: Array(url.utf8)))
        #expect(!text.contains("937"), "\(text)")
    }

    @Test func whatIsNoSecretStays() {
        let form = "account.holder=Ada&amount=1&description=pin+board+12&client=placid:1"
        let values = FieldListing(paymill: Array(form.utf8)).fields.map(\.value.description)
        #expect(values == ["Ada", "1", "pin board 12", "placid:1"])
    }
}
