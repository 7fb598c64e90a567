/// One row of the table of readers that are recognised on USB.
///
/// A new reader is a new row of ``all``; its udev rule, its line in `cardrig devices` and its checks
/// in `cardrig doctor` follow from it.
public struct KnownReader: Hashable, Sendable {
    /// How a reader talks over USB.
    public enum Wire: String, Hashable, Sendable {
        /// HID with a report descriptor of the vendor's own; opened through libusb.
        case reports = "HID"
        /// A keyboard, which types what is swiped.
        case keyboard = "HID keyboard"
        /// A serial port (CDC-ACM), opened as a tty.
        case serial = "serial port"
        /// A reader that waits for new firmware and reads no card.
        case bootLoader = "boot loader"
        /// A disk, as a reader shows itself whose files are exposed.
        case storage = "USB disk"
    }

    /// The vendor id.
    public var vendorID: UInt16
    /// The product id.
    public var productID: UInt16
    /// Vendor and model, for people.
    public var name: String
    /// How it talks.
    public var wire: Wire
    /// The reader of scenarios that it can stand in for; `nil` when CardRig only knows its name.
    public var playsAs: String?
    /// Whether no document of the vendor names the ids: others say so, or they follow from something
    /// else.
    public var isInferred: Bool
    /// Where the ids are from.
    public var source: String

    /// The ids as udev and lsusb write them.
    public var ids: String { "\(hexadecimal(vendorID)):\(hexadecimal(productID))" }

    /// Returns the row of these ids, or `nil`.
    public static func with(vendorID: UInt16, productID: UInt16) -> KnownReader? {
        all.first { $0.vendorID == vendorID && $0.productID == productID }
    }

    /// Returns who makes readers under this vendor id, or `nil`.
    ///
    /// 0525 is no reader vendor's own: it is the id of the Linux gadget drivers, which Miura uses.
    public static func vendor(_ vendorID: UInt16) -> String? {
        switch vendorID {
        case 0x0801: "MagTek"
        case 0x0ACD: "ID TECH"
        default: nil
        }
    }

    /// What is wrong with a reader that is a keyboard, and how to make it one that can be used; `nil`
    /// for others.
    ///
    /// - Parameter layout: The layout that the desk's keyboards have, such as `de`; `nil` when it is
    ///   not known.
    /// - Returns: What is wrong, and what to do; each in one line.
    /// Source: MS246 manual 80096504-001, function 23; MagneSafe V5 Communication Reference Manual
    /// 99875475, property 0x10.
    public func keyboardAdvice(layout: String?) -> (reason: String, remedy: String)? {
        guard wire == .keyboard else { return nil }
        var reason =
            "it types what is swiped, as a keyboard with the US layout, into whatever has the focus"
        if let layout, layout != "us" {
            reason +=
                "; the layout here is '\(layout)', under which %, ^, ;, = and ? come out as other "
                + "characters, and Caps Lock turns the letters' case"
        } else {
            reason +=
                "; under another layout %, ^, ;, = and ? would come out as other characters, and "
                + "under Caps Lock the letters in the other case"
        }
        let remedy =
            vendorID == 0x0ACD
            ? "switch it to HID: with ID TECH's demo program send the command 02 53 23 01 30 03 40 "
                + "(function 23, USB mode, '0'), and it comes back as another product; until then "
                + "let it type under the US layout without Caps Lock, and give the text to `cardrig "
                + "decode idtech`"
            : "switch it to HID: with MagTek's demo program set property 10 (interface type) to 00 "
                + "(command 01 02 10 00) and reset it (02 00); until then let it type under the US "
                + "layout without Caps Lock, and give the text to `cardrig decode magnesafe-stream`"
        return (reason, remedy)
    }

    /// The line for udev that lets the user at the seat open it, and nobody else.
    public var udevRule: String {
        switch wire {
        case .serial:
            "SUBSYSTEM==\"tty\", ATTRS{idVendor}==\"\(hexadecimal(vendorID))\", "
                + "ATTRS{idProduct}==\"\(hexadecimal(productID))\", MODE=\"0660\", "
                + "GROUP=\"dialout\", TAG+=\"uaccess\", ENV{ID_MM_DEVICE_IGNORE}=\"1\""
        case .reports, .keyboard, .bootLoader, .storage:
            Self.usbRule(vendorID: vendorID, productID: productID)
        }
    }

