/// A request of the Hypertext Transfer Protocol as a value; sent by whoever owns the exchange.
public struct HTTPRequest: Hashable, Sendable {
    /// The method, in capitals.
    public var method: String
    /// The path with a leading slash, without the query.
    public var path: String
    /// The body's media type; empty when there is no body.
    public var contentType: String
    /// The body.
    public var body: [UInt8]

    /// Creates a request.
    public init(method: String = "POST", path: String, contentType: String, body: [UInt8]) {
        self.method = method
        self.path = path
        self.contentType = contentType
        self.body = body
    }
}

/// A response of the Hypertext Transfer Protocol as a value.
public struct HTTPResponse: Hashable, Sendable {
    /// The status code, 100 to 599.
    public var status: Int
    /// The body's media type; empty when there is no body.
    public var contentType: String
    /// The body.
    public var body: [UInt8]

    /// Creates a response.
    public init(status: Int = 200, contentType: String, body: [UInt8]) {
        self.status = status
        self.contentType = contentType
        self.body = body
    }
}

/// How one exchange ended for the client.
public enum HTTPOutcome: Hashable, Sendable {
    /// A whole response arrived.
    case answered(HTTPResponse)
    /// The connection could not be made: the request provably never left.
    case refused
    /// The connection was lost after the request may have been received.
    case reset
    /// No whole response arrived before the deadline.
    case timedOut
}
