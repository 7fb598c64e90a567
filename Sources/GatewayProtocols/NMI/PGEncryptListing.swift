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
            complain(error.description, at: 0)
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