    /// The line for udev that lets the user at the seat open a USB device with these ids.
    static func usbRule(vendorID: UInt16, productID: UInt16) -> String {
        "SUBSYSTEM==\"usb\", ATTR{idVendor}==\"\(hexadecimal(vendorID))\", "
            + "ATTR{idProduct}==\"\(hexadecimal(productID))\", MODE=\"0660\", TAG+=\"uaccess\""
    }
}

extension KnownReader {
    private static let v5 = "MagneSafe V5 Communication Reference Manual 99875475"
    private static let webHID = "MagTek's public WebHID sample"
    private static let hidManual = "USB HID SureSwipe manual 99875191"

    private static func magTek(
        _ productID: UInt16,
        _ name: String,
        _ wire: Wire = .reports,
        playsAs: String? = nil,
        isInferred: Bool = false,
        from source: String
    ) -> Self {
        Self(
            vendorID: 0x0801,
            productID: productID,
            name: "MagTek \(name)",
            wire: wire,
            playsAs: playsAs,
            isInferred: isInferred,
            source: source
        )
    }

    private static func idTech(
        _ productID: UInt16,
        _ name: String,
        _ wire: Wire = .reports,
        playsAs: String? = nil
    ) -> Self {
        Self(
            vendorID: 0x0ACD,
            productID: productID,
            name: "ID TECH \(name)",
            wire: wire,
            playsAs: playsAs,
            isInferred: false,
            source: "ID TECH's integration guides of the model"
        )
    }

    /// The readers that are recognised, by vendor and product.
    public static let all: [KnownReader] = [
        magTek(0x0001, "reader as a keyboard", .keyboard, from: v5),
        magTek(0x0002, "SureSwipe, not encrypting", from: hidManual),
        magTek(0x0003, "insert reader of the older kind", isInferred: true, from: webHID),
        magTek(0x0011, "Dynamag", playsAs: "dynamag", from: v5),
        magTek(0x0013, "insert reader, MagneSafe V5", playsAs: "dynamag", from: v5),
        magTek(0x0014, "wireless reader on its own cable", playsAs: "dynamag", from: v5),
        magTek(0x0019, "reader of the MagneSafe V5 family", isInferred: true, from: webHID),
        magTek(0x001A, "mDynamo", isInferred: true, from: webHID),
        magTek(0x001C, "tDynamo", isInferred: true, from: webHID),
        magTek(0x001E, "eDynamo", isInferred: true, from: webHID),
        magTek(0x001F, "iDynamo 6 or kDynamo", isInferred: true, from: webHID),
        magTek(0x0020, "iDynamo 5 Gen III", from: "iDynamo 5 Gen III Programmer's Manual"),
        magTek(0x2020, "DynaFlex", isInferred: true, from: webHID),
        magTek(0x2023, "DynaProx", isInferred: true, from: webHID),
        magTek(0x3009, "DynaPro Mini", from: "DynaPro Mini Programmer's Reference"),
        magTek(0x5357, "boot loader", .bootLoader, isInferred: true, from: webHID),
        idTech(0x2010, "SecureMag", playsAs: "securemag"),
        idTech(0x2020, "SecureMag, other structure"),
        idTech(0x2030, "SecureMag as a keyboard", .keyboard),
        idTech(0x2610, "SecureKey M100 or M130"),
        idTech(0x2620, "SecureKey as a keyboard", .keyboard),
        idTech(0x2810, "SecuRED", playsAs: "securemag"),
        idTech(0x2820, "SecuRED as a keyboard", .keyboard),
        idTech(0x3530, "VP3300"),
        idTech(0x3810, "Augusta as a keyboard", .keyboard),
        idTech(0x3820, "Augusta"),
        idTech(0x3910, "Augusta S as a keyboard", .keyboard),
        idTech(0x3920, "Augusta S"),
        idTech(0x4520, "SREDKey 2"),
        idTech(0x4521, "SREDKey 2 as a keyboard", .keyboard),
        KnownReader(
            vendorID: 0x0525,
            productID: 0xA4A5,
            name: "Miura with its disk exposed",
            wire: .storage,
            playsAs: nil,
            isInferred: true,
            source:
                "a public host program that takes both ids for a Miura; Linux's mass-storage gadget"
        ),
        KnownReader(
            vendorID: 0x0525,
            productID: 0xA4A7,
            name: "Miura",
            wire: .serial,
            playsAs: "miura",
            isInferred: true,
            source: "a public host program that takes both ids for a Miura; Linux's CDC-ACM gadget"
        ),
    ]
}
