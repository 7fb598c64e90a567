import CLibXML

/// Reads a document of the Extensible Markup Language node by node, on libxml2's text reader.
///
/// Nothing outside the document is ever loaded, no entity is expanded, and a document type, the
/// only place where entities can be declared, is refused. Only the decoders of `GatewayProtocols`
/// call this, each reader on one thread.
public struct XMLReader: ~Copyable {
    /// The longest document accepted, in bytes.
    public static let maximumByteCount = 4_194_304
    /// The deepest nesting of elements accepted.
    public static let maximumDepth = 32

    /// What the reader met; comments and processing instructions are left out.
    public enum Node: Hashable, Sendable {
        /// An element begins; the name has its prefix.
        case start(String)
        /// A piece of text, with character references and the five built-in entities replaced;
        /// one text may come in several pieces.
        case text(String)
        /// An element ends; empty elements end right after they began.
        case end(String)
    }

    /// What the library reads from until the end; freed after the reader.
    private let buffer: UnsafeMutableBufferPointer<CChar>
    private let reader: xmlTextReaderPtr
    /// The empty element that began last and has not been told as ended.
    private var emptyElement: String?

    /// Creates a reader at the start of a document, which is taken as UTF-8.
    ///
    /// - Throws: ``XMLError`` when the document is empty, longer than ``maximumByteCount`` or has a
    ///   document type.
    public init(_ document: [UInt8]) throws(XMLError) {
        guard document.count <= Self.maximumByteCount else {
            throw XMLError(code: .documentTooLong, offset: Self.maximumByteCount)
        }
        guard !document.isEmpty else { throw XMLError(code: .malformed, offset: 0) }
        if let offset = Self.offsetOfDocumentType(in: document) {
            throw XMLError(code: .documentType, offset: offset)
        }
        _ = libraryIsReady
        let buffer = UnsafeMutableBufferPointer<CChar>.allocate(capacity: document.count)
        for index in document.indices { buffer[index] = CChar(bitPattern: document[index]) }
        // No substitution of entities and no document type is asked for: both are off by default.
        let options =
            XML_PARSE_NONET.rawValue | XML_PARSE_IGNORE_ENC.rawValue | XML_PARSE_NOERROR.rawValue
            | XML_PARSE_NOWARNING.rawValue
        guard
            let reader = xmlReaderForMemory(
                buffer.baseAddress,
                Int32(document.count),
                nil,
                "UTF-8",
                Int32(options)
            )
        else {
            buffer.deallocate()
            throw XMLError(code: .malformed, offset: 0)
        }
        self.buffer = buffer
        self.reader = reader
    }

    deinit {
        xmlFreeTextReader(reader)
        buffer.deallocate()
    }

    /// Returns the next node, or `nil` after the last one of a well-formed document.
    ///
    /// - Throws: ``XMLError`` when the document is not well-formed, too deep, or uses an entity that
    ///   is not built in. The reader must not be used after that.
    public mutating func next() throws(XMLError) -> Node? {
        if let name = emptyElement {
            emptyElement = nil
            return .end(name)
        }
        while true {
            switch xmlTextReaderRead(reader) {
            case 0: return nil
            case 1: break
            default: throw XMLError(code: .malformed, offset: offset)
            }
            switch xmlTextReaderNodeType(reader) {
            case Int32(XML_READER_TYPE_ELEMENT.rawValue):
                guard Int(xmlTextReaderDepth(reader)) < Self.maximumDepth else {
                    throw XMLError(code: .tooDeep, offset: offset)
                }
                let name = text(xmlTextReaderConstName(reader))
                if xmlTextReaderIsEmptyElement(reader) == 1 { emptyElement = name }
                return .start(name)
            case Int32(XML_READER_TYPE_END_ELEMENT.rawValue):
                return .end(text(xmlTextReaderConstName(reader)))
            case Int32(XML_READER_TYPE_TEXT.rawValue),
                Int32(XML_READER_TYPE_CDATA.rawValue),
                Int32(XML_READER_TYPE_WHITESPACE.rawValue),
                Int32(XML_READER_TYPE_SIGNIFICANT_WHITESPACE.rawValue):
                return .text(text(xmlTextReaderConstValue(reader)))
            case Int32(XML_READER_TYPE_ENTITY_REFERENCE.rawValue):
                throw XMLError(code: .entity, offset: offset)
            case Int32(XML_READER_TYPE_DOCUMENT_TYPE.rawValue):
                throw XMLError(code: .documentType, offset: offset)
            default: continue
            }
        }
    }

    /// How many bytes the library has taken; at least near the node at hand.
    private var offset: Int {
        min(max(0, Int(xmlTextReaderByteConsumed(reader))), buffer.count)
    }

    private func text(_ pointer: UnsafePointer<xmlChar>?) -> String {
        guard let pointer else { return "" }
        return String(cString: pointer)
    }

    /// Finds `<!DOCTYPE` anywhere, before the library could begin to read declarations.
    private static func offsetOfDocumentType(in document: [UInt8]) -> Int? {
        let mark = Array("<!DOCTYPE".utf8)
        guard document.count >= mark.count else { return nil }
        for start in 0...(document.count - mark.count) where document[start] == mark[0] {
            if document[start..<(start + mark.count)].elementsEqual(mark) { return start }
        }
        return nil
    }
}

/// Why a document cannot be read.
public struct XMLError: Error, Hashable, Sendable {
    /// The kind of mistake.
    public enum Code: Hashable, Sendable {
        /// The document is longer than ``XMLReader/maximumByteCount``.
        case documentTooLong
        /// Elements are nested deeper than ``XMLReader/maximumDepth``.
        case tooDeep
        /// There is a document type, which could declare entities.
        case documentType
        /// There is an entity other than the five that are built in.
        case entity
        /// The document is not well-formed.
        case malformed
    }

    /// The kind of mistake, for programs.
    public var code: Code
    /// About how many bytes had been read when the mistake was met.
    public var offset: Int

    /// Creates an error.
    public init(code: Code, offset: Int) {
        self.code = code
        self.offset = offset
    }
}

/// The library wants to be initialised once, before threads use it.
private let libraryIsReady: Void = xmlInitParser()
