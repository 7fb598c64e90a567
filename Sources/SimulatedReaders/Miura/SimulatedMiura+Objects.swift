import CardCrypto
import CardData
import ReaderProtocols

/// What E2, E3, E4 and E5 hold.
extension SimulatedMiura {
    /// The objects in the order of the sample `ARQCDOL.CFG`; what the card does not have is left
    /// out, and 57 and 5A are when the reader has a key for card data.
    ///
    /// Source: published configuration files and gateway samples (Maestro M24 for the shapes).
    mutating func objects(
        of run: ChipRun,
        _ cryptogram: ChipRun.Cryptogram,
        _ cache: CryptoCache,
        isRiskStage: Bool = false
    ) -> [TLV] {
        guard let application = run.application,
            let track2 = Track2(parsing: run.card.unmaskedTrack2)
        else { return [] }
        var objects: [TLV] = []
        objects.reserveCapacity(48)
        objects.append(TLV(0x4F, application.identifier))
        objects.append(TLV(.applicationLabel, text: application.label))
        let equivalent = Self.track2Equivalent(track2, isMasked: false)
        let hasKey = keyStatus.contains(.sredReady)
        if !hasKey {
            objects.append(TLV(.track2Equivalent, equivalent))
            objects.append(TLV(.cardNumber, Self.cardNumber(track2, isMasked: false)))
        }
        if let name = Track1(parsing: run.card.unmaskedTrack1)?.name {
            objects.append(TLV(.cardholderName, name))
        }
        if let date = track2.expirationDate {
            let day = MiuraClock.dayCount(year: Int(date.year), month: Int(date.month))
            objects.append(
                TLV(
                    .expirationDate,
                    Self.bcd(Int(date.year) * 10_000 + Int(date.month) * 100 + day, 3)
                )
            )
        }
        let clock = run.transaction.clock ?? self.clock
        let status: [UInt8] = run.isContactless ? [0x00, 0x00] : [0xE8, 0x00]
        objects += [
            TLV(0x5F28, Self.bcd(configuration.countryCode, 2)),
            TLV(.currency, Self.bcd(run.transaction.currency, 2)),
        ]
        if let code = track2.serviceCode {
            objects.append(TLV(0x5F30, Self.bcd(Int(code.value), 2)))
        }
        objects += [
            TLV(0x5F34, [application.sequenceNumber]),
            TLV(0x82, Self.interchangeProfile),
            TLV(.fileName, application.identifier),
            TLV(.verificationResults, run.verificationResults),
        ]
        if let date = clock.objects.first(.date) { objects.append(date) }
        objects += [
            TLV(0x9B, status),
            TLV(.transactionType, [run.transaction.kind.rawValue]),
            TLV(.amount, Self.bcd(run.transaction.amountMinorUnits, 6)),
            TLV(.otherAmount, Self.bcd(run.transaction.otherAmountMinorUnits ?? 0, 6)),
            TLV(.applicationIdentifier, application.identifier),
        ]
        if isRiskStage { return objects }
        objects += [
            TLV(0x9F09, [0x00, 0x96]),
            TLV(0x9F10, Self.issuerData(cryptogram)),
            TLV(0x9F12, text: application.label),
            TLV(0x9F1A, Self.bcd(configuration.countryCode, 2)),
            TLV(0x9F1C, text: configuration.serialNumber),
            TLV(.serialNumber, text: configuration.serialNumber),
            TLV(.cryptogram, self.cryptogram(of: run, cryptogram, clock, cache)),
            TLV(.cryptogramInformation, [cryptogram.rawValue]),
            TLV(0x9F33, [0xE0, 0xB8, 0xC8]),
            TLV(.verificationMethodResults, run.methodResults),
            TLV(0x9F35, [0x22]),
            TLV(0x9F36, number: UInt64(run.transactionCounter), byteCount: 2),
            TLV(0x9F37, number: UInt64(run.unpredictableNumber), byteCount: 4),
            TLV(.sequenceCounter, Self.bcd(run.sequenceCounter, 4)),
            TLV(.verificationStatus, [run.verificationStatus]),
        ]
        if run.isContactless { objects.append(TLV(0xDF30, [0x03, 0x01])) }
        if hasKey, cryptogram != .declined {
            objects += encryptedSRED(TLV(.track2Equivalent, equivalent).bytes, cache)
        }
        if cryptogram == .online { objects += run.pinObjects }
        objects += [
            TLV(.maskedChipTrack2, Self.track2Equivalent(track2, isMasked: true)),
            TLV(.maskedCardNumber, Self.cardNumber(track2, isMasked: true)),
        ]
        return objects
    }

