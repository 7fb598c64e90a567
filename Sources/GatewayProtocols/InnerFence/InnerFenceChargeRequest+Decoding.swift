extension InnerFenceChargeRequest {
    /// Reads a request as the terminal app gets it.
    ///
    /// Names that are unknown are left out; of a name that comes twice the last one counts
    /// (assumed, as with the answers).
    /// - Throws: ``InnerFenceRequestError``.
    /// - Complexity: O(*n*), where *n* is the number of bytes.
    public init(decoding url: [UInt8]) throws(InnerFenceRequestError) {
        let parts: InnerFenceURL
        do throws(InnerFenceURLError) {
            parts = try InnerFenceURL(url)
        } catch {
            throw InnerFenceRequestError(code: .badURL(error.code), offset: error.offset)
        }
        guard parts.hasScheme(Self.terminalScheme) else {
            throw InnerFenceRequestError(code: .otherScheme, offset: 0)
        }
        guard parts.host.elementsEqual("charge".utf8) else {
            throw InnerFenceRequestError(code: .unknownAction, offset: parts.host.startIndex)
        }
        guard parts.path.elementsEqual("/1.0.0/".utf8) else {
            throw InnerFenceRequestError(code: .unknownVersion, offset: parts.path.startIndex)
        }
        let query: InnerFenceQuery
        do throws(InnerFenceResponseError) {
            query = try InnerFenceQuery(parts, oddPairs: .divided, skipsUndecodable: false)
        } catch {
            let code: InnerFenceRequestError.Code =
                error.code == .tooManyPairs ? .tooManyPairs : .undecodable
            throw InnerFenceRequestError(code: code, offset: error.offset)
        }
        self.init()
        for pair in query.pairs {
            guard let field = InnerFenceRequestField(rawValue: pair.name) else { continue }
            if field == .returnURL { try Self.checkReturnURL(pair, in: url) }
            self[field] = pair.value
        }
    }

    /// Holds that an answer can be appended: that the return URL is a URL in one line of ASCII.
    private static func checkReturnURL(
        _ pair: InnerFenceQuery.Pair,
        in url: [UInt8]
    ) throws(InnerFenceRequestError) {
        guard !pair.value.isEmpty else { return }
        do throws(InnerFenceURLError) {
            _ = try InnerFenceURL(pair.value)
        } catch {
            var offset = pair.offset
            for _ in 0..<error.offset where offset < url.count {
                offset += url[offset] == UInt8(ascii: "%") ? 3 : 1
            }
            throw InnerFenceRequestError(code: .badReturnURL(error.code), offset: offset)
        }
    }
}

/// Why bytes are no request that the terminal app understands; it holds positions, never the bytes.
public struct InnerFenceRequestError: Error, Hashable, Sendable {
    /// The kind of mistake.
    public enum Code: Hashable, Sendable {
        /// It is no URL that one app could hand to another.
        case badURL(InnerFenceURLError.Code)
        /// The scheme is another app's.
        case otherScheme
        /// The terminal app is asked for something else than a charge.
        case unknownAction
        /// The version of the protocol is not 1.0.0, or no `/` follows it.
        case unknownVersion
        /// A name or a value cannot be decoded.
        case undecodable
        /// The query has more pairs than ``InnerFenceQuery/maximumPairCount``.
        case tooManyPairs
        /// The return URL is no URL that one app could hand to another.
        case badReturnURL(InnerFenceURLError.Code)
    }

    /// The kind of mistake, for programs.
    public var code: Code
    /// The position of the first bad byte.
    public var offset: Int

    /// Creates an error.
    public init(code: Code, offset: Int) {
        self.code = code
        self.offset = offset
    }
}

extension InnerFenceRequestError: CustomStringConvertible {
    /// One sentence without a full stop.
    public var description: String {
        switch code {
        case .badURL(let code): InnerFenceURLError(code: code, offset: offset).description
        case .otherScheme, .unknownAction, .unknownVersion:
            "a request begins with \(InnerFenceChargeRequest.baseURL)"
        case .undecodable:
            InnerFenceResponseError(code: .undecodable, offset: offset).description
        case .tooManyPairs:
            InnerFenceResponseError(code: .tooManyPairs, offset: offset).description
        case .badReturnURL(.tooLong):
            "returnURL is longer than \(InnerFenceURL.maximumByteCount) bytes"
        case .badReturnURL(.unprintableByte):
            "returnURL is a URL of printable ASCII, whose own blanks and other bytes are escaped "
                + "twice"
        case .badReturnURL(.noScheme):
            "returnURL is a URL that begins with a scheme such as `com-your-app:`"
        }
    }
}
