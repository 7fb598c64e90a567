import Journal
import LiveTransports
import Reporting

/// Readers and doctor's lines as JSON.
enum DeskJSON {
    /// Returns what one look found.
    static func document(_ found: DeskSurvey.Result) -> [UInt8] {
        var writer = JSONWriter(isIndented: true)
        writer.beginObject()
        writer.member("version", CardRigCommand.version)
        writer.key("readers")
        writer.beginArray()
        for reader in found.readers { write(reader, to: &writer) }
        writer.endArray()
        optional("usbProblem", found.usbProblem, to: &writer)
        writer.endObject()
        writer.endLine()
        return writer.bytes
    }

    /// Returns one change, as a line.
    static func line(_ change: DeskChange) -> [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        switch change {
        case .attached(let reader):
            writer.member("change", "attached")
            writer.key("reader")
            write(reader, to: &writer)
        case .detached(let reader):
            writer.member("change", "detached")
            writer.key("reader")
            write(reader, to: &writer)
        case .changed(let reader):
            writer.member("change", "changed")
            writer.key("reader")
            write(reader, to: &writer)
        }
        writer.endObject()
        writer.endLine()
        return writer.bytes
    }

    /// Returns what the doctor found.
    static func document(_ checks: [DoctorCheck]) -> [UInt8] {
        var writer = JSONWriter(isIndented: true)
        writer.beginObject()
        writer.member("version", CardRigCommand.version)
        writer.key("checks")
        writer.beginArray()
        for check in checks {
            writer.beginObject()
            writer.member("name", check.safeName)
            writer.member("status", check.status.rawValue)
            writer.member("finding", check.safeFinding)
            optional("remedy", check.remedy, to: &writer)
            writer.endObject()
        }
        writer.endArray()
        writer.endObject()
        writer.endLine()
        return writer.bytes
    }

    private static func write(_ reader: FoundReader, to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("endpoint", reader.safeEndpoint)
        writer.member("name", reader.safeName)
        writer.key("isKnown")
        writer.flag(reader.known != nil)
        if let known = reader.known {
            writer.member("wire", known.wire.rawValue)
            writer.key("isInferred")
            writer.flag(known.isInferred)
            writer.member("source", known.source)
        }
        optional("playsAs", reader.known?.playsAs, to: &writer)
        optional("ids", reader.ids?.description, to: &writer)
        optional("serialNumber", reader.safeSerialNumber, to: &writer)
        optional("port", reader.port, to: &writer)
        writer.member("node", reader.node)
        optional("driver", reader.driver, to: &writer)
        writer.key("canBeOpened")
        writer.flag(reader.trouble == nil)
        if let trouble = reader.trouble {
            writer.key("trouble")
            writer.beginObject()
            writer.member("kind", trouble.kind.rawValue)
            writer.member("reason", trouble.reason)
            writer.member("remedy", trouble.remedy)
            writer.endObject()
        }
        writer.endObject()
    }

    private static func optional(_ key: String, _ value: String?, to writer: inout JSONWriter) {
        if let value { writer.member(key, value) }
    }
}
