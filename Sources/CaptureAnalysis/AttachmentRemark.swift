public import Transports

/// The remark on a packet with which our recordings say that a reader came or went.
///
/// | text | says |
/// | --- | --- |
/// | `attached` | a reader on a byte stream is there |
/// | `attached: packets of 8 bytes, usb 0801:0011` | a USB reader is there |
/// | `detached: left` | it went, and why |
public enum AttachmentRemark: Hashable, Sendable, CustomStringConvertible {
    /// The reader is there.
    case attached(Attachment)
    /// It is gone.
    case detached(DetachReason)

    /// The remark's text.
    public var description: String {
        switch self {
        case .attached(let attachment):
            guard attachment != Attachment() else { return "attached" }
            return "attached: packets of \(attachment.maximumPacketByteCount) bytes, usb "
                + Self.hex(attachment.vendorID) + ":" + Self.hex(attachment.productID)
        case .detached(let reason): return "detached: \(reason)"
        }
    }

    /// Reads a remark; `nil` for any other text.
    public init?(_ text: String) {
        if text == "attached" {
            self = .attached(Attachment())
            return
        }
        if text.hasPrefix("detached: ") {
            switch text.dropFirst(10) {
            case "left": self = .detached(.left)
            case "cut": self = .detached(.cut)
            case "overflow": self = .detached(.overflow)
            case "closed": self = .detached(.closed)
            case "endOfCapture": self = .detached(.endOfCapture)
            default: return nil
            }
            return
        }
        guard text.hasPrefix("attached: packets of ") else { return nil }
        let words = text.dropFirst(21).split(separator: " ")
        guard words.count == 4, words[1] == "bytes,", words[2] == "usb",
            let byteCount = Int(words[0]), (0...1_024).contains(byteCount)
        else { return nil }
        let ids = words[3].split(separator: ":", omittingEmptySubsequences: false)
        guard ids.count == 2, let vendor = UInt16(ids[0], radix: 16),
            let product = UInt16(ids[1], radix: 16)
        else { return nil }
        self = .attached(
            Attachment(
                maximumPacketByteCount: byteCount,
                vendorID: vendor,
                productID: product
            )
        )
    }

    private static func hex(_ value: UInt16) -> String {
        let digits = String(value, radix: 16)
        return String(repeating: "0", count: 4 - digits.utf8.count) + digits
    }
}
