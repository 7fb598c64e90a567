// How the classes read an answer.
//
// Source: innerfence/ChargeDemo, `IFChargeResponse.m`, `initWithURL:`; for Windows
// innerfence/chargedemo-windows, `ChargeResponse.cs`.
extension InnerFenceChargeResponse {
    /// Reads the answer to the outstanding request: `initWithURL:`.
    ///
    /// - Parameters:
    ///   - url: The URL that the app was opened with; `nil` where there was none.
    ///   - savedNonce: The nonce of the outstanding request. It is forgotten once it was met: the
    ///     published classes forget it before they look at the fields, so that a damaged answer
    ///     burns it; ``InnerFenceVersion/corrected`` only with an answer that it takes.
    ///   - version: The class that reads it.
    /// - Throws: ``InnerFenceResponseError``; a nonce that is missing or wrong leaves `savedNonce`.
    /// - Complexity: O(*n*), where *n* is the number of bytes.
    public init(
        opening url: [UInt8]?,
        savedNonce: inout String?,
        as version: InnerFenceVersion = .published2014
    ) throws(InnerFenceResponseError) {
        let (url, query) = try Self.split(url, as: version)
        guard let saved = savedNonce else {
            throw InnerFenceResponseError(code: .noOutstandingRequest, offset: url.query.startIndex)
        }
        guard let nonce = query.pair(version.nonceName) else {
            throw InnerFenceResponseError(code: .nonceMissing, offset: url.bytes.count)
        }
        guard nonce.value.utf8.elementsEqual(saved.utf8) else {
            throw InnerFenceResponseError(code: .nonceMismatch, offset: nonce.offset)
        }
        if version != .corrected { savedNonce = nil }
        try self.init(query, byteCount: url.bytes.count, as: version)
        savedNonce = nil
    }

    /// Reads an answer of which nobody knows the request, as a site does that has no nonce.
    ///
    /// - Throws: ``InnerFenceResponseError``.
    public init(
        decoding url: [UInt8],
        as version: InnerFenceVersion = .published2014
    ) throws(InnerFenceResponseError) {
        let (url, query) = try Self.split(url, as: version)
        try self.init(query, byteCount: url.bytes.count, as: version)
    }

    private static func split(
        _ bytes: [UInt8]?,
        as version: InnerFenceVersion
    ) throws(InnerFenceResponseError) -> (InnerFenceURL, InnerFenceQuery) {
        guard let bytes else { throw InnerFenceResponseError(code: .noURL, offset: 0) }
        let url: InnerFenceURL
        do throws(InnerFenceURLError) {
            url = try InnerFenceURL(bytes)
        } catch {
            throw InnerFenceResponseError(code: .badURL(error.code), offset: error.offset)
        }
        if version == .windows, url.query.isEmpty {
            throw InnerFenceResponseError(code: .noQuery, offset: bytes.count)
        }
        let oddPairs: InnerFenceQuery.OddPairs =
            switch version {
            case .corrected: .divided
            case .windows: .refused
            case .before2012, .june4, .june11, .published2014, .head2019: .dropped
            }
        let query = try InnerFenceQuery(
            url,
            oddPairs: oddPairs,
            skipsUndecodable: version == .head2019
        )
        return (url, query)
    }

    private init(
        _ query: InnerFenceQuery,
        byteCount: Int,
        as version: InnerFenceVersion
    ) throws(InnerFenceResponseError) {
        var found: [InnerFenceResponseField: InnerFenceQuery.Pair] = [:]
        for pair in query.pairs where pair.name.hasPrefix(InnerFenceResponseField.prefix) {
            let name = String(pair.name.dropFirst(InnerFenceResponseField.prefix.count))
            guard let field = InnerFenceResponseField(rawValue: name), version.reads(field),
                !pair.value.isEmpty
            else { continue }
            found[field] = pair
        }
        for field in InnerFenceResponseField.allCases {
            guard let pair = found[field] else { continue }
            guard InnerFencePattern.matches(pair.value, field, in: version) else {
                throw InnerFenceResponseError(code: .badField(field), offset: pair.offset)
            }
        }
        let type = found[.responseType]
        var code = type.flatMap { Code(word: $0.value) }
        // The class for Windows takes what it does not know for an error.
        if version == .windows { code = code ?? .error }
        guard let code else {
            throw InnerFenceResponseError(code: .unknownType, offset: type?.offset ?? byteCount)
        }
        if version != .windows {
            try Self.checkPresence(found, code, byteCount: byteCount)
        }
        self.init(code)
        for field in InnerFenceResponseField.allCases { self[field] = found[field]?.value }
        extraParameters = Self.extraParameters(query, found, as: version)
    }

    /// Holds that an approved answer has amount and card, and that another one has nothing of the
    /// kind; tax, tip and transaction id may stand with either.
    private static func checkPresence(
        _ found: [InnerFenceResponseField: InnerFenceQuery.Pair],
        _ code: Code,
        byteCount: Int
    ) throws(InnerFenceResponseError) {
        guard code != .approved else {
            for field in [InnerFenceResponseField.amount, .redactedCardNumber]
            where found[field] == nil {
                throw InnerFenceResponseError(code: .missing(field), offset: byteCount)
            }
            return
        }
        for field in [InnerFenceResponseField.amount, .cardType, .currency, .redactedCardNumber] {
            guard let pair = found[field] else { continue }
            throw InnerFenceResponseError(code: .unexpected(field), offset: pair.offset)
        }
    }

    /// The published classes take the name without its prefix out of the parameters, so that one of
    /// the app's own that is called like a field vanishes, and every `ifcc_` pair stays.
    private static func extraParameters(
        _ query: InnerFenceQuery,
        _ found: [InnerFenceResponseField: InnerFenceQuery.Pair],
        as version: InnerFenceVersion
    ) -> [InnerFenceParameter] {
        query.pairs.compactMap { pair in
            let isKept =
                switch version {
                case .corrected, .windows: !pair.name.hasPrefix(InnerFenceResponseField.prefix)
                case .before2012, .june4, .june11, .published2014, .head2019:
                    InnerFenceResponseField(rawValue: pair.name).map { found[$0] == nil } ?? true
                }
            return isKept ? InnerFenceParameter(pair.name, pair.value) : nil
        }
    }
}
