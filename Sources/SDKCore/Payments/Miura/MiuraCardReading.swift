import CardData
import GatewayProtocols
import ReaderProtocols

/// What a Miura reader read of a card, ready to be sent to a gateway.
struct MiuraCardReading: Hashable, Sendable {
    /// The card in the gateway's form; nothing in it is in clear.
    var card: AgentCASHCard
    /// The application's label.
    var label = ""
    /// Whether the chip approved by itself, so that the payment need only be booked.
    var isApprovedOffline = false
    /// Whether the stripe was read because the chip could not be.
    var isFallback = false

    /// Reads what E3 or E4 holds.
    init(chip objects: [TLV], isContactless: Bool, isApprovedOffline: Bool) {
        let masked =
            objects.first(.maskedCardNumber)?.value
            ?? (objects.first(.maskedChipTrack2) ?? objects.first(0xDFAE6B))?.value ?? []
        card = AgentCASHCard(
            entryMode: isContactless ? .contactless : .chip,
            verification: Self.verification(objects.first(.verificationMethodResults)?.value ?? []),
            maskedCardNumber: Self.number(masked),
            encryptedCard: objects.first(.sredData)?.value ?? [],
            keySerialNumber: objects.first(.sredKSN)?.value ?? [],
            pinBlock: objects.first(.onlinePINBlock)?.value ?? [],
            pinKeySerialNumber: objects.first(.onlinePINKSN)?.value ?? [],
            chipData: objects.filter { !Self.isOfCard($0.tag) }.tlvBytes
        )
        label = objects.first(.applicationLabel)?.text ?? ""
        self.isApprovedOffline = isApprovedOffline
    }

    /// Reads a swipe; `nil` when its track 2 was not read.
    init?(swipe report: MiuraCardReport, _ track: MaskedTrack, isFallback: Bool) {
        card = AgentCASHCard(
            entryMode: .magstripe,
            verification: track.requiresPIN ? .onlinePIN : .signature,
            maskedCardNumber: track.number,
            encryptedCard: report.objects.first(.sredData)?.value ?? [],
            keySerialNumber: report.objects.first(.sredKSN)?.value ?? []
        )
        self.isFallback = isFallback
    }

    /// Whether the card's data is encrypted.
    var isEncrypted: Bool { !card.encryptedCard.isEmpty && !card.keySerialNumber.isEmpty }

    /// Numbers, tracks and blocks, which have members of their own or are not passed on.
    private static func isOfCard(_ tag: TLVTag) -> Bool {
        switch tag.secrecy {
        case .cardNumber, .binaryTrack, .track, .hidden: true
        case .open, .text, .unknown: tag == .sredKSN || tag == .onlinePINKSN
        }
    }

    /// The first byte of 9F34 without bit 7: EMV Book 3, annex C3.
    ///
    /// What wants a signature beside a PIN wants a signature. The third byte says what came of it: 01 is failed.
    private static func verification(_ results: [UInt8]) -> AgentCASHCard.Verification {
        guard let method = results.first, results.count < 3 || results[2] != 0x01 else {
            return .none
        }
        return switch method & 0x3F {
        case 0x01, 0x04: .offlinePIN
        case 0x02: .onlinePIN
        case 0x03, 0x05, 0x1E: .signature
        default: .none
        }
    }

    /// A masked number in half bytes, up to a D or to the F that fills the last byte.
    private static func number(_ bytes: [UInt8]) -> MaskedCardNumber? {
        var halves = bytes.flatMap { [$0 >> 4, $0 & 0xF] }
        if let end = halves.firstIndex(of: 0xD) { halves.removeSubrange(end...) }
        if halves.last == 0xF { halves.removeLast() }
        return MaskedCardNumber(halves.map { $0 < 10 ? 0x30 + $0 : 0x2A }[...])
    }
}

/// What a masked track 2 (DFAE22) says.
///
/// Source: Miura Java SDK 1-1i, parser of DFAE22; service code by ISO/IEC 7813.
struct MaskedTrack: Hashable, Sendable {
    /// The number as the reader masked it.
    var number: MaskedCardNumber
    /// The service code's three digits, where they are not masked.
    var serviceCode: [UInt8]

    /// Reads a track, or returns `nil` for what is none.
    init?(_ bytes: [UInt8]) {
        guard bytes.first == 0x3B, let separator = bytes.firstIndex(of: 0x3D),
            let number = MaskedCardNumber(bytes[1..<separator])
        else { return nil }
        self.number = number
        var rest = bytes[(separator + 1)...]
        // A second separator means that there is no date.
        rest = rest.first == 0x3D ? rest.dropFirst() : rest.dropFirst(4)
        serviceCode = rest.prefix(3).filter { $0 >= 0x30 && $0 <= 0x39 }
    }

    /// Whether the card has a chip, which is to be used.
    var hasChip: Bool { serviceCode.first == 0x32 || serviceCode.first == 0x36 }

    /// Whether the issuer wants a PIN.
    var requiresPIN: Bool {
        serviceCode.count == 3 && [0x30, 0x33, 0x35].contains(serviceCode[2])
    }
}