    /// Offline data authentication, cardholder verification, risk management, as on M24.
    private static let interchangeProfile: [UInt8] = [0x78, 0x00]

    /// Visa's layout, key index 1, version 10; the third byte of results says what was decided.
    private static func issuerData(_ cryptogram: ChipRun.Cryptogram) -> [UInt8] {
        let result: UInt8 =
            switch cryptogram {
            case .online: 0xA0
            case .approved: 0x90
            case .declined: 0x80
            }
        return [0x06, 0x01, 0x0A, 0x03, result, 0x00, 0x00]
    }

    /// A cryptogram over what EMV has signed, under an invented key.
    ///
    /// It changes with amount, counter and number.
    private func cryptogram(
        of run: ChipRun,
        _ kind: ChipRun.Cryptogram,
        _ clock: MiuraClock,
        _ cache: CryptoCache
    ) -> [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity(48)
        text += Self.bcd(run.transaction.amountMinorUnits, 6)
        text += Self.bcd(run.transaction.otherAmountMinorUnits ?? 0, 6)
        text += Self.bcd(configuration.countryCode, 2) + run.verificationResults
        text += Self.bcd(run.transaction.currency, 2)
        text += clock.objects.first(.date)?.value ?? []
        text.append(run.transaction.kind.rawValue)
        text += TLV(0x9F37, number: UInt64(run.unpredictableNumber), byteCount: 4).value
        text += Self.interchangeProfile
        text += TLV(0x9F36, number: UInt64(run.transactionCounter), byteCount: 2).value
        text.append(kind.rawValue)
        return Array(cache.encrypt(text, key: .publishedTestKey).suffix(8))
    }

    /// Tag 57, or DFAE57 with the middle of the number hidden behind F.
    static func track2Equivalent(_ track: Track2, isMasked: Bool) -> [UInt8] {
        var digits = numberDigits(track, isMasked: isMasked)
        digits.append(0x0D)
        var rest: [UInt8] = []
        track.expirationDate?.appendStripe(to: &rest)
        track.serviceCode?.appendStripe(to: &rest)
        rest += track.discretionaryData
        digits += rest.map { $0 & 0x0F }
        return packed(digits)
    }

    /// Tag 5A, or DFAE5A.
    static func cardNumber(_ track: Track2, isMasked: Bool) -> [UInt8] {
        packed(numberDigits(track, isMasked: isMasked))
    }

    private static func numberDigits(_ track: Track2, isMasked: Bool) -> [UInt8] {
        var ascii: [UInt8] = []
        track.pan.appendUnmasked(to: &ascii)
        var digits = ascii.map { $0 & 0x0F }
        if isMasked {
            for index in 6..<(digits.count - 4) { digits[index] = 0x0F }
        }
        return digits
    }

    /// Two digits to a byte, filled with F.
    private static func packed(_ digits: [UInt8]) -> [UInt8] {
        let even = digits.count & 1 == 0 ? digits : digits + [0x0F]
        return stride(from: 0, to: even.count, by: 2).map { even[$0] << 4 | even[$0 + 1] }
    }

    /// The low digits of a number, two to a byte.
    static func bcd(_ number: Int, _ byteCount: Int) -> [UInt8] {
        var rest = number.magnitude
        var bytes = [UInt8](repeating: 0, count: byteCount)
        for index in (0..<byteCount).reversed() {
            bytes[index] = UInt8(rest / 10 % 10) << 4 | UInt8(rest % 10)
            rest /= 100
        }
        return bytes
    }
}
