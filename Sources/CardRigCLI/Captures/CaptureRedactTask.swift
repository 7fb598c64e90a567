import CaptureAnalysis
import CaptureFiles
import Kernel
import Reporting

/// `cardrig capture redact`: writes the readers' conversations of a capture with stand-ins.
struct CaptureRedactTask: CaptureTask {
    static let name = "redact"
    static let summary = "Writes a capture anew with stand-ins for card data."
    static let usage = """
        redact IN OUT [--conversation N] [--protocol NAME]
              Writes the conversations of readers in IN as pcapng, with stand-ins of the same length
              for card numbers, tracks, names, serial numbers, PIN blocks and keys; all checks hold.
              What is no reader's is left out. OUT is looked through for every secret of IN before
              it is written: in ASCII, BCD, hex and base64, and over the borders of packets.

        """

    private let source: String
    private let target: String
    private let choice: ConversationChoice

    init(_ reader: consuming ArgumentReader) throws(UsageError) {
        choice = try ConversationChoice(&reader)
        let paths = try reader.takePositionals()
        guard paths.count == 2 else { throw .wrong("capture redact wants two files: IN and OUT") }
        source = paths[0]
        target = paths[1]
        guard target != source, !Paths.areSameFile(target, source) else {
            throw .wrong("capture redact: \(target) is the capture itself: name another file")
        }
    }

    func run(_ streams: Streams) -> ExitCode {
        RedactedCapture.write(
            source,
            to: target,
            choice: choice,
            keepsCardData: false,
            streams
        )
    }
}
