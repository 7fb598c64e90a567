import GatewayProtocols
import Testing

@Suite("Form coding")
struct FormTests {
    @Test func escapesAsThePublishedVectorDoes() {
        var form = FormEncoder()
        form.append("a", "x&y")
        form.append("b", "p=q")
        form.append("c", "1+1")
        form.append("d", "100%")
        form.append("e", "two words")
        #expect(text(form.bytes) == "a=x%26y&b=p%3Dq&c=1%2B1&d=100%25&e=two+words")
    }

    @Test func bytesTextAndNumbersAreWrittenAlike() {
        for value in ["", "plain-._*09AZaz", "é & ü", "~(555)"] {
            var first = FormEncoder()
            var second = FormEncoder()
            first.append("n", value)
            second.append("n", Array(value.utf8))
            #expect(first.bytes == second.bytes)
        }
        var form = FormEncoder()
        form.append("p", "(555)~")
        form.append("n", 9_007_199_254_740_993)
        form.append("z", 0)
        #expect(text(form.bytes) == "p=%28555%29%7E&n=9007199254740993&z=0")
    }

    @Test func everyByteSurvivesTheWayThereAndBack() throws {
        let all = (0...255).map { UInt8($0) }
        var form = FormEncoder()
        form.append("all", all)
        let fields = try FormFields(decoding: form.bytes, as: .request)
        #expect(fields.value(of: "all").map { Array($0) } == all)
    }

    @Test func blanksMayStandRawOrAsPlusAndTheLastDuplicateCounts() throws {
        let body = bytes("name=one two+three%20four&name=last&flag&=odd&&eq=a=b&empty=")
        let fields = try FormFields(decoding: body, as: .request)
        #expect(fields.count == 6)
        #expect(fields.value(at: 0).elementsEqual("one two three four".utf8))
        #expect(fields.text(of: "name") == "last")
        #expect(fields.text(of: "flag") == "")
        #expect(fields.text(of: "") == "odd")
        #expect(fields.text(of: "eq") == "a=b")
        #expect(fields.text(of: "empty") == "")
        #expect(fields.text(of: "nam") == nil)
    }

    @Test func offsetsPointIntoTheBodyAsReceived() throws {
        let fields = try FormFields(decoding: bytes("a=%41%42&bc=d+e"), as: .request)
        let index = try #require(fields.index(of: "bc"))
        #expect(fields.valueOffset(at: index) == 12)
        #expect(fields.text(of: "bc") == "d e")
    }

    @Test(arguments: [("a=%", 2), ("a=1%4", 3), ("ab=%G0&c=1", 3), ("a=%4G", 2), ("%zz=1", 0)])
    func aWrongEscapeIsAnErrorInARequestAndTextInAResponse(body: String, offset: Int) throws {
        #expect(throws: FormError(code: .wrongEscape, offset: offset)) {
            try FormFields(decoding: bytes(body), as: .request)
        }
        let fields = try FormFields(decoding: bytes(body), as: .response)
        let first = text(fields.name(at: 0)) + "=" + text(fields.value(at: 0))
        #expect(first == body.split(separator: "&").first.map { String($0) })
    }

    @Test func theBodyAndTheNumberOfFieldsAreBounded() throws {
        let longest = [UInt8](repeating: 0x61, count: FormFields.maximumByteCount)
        #expect(try FormFields(decoding: longest, as: .request).count == 1)
        #expect(throws: FormError(code: .bodyTooLong, offset: FormFields.maximumByteCount)) {
            try FormFields(decoding: longest + [0x61], as: .response)
        }
        let many = (0..<FormFields.maximumFieldCount).flatMap { _ in bytes("a&") }
        #expect(try FormFields(decoding: many, as: .request).count == 512)
        #expect(throws: FormError(code: .tooManyFields, offset: 1_024)) {
            try FormFields(decoding: many + bytes("b=1"), as: .request)
        }
    }
}

func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

func text(_ bytes: some Sequence<UInt8>) -> String { String(decoding: Array(bytes), as: UTF8.self) }
