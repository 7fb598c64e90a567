import Kernel
import Testing

/// Text that is kept beside the tests, in `__Golden__/<suite>/<name>.txt`.
///
/// `CARDRIG_GOLDEN=record` writes the texts anew; with anything else they are only compared.
enum Golden {
    private static let folder = String(#filePath.dropLast("Golden.swift".count)) + "__Golden__"

    /// Compares a text with the one that is kept.
    static func expect(
        _ text: String,
        is name: String,
        of suite: String,
        sourceLocation: Testing.SourceLocation = #_sourceLocation
    ) throws {
        let path = "\(folder)/\(suite)/\(name).txt"
        if ProcessEnvironment.value(of: "CARDRIG_GOLDEN") == "record" {
            try FileBytes.makeDirectory("\(folder)/\(suite)")
            try FileBytes.write(Array(text.utf8), to: path)
        }
        let kept = try FileBytes.read(path: path, limit: 1 << 20)
        #expect(text == String(decoding: kept, as: UTF8.self), sourceLocation: sourceLocation)
    }
}
