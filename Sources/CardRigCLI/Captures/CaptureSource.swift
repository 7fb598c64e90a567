import CaptureAnalysis
import CaptureFlows
import Kernel

/// Reads capture files, piece by piece, whatever their format is.
enum CaptureSource {
    /// How many bytes are read at once.
    private static let pieceByteCount = 65_536

    /// Reads a whole file and hands out each item of it.
    ///
    /// - Returns: What the importer knew at the end.
    /// - Throws: `KernelError` when the file cannot be read.
    static func read(
        _ path: String,
        each body: (CaptureItem, [Flow]) -> Void
    ) throws(KernelError) -> CaptureFacts {
        let file = try InputFile(path: path)
        var importer = CaptureImporter()
        var byteCount = 0
        while true {
            let piece = try file.read(upTo: pieceByteCount)
            byteCount += piece.count
            if piece.isEmpty { importer.finish() } else { importer.append(piece[...]) }
            while let item = importer.next() { body(item, importer.flows) }
            if piece.isEmpty { break }
        }
        return CaptureFacts(
            formatName: importer.formatName,
            isCompressed: importer.isCompressed,
            clock: importer.clock,
            packetCount: importer.packetCount,
            byteCount: byteCount,
            flows: importer.flows,
            usbDevices: importer.usbDevices
        )
    }

    /// Surveys a file.
    static func survey(_ path: String) throws(KernelError) -> (CaptureSurvey, CaptureFacts) {
        var survey = CaptureSurvey()
        let facts = try read(path) { survey.note($0, flows: $1) }
        survey.finish()
        return (survey, facts)
    }

    /// Collects one conversation of a file that was surveyed.
    static func conversation(
        _ surveyed: SurveyedConversation,
        of path: String,
        as wire: WireProtocol? = nil
    ) throws(KernelError) -> Conversation {
        var collector = ConversationCollector(surveyed, as: wire)
        _ = try read(path) { collector.note($0, flows: $1) }
        return collector.finish()
    }
}

/// What the importer knew of a file at its end.
struct CaptureFacts: Sendable {
    var formatName: String?
    var isCompressed: Bool
    var clock: CaptureImporter.Clock
    var packetCount: Int
    var byteCount: Int
    var flows: [Flow]
    var usbDevices: [USBDeviceSeen]
}
