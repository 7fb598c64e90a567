/// A request for libcurl.
public struct HTTPTransferRequest: Hashable, Sendable {
    /// The method, in capitals.
    public var method: String
    /// The address: `http://` or `https://`, without user or password.
    public var url: String
    /// Header fields, each as `Name: value`.
    public var fields: [String]
    /// The body.
    public var body: [UInt8]
    /// How long the whole exchange may take, in milliseconds.
    public var timeLimitMilliseconds: Int
    /// A file of certificates to trust instead of the system's; `nil` trusts the system's.
    public var trustedCertificates: String?

    /// Creates a request.
    public init(
        method: String,
        url: String,
        fields: [String],
        body: [UInt8],
        timeLimitMilliseconds: Int,
        trustedCertificates: String? = nil
    ) {
        self.method = method
        self.url = url
        self.fields = fields
        self.body = body
        self.timeLimitMilliseconds = timeLimitMilliseconds
        self.trustedCertificates = trustedCertificates
    }
}

/// How a transfer ended.
public enum HTTPTransferEnd: Hashable, Sendable {
    /// A whole answer came.
    case answered(status: Int, contentType: String, body: [UInt8])
    /// No connection was made, so nothing of the request left; the text says why.
    case notSent(String)
    /// The connection was lost, or what came is no answer, after the request may have been received;
    /// the text says why.
    case lost(String)
    /// The time was over after the request may have been received.
    case timedOut
}

/// What the owner of a client has to watch.
public enum HTTPSocketInterest: Hashable, Sendable {
    /// Watch a descriptor for these.
    case watch(descriptor: Int32, isReading: Bool, isWriting: Bool)
    /// Watch it no longer.
    case forget(descriptor: Int32)
}
