import EventLoops

/// PAYMILL's tokens: when each was made, how often it may be used, and how often it was.
///
/// The newest ``keptTokenCount`` are remembered, so that memory stays flat.
struct TokenAccount: Sendable {
    private struct Token: Sendable {
        let number: Int64
        let instant: VirtualInstant
        var askedCount = 0
        var sentCount = 0
        var isUsed = false
    }

    /// How long a token is good.
    static let life = VirtualDuration.seconds(300)
    private static let keptTokenCount = 128

    private var tokens: [Token] = []

    /// Adopts that a token was made.
    mutating func create(_ number: Int64, at instant: VirtualInstant) {
        if tokens.count == Self.keptTokenCount { tokens.removeFirst(Self.keptTokenCount / 2) }
        tokens.append(Token(number: number, instant: instant))
    }

    /// Adopts that the app was told to pay with a token.
    mutating func ask(_ number: Int64) {
        if let index = index(of: number) { tokens[index].askedCount += 1 }
    }

    /// Adopts that a token came to the merchant's server; returns whether that was once too often.
    mutating func send(_ number: Int64) -> Bool {
        guard let index = index(of: number) else { return false }
        tokens[index].sentCount += 1
        return tokens[index].sentCount > max(1, tokens[index].askedCount)
    }

    /// Adopts that a token was used up; returns whether it was before, and whether it was too old.
    mutating func use(_ number: Int64, at instant: VirtualInstant) -> (again: Bool, late: Bool) {
        guard let index = index(of: number) else { return (false, false) }
        defer { tokens[index].isUsed = true }
        return (tokens[index].isUsed, instant - tokens[index].instant > Self.life)
    }

    private func index(of number: Int64) -> Int? { tokens.lastIndex { $0.number == number } }
}
