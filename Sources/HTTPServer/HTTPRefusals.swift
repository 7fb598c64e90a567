import CLibMicroHTTPD

// Answers that are sent behind the library's back, since it would take none at that moment.

let requestTimeout = rawAnswer(408)
let bodyTooLong = rawAnswer(413)

func rawAnswer(_ status: Int) -> [UInt8] {
    let text = "\(status) \(reason(status))"
    return Array(
        """
        HTTP/1.1 \(text)\r
        Connection: close\r
        Content-Type: text/plain\r
        Content-Length: \(text.utf8.count + 1)\r
        \r
        \(text)

        """.utf8
    )
}

/// The words for the statuses with which requests are refused here.
func reason(_ status: Int) -> String {
    MHD_get_reason_phrase_for(UInt32(status)).map { String(cString: $0) } ?? ""
}
