/// What a MagTek reader says about a swipe, as the fields `magnesafe_*` carry it: hexadecimal
/// digits in ASCII, of either case, as the reader delivered them.
///
/// The fields are opaque here; a reader without keys may put clear tracks in them, so no
/// description shows them.
///
/// Source: Direct Post API manual, "Retail data"; the order of the fields and the case of the
/// digits are assumed, since both manuals name only the variables.
public struct MagneSafeSwipeFields: Hashable, Sendable {
    /// `magnesafe_track_1`: the encrypted track 1, whole blocks of 16 digits; empty when unread.
    public var track1: [UInt8]
    /// `magnesafe_track_2`: the encrypted track 2, whole blocks of 16 digits; empty when unread.
    public var track2: [UInt8]
    /// `magnesafe_track_3`: the encrypted track 3, whole blocks of 16 digits; empty when unread.
    public var track3: [UInt8]
    /// `magnesafe_ksn`: the key serial number, 20 digits.
    public var ksn: [UInt8]
    /// `magnesafe_magneprint`: the encrypted MagnePrint, 112 digits as a rule; may be empty.
    public var magnePrint: [UInt8]
    /// `magnesafe_magneprint_status`: 8 digits; may be empty.
    public var magnePrintStatus: [UInt8]

    /// Creates the fields of one swipe.
    public init(
        track1: [UInt8] = [],
        track2: [UInt8] = [],
        track3: [UInt8] = [],
        ksn: [UInt8],
        magnePrint: [UInt8] = [],
        magnePrintStatus: [UInt8] = []
    ) {
        self.track1 = track1
        self.track2 = track2
        self.track3 = track3
        self.ksn = ksn
        self.magnePrint = magnePrint
        self.magnePrintStatus = magnePrintStatus
    }

    /// Whether a gateway could begin to decrypt them: a key serial number of 20 digits, at least
    /// one track, whole blocks, hexadecimal digits throughout.
    public var isWellFormed: Bool {
        ksn.count == 20 && (magnePrintStatus.isEmpty || magnePrintStatus.count == 8)
            && !(track1.isEmpty && track2.isEmpty && track3.isEmpty)
            && track1.count % 16 == 0 && track2.count % 16 == 0 && track3.count % 16 == 0
            && magnePrint.count % 16 == 0
            && track1.span.isHexadecimal && track2.span.isHexadecimal
            && track3.span.isHexadecimal && ksn.span.isHexadecimal
            && magnePrint.span.isHexadecimal && magnePrintStatus.span.isHexadecimal
    }

    /// How many bytes the fields take in a body, names included.
    var encodedByteCount: Int {
        track1.count + track2.count + track3.count + ksn.count + magnePrint.count
            + magnePrintStatus.count + 140
    }

    /// Adds the fields that are not empty to a body.
    func append(to form: inout FormEncoder) {
        if !track1.isEmpty { form.append("magnesafe_track_1", track1) }
        if !track2.isEmpty { form.append("magnesafe_track_2", track2) }
        if !track3.isEmpty { form.append("magnesafe_track_3", track3) }
        if !ksn.isEmpty { form.append("magnesafe_ksn", ksn) }
        if !magnePrint.isEmpty { form.append("magnesafe_magneprint", magnePrint) }
        if !magnePrintStatus.isEmpty {
            form.append("magnesafe_magneprint_status", magnePrintStatus)
        }
    }
}

extension MagneSafeSwipeFields: CustomStringConvertible, CustomDebugStringConvertible,
    CustomReflectable
{
    /// The lengths of the tracks in digits, never their contents.
    public var description: String {
        "MagneSafe swipe of \(track1.count), \(track2.count) and \(track3.count) digits"
    }

    /// The same as ``description``.
    public var debugDescription: String { description }

    /// Shows nothing of the contents.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension Span<UInt8> {
    /// Whether there are only hexadecimal digits; without a branch, for vector code.
    fileprivate var isHexadecimal: Bool {
        var otherCount: UInt8 = 0
        for index in indices {
            let isOther: Bool
            switch self[index] {
            case 0x30...0x39, 0x41...0x46, 0x61...0x66: isOther = false
            default: isOther = true
            }
            otherCount |= isOther ? 1 : 0
        }
        return otherCount == 0
    }
}
