import CaptureAnalysis
import CaptureFiles
import EventLoops
import Kernel
import Rig
import Transports

/// Writes what a real reader says into a pcapng file while it says it.
///
/// What came is written when the reader was silent for ``silence``, so that messages are whole when
/// secrets are looked for in them; whatever ends the program, the file can be read up to there.
struct LiveRecording: ~Copyable {
    /// How long the reader is silent before what it said is written.
    static let silence = VirtualDuration.milliseconds(200)

    /// How many units of the reader were written.
    private(set) var unitCount = 0
    /// What is spoken, once it was recognised.
    private(set) var wire: WireProtocol?

    private let file: OutputFile
    private let writer: CaptureWriter
    private let begin: Int64
    private var recorded: RecordedWire
    private var waiting: [Conversation.Event] = []
    private var redactor = ConversationRedactor()
    private let keepsCardData: Bool

    /// Creates the file and writes its head.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - readerName: What the reader is called in it.
    ///   - isUSB: Whether its units are reports.
    ///   - keepsCardData: Whether card data stays as it was.
    ///   - begin: When the clock of the events began, in nanoseconds since 1970.
    /// - Throws: `KernelError` when the file cannot be written.
    init(
        _ path: String,
        readerName: String,
        isUSB: Bool,
        keepsCardData: Bool,
        beginNanoseconds begin: Int64
    ) throws(KernelError) {
        var header = RecordingHeader(keepsCardData: keepsCardData, beginNanoseconds: begin)
        header.remarks = ["recorded by cardrig record at \(readerName)"]
        var writer = CaptureWriter(
            application: "cardrig \(CardRigCommand.version)",
            comments: header.comments
        )
        let added = writer.addInterface(
            isUSB ? .usbLinuxMmapped : .exportedPDU,
            name: "reader",
            description: readerName
        )
        let file = try OutputFile(path: path)
        try file.append(writer.sectionHeader + added.bytes)
        self.begin = begin
        self.keepsCardData = keepsCardData
        self.writer = writer
        self.file = file
        recorded = RecordedWire(added.interface, reader: 0)
    }

    /// Takes what the transport told.
    mutating func note(_ event: TransportEvent, at now: VirtualInstant) {
        let content: TimedEvent.Content
        switch event {
        case .attached(let attachment): content = .attached(attachment)
        case .received(let unit): content = .fromReader(unit)
        case .featureFinished(let result): content = .featureFinished(result)
        case .detached(let reason): content = .detached(reason)
        case .unusable: return
        }
        waiting.append(
            Conversation.Event(
                offset: now - .zero,
                content,
                packetNumber: unitCount + waiting.count + 1
            )
        )
    }

    /// When what waits is written; `nil` when nothing does.
    var deadline: VirtualInstant? { waiting.last.map { .zero + $0.offset + Self.silence } }

    /// Writes what waits, and returns how many units of the reader were written so far.
    @discardableResult
    mutating func flush() throws(KernelError) -> Int {
        guard !waiting.isEmpty else { return unitCount }
        if wire == nil { wire = .recognised(in: waiting) }
        var conversation = Conversation(wire: wire, events: waiting)
        if !keepsCardData { conversation = redactor.redact(conversation) }
        var bytes: [UInt8] = []
        for event in conversation.events {
            if case .fromReader = event.content { unitCount += 1 }
            let (time, overflow) = begin.addingReportingOverflow(event.offset.nanoseconds)
            bytes += recorded.blocks(
                WireTap.Traffic(event.content),
                at: CaptureTime(nanosecondsSinceEpoch: overflow ? .max : time),
                writer
            )
        }
        waiting = []
        try file.append(bytes)
        return unitCount
    }
}
