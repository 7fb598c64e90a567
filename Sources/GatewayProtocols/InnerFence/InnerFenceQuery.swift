/// The pairs of a query, decoded, as an Inner Fence class keeps them.
///
/// A name stands at its first place with its last value.
public struct InnerFenceQuery: Hashable, Sendable {
    /// The most pairs accepted (assumed: the classes have no limit).
    public static let maximumPairCount = 1_024

    /// What happens with a pair that has no `=`, or more than one.
    enum OddPairs {
        /// It is left out.
        case dropped
        /// The first `=` divides it; without one it is left out.
        case divided
        /// It is an error.
        case refused
    }

    /// One pair.
    struct Pair: Hashable {
        var name: String
        var value: String
        /// Where the value begins in the URL.
        var offset: Int
    }

    private(set) var pairs: [Pair] = []

    /// Decodes the query of a URL.
    ///
    /// - Parameters:
    ///   - url: The URL.
    ///   - oddPairs: What happens with a pair that has no `=`, or more than one.
    ///   - skipsUndecodable: Whether a pair that cannot be decoded is left out; else it is an error.
    /// - Throws: ``InnerFenceResponseError`` for a pair that is an error, and beyond
    ///   ``maximumPairCount``.
    init(
        _ url: InnerFenceURL,
        oddPairs: OddPairs,
        skipsUndecodable: Bool
    ) throws(InnerFenceResponseError) {
        var places: [String: Int] = [:]
        var count = 0
        for piece in url.query.split(separator: UInt8(ascii: "&")) {
            count += 1
            guard count <= Self.maximumPairCount else {
                throw InnerFenceResponseError(code: .tooManyPairs, offset: piece.startIndex)
            }
            guard let equals = piece.firstIndex(of: UInt8(ascii: "=")) else {
                guard oddPairs == .refused else { continue }
                throw InnerFenceResponseError(code: .badPair, offset: piece.startIndex)
            }
            if piece[(equals + 1)...].contains(UInt8(ascii: "=")) {
                switch oddPairs {
                case .dropped: continue
                case .divided: break
                case .refused:
                    throw InnerFenceResponseError(code: .badPair, offset: piece.startIndex)
                }
            }
            let name = InnerFenceEscaping.decode(piece[..<equals])
            let value = InnerFenceEscaping.decode(piece[(equals + 1)...])
            switch (name, value) {
            case (.success(let name), .success(let value)):
                let pair = Pair(name: name, value: value, offset: equals + 1)
                if let place = places[name] {
                    pairs[place] = pair
                } else {
                    places[name] = pairs.count
                    pairs.append(pair)
                }
            case (.failure(let place), _), (.success, .failure(let place)):
                if skipsUndecodable { continue }
                throw InnerFenceResponseError(code: .undecodable, offset: place.offset)
            }
        }
    }

    /// The pair of a name, or `nil`.
    func pair(_ name: String) -> Pair? { pairs.first { $0.name == name } }
}
