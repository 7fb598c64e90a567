import JSON
import Testing

@Suite("JSON value")
struct JSONValueTests {
    @Test(arguments: [
        #"{"b":1,"a":[true,false,null,-9223372036854775808,"x"],"c":{}}"#,
        #""\"\\\n\r\t\u0001é€😀""#,
        "[]", "0", "null",
    ])
    func aDocumentIsReadAndWrittenAgainAsTheSameBytes(_ document: String) throws {
        let value = try JSONValue(reading: Array(document.utf8))
        #expect(value.encoded == Array(document.utf8))
    }

    @Test func membersAreFoundByName() throws {
        let value = try JSONValue(reading: Array(#"{"a":{"b":"x"},"n":5,"t":true}"#.utf8))
        #expect(value["a"]?["b"]?.text == "x")
        #expect(value["n"]?.integer == 5)
        #expect(value["t"]?.bool == true)
        #expect(value["b"] == nil)
        #expect(value.members?.map(\.name) == ["a", "n", "t"])
    }

    @Test(arguments: [
        ("", JSONError.Code.malformed),
        ("{", .malformed),
        ("[1,]", .malformed),
        ("[1] 2", .malformed),
        (#"{"a":1,"a":2}"#, .malformed),
        ("\"\u{0}\"", .malformed),
        (#""\u0000""#, .malformed),
        ("1.5", .numberNotWhole),
        ("1e3", .numberNotWhole),
        ("99999999999999999999", .malformed),
        (String(repeating: "[", count: 40) + String(repeating: "]", count: 40), .tooDeep),
    ])
    func whatIsNoDocumentIsRefusedWithItsReason(_ document: String, _ code: JSONError.Code) {
        #expect { try JSONValue(reading: Array(document.utf8)) } throws: { error in
            (error as? JSONError)?.code == code
        }
    }

    @Test func endlessNestingIsRefused() {
        let document = Array(repeating: UInt8(ascii: "["), count: 1_000_000)
        #expect(throws: JSONError.self) { try JSONValue(reading: document) }
    }

    @Test func bytesThatAreNoUTF8AreRefused() {
        for bytes: [UInt8] in [[0x22, 0xFF, 0x22], [0x22, 0xC0, 0x80, 0x22], [0xFE, 0xFF]] {
            #expect(throws: JSONError.self) { try JSONValue(reading: bytes) }
        }
    }

    @Test func theErrorNamesThePlace() {
        #expect { try JSONValue(reading: Array("{\n  \"a\": x }".utf8)) } throws: { error in
            "\(error)".hasPrefix("line 2, column ")
        }
    }

    @Test func everyPrefixOfADocumentIsRefused() {
        let document = Array(#"{"a":[1,"x",true,{"b":null}],"c":"é"}"#.utf8)
        for count in 0..<document.count {
            #expect(throws: JSONError.self) { try JSONValue(reading: Array(document[..<count])) }
        }
    }
}
