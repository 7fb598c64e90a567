/// A whole request that came to a server.
public struct HTTPIncoming: Hashable, Sendable {
    /// The connection it came on; the answer goes there.
    public var connection: Int
    /// The method as it was sent.
    public var method: String
    /// The path and the query as they were sent, escapes and all.
    public var target: String
    /// The body's media type; empty when none was said.
    public var contentType: String
    /// The other header fields, in the order of the request.
    public var fields: [(String, String)] { names.indices.map { (names[$0], values[$0]) } }
    /// The body; at most ``HTTPServerLimits/bodyByteCount`` bytes.
    public var body: [UInt8]

    var names: [String]
    var values: [String]

    init(connection: Int) {
        self.connection = connection
        method = ""
        target = ""
        contentType = ""
        names = []
        values = []
        body = []
    }
}

/// An answer of a server.
public struct HTTPOutgoing: Hashable, Sendable {
    /// The status code, 200 to 599.
    public var status: Int
    /// The body's media type; empty sends none.
    public var contentType: String
    /// The body.
    public var body: [UInt8]
    /// Whether the connection ends with it.
    public var closes: Bool
    /// The methods that the path takes, for the status 405; empty says nothing.
    public var allowed: String

    /// Creates an answer.
    public init(
        status: Int,
        contentType: String,
        body: [UInt8],
        closes: Bool = false,
        allowed: String = ""
    ) {
        self.status = status
        self.contentType = contentType
        self.body = body
        self.closes = closes
        self.allowed = allowed
    }
}

/// How much a client of a server may ask for.
public struct HTTPServerLimits: Hashable, Sendable {
    /// How many connections there are at once; further ones are reset.
    public var connectionCount = 256
    /// How much of a connection's request line, header fields and answer's head is kept, in bytes;
    /// longer lines are refused with 414, more fields with 431.
    public var headerByteCount = 32_768
    /// How many header fields a request has; more are refused with 431.
    public var fieldCount = 64
    /// The longest body, in bytes; a longer one is refused with 413.
    public var bodyByteCount = 1_048_576
    /// How many bytes of bodies are kept on all connections together; beyond them requests are
    /// refused with 503.
    public var totalBodyByteCount = 33_554_432
    /// How long a request may take from the beginning of the connection, or from the answer before
    /// it, to its last byte, and an answer to be read, in nanoseconds.
    public var requestNanoseconds: Int64 = 30_000_000_000

    /// The usual limits.
    public init() {}
}
