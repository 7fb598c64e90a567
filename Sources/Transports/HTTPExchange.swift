/// A header field of a request or a response.
public struct HTTPField: Hashable, Sendable {
    /// The name; matched without regard to case.
    public var name: String
    /// The value; it may be a secret, so it is never printed.
    public var value: String

    /// Creates a field.
    public init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }
}

/// A request of the Hypertext Transfer Protocol as a value; sent by whoever owns the exchange.
public struct HTTPRequest: Hashable, Sendable {
    /// The method, in capitals.
    public var method: String
    /// The path with a leading slash, without the query.
    public var path: String
    /// What follows the question mark of the address, escaped; empty without one.
    ///
    /// It may be a secret, so it is never printed.
    public var query = ""
    /// The body's media type; empty when there is no body.
    public var contentType: String
    /// Header fields beside the media type and those that the connection needs.
    public var fields: [HTTPField]
    /// The body.
    public var body: [UInt8]

    /// Creates a request.
    public init(
        method: String = "POST",
        path: String,
        contentType: String,
        fields: [HTTPField] = [],
        body: [UInt8]
    ) {
        self.method = method
        self.path = path
        self.contentType = contentType
        self.fields = fields
        self.body = body
    }

    /// The value of the first field of that lower-case name, or `nil`.
    public func field(_ name: String) -> String? {
        fields.first { $0.name.lowercased() == name }?.value
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
