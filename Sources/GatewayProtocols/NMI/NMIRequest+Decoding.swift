import CardData

extension NMIRequest {
    /// Reads a request from its path and body.
    ///
    /// A request to ``transactPath`` without a type is a sale (assumed: the manual's ASP sample
    /// sends none). Fields that no operation here uses are ignored.
    ///
    /// - Throws: ``NMIRequestError`` with the kind of mistake and its place in the body.
    public init(decoding body: [UInt8], path: String) throws(NMIRequestError) {
        let fields: FormFields
        do {
            fields = try FormFields(decoding: body, as: .request)
        } catch {
            throw NMIRequestError(code: .form(error.code), offset: error.offset)
        }
        try self.init(fields, path: path)
    }

    /// Reads a request from its path and its decoded fields.
    ///
    /// - Throws: ``NMIRequestError`` with the kind of mistake and its place in the body.
    public init(_ fields: FormFields, path: String) throws(NMIRequestError) {
        securityKey = fields.text(of: "security_key") ?? ""
        switch path {
        case Self.transactPath: operation = try Self.payment(fields)
        case Self.queryPath: operation = .query(try Self.query(fields))
        default: throw NMIRequestError(code: .unknownPath, offset: 0)
        }
    }

    private static func payment(_ fields: FormFields) throws(NMIRequestError) -> Operation {
        guard let index = fields.index(of: "type") else { return .sale(try sale(fields)) }
        if fields.hasValue("sale", at: index) { return .sale(try sale(fields)) }
        guard fields.hasValue("void", at: index) else {
            throw NMIRequestError(code: .unsupportedType, offset: fields.valueOffset(at: index))
        }
        guard let id = fields.index(of: "transactionid") else {
            throw NMIRequestError(code: .missingTransactionID, offset: 0)
        }
        guard let number = fields.value(at: id).decimalValue,
            let transactionID = NMITransactionID(number)
        else {
            throw NMIRequestError(code: .invalidTransactionID, offset: fields.valueOffset(at: id))
        }
        return .void(NMIVoid(transactionID: transactionID))
    }

    private static func sale(_ fields: FormFields) throws(NMIRequestError) -> NMISale {
        guard let index = fields.index(of: "amount") else {
            throw NMIRequestError(code: .missingAmount, offset: 0)
        }
        guard let amount = Amount(fields.value(at: index)) else {
            throw NMIRequestError(code: .invalidAmount, offset: fields.valueOffset(at: index))
        }
        return NMISale(
            amount: amount,
            orderID: fields.text(of: "orderid") ?? "",
            swipe: try swipe(fields)
        )
    }

    private static func swipe(
        _ fields: FormFields
    ) throws(NMIRequestError) -> MagneSafeSwipeFields? {
        var swipe = MagneSafeSwipeFields(ksn: [])
        var firstOffset: Int?
        for index in 0..<fields.count {
            switch fields.magneSafeName(at: index) {
            case .track1: swipe.track1 = Array(fields.value(at: index))
            case .track2: swipe.track2 = Array(fields.value(at: index))
            case .track3: swipe.track3 = Array(fields.value(at: index))
            case .ksn: swipe.ksn = Array(fields.value(at: index))
            case .magnePrint: swipe.magnePrint = Array(fields.value(at: index))
            case .magnePrintStatus: swipe.magnePrintStatus = Array(fields.value(at: index))
            case nil: continue
            }
            firstOffset = firstOffset ?? fields.valueOffset(at: index)
        }
        guard let firstOffset else { return nil }
        guard swipe.isWellFormed else {
            throw NMIRequestError(code: .invalidSwipe, offset: firstOffset)
        }
        return swipe
    }

    private static func query(_ fields: FormFields) throws(NMIRequestError) -> NMIQuery {
        if let index = fields.index(of: "report_type"), !fields.hasValue("transaction", at: index) {
            throw NMIRequestError(code: .unsupportedReport, offset: fields.valueOffset(at: index))
        }
        if let orderID = fields.text(of: "order_id"), !orderID.isEmpty { return .orderID(orderID) }
        guard let index = fields.index(of: "transaction_id") else {
            throw NMIRequestError(code: .missingFilter, offset: 0)
        }
        guard let number = fields.value(at: index).decimalValue,
            let transactionID = NMITransactionID(number)
        else {
            throw NMIRequestError(
                code: .invalidTransactionID,
                offset: fields.valueOffset(at: index)
            )
        }
        return .transactionID(transactionID)
    }
}

/// Why a request cannot be served.
///
/// The error carries positions and never the bytes: values can be card data.
public struct NMIRequestError: Error, Hashable, Sendable {
    /// The kind of mistake.
    public enum Code: Hashable, Sendable {
        /// The body is not a form.
        case form(FormError.Code)
        /// There is no service at the path.
        case unknownPath
        /// The type is neither a sale nor a void.
        case unsupportedType
        /// A sale has no amount.
        case missingAmount
        /// The amount is not a decimal number with at most two decimals.
        case invalidAmount
        /// A `magnesafe_*` field is missing or has the wrong length or digits.
        case invalidSwipe
        /// A void names no transaction.
        case missingTransactionID
        /// The transaction is not named by a decimal number above 0.
        case invalidTransactionID
        /// The report is not one of transactions.
        case unsupportedReport
        /// The query names neither an order nor a transaction.
        case missingFilter
    }

    /// The kind of mistake, for programs.
    public var code: Code
    /// The position of the value at fault in the body; 0 when a field is missing.
    public var offset: Int

    /// Creates an error.
    public init(code: Code, offset: Int) {
        self.code = code
        self.offset = offset
    }
}

/// The fields of a MagneSafe swipe.
private enum MagneSafeName {
    case track1, track2, track3, ksn, magnePrint, magnePrintStatus
}

extension FormFields {
    /// The swipe's field at a position; told apart by length first.
    fileprivate func magneSafeName(at index: Int) -> MagneSafeName? {
        switch nameLength(at: index) {
        case 13: hasName("magnesafe_ksn", at: index) ? .ksn : nil
        case 17:
            hasName("magnesafe_track_1", at: index)
                ? .track1
                : hasName("magnesafe_track_2", at: index)
                    ? .track2 : hasName("magnesafe_track_3", at: index) ? .track3 : nil
        case 20: hasName("magnesafe_magneprint", at: index) ? .magnePrint : nil
        case 27: hasName("magnesafe_magneprint_status", at: index) ? .magnePrintStatus : nil
        default: nil
        }
    }
}
