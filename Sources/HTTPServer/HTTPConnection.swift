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
    private var isLengthWrong = false
    /// The fields that are to come once, and how often they came.
    private static let singleNames: [StaticString] = ["content-type", "host", "authorization"]
    private var singleCounts = [0, 0, 0]
    /// Where the target ends in the library's buffer, and where the next part of the head is to begin.
    private var targetEnd: UnsafePointer<CChar>?
    private var nextPart: UnsafePointer<CChar>?
    private var isHTTP10 = false

    init(number: Int, descriptor: Int32, since: Int64) {
        self.number = number
        self.descriptor = descriptor
        self.since = since
        request = HTTPIncoming(connection: number)
    }

    /// Begins a request with its target, which lies in the library's buffer.
    func beginHead(_ target: UnsafePointer<CChar>) {
        guard let text = String(validatingCString: target) else {
            targetEnd = nil
            return
        }
        request.target = text
        targetEnd = target + text.utf8.count
    }

    /// Copies the header fields of a request whose head is whole, and sees that nothing of it is
    /// left out.
    ///
    /// The library takes a NUL for the end of what it stands in, and joins folded lines. So it is
    /// looked where each part lies in its buffer, where the ends of lines became NULs too: the next
    /// begins right behind CR and LF.
    /// The one thing not seen is a NUL that ends the last value, which changes nothing.
    func readFields(behind version: UnsafePointer<CChar>, method: UnsafePointer<CChar>) {
        let text = String(cString: version)
        let target = method + request.method.utf8.count + 1
        let end = target + request.target.utf8.count
        let isTargetWhole = targetEnd == end && end + 1 == version
        isHTTP10 = text == "HTTP/1.0"
        readFields(isWhole: isTargetWhole && (isHTTP10 || text == "HTTP/1.1"), version + 10)
        guard let next = nextPart else { return isMalformed = true }
        // Behind the last line comes an empty one.
        let isEmpty = next[-2] == 0 && next[-1] == 0 && next[0] == 0 && next[1] == 0
        isMalformed = isMalformed || !isEmpty
    }

    /// Copies what came of the header fields.
    func readFields() { readFields(isWhole: true, nil) }

    private func readFields(isWhole: Bool, _ start: UnsafePointer<CChar>?) {
        request.names = []
        request.values = []
        nextPart = start
        announcedByteCount = nil
        lengthCount = 0
        codingCount = 0
        isLengthWrong = false
        isChunked = false
        isMalformed = !isWhole
        singleCounts = [0, 0, 0]
        MHD_get_connection_values_n(
            raw,
            .HEADER_KIND,
            { context, _, name, nameByteCount, value, valueByteCount in
                guard let context, let name else { return .NO }
                let connection = Unmanaged<HTTPConnection>.fromOpaque(context)
                    .takeUnretainedValue()
                connection.note(name, value.map { $0 + valueByteCount })
                connection.take(
                    UnsafeRawBufferPointer(start: name, count: nameByteCount),
                    UnsafeRawBufferPointer(start: value, count: valueByteCount)
                )
                return .YES
            },
            Unmanaged.passUnretained(self).toOpaque()
        )
    }

    /// Sees that a field begins where the part before it ended.
    private func note(_ name: UnsafePointer<CChar>, _ valueEnd: UnsafePointer<CChar>?) {
        guard let nextPart else { return }
        isMalformed = isMalformed || name != nextPart
        self.nextPart = valueEnd.map { $0 + 2 }
    }

    private func take(_ name: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) {
        // RFC 9110, 5.5: no control characters, the tab excepted.
        guard value.allSatisfy({ $0 == 0x09 || $0 >= 0x20 && $0 != 0x7F }),
            let value = String(validating: value, as: UTF8.self), name.allSatisfy(Self.isToken)
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
            isLengthWrong = isLengthWrong || !isDigits
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

    /// Whether a byte may be in a field's name (RFC 9110, 5.6.2).
    private static func isToken(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        case 0x21, 0x23...0x27, 0x2A, 0x2B, 0x2D, 0x2E, 0x5E, 0x5F, 0x60, 0x7C, 0x7E: true
        default: false
        }
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
        guard isHTTP10 || singleCounts[1] == 1 else { return 400 }
        guard codingCount == 0 || lengthCount == 0 else { return 400 }
        guard codingCount == 0 || isChunked else { return 501 }
        return (announcedByteCount ?? 0) > limits.bodyByteCount ? 413 : nil
    }

    /// The status with which a length is refused that the library would refuse by itself, or `nil`.
    func lengthRefusal(_ limits: HTTPServerLimits) -> Int? {
        guard !isLengthWrong else { return 400 }
        return (announcedByteCount ?? 0) > limits.bodyByteCount ? 413 : nil
    }

    /// Sends bytes behind the library's back.
    func say(_ bytes: [UInt8]) {
        bytes.withUnsafeBytes { cardrig_socket_send(descriptor, $0.baseAddress, $0.count) }
    }
}
