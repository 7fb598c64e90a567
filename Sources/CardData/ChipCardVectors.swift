extension TestCard {
    /// The cards with a chip, sorted by name; PIN 1234 on all of them.
    ///
    /// | name | chip | contactless |
    /// | --- | --- | --- |
    /// | `contactless-chip-only` | PIN | asks to be inserted |
    /// | `contactless-phone` | none of its own | asks for the phone, then goes online |
    /// | `contactless-visa` | no verification | signature from 30.00 on |
    /// | `contactless-visa-no-limit` | no verification | never verified |
    /// | `contactless-visa-pin` | PIN | online PIN from 30.00 on |
    /// | `emv-blocked` | its application is blocked | none |
    /// | `emv-dead-chip` | does not answer | none |
    /// | `emv-dead-chip-pin` | does not answer; the stripe asks for a PIN | none |
    /// | `emv-maestro-pin` | enciphered PIN | none |
    /// | `emv-offline-approved` | no verification, approves by itself | none |
    /// | `emv-offline-declined` | no verification, declines by itself | none |
    /// | `emv-overrules-issuer` | no verification, declines what the issuer approved | none |
    /// | `emv-two-applications` | Visa with PIN, Visa Electron with signature | none |
    /// | `emv-visa-no-cvm` | no verification | none |
    /// | `emv-visa-online-pin` | PIN verified by the issuer | none |
    /// | `emv-visa-pin` | plaintext PIN, signature where there is no PIN pad | none |
    /// | `emv-visa-signature` | signature | none |
    ///
    /// Numbers: Visa `4761…0010` is the acquirer test card of the vendor SDK's unit tests, the
    /// Maestro that of Stripe's published Miura samples. Stripes say that there is a chip (service
    /// code 201, 221 with a PIN, 220 where the stripe asks for one). What the chips decide is invented.
    static let chipCards: [TestCard] = [
        chip(
            "contactless-chip-only",
            Chip(
                applications: [visa([.plaintextPIN])],
                contactless: ContactlessInterface(outcome: .asksForChip)
            )
        ),
        chip(
            "contactless-phone",
            Chip(
                answersReset: false,
                applications: [visa([.none])],
                contactless: ContactlessInterface(outcome: .asksForPhone)
            )
        ),
        chip(
            "contactless-visa",
            Chip(
                applications: [visa([.none])],
                contactless: ContactlessInterface(verificationLimitMinorUnits: 30_00)
            )
        ),
        chip(
            "contactless-visa-no-limit",
            Chip(applications: [visa([.none])], contactless: ContactlessInterface())
        ),
        chip(
            "contactless-visa-pin",
            Chip(
                applications: [visa([.plaintextPIN])],
                contactless: ContactlessInterface(
                    verificationLimitMinorUnits: 30_00,
                    verification: .onlinePIN
                )
            )
        ),
        chip("emv-blocked", Chip(applications: [visa([.signature], isBlocked: true)])),
        chip("emv-dead-chip", Chip(answersReset: false, applications: [visa([.signature])])),
        chip(
            "emv-dead-chip-pin",
            serviceCode: 220,
            Chip(answersReset: false, applications: [visa([.plaintextPIN])])
        ),
        chip(
            "emv-maestro-pin",
            pan: "6799998900000018123",
            Chip(
                applications: [
                    ChipApplication(
                        identifier: [0xA0, 0x00, 0x00, 0x00, 0x04, 0x30, 0x60],
                        label: "MAESTRO",
                        verifications: [.encipheredPIN]
                    )
                ]
            )
        ),
        chip(
            "emv-offline-approved",
            Chip(applications: [visa([.none], decision: .approves)])
        ),
        chip(
            "emv-offline-declined",
            Chip(applications: [visa([.none], decision: .declines)])
        ),
        chip(
            "emv-overrules-issuer",
            Chip(applications: [visa([.none], agreesWithIssuer: false)])
        ),
        chip(
            "emv-two-applications",
            Chip(
                applications: [
                    visa([.plaintextPIN]),
                    ChipApplication(
                        identifier: [0xA0, 0x00, 0x00, 0x00, 0x03, 0x20, 0x10],
                        label: "VISA ELECTRON",
                        verifications: [.signature]
                    ),
                ]
            )
        ),
        chip("emv-visa-no-cvm", Chip(applications: [visa([.none])])),
        chip("emv-visa-online-pin", Chip(applications: [visa([.onlinePIN])])),
        chip("emv-visa-pin", Chip(applications: [visa([.plaintextPIN, .signature])])),
        chip("emv-visa-signature", Chip(applications: [visa([.signature])])),
    ].compactMap(\.self)

    private static func visa(
        _ verifications: [ChipApplication.Verification],
        isBlocked: Bool = false,
        decision: ChipApplication.Decision = .goesOnline,
        agreesWithIssuer: Bool = true
    ) -> ChipApplication {
        ChipApplication(
            identifier: [0xA0, 0x00, 0x00, 0x00, 0x03, 0x10, 0x10],
            label: "VISA CREDIT",
            isBlocked: isBlocked,
            verifications: verifications,
            decision: decision,
            agreesWithIssuer: agreesWithIssuer
        )
    }

    private static func chip(
        _ name: String,
        pan: String = "4761739001010010",
        serviceCode: Int? = nil,
        _ chip: Chip
    ) -> TestCard? {
        let wantsPIN = chip.applications.first?.verifications.first.map {
            $0.isOfflinePIN || $0 == .onlinePIN
        }
        guard let pan = PAN(pan), let date = ExpirationDate("1225"),
            let code = ServiceCode(serviceCode ?? (wantsPIN == true ? 221 : 201))
        else { return nil }
        return TestCard(
            name: name,
            pan: pan,
            cardholder: "TEST/CARD",
            expirationDate: date,
            serviceCode: code,
            chip: chip
        )
    }
}
