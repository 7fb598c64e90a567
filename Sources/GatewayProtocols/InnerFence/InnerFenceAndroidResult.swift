/// What comes back to an app on Android: the extras of an intent instead of a URL.
///
/// Source: innerfence/ChargeDemo-android, `ChargeResponse.java`.
extension InnerFenceChargeResponse {
    /// Why the class for Android throws an `IllegalArgumentException`.
    public enum AndroidError: Error, Hashable, Sendable {
        /// The intent is missing, has no extras, or no type: what the Back key leaves behind.
        case noResult
        /// A value does not have its form; the text of the exception is this name.
        case badField(InnerFenceResponseField)
    }

    /// Reads the extras of a result: there is no nonce, and an approved one may lack everything.
    ///
    /// A type that is none of the four makes an error and no exception.
    /// - Parameters:
    ///   - extras: The extras by their names, such as `ifcc_amount`; `nil` where there is no intent.
    ///   - extraParameters: The bundle `ifcc_extraParams`.
    /// - Throws: ``AndroidError``.
    public init(
        androidExtras extras: [InnerFenceParameter]?,
        extraParameters: [InnerFenceParameter] = []
    ) throws(AndroidError) {
        let typeName = InnerFenceResponseField.responseType.wireName
        guard let extras, let type = extras.last(where: { $0.name == typeName }) else {
            throw .noResult
        }
        self.init(Code(word: type.value) ?? .error)
        for field in InnerFenceResponseField.allCases {
            guard let value = extras.last(where: { $0.name == field.wireName })?.value else {
                continue
            }
            guard InnerFencePattern.matches(ArraySlice(value.utf8), field) else {
                throw .badField(field)
            }
            self[field] = value
        }
        self.extraParameters = extraParameters
    }
}
