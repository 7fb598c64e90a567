/// A field of a payment that is neither card data nor needed by every type.
///
/// Source: Direct Post API manual, "Transaction variables"; the raw values are the names there.
public enum NMIDetail: String, CaseIterable, Hashable, Sendable {
    /// What was bought, in words; also read under its older name `orderdescription`.
    case orderDescription = "order_description"
    /// The purchase order's number.
    case purchaseOrder = "ponumber"
    /// The tax in the amount; negative means exempt.
    case tax
    /// The shipping charge in the amount.
    case shipping
    /// The tip in the amount.
    case tip
    /// The currency by its ISO 4217 letters.
    case currency
    /// Which of the merchant's processors is to be used.
    case processor = "processor_id"
    /// For how many seconds the same payment again is a duplicate; 0 turns the check off.
    case duplicateSeconds = "dup_seconds"
    /// `enabled` makes this one payment a test.
    case testMode = "test_mode"
    /// The code that the issuer gave by telephone (`offline` only); also read under the name of the
    /// manual's sample, `authorizationcode`.
    case authorizationCode = "authorization_code"
    /// The customer's address on the internet.
    case ipAddress = "ipaddress"
    /// The cardholder's first name; also `firstname`.
    case firstName = "first_name"
    /// The cardholder's last name; also `lastname`.
    case lastName = "last_name"
    /// The cardholder's company.
    case company
    /// The first line of the billing address, which the address check looks at.
    case address1
    /// The second line of the billing address.
    case address2
    /// The town of the billing address.
    case city
    /// The state of the billing address, two letters.
    case state
    /// The ZIP code of the billing address, which the address check looks at.
    case zip
    /// The country of the billing address, two letters.
    case country
    /// The cardholder's telephone.
    case phone
    /// The cardholder's fax.
    case fax
    /// The cardholder's mail address.
    case email
    /// Whether the gateway sends the customer a receipt: `true` or `false`.
    case customerReceipt = "customer_receipt"
    /// The carrier's number of a shipment.
    case trackingNumber = "tracking_number"
    /// The carrier: `ups`, `fedex`, `dhl` or `usps`.
    case shippingCarrier = "shipping_carrier"
    /// The day of the shipment, `YYYYMMDD`.
    case shippingDate = "shipping_date"
    /// The ZIP code that the goods go to.
    case shippingPostal = "shipping_postal"
    /// The ZIP code that the goods come from.
    case shipFromPostal = "ship_from_postal"
    /// The country that the goods go to.
    case shippingCountry = "shipping_country"
    /// The day of the order.
    case orderDate = "order_date"
    /// What to do when only a part is approved: `settle_partial` or `payment_in_full`.
    case partialPayments = "partial_payments"
    /// The payment in parts that this one belongs to.
    case partialPaymentID = "partial_payment_id"
    /// Whether it is `recurring` or an `installment`.
    case billingMethod = "billing_method"
    /// Who began it: `customer` or `merchant`.
    case initiatedBy = "initiated_by"
    /// The payment with which the card was stored.
    case initialTransactionID = "initial_transaction_id"
    /// Whether the card is `stored` by this payment or `used` from an earlier one.
    case storedCredential = "stored_credential_indicator"
    /// How the statement is to name the merchant.
    case descriptor
    /// The first name of who gets the goods.
    case shippingFirstName = "shipping_firstname"
    /// The last name of who gets the goods.
    case shippingLastName = "shipping_lastname"
    /// The firm that gets the goods.
    case shippingCompany = "shipping_company"
    /// The first line of the address that the goods go to.
    case shippingAddress1 = "shipping_address1"
    /// The second line of the address that the goods go to.
    case shippingAddress2 = "shipping_address2"
    /// The town that the goods go to.
    case shippingCity = "shipping_city"
    /// The state that the goods go to.
    case shippingState = "shipping_state"
    /// The ZIP code that the goods go to.
    case shippingZip = "shipping_zip"
    /// The mail address of who gets the goods.
    case shippingEmail = "shipping_email"
    /// A field that the merchant gives a meaning to.
    case merchantField1 = "merchant_defined_field_1"
    /// A field that the merchant gives a meaning to.
    case merchantField2 = "merchant_defined_field_2"
    /// A field that the merchant gives a meaning to.
    case merchantField3 = "merchant_defined_field_3"

    /// Names that stand for a detail besides its own.
    private static let olderNames: [(name: String, detail: NMIDetail)] = [
        ("orderdescription", .orderDescription), ("authorizationcode", .authorizationCode),
        ("firstname", .firstName), ("lastname", .lastName),
    ]

    private static let names: [(name: String, detail: NMIDetail)] =
        allCases.map { ($0.rawValue, $0) } + olderNames

    /// Returns what the field at a position of a body is, or `nil`.
    static func named(_ fields: FormFields, at index: Int) -> NMIDetail? {
        let length = fields.nameLength(at: index)
        for (name, detail) in names
        where name.utf8.count == length && fields.hasName(name, at: index) {
            return detail
        }
        return nil
    }
}

/// The details of a payment: few of many, so they are kept as a list.
public struct NMIDetails: Hashable, Sendable {
    private struct Entry: Hashable {
        var name: NMIDetail
        var value: String
    }

    private var entries: [Entry] = []

    /// Creates an empty list.
    public init() {}

    /// Creates a list; of a name that comes twice the last value counts.
    public init(_ details: [(NMIDetail, String)]) {
        for (name, value) in details { self[name] = value }
    }

    /// Whether there is none.
    public var isEmpty: Bool { entries.isEmpty }

    /// The value of a detail; `nil` and empty mean that there is none.
    public subscript(name: NMIDetail) -> String? {
        get { entries.first { $0.name == name }?.value }
        set {
            let index = entries.firstIndex { $0.name == name }
            switch (newValue ?? "", index) {
            case ("", let index?): entries.remove(at: index)
            case ("", nil): break
            case (let value, let index?): entries[index].value = value
            case (let value, nil): entries.append(Entry(name: name, value: value))
            }
        }
    }

    /// The details in the order in which they were set.
    public var all: [(name: NMIDetail, value: String)] { entries.map { ($0.name, $0.value) } }

    /// Takes over the details of another list, which count before the own.
    public mutating func merge(_ other: NMIDetails) {
        for entry in other.entries { self[entry.name] = entry.value }
    }

    /// Adds the fields to a body, in the order in which they were set.
    func append(to form: inout FormEncoder) {
        for entry in entries { form.append(entry.name.rawValue, entry.value) }
    }
}
