import Kernel
import Reporting

/// What `cardrig capture` can do with files.
protocol CaptureTask {
    /// How it is typed behind `capture`.
    static var name: String { get }
    /// What it does, in one line.
    static var summary: String { get }
    /// How it is used, and its options, without an example.
    static var usage: String { get }

    /// Reads its arguments.
    init(_ reader: consuming ArgumentReader) throws(UsageError)

    /// Does it.
    func run(_ streams: Streams) -> ExitCode
}

/// `cardrig capture`: looks into captures and makes others out of them.
struct CaptureVerb: Verb {
    static let name = "capture"
    static let summary =
        "Looks into captures of other tools and ours, and makes others out of them."
    static var help: String {
        var text = """
            Usage: cardrig capture TASK FILE... [OPTIONS]

            Reads pcap, pcapng, btsnoop, PacketLogger, usbmon text, serial logs and hex dumps, each
            found by its content, gzip or not. Nothing that is shown or written holds card data.


            """
        for task in tasks {
            text += "\(task.usage)\n"
        }
        return text + """
              Example: ./cardrig capture info Captures/usb/dynamag-swipe-usbip.pcap

            """
    }

    static var tasks: [any CaptureTask.Type] {
        [
            CaptureInfoTask.self, CaptureDiffTask.self, CaptureImportTask.self,
            CaptureRedactTask.self, AppLogTask.self,
        ]
    }

    private let task: any CaptureTask

    init(_ reader: consuming ArgumentReader) throws(UsageError) {
        var reader = reader
        let names = Self.tasks.map { $0.name }
        guard let name = reader.takeFirstPositional() else {
            throw .wrong("capture wants a task: " + names.joined(separator: ", "))
        }
        guard let task = Self.tasks.first(where: { $0.name == name }) else {
            let hint = nearest(to: name, among: names).map { "; did you mean '\($0)'?" }
            let rest = "; the tasks are " + names.joined(separator: ", ")
            throw .wrong("there is no capture task '\(name)'" + (hint ?? rest))
        }
        self.task = try task.init(reader)
    }

    func run(_ streams: Streams) -> ExitCode { task.run(streams) }
}
