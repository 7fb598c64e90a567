extension NMIResponse {
    /// Reads an answer from its body.
    ///
    /// - Throws: ``NMIResponseError`` when the body is not an answer: `response` or `response_code`
    ///   is missing or no such number, or the transaction id is not a decimal number. A body that
    ///   was cut short therefore counts as no answer.
    /// - Complexity: O(*n*), where *n* is the number of bytes.
    public init(decoding body: [UInt8]) throws(NMIResponseError) {
        let fields: FormFields
        do {
            fields = try FormFields(decoding: body, as: .response)
        } catch {
            throw NMIResponseError(code: .form(error.code), offset: error.offset)
        }
        var kind: Kind?
        var responseCode: NMIResponseCode?
        self.init(kind: .error, text: "", responseCode: .rejected)
        for index in 0..<fields.count {
            switch fields.standardName(at: index) {
            case .response:
                let value = fields.value(at: index).decimalValue.flatMap(UInt8.init(exactly:))
                guard let value = value.flatMap(Kind.init(rawValue:)) else {
                    throw NMIResponseError(.unknownResponse, fields, at: index)
                }
                kind = value
            case .responseText: text = fields.textValue(at: index)
            case .authCode: authCode = fields.textValue(at: index)
            case .transactionID:
                let digits = fields.value(at: index)
                guard let number = digits.isEmpty ? 0 : digits.decimalValue else {
                    throw NMIResponseError(.invalidTransactionID, fields, at: index)
                }
                transactionID = NMITransactionID(number)
            case .avsResponse: avsResponse = fields.textValue(at: index)
            case .cvvResponse: cvvResponse = fields.textValue(at: index)
            case .orderID: orderID = fields.textValue(at: index)
            case .type: type = fields.textValue(at: index)
            case .responseCode:
                let value = fields.value(at: index).decimalValue.flatMap(Int.init(exactly:))
                guard let code = value.flatMap(NMIResponseCode.init(rawValue:)) else {
                    throw NMIResponseError(.invalidResponseCode, fields, at: index)
                }
                responseCode = code
            case nil:
                let name = String(decoding: fields.name(at: index), as: UTF8.self)
                otherFields.append(Field(name: name, value: fields.textValue(at: index)))
            }
        }
        guard let kind else { throw NMIResponseError(code: .missingResponse, offset: body.count) }
        guard let responseCode else {
            throw NMIResponseError(code: .missingResponseCode, offset: body.count)
        }
        self.kind = kind
        self.responseCode = responseCode
    }
}

/// Why a body is not an answer of the gateway.
public struct NMIResponseError: Error, Hashable, Sendable {
    /// The kind of mistake.
    public enum Code: Hashable, Sendable {
        /// The body is too long or has too many fields.
        case form(FormError.Code)
        /// There is no `response`.
        case missingResponse
        /// `response` is not 1, 2 or 3.
        case unknownResponse
        /// There is no `response_code`.
        case missingResponseCode
        /// `response_code` is not a number of three digits.
        case invalidResponseCode
        /// `transactionid` is neither empty nor a decimal number of at most 64 bits.
        case invalidTransactionID
    }

    /// The kind of mistake, for programs.
    public var code: Code
    /// The position of the value at fault in the body; its length when a field is missing.
    public var offset: Int

    /// Creates an error.
    public init(code: Code, offset: Int) {
        self.code = code
        self.offset = offset
    }

    init(_ code: Code, _ fields: FormFields, at index: Int) {
        self.init(code: code, offset: fields.valueOffset(at: index))
    }
}

/// The nine fields that every answer has.
private enum StandardName {
    case response, responseText, authCode, transactionID, avsResponse, cvvResponse, orderID, type
    case responseCode
}

extension FormFields {
    fileprivate func standardName(at index: Int) -> StandardName? {
        switch nameLength(at: index) {
        case 4: hasName("type", at: index) ? .type : nil
        case 7: hasName("orderid", at: index) ? .orderID : nil
        case 8:
            hasName("response", at: index)
                ? .response : hasName("authcode", at: index) ? .authCode : nil
        case 11:
            hasName("avsresponse", at: index)
                ? .avsResponse : hasName("cvvresponse", at: index) ? .cvvResponse : nil
        case 12: hasName("responsetext", at: index) ? .responseText : nil
        case 13:
            hasName("transactionid", at: index)
                ? .transactionID : hasName("response_code", at: index) ? .responseCode : nil
        default: nil
        }
    }

    fileprivate func textValue(at index: Int) -> String {
        String(decoding: value(at: index), as: UTF8.self)
    }
}
