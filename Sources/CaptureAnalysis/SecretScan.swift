import CardData
import Transports

/// Looks for secrets in what was written, in every form in which they can hide: as ASCII, as two
/// digits in a byte, as hexadecimal and in base64.
public struct SecretScan: Hashable, Sendable {
    /// A secret that was found.
    public struct Finding: Hashable, Sendable {
        /// The how-manieth secret it is; the secret itself is never said.
        public var secret: Int
        /// How it is written.
        public var form: String
        /// Where it begins, in bytes.
        public var byteOffset: Int
    }

    private struct Needle: Hashable {
        var secret: Int
        var form: String
        var bytes: [UInt8]
    }

    private let needles: [Needle]

    /// Creates a scan for secrets of at least four bytes; shorter ones are in every file by chance.
    public init(_ secrets: [[UInt8]]) {
        var needles: [Needle] = []
        for (index, secret) in secrets.enumerated() where secret.count >= 4 {
            func add(_ form: String, _ bytes: [UInt8]) {
                if bytes.count >= 4 {
                    needles.append(Needle(secret: index, form: form, bytes: bytes))
                }
            }
            add("ASCII", secret)
            let hex = Array(Hexadecimal.encode(secret).utf8)
            add("hex", hex)
            add("hex", hex.map { 0x41...0x46 ~= $0 ? $0 + 0x20 : $0 })
            if secret.allSatisfy({ 0x30...0x39 ~= $0 }), secret.count >= 8 {
                add("BCD", StandIns.packed(secret))
                add("BCD", StandIns.packed(Array(secret.dropFirst())))
            }
            if secret.count >= 8 {
                for shift in 0..<3 { add("base64", Self.base64(secret, shift: shift)) }
            }
        }
        self.needles = needles
    }

    /// Returns what of the secrets is in some bytes, each form at its first place.
    public func findings(in bytes: [UInt8]) -> [Finding] {
        needles.compactMap { needle in
            Self.firstIndex(of: needle.bytes, in: bytes).map {
                Finding(secret: needle.secret, form: needle.form, byteOffset: $0)
            }
        }
    }

    /// The characters of base64 that a secret gives wherever it stands, at one of three shifts.
    private static func base64(_ secret: [UInt8], shift: Int) -> [UInt8] {
        let text = Base64.encode([UInt8](repeating: 0, count: shift) + secret)
        // What mixes with the bytes before and behind is no sign of it.
        let lead = shift == 0 ? 0 : shift + 1
        let whole = (shift + secret.count) / 3 * 4
        return lead < whole ? Array(text[lead..<whole]) : []
    }

    private static func firstIndex(of needle: [UInt8], in bytes: [UInt8]) -> Int? {
        guard bytes.count >= needle.count, let first = needle.first else { return nil }
        var start = 0
        let last = bytes.count - needle.count
        while start <= last {
            if bytes[start] == first {
                var offset = 1
                while offset < needle.count, bytes[start + offset] == needle[offset] {
                    offset += 1
                }
                if offset == needle.count { return start }
            }
            start += 1
        }
        return nil
    }
}

extension Conversation {
    /// The bytes of each direction without the borders of packets, as something split over packets
    /// has to be looked for.
    public var joinedDirections: [[UInt8]] {
        var fromReader: [UInt8] = []
        var toReader: [UInt8] = []
        for event in events {
            switch event.content {
            case .fromReader, .featureFinished: fromReader += event.bytes
            case .toReader: toReader += event.bytes
            case .attached, .detached: break
            }
        }
        return [fromReader, toReader]
    }
}
