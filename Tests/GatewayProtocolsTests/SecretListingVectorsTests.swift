import CardData
import GatewayProtocols
import Testing

@Suite("Listings of card numbers")
struct SecretListingVectorsTests {
    @Test(arguments: [
        #"{"account":{"number":"4111111111111111"}}"#, #"{"Account.Number":4111111111111111}"#,
        "ACCOUNT.NUMBER=4111111111111111", "account[number]=4111111111111111",
    ])
    func aNumberIsMaskedByAnySpelling(_ message: String) {
        let listing = FieldListing(paymill: Array(message.utf8))
        #expect(listing.fields.map(\.value.description) == ["411111...1111"])
    }

    @Test func aNumberInADescriptionIsHidden() {
        let url = "com-innerfence-ccterminal://charge/1.0.0/?description=4111+1111+1111+1111"
        let listing = FieldListing(innerFenceRequest: Array(url.utf8))
        #expect(listing.fields.last?.value.description == "4111+11**+****+1111")
    }
}
