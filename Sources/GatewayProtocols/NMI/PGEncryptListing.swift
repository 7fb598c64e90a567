public import CardCrypto
public import CardData

extension FieldListing {
    /// What the value of `encrypted_payment` says, part by part; with the gateway's key also the
    /// fields of the card in it.
    ///
    /// A part's offset and length are those in the text inside the outer base 64, a card field's
    /// those in the decrypted text. Card fields are masked as those of a request are.
    public init(pgEncrypt value: [UInt8], privateKey: PGEncryptPrivateKey? = nil) {
        self.init()
        let payment: PGEncryptedPayment
        do throws(PGEncryptedPaymentError) {
            payment = try PGEncryptedPayment(value)
        } catch {
            complain(error, in: value)
            return
        }
        let inner = Base64.decode(value) ?? []
        var offset = 0
        let parts = inner.split(separator: UInt8(ascii: "|"), omittingEmptySubsequences: false)
        for (index, part) in parts.enumerated() {
            defer { offset += part.count + 1 }
            let (name, text, meaning): (String, SafeText, String) =
                switch index {
                case 0: ("format", SafeText("GWSC"), "what PGEncrypt makes")
                case 1: ("version", SafeText("1"), "")
                case 2: ("key number", SafeText(scrubbing: payment.keyNumber), "whose key it is")
                case 3:
                    (
                        "encrypted key", SafeText(scrubbing: "\(payment.encryptedKey.count) bytes"),
                        "an AES key of 32 bytes under RSA with "
                            + "\(payment.encryptedKey.count * 8) bits"
                    )
                case 4: ("vector", SafeText(wireBytes: payment.vector), "of the CBC mode")
                case _:
                    (
                        "cryptogram", SafeText(scrubbing: "\(payment.cryptogram.count) bytes"),
                        "\(payment.cryptogram.count / 16) blocks of AES"
                    )
                }
            add(name, at: offset, byteCount: part.count, text, meaning: meaning)
        }
        guard let privateKey else { return }
        do throws(PGEncryptedPaymentError) {
            addCardFields(try privateKey.unmaskedText(of: payment))
        } catch {
            complain(error.description, at: 0)
        }
    }

    /// Says where a value is wrong and what stands there; the part at fault is counted in the text
    /// inside the outer base 64.
    private mutating func complain(_ error: PGEncryptedPaymentError, in value: [UInt8]) {
        let inner = Base64.decode(value) ?? []
        let parts = inner.split(separator: UInt8(ascii: "|"), omittingEmptySubsequences: false)
        var place = 0
        var found = ""
        func begin(_ index: Int) -> Int {
            parts.prefix(index).reduce(0) { $0 + $1.count + 1 }
        }
        func decoded(_ index: Int) -> String {
            Base64.decode(parts[index]).map { "base 64 of \($0.count) bytes" }
                ?? "\(parts[index].count) characters that are no base 64"
        }
        switch error {
        case .tooLong:
            place = PGEncryptedPayment.maximumCharacterCount
            found = "\(value.count)"
        case .invalidBase64:
            (place, found) = Self.notBase64(value)
        case .wrongPartCount: found = inner.isEmpty ? "none" : "\(parts.count)"
        case .unknownFormat: found = "\(parts[0].count) other characters"
        case .unknownVersion:
            place = begin(1)
            found =
                SafeText(scrubbing: String(decoding: parts[1].prefix(8), as: UTF8.self)).description
        case .invalidKeyNumber:
            place = begin(2)
            found = "\(parts[2].count) characters"
        case .invalidKey: (place, found) = (begin(3), decoded(3))
        case .invalidVector: (place, found) = (begin(4), decoded(4))
        case .invalidCryptogram: (place, found) = (begin(5), decoded(5))
        case .failureText, .undecryptable: break
        }
        complain(error.description + (found.isEmpty ? "" : ", found \(found)"), at: place)
    }

    /// The first character that base 64 has not, or what is wrong with their number.
    private static func notBase64(_ value: [UInt8]) -> (place: Int, found: String) {
        guard !value.isEmpty else { return (0, "nothing") }
        let letters = [UInt8]("+/".utf8)
        let place = value.firstIndex { byte in
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: false
            default: !letters.contains(byte)
            }
        }
        let padding = value.suffix(2).count { $0 == 0x3D }
        guard let place, place < value.count - padding else {
            return (value.count, "\(value.count) characters, which is no multiple of 4")
        }
        return (place, "a character that it has not")
    }

    /// Lists the fields that were encrypted, which were not escaped.
    private mutating func addCardFields(_ text: [UInt8]) {
        guard let fields = try? FormFields(decoding: text, as: .raw) else {
            complain("the decrypted text is no list of fields", at: 0)
            return
        }
        for index in 0..<fields.count {
            let name = String(decoding: fields.name(at: index), as: UTF8.self)
            let value = Array(fields.value(at: index))
            let meaning = NMIFieldMeaning.ofRequest(name, value)
            add(
                meaning == nil ? SafeText(scrubbing: name).description : name,
                at: fields.valueOffset(at: index),
                byteCount: value.count,
                NMIFieldMeaning.masked(name, value, isKnown: meaning != nil),
                meaning: meaning ?? "not a field of a card"
            )
        }
    }
}
