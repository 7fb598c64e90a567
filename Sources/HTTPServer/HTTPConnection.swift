import CLibMicroHTTPD

/// One connection, and the request that is on its way on it.
final class HTTPConnection {
    /// How far a request is.
    enum Phase {
        /// Nothing of it came, or its line is not whole.
        case idle
        /// Its line came.
        case line
        /// Its head came, and its body is coming.
        case receiving
        /// It is whole, and the owner decides.
        case served
        /// Its answer is on the way.
        case answering
    }

    let number: Int
    let descriptor: Int32
    /// The library's own; `nil` when it is gone.
    var raw: OpaquePointer?
    var phase = Phase.idle
    /// When the phase that has a limit began.
    var since: Int64
    var isSuspended = false
    /// Whether it ends as soon as the library asks about it.
    var isDoomed = false
    var request: HTTPIncoming
    /// What the request says its body is long, in bytes.
    private(set) var announcedByteCount: Int?
    private var lengthCount = 0
    private var isMalformed = false

    init(number: Int, descriptor: Int32, since: Int64) {
        self.number = number
        self.descriptor = descriptor
        self.since = since
        request = HTTPIncoming(connection: number)
    }

    /// Copies the header fields of the request.
    func readFields() {
        announcedByteCount = nil
        lengthCount = 0
        isMalformed = false
        MHD_get_connection_values_n(
            raw,
            .HEADER_KIND,
            { context, _, name, nameByteCount, value, valueByteCount in
                guard let context else { return .NO }
                let connection = Unmanaged<HTTPConnection>.fromOpaque(context)
                    .takeUnretainedValue()
                connection.take(
                    UnsafeRawBufferPointer(start: name, count: nameByteCount),
                    UnsafeRawBufferPointer(start: value, count: valueByteCount)
                )
                return .YES
            },
            Unmanaged.passUnretained(self).toOpaque()
        )
    }

    private func take(_ name: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) {
        // RFC 9110, 5.5: no control characters, the tab excepted.
        guard value.allSatisfy({ $0 == 0x09 || $0 >= 0x20 && $0 != 0x7F }),
            let value = String(validating: value, as: UTF8.self)
        else {
            isMalformed = true
            return
        }
        let name = String(decoding: name, as: UTF8.self)
        request.names.append(name)
        request.values.append(value)
        guard name.utf8.count == 14, name.lowercased() == "content-length" else { return }
        lengthCount += 1
        let isDigits = !value.isEmpty && value.utf8.allSatisfy { (0x30...0x39).contains($0) }
        isMalformed = isMalformed || !isDigits
        announcedByteCount = Int(value) ?? Int.max
    }

    /// The status with which the head is refused, or `nil`.
    ///
    /// Two lengths, or a length and a coding, are how one request is smuggled in another (RFC 9112,
    /// 6.3).
    func refusal(_ limits: HTTPServerLimits) -> Int? {
        guard !isMalformed, lengthCount <= 1 else { return 400 }
        guard request.names.count <= limits.fieldCount else { return 431 }
        for name in ["content-type", "host", "authorization", "transfer-encoding"] {
            guard request.names.count(where: { $0.lowercased() == name }) <= 1 else { return 400 }
        }
        let coding = request.field("transfer-encoding")
        guard coding == nil || lengthCount == 0 else { return 400 }
        guard coding == nil || coding?.lowercased() == "chunked" else { return 501 }
        return (announcedByteCount ?? 0) > limits.bodyByteCount ? 413 : nil
    }

    /// Sends bytes behind the library's back.
    func say(_ bytes: [UInt8]) {
        bytes.withUnsafeBytes { cardrig_socket_send(descriptor, $0.baseAddress, $0.count) }
    }
}
