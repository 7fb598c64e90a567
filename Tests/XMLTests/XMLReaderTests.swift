import Testing
import XML

@Suite("XML reader")
struct XMLReaderTests {
    @Test func nodesComeInTheOrderOfTheDocument() throws {
        let nodes = try read(
            "<?xml version=\"1.0\"?><a><!-- no --><b/>x&amp;&#65;<![CDATA[<]]></a>"
        )
        #expect(
            nodes.filter { $0.piece == nil } == [.start("a"), .start("b"), .end("b"), .end("a")]
        )
        #expect(nodes.compactMap(\.piece).joined() == "x&A<")
    }

    @Test func documentsAreReadAsUTF8WhateverTheySay() throws {
        let nodes = try read("<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?><a>é</a>")
        #expect(nodes == [.start("a"), .text("é"), .end("a")])
    }

    @Test func aDocumentTypeCannotHideInAnotherEncoding() {
        let document = "<!DOCTYPE a [<!ENTITY b \"c\">]><a>&b;</a>"
        var bytes: [UInt8] = [0xFE, 0xFF]
        for unit in document.utf16 { bytes += [UInt8(unit >> 8), UInt8(unit & 0xFF)] }
        #expect(throws: XMLError.self) {
            var reader = try XMLReader(bytes)
            while try reader.next() != nil {}
        }
    }

    @Test(arguments: [
        ("<!DOCTYPE a [<!ENTITY b \"c\">]><a>&b;</a>", XMLError.Code.documentType),
        ("<!DOCTYPE a SYSTEM \"file:///etc/hostname\"><a/>", .documentType),
        ("<a>&unknown;</a>", .malformed),
        ("<a></b>", .malformed),
        ("<a>", .malformed),
        ("<a/><b/>", .malformed),
        ("\0", .malformed),
        ("", .malformed),
    ])
    func whatIsNotWellFormedOrNotSafeIsRefused(document: String, code: XMLError.Code) {
        let error = #expect(throws: XMLError.self) { try read(document) }
        #expect(error?.code == code)
        #expect(error.map { $0.offset <= document.utf8.count } == true)
    }

    @Test func nestedEntitiesAreRefusedBeforeAnythingIsExpanded() {
        var document = "<!DOCTYPE x [<!ENTITY a0 \"aaaaaaaaaa\">"
        for level in 1...20 {
            document += "<!ENTITY a\(level) \"&a\(level - 1);&a\(level - 1);&a\(level - 1);\">"
        }
        document += "]><x>&a20;</x>"
        #expect(throws: XMLError(code: .documentType, offset: 0)) { try read(document) }
    }

    @Test func depthAndSizeAreBounded() throws {
        func nested(_ depth: Int) -> String {
            String(repeating: "<a>", count: depth) + String(repeating: "</a>", count: depth)
        }
        #expect(try read(nested(XMLReader.maximumDepth)).count == 2 * XMLReader.maximumDepth)
        let error = #expect(throws: XMLError.self) { try read(nested(XMLReader.maximumDepth + 1)) }
        #expect(error?.code == .tooDeep)
        let huge = [UInt8](repeating: 0x20, count: XMLReader.maximumByteCount + 1)
        #expect(throws: XMLError(code: .documentTooLong, offset: XMLReader.maximumByteCount)) {
            _ = try XMLReader(huge)
        }
    }

    private func read(_ document: String) throws -> [XMLReader.Node] {
        var reader = try XMLReader(Array(document.utf8))
        var nodes: [XMLReader.Node] = []
        while let node = try reader.next() { nodes.append(node) }
        return nodes
    }
}

extension XMLReader.Node {
    fileprivate var piece: String? {
        switch self {
        case .text(let piece): piece
        case .start, .end: nil
        }
    }
}
