/// The digest with which published dumps are compared; FIPS 180-4.
enum SHA256 {
    private static let constants: [UInt32] = {
        // The first 32 bits of the fractional parts of the cube roots of the first 64 primes, by
        // integer search.
        var primes: [UInt64] = []
        var candidate: UInt64 = 2
        while primes.count < 64 {
            if primes.allSatisfy({ candidate % $0 != 0 }) { primes.append(candidate) }
            candidate += 1
        }
        return primes.map { fraction(of: $0, power: 3) }
    }()

    /// The first 32 bits of the fractional part of a root.
    private static func fraction(of prime: UInt64, power: Int) -> UInt32 {
        var low: UInt64 = 0
        var high: UInt64 = 1 << 37
        while high - low > 1 {
            let middle = (low + high) / 2
            let square = middle.multipliedFullWidth(by: middle)
            let isBelow: Bool
            if power == 2 {
                isBelow = square.high < prime || (square.high == prime && square.low == 0)
            } else {
                let lower = square.low.multipliedFullWidth(by: middle)
                let upper = square.high.multipliedFullWidth(by: middle)
                let (word, carry) = upper.low.addingReportingOverflow(lower.high)
                // The cube, scaled by 2^96: `upper.high + carry` is above bit 128.
                let whole = (upper.high + (carry ? 1 : 0)) << 32 | word >> 32
                isBelow = whole < prime
            }
            if isBelow { low = middle } else { high = middle }
        }
        return UInt32(truncatingIfNeeded: low)
    }

    static func hexadecimal(of message: [UInt8]) -> String {
        var state: [UInt32] = [2, 3, 5, 7, 11, 13, 17, 19].map { fraction(of: $0, power: 2) }
        var bytes = message + [0x80]
        while bytes.count % 64 != 56 { bytes.append(0) }
        let bitCount = UInt64(message.count) * 8
        for shift in (0..<8).reversed() {
            bytes.append(UInt8(truncatingIfNeeded: bitCount >> UInt64(shift * 8)))
        }
        for start in stride(from: 0, to: bytes.count, by: 64) {
            compress(bytes[start..<(start + 64)], &state)
        }
        var text = ""
        for word in state {
            let digits = String(word, radix: 16, uppercase: true)
            text += String(repeating: "0", count: 8 - digits.count) + digits
        }
        return text
    }

    private static func compress(_ block: ArraySlice<UInt8>, _ state: inout [UInt32]) {
        func rotate(_ word: UInt32, _ count: UInt32) -> UInt32 {
            word >> count | word << (32 - count)
        }
        var words = [UInt32](repeating: 0, count: 64)
        for index in 0..<16 {
            for offset in 0..<4 {
                words[index] =
                    words[index] << 8 | UInt32(block[block.startIndex + index * 4 + offset])
            }
        }
        for index in 16..<64 {
            let first = words[index - 15]
            let second = words[index - 2]
            let small0 = rotate(first, 7) ^ rotate(first, 18) ^ first >> 3
            let small1 = rotate(second, 17) ^ rotate(second, 19) ^ second >> 10
            words[index] = words[index - 16] &+ small0 &+ words[index - 7] &+ small1
        }
        var work = state
        for index in 0..<64 {
            let sum1 = rotate(work[4], 6) ^ rotate(work[4], 11) ^ rotate(work[4], 25)
            let choice = work[4] & work[5] ^ ~work[4] & work[6]
            let first = work[7] &+ sum1 &+ choice &+ constants[index] &+ words[index]
            let sum0 = rotate(work[0], 2) ^ rotate(work[0], 13) ^ rotate(work[0], 22)
            let majority = work[0] & work[1] ^ work[0] & work[2] ^ work[1] & work[2]
            work = [first &+ sum0 &+ majority] + work[0..<7]
            work[4] = work[4] &+ first
        }
        for index in 0..<8 { state[index] = state[index] &+ work[index] }
    }
}
