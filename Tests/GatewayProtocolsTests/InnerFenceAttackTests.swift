import GatewayProtocols
import Testing

/// Plays bytes against every reader of Inner Fence: what is refused is refused within the bytes.
enum InnerFenceAttack {
    static func play(_ bytes: [UInt8]) {
        let range = 0...bytes.count
        for version in InnerFenceVersion.allCases {
            var saved: String? = String(repeating: "A", count: 27)
            do throws(InnerFenceResponseError) {
                let response = try InnerFenceChargeResponse(
                    opening: bytes,
                    savedNonce: &saved,
                    as: version
                )
                check(saved == nil)
                check(response.extraParameters.count <= InnerFenceQuery.maximumPairCount)
            } catch {
                check(range.contains(error.offset))
                check(!error.description.isEmpty)
                if version == .corrected { check(saved != nil) }
            }
            _ = try? InnerFenceChargeResponse(decoding: bytes, as: version)
        }
        do throws(InnerFenceRequestError) {
            let request = try InnerFenceChargeRequest(decoding: bytes)
            let again = try? InnerFenceChargeRequest(decoding: Array(request.url().utf8))
            for field in InnerFenceRequestField.allCases {
                let value = request[field]
                check(again?[field] == (value?.isEmpty == true ? nil : value))
            }
        } catch {
            check(range.contains(error.offset))
            check(!error.description.isEmpty)
        }
    }

    /// An expectation that costs nothing while it holds: it is asked some hundred thousand times.
    private static func check(_ holds: Bool, sourceLocation: SourceLocation = #_sourceLocation) {
        if !holds { Issue.record("an attack got through", sourceLocation: sourceLocation) }
    }
}

@Suite("Bytes of any kind at Inner Fence")
struct InnerFenceAttackTests {
    private static let nonce = String(repeating: "A", count: 27)
    private static let start = "app://r?ifcc_request_nonce=\(nonce)&ifcc_responseType=cancelled"

