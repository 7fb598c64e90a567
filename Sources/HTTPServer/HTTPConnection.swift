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
    private var codingCount = 0
    private var isChunked = false
    private var isMalformed = false
    /// The fields that are to come once, and how often they came.
    private static let singleNames: [StaticString] = ["content-type", "host", "authorization"]
    private var singleCounts = [0, 0, 0]

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
        codingCount = 0
        isChunked = false
        isMalformed = false
        singleCounts = [0, 0, 0]
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
        for (index, single) in Self.singleNames.enumerated() where Self.isName(name, single) {
            singleCounts[index] += 1
        }
        if Self.isName(name, "content-length") {
            lengthCount += 1
            let isDigits = !value.isEmpty && value.utf8.allSatisfy { (0x30...0x39).contains($0) }
            isMalformed = isMalformed || !isDigits
            announcedByteCount = Int(value) ?? Int.max
        } else if Self.isName(name, "transfer-encoding") {
            codingCount += 1
            isChunked = value.lowercased() == "chunked"
        } else if Self.isName(name, "content-type") {
            request.contentType = value
            return
        }
        request.names.append(String(decoding: name, as: UTF8.self))
        request.values.append(value)
    }

    /// Whether bytes are a lower-case name in any case.
    private static func isName(_ bytes: UnsafeRawBufferPointer, _ name: StaticString) -> Bool {
        guard bytes.count == name.utf8CodeUnitCount else { return false }
        for index in 0..<bytes.count where bytes[index] | 0x20 != name.utf8Start[index] {
            return false
        }
        return true
    }

    /// The status with which the head is refused, or `nil`.
    ///
    /// Two lengths, or a length and a coding, are how one request is smuggled in another (RFC 9112,
    /// 6.3).
    func refusal(_ limits: HTTPServerLimits) -> Int? {
        guard !isMalformed, lengthCount <= 1 else { return 400 }
        guard request.names.count <= limits.fieldCount else { return 431 }
        guard singleCounts.allSatisfy({ $0 <= 1 }), codingCount <= 1 else { return 400 }
        guard codingCount == 0 || lengthCount == 0 else { return 400 }
        guard codingCount == 0 || isChunked else { return 501 }
        return (announcedByteCount ?? 0) > limits.bodyByteCount ? 413 : nil
    }

    /// Sends bytes behind the library's back.
    func say(_ bytes: [UInt8]) {
        bytes.withUnsafeBytes { cardrig_socket_send(descriptor, $0.baseAddress, $0.count) }
    }
}
