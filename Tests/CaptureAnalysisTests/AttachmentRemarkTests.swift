import CaptureAnalysis
import Testing
import Transports

@Suite("Attachment remark")
struct AttachmentRemarkTests {
    @Test(arguments: [
        AttachmentRemark.attached(Attachment()),
        .attached(Attachment(maximumPacketByteCount: 8, vendorID: 0x0801, productID: 0x11)),
        .detached(.left), .detached(.cut), .detached(.overflow), .detached(.closed),
        .detached(.endOfCapture),
    ])
    func whatIsWrittenIsRead(_ remark: AttachmentRemark) {
        #expect(AttachmentRemark(remark.description) == remark)
    }

    @Test(arguments: [
        "", "attach", "attached:", "detached", "detached: gone", "attached: packets of 8 bytes",
        "attached: packets of -8 bytes, usb 0801:0011", "attached: packets of 8 bytes, usb 0801",
    ])
    func otherTextIsNone(_ text: String) {
        #expect(AttachmentRemark(text) == nil)
    }
}