    @Test(arguments: [
        "%", "%4", "%4g", "%GG", "%00", "%C0%AF", "%ED%A0%80", "%F8%88%80%80%80", "%FF", "%80",
    ])
    func wrongEscapesAreRefusedWhereTheyStand(_ escape: String) {
        let url = Self.start + "&note=ab" + escape
        for version in InnerFenceVersion.allCases where version != .head2019 {
            var saved: String? = Self.nonce
            #expect {
                try InnerFenceChargeResponse(
                    opening: Array(url.utf8),
                    savedNonce: &saved,
                    as: version
                )
            } throws: { error in
                let error = error as? InnerFenceResponseError
                let place = Self.start.utf8.count + "&note=".utf8.count
                return error?.code == .undecodable && error.map { $0.offset >= place } == true
            }
            #expect(saved == Self.nonce)
        }
        InnerFenceAttack.play(Array(url.utf8))
    }

    @Test(arguments: [0, 9, 10, 13, 32, 127, 128, 255] as [UInt8])
    func bytesThatNoURLHoldsAreRefusedWhereTheyStand(_ byte: UInt8) {
        var url = Array(Self.start.utf8)
        url.insert(byte, at: 20)
        #expect(
            throws: InnerFenceResponseError(code: .badURL(.unprintableByte), offset: 20)
        ) { try InnerFenceChargeResponse(decoding: url) }
        var request = Array("\(InnerFenceChargeRequest.baseURL)?amount=1.00".utf8)
        request.insert(byte, at: 30)
        #expect(
            throws: InnerFenceRequestError(code: .badURL(.unprintableByte), offset: 30)
        ) { try InnerFenceChargeRequest(decoding: request) }
    }

    @Test
    func hugeURLsAreRefusedAtTheirLimits() {
        let long = Array(
            (Self.start + "&x=" + String(repeating: "a", count: InnerFenceURL.maximumByteCount))
                .utf8
        )
        #expect(
            throws: InnerFenceResponseError(
                code: .badURL(.tooLong),
                offset: InnerFenceURL.maximumByteCount
            )
        ) { try InnerFenceChargeResponse(decoding: long) }
        let many = Self.start + String(repeating: "&a=b", count: InnerFenceQuery.maximumPairCount)
        #expect(throws: InnerFenceResponseError.self) {
            try InnerFenceChargeResponse(decoding: Array(many.utf8))
        }
        InnerFenceAttack.play(Array(many.utf8))
    }

    @Test
    func ofANameThatComesTwiceTheLastValueCounts() throws {
        let url = "\(Self.start)&ifcc_responseType=declined&a=1&a=2&ifcc_request_nonce=B"
        var saved: String? = "B"
        let response = try InnerFenceChargeResponse(
            opening: Array(url.utf8),
            savedNonce: &saved,
            as: .corrected
        )
        #expect(response.code == .declined)
        #expect(response.extraParameters == [InnerFenceParameter("a", "2")])
    }

    @Test
    func aRawEqualsSignDropsThePairInPublishedClassesOnly() throws {
        let url = Array("\(Self.start)&token=ab==".utf8)
        let published = try InnerFenceChargeResponse(decoding: url)
        #expect(published.extraParameter("token") == nil)
        let corrected = try InnerFenceChargeResponse(decoding: url, as: .corrected)
        #expect(corrected.extraParameter("token") == "ab==")
        #expect(throws: InnerFenceResponseError.self) {
            try InnerFenceChargeResponse(decoding: url, as: .windows)
        }
    }

    @Test
    func parametersBehindAFragmentAreLost() throws {
        var request = InnerFenceChargeRequest()
        request.setReturnURL("app://x#y", extraParameters: [InnerFenceParameter("a", "1")])
        #expect(request[.returnURL] == "app://x#y?a=1")
        let response = try InnerFenceChargeResponse(
            decoding: Array("app://x?ifcc_responseType=error#y?a=1".utf8)
        )
        #expect(response.extraParameter("a") == nil)
        let answer = InnerFenceChargeResponse(.cancelled).url(appendedTo: "app://x#y?a=1")
        #expect(answer == "app://x?ifcc_responseType=cancelled#y?a=1")
    }

    @Test(arguments: ["", ":", "1app:x", "app", "app//x", "?a=b", "%41pp:x"])
    func whatHasNoSchemeIsRefused(_ text: String) {
        #expect(throws: InnerFenceURLError.self) { try InnerFenceURL(text) }
        InnerFenceAttack.play(Array(text.utf8))
    }

    @Test(arguments: [
        ("com-innerfence-ccterminal2://charge/1.0.0/", InnerFenceRequestError.Code.otherScheme),
        ("com-innerfence-ccterminal://refund/1.0.0/", .unknownAction),
        ("com-innerfence-ccterminal://charge/1.0.0", .unknownVersion),
        ("com-innerfence-ccterminal://charge/2.0.0/?amount=1.00", .unknownVersion),
        ("com-innerfence-ccterminal:charge/1.0.0/", .unknownAction),
    ])
    func whatIsNoChargeOfThisVersionIsRefused(
        _ text: String,
        _ expected: InnerFenceRequestError.Code
    ) {
        #expect {
            try InnerFenceChargeRequest(decoding: Array(text.utf8))
        } throws: { error in
            (error as? InnerFenceRequestError)?.code == expected
        }
    }

    @Test
    func eachFieldOfARequestComesBackAsItWas() throws {
        var request = InnerFenceChargeRequest()
        for (number, field) in InnerFenceRequestField.allCases.enumerated() {
            request[field] = "\(number) &=%+?#/é\u{1F4B3}\n"
        }
        request[.returnURL] = "app:x?a=%20&b=+#/"
        let read = try InnerFenceChargeRequest(decoding: Array(request.url().utf8))
        #expect(read == request)
    }

    @Test(arguments: ["x", ":x", "app:a\nb", "app:a\rb", "app:a b", "app:\u{E9}", "app:\u{7F}"])
    func aReturnURLThatIsNoneIsRefused(_ returnURL: String) {
        var request = InnerFenceChargeRequest()
        request[.returnURL] = returnURL
        let url = Array(request.url().utf8)
        let error = #expect(throws: InnerFenceRequestError.self) {
            try InnerFenceChargeRequest(decoding: url)
        }
        #expect(error?.description.hasPrefix("returnURL is ") == true)
    }

    @Test
    func aNonceHasTwentySevenCharactersOfItsAlphabet() {
        var generator = Counting()
        var seen: Set<String> = []
        for _ in 0..<500 {
            let nonce = InnerFenceNonce(using: &generator)
            #expect(InnerFenceNonce(nonce.description) == nonce)
            seen.insert(nonce.description)
        }
        #expect(seen.count == 500)
        #expect(InnerFenceNonce(String(repeating: "A", count: 26)) == nil)
        #expect(InnerFenceNonce(String(repeating: "A", count: 26) + "=") == nil)
    }

    /// Numbers that differ from one another.
    private struct Counting: RandomNumberGenerator {
        var count: UInt64 = 0

        mutating func next() -> UInt64 {
            count += 1
            var mixed = count &* 0x9E37_79B9_7F4A_7C15
            mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
            return mixed ^ (mixed >> 27)
        }
    }
}
