/// Finds the word that was meant.
enum Suggestion {
    /// The largest edit distance at which a word is suggested.
    static let maximumDistance = 2
    /// The longest word, in bytes, for which anything is suggested.
    private static let maximumByteCount = 64

    /// Returns the closest candidate within the distance; among equals one that the word is a part
    /// of, and then the first by name.
    static func closest(to word: String, among candidates: [String]) -> String? {
        let bytes = Array(word.utf8)
        guard bytes.count <= maximumByteCount else { return nil }
        var best: (distance: Int, isPart: Bool, word: String)?
        for candidate in candidates {
            let other = Array(candidate.utf8)
            guard abs(other.count - bytes.count) <= maximumDistance else { continue }
            let distance = distance(bytes, other)
            // Half of a short word changed is another word.
            guard distance <= maximumDistance, distance * 2 <= max(bytes.count, other.count) else {
                continue
            }
            let isPart = other.contains(bytes)
            if let known = best,
                (known.distance, known.isPart ? 0 : 1, known.word)
                    <= (distance, isPart ? 0 : 1, candidate)
            {
                continue
            }
            best = (distance, isPart, candidate)
        }
        return best?.word
    }

    /// Returns how many bytes must be added, removed or changed.
    private static func distance(_ left: [UInt8], _ right: [UInt8]) -> Int {
        var row = Array(0...right.count)
        for (count, byte) in left.enumerated() {
            var diagonal = row[0]
            row[0] = count + 1
            for index in right.indices {
                let changed = diagonal + (right[index] == byte ? 0 : 1)
                diagonal = row[index + 1]
                row[index + 1] = min(changed, row[index] + 1, row[index + 1] + 1)
            }
        }
        return row[right.count]
    }
}
