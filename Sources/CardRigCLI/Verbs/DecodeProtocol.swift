import CardCrypto
import CardData
import GatewayProtocols
import ReaderProtocols

/// A protocol that `cardrig decode` knows; each is one row of ``all``.
struct DecodeProtocol: Sendable {
    /// How it is typed.
    let name: String
    /// What one input is, in a few words of the help.
    let summary: String
    /// Whether inputs are text; those of others are hexadecimal.
    let isText: Bool
    /// From how many hexadecimal digits on a text is taken for hexadecimal.
    var shortestHexadecimalDigitCount = 8
    /// Whether the input is the path of a file, which is read piece by piece.
    var readsFile = false
    /// Lists the fields of one input.
    let list: @Sendable ([UInt8]) -> FieldListing
    /// Lists the fields of what one side sent; `nil` where the message itself says whose it is.
    var listFromSide: (@Sendable ([UInt8], DecodeSide) -> FieldListing)?
    /// Lists the fields of what a private key opens; `nil` where no key is of use.
    var listWithKey: (@Sendable ([UInt8], PGEncryptPrivateKey) -> FieldListing)?

    /// All of them, in the order of the help.
    static let all: [DecodeProtocol] = [
        DecodeProtocol(
            name: "magnesafe-hid",
            summary: "input report of a MagTek reader, 337, 856 or 887 bytes",
            isText: false,
            list: { FieldListing(magneSafeReport: $0) }
        ),
        DecodeProtocol(
            name: "magnesafe-stream",
            summary: "ASCII message of an iDynamo, serial or keyboard reader, or SureSwipe text",
            isText: true,
            list: { FieldListing(magneSafeStream: $0) }
        ),
        DecodeProtocol(
            name: "idtech",
            summary: "record of an ID TECH reader, binary or typed; answer, command or text",
            isText: true,
            shortestHexadecimalDigitCount: 2,
            list: { bytes in
                // What a reader types that sends no masked track is hexadecimal all through.
                let typed = Array(Hexadecimal.encode(bytes).utf8)
                if (try? IDTechTypedRecord.packet(typed)) != nil {
                    return FieldListing(idTechTyped: typed)
                }
                return IDTechTypedRecord.isTyped(bytes)
                    ? FieldListing(idTechTyped: bytes) : FieldListing(idTech: bytes)
            }
        ),
        DecodeProtocol(
            name: "itp",
            summary: "commands and answers of ID TECH's serial framing, one after the other",
            isText: false,
            list: { FieldListing(itp: $0) }
        ),
        DecodeProtocol(
            name: "vivotech2",
            summary: "frame of ID TECH's contactless readers (VP3300), with the swipe in it",
            isText: false,
            list: { FieldListing(viVOtech: $0) }
        ),
        DecodeProtocol(
            name: "swipe-audio",
            summary: "WAV file, a recording of a plain magnetic head; INPUT is its path",
            isText: true,
            readsFile: true,
            list: { _ in FieldListing() }
        ),
        DecodeProtocol(
            name: "ips",
            summary: "packet of an IPS reader, 128 bytes",
            isText: false,
            list: { FieldListing(ipsPacket: $0) }
        ),
        DecodeProtocol(
            name: "miura",
            summary: "frames of a Miura reader's link; --from host or reader, else guessed",
            isText: false,
            list: { FieldListing(miura: $0) },
            listFromSide: {
                FieldListing(miura: $0, direction: $1 == .host ? .toReader : .fromReader)
            }
        ),
        DecodeProtocol(
            name: "ber-tlv",
            summary: "BER-TLV objects with the names of EMV's and Miura's tags",
            isText: false,
            list: { FieldListing(berTLV: $0) }
        ),
        DecodeProtocol(
            name: "nmi-request",
            summary: "form that is posted to an NMI gateway, a payment or a query",
            isText: true,
            list: { FieldListing(nmiRequest: $0) }
        ),
        DecodeProtocol(
            name: "nmi-response",
            summary: "answer of an NMI gateway to a payment",
            isText: true,
            list: { FieldListing(nmiResponse: $0) }
        ),
        DecodeProtocol(
            name: "nmi-query",
            summary: "report of an NMI gateway's Query API, XML",
            isText: true,
            list: { FieldListing(nmiQuery: $0) }
        ),
        DecodeProtocol(
            name: "paymill",
            summary: "message of PAYMILL: bridge's query, form, answer, event or exported list",
            isText: true,
            list: { FieldListing(paymill: $0) }
        ),
        DecodeProtocol(
            name: "pgencrypt",
            summary: "value of encrypted_payment; with --private-key the card in it, masked",
            isText: true,
            list: { FieldListing(pgEncrypt: $0) },
            listWithKey: { FieldListing(pgEncrypt: $0, privateKey: $1) }
        ),
        DecodeProtocol(
            name: "innerfence-request",
            summary: "URL that opens Inner Fence's terminal app",
            isText: true,
            list: { FieldListing(innerFenceRequest: $0) }
        ),
        DecodeProtocol(
            name: "innerfence-response",
            summary: "URL by which Inner Fence's terminal app answers",
            isText: true,
            list: { FieldListing(innerFenceResponse: $0) }
        ),
    ]

    /// The protocol of a name, or `nil`.
    static func named(_ name: String) -> DecodeProtocol? { all.first { $0.name == name } }

    /// Returns the bytes that an input stands for.
    ///
    /// Text that consists of hexadecimal digits and blanks alone is hexadecimal whatever the
    /// protocol; bytes that do not are taken as they are when they came from standard input.
    /// - Throws: The problem with its place in what was given.
    func bytes(
        of input: [UInt8],
        isFromStandardInput: Bool
    ) throws(DecodeInputError) -> [UInt8] {
        let digits = input.filter { !Self.isBlank($0) }
        let isHexadecimal = digits.allSatisfy { Hexadecimal.value(of: $0) != nil }
        if isText, !isHexadecimal || digits.count < shortestHexadecimalDigitCount {
            var text = input[...]
            if isFromStandardInput, text.last == 0x0A { text.removeLast() }
            return Array(text)
        }
        if isFromStandardInput, !isHexadecimal, !input.allSatisfy({ $0 >= 0x09 && $0 < 0x7F }) {
            return input
        }
        guard isHexadecimal else {
            let bad = input.firstIndex { !Self.isBlank($0) && Hexadecimal.value(of: $0) == nil }
            throw DecodeInputError(
                offset: bad ?? 0,
                reason: "this is no hexadecimal digit"
            )
        }
        guard let bytes = Hexadecimal.decode(digits) else {
            throw DecodeInputError(
                offset: input.count,
                reason: "the number of hexadecimal digits is odd"
            )
        }
        return bytes
    }

    private static func isBlank(_ byte: UInt8) -> Bool {
        byte == 0x20 || (0x09...0x0D).contains(byte) || byte == 0x3A
    }
}

/// Who sent what is decoded.
enum DecodeSide: String, Sendable, CaseIterable {
    case host
    case reader
}

/// Why an input stands for no bytes.
struct DecodeInputError: Error, Equatable, CustomStringConvertible {
    /// The first wrong character.
    var offset: Int
    var reason: String

    /// The reason, which is all that people are shown.
    var description: String { reason }
}
