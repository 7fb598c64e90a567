import CLibCurl

/// One request on its way, and what has come of its answer.
final class Transfer {
    let handle: UnsafeMutableRawPointer
    let number: Int
    private var fields: UnsafeMutablePointer<curl_slist>?
    /// What the library reads from until the end.
    private let body: UnsafeMutableBufferPointer<UInt8>
    private var answer: [UInt8] = []
    private var isTooLong = false

    init?(_ request: HTTPTransferRequest, number: Int) {
        guard let handle = curl_easy_init() else { return nil }
        self.handle = handle
        self.number = number
        body = .allocate(capacity: request.body.count)
        _ = body.initialize(from: request.body)
        guard isSafe(request) else { return nil }
        setUp(request)
    }

    deinit {
        curl_easy_cleanup(handle)
        curl_slist_free_all(fields)
        body.deallocate()
    }

    /// Whether no line break could smuggle another header field in.
    private func isSafe(_ request: HTTPTransferRequest) -> Bool {
        ([request.method, request.url] + request.fields).allSatisfy { text in
            text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F }
        }
    }

    private func setUp(_ request: HTTPTransferRequest) {
        _ = cardrig_curl_set_text(handle, CURLOPT_URL, request.url)
        _ = cardrig_curl_set_text(handle, CURLOPT_PROTOCOLS_STR, "http,https")
        _ = cardrig_curl_set_text(handle, CURLOPT_CUSTOMREQUEST, request.method)
        _ = cardrig_curl_set_text(handle, CURLOPT_PROXY, "")
        _ = cardrig_curl_set_text(handle, CURLOPT_USERAGENT, "CardRig")
        for (option, value) in [
            (CURLOPT_FRESH_CONNECT, 1), (CURLOPT_FORBID_REUSE, 1), (CURLOPT_FOLLOWLOCATION, 0),
            (CURLOPT_NOSIGNAL, 1), (CURLOPT_NOPROGRESS, 1), (CURLOPT_SSL_VERIFYPEER, 1),
            (CURLOPT_SSL_VERIFYHOST, 2), (CURLOPT_TCP_NODELAY, 1),
            (CURLOPT_TIMEOUT_MS, max(1, request.timeLimitMilliseconds)),
            (CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_1_1)),
        ] { _ = cardrig_curl_set_number(handle, option, value) }
        if let path = request.trustedCertificates {
            _ = cardrig_curl_set_text(handle, CURLOPT_CAINFO, path)
        }
        // `Expect` would let the request wait a second for a server that does not know the word.
        for field in request.fields + ["Expect:"] {
            if let longer = curl_slist_append(fields, field) { fields = longer }
        }
        _ = cardrig_curl_set_list(handle, CURLOPT_HTTPHEADER, fields)
        if request.method != "GET" {
            _ = cardrig_curl_set_size(
                handle,
                CURLOPT_POSTFIELDSIZE_LARGE,
                curl_off_t(body.count)
            )
            _ = cardrig_curl_set_pointer(
                handle,
                CURLOPT_POSTFIELDS,
                body.baseAddress.map { UnsafeMutableRawPointer($0) }
            )
        }
        let context = Unmanaged.passUnretained(self).toOpaque()
        _ = cardrig_curl_set_pointer(handle, CURLOPT_WRITEDATA, context)
        _ = cardrig_curl_set_write(handle, CURLOPT_WRITEFUNCTION) { bytes, size, count, context in
            guard let bytes, let context else { return 0 }
            let transfer = Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue()
            return transfer.take(UnsafeRawBufferPointer(start: bytes, count: size * count))
        }
    }

    /// Takes a piece of the answer's body; taking less than all ends the transfer.
    private func take(_ bytes: UnsafeRawBufferPointer) -> Int {
        guard answer.count + bytes.count <= HTTPTransfers.maximumAnswerByteCount else {
            isTooLong = true
            return 0
        }
        answer.append(contentsOf: bytes)
        return bytes.count
    }

    /// What the end was, by the library's code and by whether anything had left.
    func end(_ code: CURLcode) -> HTTPTransferEnd {
        if code == CURLE_OK {
            var status = 0
            _ = cardrig_curl_status(handle, &status)
            var type: UnsafeMutablePointer<CChar>?
            _ = cardrig_curl_content_type(handle, &type)
            return .answered(
                status: status,
                contentType: type.map { String(cString: $0) } ?? "",
                body: answer
            )
        }
        if isTooLong {
            return .lost("an answer of more than \(HTTPTransfers.maximumAnswerByteCount) bytes")
        }
        var sentByteCount = 0
        _ = cardrig_curl_request_size(handle, &sentByteCount)
        if sentByteCount == 0 { return .notSent(Self.text(code)) }
        if code == CURLE_OPERATION_TIMEDOUT { return .timedOut }
        return .lost(Self.text(code))
    }

    /// The library's words, but for what they leave in the dark.
    private static func text(_ code: CURLcode) -> String {
        switch code {
        case CURLE_PEER_FAILED_VERIFICATION:
            "the server's certificate is not trusted; CARDRIG_TRUSTED_CERTIFICATES names a file of "
                + "those that are"
        case CURLE_SSL_CONNECT_ERROR: "the server does not speak TLS as it should, or at all"
        case CURLE_GOT_NOTHING: "the server hung up without an answer; it may want https"
        default: String(cString: curl_easy_strerror(code))
        }
    }
}
