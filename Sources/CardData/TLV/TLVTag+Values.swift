extension TLVTag {
    /// What a value says, in words; empty for a tag whose value speaks for itself.
    ///
    /// Source: EMV Book 3, annexes A and C4; Miura Java SDK 1-1i; payneteasy PNECardError.h.
    func meaning(of value: [UInt8]) -> String {
        switch (self, value.count) {
        case (.cardStatus, 2):
            Self.names(
                UInt16(value[0]) << 8 | UInt16(value[1]),
                [
                    (0x0100, "card in the slot"), (0x0200, "chip answered"), (0x01, "swiped"),
                    (0x02, "track 1"), (0x04, "track 2"), (0x08, "track 3"),
                ],
                none: "no card in the slot"
            )
        case (.deviceStatusCode, 1): Self.deviceStatus(value[0])
        case (.transactionType, 1):
            switch value[0] {
            case 0x00: "purchase"
            case 0x01: "cash"
            case 0x09: "purchase with cashback"
            case 0x20: "refund"
            default: ""
            }
        case (.amount, 6), (.otherAmount, 6):
            BCD.number(value).map { "\($0) minor units" } ?? ""
        case (.cryptogramInformation, 1):
            switch value[0] & 0xC0 {
            case 0x00: "declined (AAC)"
            case 0x40: "approved (TC)"
            case 0x80: "go online (ARQC)"
            default: ""
            }
        case (.verificationMethodResults, 3): Self.verificationMethod(value)
        case (.pinEntryStatus, 1), (.pinEntryStatusNewer, 1):
            switch value[0] {
            case 1: "last try"
            case 2: "PIN right"
            case 3: "PIN wrong"
            case 4: "error"
            case 5: "completed"
            default: ""
            }
        case (.keyCode, 1): value[0] == 0x1B ? "Cancel" : ""
        case (.chargingStatus, 1):
            switch value[0] {
            case 0x00: "on battery"
            case 0x01: "charging"
            case 0x02: "charged"
            case 0xF0: "charge error"
            case 0xF1: "charge timer expired"
            default: ""
            }
        case (.batteryPercentage, 1): "\(value[0]) %"
        case (.printerStatus, 1):
            Self.names(
                UInt16(value[0]),
                [
                    (0x01, "powered"), (0x02, "attached"), (0x04, "paper"), (0x08, "data waits"),
                    (0x10, "printing"), (0x20, "error"),
                ],
                none: "no printer"
            )
        case (.p2peStatus, 1):
            Self.names(
                UInt16(value[0]),
                [(0x01, "initialised"), (0x02, "PIN key ready"), (0x04, "SRED key ready")],
                none: "no keys"
            )
        case (.fileSize, 0): "0 bytes long"
        case (.currency, 2): BCD.number(value).map { "ISO 4217 number \($0)" } ?? ""
        default: secrecy == .hidden ? "not shown" : ""
        }
    }

    private static func names(
        _ bits: UInt16,
        _ all: [(UInt16, String)],
        none: String
    ) -> String {
        let set = all.filter { bits & $0.0 != 0 }.map(\.1)
        return set.isEmpty ? none : set.joined(separator: ", ")
    }

    private static func deviceStatus(_ code: UInt8) -> String {
        switch code {
        case 0x01: "powered on"
        case 0x02: "PIN entry"
        case 0x03: "application selection"
        case 0x0A: "powering off"
        case 0x0B: "rebooting"
        case 0x0C: "MPI restarting"
        case 0xC0: "see phone"
        case 0xCB: "success sound"
        case 0xCE: "error sound"
        default: ""
        }
    }

    private static func verificationMethod(_ value: [UInt8]) -> String {
        let method =
            switch value[0] & 0xBF {
            case 0x00: "failed"
            case 0x01: "offline PIN in clear"
            case 0x02: "online PIN"
            case 0x03: "offline PIN in clear and signature"
            case 0x04: "enciphered offline PIN"
            case 0x05: "enciphered offline PIN and signature"
            case 0x1E: "signature"
            case 0x1F, 0x3F: "no verification"
            default: "another method"
            }
        let result =
            switch value[2] {
            case 0x00: "result unknown"
            case 0x01: "failed"
            case 0x02: "successful"
            default: "no known result"
            }
        return "\(method), \(result)"
    }
}
