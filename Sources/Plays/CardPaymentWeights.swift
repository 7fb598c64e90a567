/// How often each thing happens that is not the usual one: in one case of so many, 0 for never.
package struct CardPaymentWeights: Sendable {
    /// A hand does something else than what is waited for.
    package var otherActs: UInt64
    /// The answer to an authorisation is lost, once a card is there.
    package var lostAuthorisations: UInt64
    /// The answer to a confirmation is lost, once a signature is there.
    package var lostConfirmations: UInt64
    /// The app cancels while the issuer is asked.
    package var cancels: UInt64
    /// The reader is gone while the issuer or the signature is waited for.
    package var losses: UInt64
    /// The PIN is wrong.
    package var wrongPINs: UInt64
    /// A signature never comes.
    package var forgottenSignatures: UInt64
    /// A signature is cancelled or does not match.
    package var refusedSignatures: UInt64
    /// The app forgets the image of the signature.
    package var missingImages: UInt64
    /// Something is captured or paid back at once when a payment ended.
    package var followUps: UInt64
    /// Among how many units of the link, from the next one on, one is disturbed.
    package var disturbedUnits: Int
    /// A customer meets a disturbed link or service, where payments follow one another.
    package var disturbedCustomers: UInt64

    /// Much goes wrong: for the laws and the mistakes that are planted.
    package static let rough = CardPaymentWeights(
        otherActs: 6,
        lostAuthorisations: 5,
        lostConfirmations: 4,
        cancels: 6,
        losses: 6,
        wrongPINs: 3,
        forgottenSignatures: 5,
        refusedSignatures: 2,
        missingImages: 4,
        followUps: 2,
        disturbedUnits: 6,
        disturbedCustomers: 2
    )

    /// Most goes well: for customers who follow one another.
    package static let customers = CardPaymentWeights(
        otherActs: 40,
        lostAuthorisations: 80,
        lostConfirmations: 80,
        cancels: 60,
        losses: 60,
        wrongPINs: 8,
        forgottenSignatures: 80,
        refusedSignatures: 3,
        missingImages: 0,
        followUps: 0,
        disturbedUnits: 20,
        disturbedCustomers: 8
    )
}
