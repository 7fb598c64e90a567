import CaptureAnalysis
import CaptureFiles
import CaptureFlows
import CardData
import Kernel
import Reporting

/// `cardrig capture import`: makes a pcapng file of our form out of any capture.
struct CaptureImportTask: CaptureTask {
    static let name = "import"
    static let summary = "Makes a pcapng file of our form out of any capture."
    static let usage = """
        import FILE [--out OUT.pcapng] [--unsafe-keep-card-data]
              Writes what is in a capture of any format as pcapng that Wireshark opens: USB as
              usbmon records, TCP as TCP, RFCOMM channels and serial lines as their bytes. OUT is
              FILE with .pcapng behind it if it is not given. What readers say gets stand-ins for
              card data, as in redact; a card number in clear anywhere else is refused, exit code 2,
              unless it is to be kept.

        """

    private let path: String
    private let output: String
    private let keepsCardData: Bool

    init(_ reader: consuming ArgumentReader) throws(UsageError) {
        let output = try reader.takeValue("--out", expected: "a file", RunOptions.word)
        keepsCardData = try reader.takeFlag("--unsafe-keep-card-data")
        let paths = try reader.takePositionals()
        guard paths.count == 1 else { throw .wrong("capture import wants one file") }
        path = paths[0]
        self.output = output ?? path + ".pcapng"
        guard self.output != path, !Paths.areSameFile(self.output, path) else {
            throw .wrong("--out \(self.output) is the capture itself: name another file")
        }
    }

    func run(_ streams: Streams) -> ExitCode {
        do throws(CaptureProblem) {
            try convert(streams)
            return .held
        } catch {
            streams.complain("\(error)")
            return .wrong
        }
    }

    private func convert(_ streams: Streams) throws(CaptureProblem) {
        let content = try CaptureContent(path)
        let swapped = Set(
            content.survey.conversations.filter(\.isSwapped).flatMap(\.flows)
        )
        var redactor = ConversationRedactor()
        var redaction = UnitRedaction()
        if !keepsCardData {
            for reader in content.survey.readers {
                let conversation = try content.conversation(reader, as: nil)
                redaction.add(conversation, redacted: redactor.redact(conversation))
            }
            try refuseClearCards(redaction)
        }
        var texts = comments(content)
        if !keepsCardData { texts = texts.map { redactor.redact(text: $0) } }
        var converter = CaptureConverter(
            application: "cardrig \(CardRigCommand.version)",
            comments: texts,
            flows: content.facts.flows,
            isSwapped: { swapped.contains($0) }
        )
        do throws(KernelError) {
            let file = try OutputFile(path: output)
            var bytes = converter.beginning
            var failure: KernelError?
            _ = try CaptureSource.read(path) { item, flows in
                let item =
                    keepsCardData ? item : Self.redacted(item, flows, &redaction, &redactor)
                bytes += converter.take(item, flows: flows)
                guard bytes.count >= 1 << 16, failure == nil else { return }
                do throws(KernelError) { try file.append(bytes) } catch { failure = error }
                bytes.removeAll(keepingCapacity: true)
            }
            if let failure { throw failure }
            try file.append(bytes + converter.finish())
        } catch {
            throw CaptureProblem("\(error)")
        }
        streams.write(
            "\(output)  \(converter.packetCount) packets: \(converter.unitCount) units of "
                + "\(converter.byteCount) bytes from \(content.facts.packetCount) packets or lines"
                + (keepsCardData ? "\n" : ", \(redactor.standIns.secrets.count) secrets replaced\n")
        )
        for notice in content.survey.notices { streams.writeError("note: \(notice)\n") }
    }

    /// The item with stand-ins for what is secret in it.
    private static func redacted(
        _ item: CaptureItem,
        _ flows: [Flow],
        _ redaction: inout UnitRedaction,
        _ redactor: inout ConversationRedactor
    ) -> CaptureItem {
        switch item {
        case .notice: return item
        case .comment(var comment):
            comment.text = redactor.redact(text: comment.text)
            return .comment(comment)
        case .unit(var unit):
            if let redacted = redaction.redact(unit, flows: flows) { return .unit(redacted) }
            if flows.indices.contains(unit.flow), case .journal = flows[unit.flow].key {
                unit.bytes = redactor.redact(record: Array(unit.bytes))[...]
            }
            return .unit(unit)
        }
    }

    /// What the file says of itself: the remarks of the one that it comes from, and which that was.
    private func comments(_ content: CaptureContent) -> [String] {
        var comments = content.survey.comments.filter {
            // What the recording said of its card data need not be so any more.
            $0.packetNumber == nil && !$0.text.hasPrefix("card data: ")
        }.map(\.text)
        comments.append("imported from \(content.facts.formatName ?? "a capture")")
        switch content.facts.clock {
        case .utc: break
        case .relative: comments.append("times are counted from an unknown moment")
        case .none: comments.append("the capture has no times")
        }
        comments.append(
            keepsCardData
                ? "card data: KEPT AS IT WAS (--unsafe-keep-card-data)"
                : "card data: replaced by stand-ins"
        )
        return comments
    }

    /// Looks through all that is not redacted before anything is written.
    private func refuseClearCards(_ redaction: UnitRedaction) throws(CaptureProblem) {
        var redaction = redaction
        var screen = ClearCardScreen()
        do throws(KernelError) {
            _ = try CaptureSource.read(path) { item, flows in
                guard case .unit(let unit) = item,
                    redaction.redact(unit, flows: flows) == nil
                else { return }
                screen.note(unit, flows: flows)
            }
        } catch {
            throw CaptureProblem("\(error)")
        }
        guard let first = screen.findings.first else { return }
        throw CaptureProblem(
            "\(path): packet \(first.packetNumber): what looks like a card number stands there "
                + "\(first.encoding.rawValue); nothing was written (--unsafe-keep-card-data keeps it)"
        )
    }
}
