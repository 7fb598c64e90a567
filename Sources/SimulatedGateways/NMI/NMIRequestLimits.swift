import GatewayProtocols

/// What a request may be before anybody looks at what it asks for.
///
/// | limit | text of the answer |
/// | --- | --- |
/// | 65,536 bytes | `Request too large` |
/// | 512 fields | `Too many fields` |
/// | two hexadecimal digits after `%` | `Invalid percent-encoding` |
/// | a name of 128 bytes | `Field name too long` |
/// | a value of 49,152 bytes (`encrypted_payment`), 24,576 (`signature_image`), else 4,096 | `Field value too long` |
/// | no byte 0 | `NUL byte in a field` |
/// | UTF-8 | `Invalid UTF-8 in a field` |
/// | each name once, where the configuration says so | `Duplicate field` |
/// | `application/x-www-form-urlencoded`, or none said | `Unsupported content type` |
///
/// The limits and the texts are assumed: the manuals have neither.
enum NMIRequestLimits {
    private static func maximumValueByteCount(_ fields: FormFields, _ index: Int) -> Int {
        if fields.hasName("encrypted_payment", at: index) { return 49_152 }
        if fields.hasName("signature_image", at: index) { return 24_576 }
        return 4_096
    }

    /// Why a media type is not read, or `nil`.
    static func text(contentType: String) -> String? {
        guard contentType != FormEncoder.contentType else { return nil }
        let type = contentType.split(separator: ";").first.map { $0.lowercased() } ?? ""
        let isForm = type.isEmpty || type == FormEncoder.contentType
        return isForm ? nil : "Unsupported content type"
    }

    /// Why a form's fields are not read, or `nil`.
    static func text(
        _ fields: FormFields,
        _ repeatedFields: SimulatedNMIGateway.Configuration.RepeatedFields
    ) -> String? {
        do throws(FormError) {
            try fields.checkText { maximumValueByteCount(fields, $0) }
        } catch {
            return text(error)
        }
        guard repeatedFields == .refused, fields.firstRepeatedIndex != nil else { return nil }
        return "Duplicate field"
    }

    static func text(_ error: FormError) -> String {
        switch error.code {
        case .bodyTooLong: "Request too large"
        case .tooManyFields: "Too many fields"
        case .wrongEscape: "Invalid percent-encoding"
        case .nameTooLong: "Field name too long"
        case .valueTooLong: "Field value too long"
        case .nulByte: "NUL byte in a field"
        case .invalidText: "Invalid UTF-8 in a field"
        }
    }
}
