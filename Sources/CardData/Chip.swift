/// What the chip of a test card answers; the stripe of the card is its ``TestCard``.
///
/// A chip holds a PIN, so no description or mirror shows one.
public struct Chip: Hashable, Sendable {
    /// Whether the chip answers a reset; one that does not is dead, and the reader sees a card
    /// without a chip.
    public var answersReset: Bool
    /// What can be chosen on it, in the order of the card's priorities.
    public var applications: [ChipApplication]
    /// What it does in the field of a contactless reader; `nil` has no antenna.
    public var contactless: ContactlessInterface?

    /// Creates a chip that answers a reset.
    public init(
        answersReset: Bool = true,
        applications: [ChipApplication],
        contactless: ContactlessInterface? = nil
    ) {
        self.answersReset = answersReset
        self.applications = applications
        self.contactless = contactless
    }
}

/// One application of a chip.
public struct ChipApplication: Hashable, Sendable {
    /// What an issuer's application decides on its own, when the reader asks it to.
    public enum Decision: Hashable, Sendable, CaseIterable {
        /// It asks for the issuer (ARQC).
        case goesOnline
        /// It approves (TC).
        case approves
        /// It declines (AAC).
        case declines
    }

    /// A way of telling that the cardholder is who he is, in the order of the card's list.
    ///
    /// The raw values are the method codes of tag 9F34, byte 1.
    /// Source: EMV 4.3, Book 3, annex C3.
    public enum Verification: UInt8, Hashable, Sendable, CaseIterable {
        /// Plaintext PIN, verified by the chip.
        case plaintextPIN = 0x01
        /// Enciphered PIN, verified by the issuer.
        case onlinePIN = 0x02
        /// Enciphered PIN, verified by the chip.
        case encipheredPIN = 0x04
        /// A signature on paper or on a screen.
        case signature = 0x1E
        /// None is required.
        case none = 0x1F

        /// Whether the chip itself verifies a PIN.
        public var isOfflinePIN: Bool { self == .plaintextPIN || self == .encipheredPIN }
    }

    /// The application identifier (AID), 5 to 16 bytes.
    public var identifier: [UInt8]
    /// The label (tag 50), at most 16 ASCII characters.
    public var label: String
    /// Whether the issuer blocked it.
    public var isBlocked: Bool
    /// The methods of verification, the first one that the reader can do is used.
    public var verifications: [Verification]
    /// How often a wrong PIN may be entered before the chip refuses more.
    public var pinTryLimit: Int
    /// What it decides when it is asked first.
    public var decision: Decision
    /// Whether it agrees when the issuer has approved; one that does not declines (AAC).
    public var agreesWithIssuer: Bool
    /// The number that tells cards with the same PAN apart (tag 5F34).
    public var sequenceNumber: UInt8
    /// The PIN as ASCII digits; empty for an application without one.
    public let unmaskedPIN: [UInt8]

    /// Creates an application with the PIN of all test cards, 1234.
    public init(
        identifier: [UInt8],
        label: String,
        isBlocked: Bool = false,
        verifications: [Verification],
        pinTryLimit: Int = 3,
        decision: Decision = .goesOnline,
        agreesWithIssuer: Bool = true,
        sequenceNumber: UInt8 = 1,
        pin: String = "1234"
    ) {
        self.identifier = identifier
        self.label = label
        self.isBlocked = isBlocked
        self.verifications = verifications
        self.pinTryLimit = pinTryLimit
        self.decision = decision
        self.agreesWithIssuer = agreesWithIssuer
        self.sequenceNumber = sequenceNumber
        unmaskedPIN = Array(pin.utf8)
    }
}

/// What a card does in the field of a contactless reader.
public struct ContactlessInterface: Hashable, Sendable {
    /// What the card asks for.
    public enum Outcome: Hashable, Sendable, CaseIterable {
        /// It is read, and the issuer decides.
        case goesOnline
        /// It is read, and approves.
        case approves
        /// It is read, and declines.
        case declines
        /// It wants to be inserted (status word 9FC3).
        case asksForChip
        /// Nothing on it works without contact (status word 9FC1).
        case hasNoApplication
        /// It is a phone whose owner must do something first ("see phone"), and is tapped again.
        case asksForPhone
    }

    /// What comes of a tap.
    public var outcome: Outcome
    /// From which amount on, in minor units, the cardholder is verified; `nil` never.
    public var verificationLimitMinorUnits: Int64?
    /// How, from that amount on.
    public var verification: ChipApplication.Verification

    /// Creates an interface.
    public init(
        outcome: Outcome = .goesOnline,
        verificationLimitMinorUnits: Int64? = nil,
        verification: ChipApplication.Verification = .signature
    ) {
        self.outcome = outcome
        self.verificationLimitMinorUnits = verificationLimitMinorUnits
        self.verification = verification
    }
}

extension ChipApplication: CustomStringConvertible, CustomDebugStringConvertible,
    CustomReflectable
{
    /// The label.
    public var description: String { label }

    /// The label.
    public var debugDescription: String { label }

    /// A mirror without children, so that reflection shows no PIN.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
