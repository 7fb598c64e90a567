/// The number used once by which the app knows the answer to its own request.
///
/// Source: innerfence/ChargeDemo, `IFChargeRequest.m`: 27 characters out of 64, six random bits
/// each, kept in the user defaults; only the newest is valid.
public struct InnerFenceNonce: Hashable, Sendable, CustomStringConvertible {
    /// How many characters it has.
    public static let characterCount = 27

    private static let alphabet = Array(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8
    )

    /// The characters.
    public let description: String

    /// Creates a nonce from its characters; `nil` when there are not 27 of `A–Za–z0–9-_`.
    public init?(_ text: String) {
        guard text.utf8.count == Self.characterCount,
            text.utf8.allSatisfy({ Self.alphabet.contains($0) })
        else { return nil }
        description = text
    }

    /// Draws a nonce.
    public init(using generator: inout some RandomNumberGenerator) {
        var characters: [UInt8] = []
        for _ in 0..<Self.characterCount {
            characters.append(Self.alphabet[Int(generator.next() >> 58)])
        }
        description = String(decoding: characters, as: UTF8.self)
    }
}
