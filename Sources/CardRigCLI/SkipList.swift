import Kernel
import Reporting
import ScenarioLanguage

/// The scenarios that an endpoint may refuse under `--strict`.
///
/// One a line: `scenario:FILE@ENDPOINT` and the reason. Lines with other names are for others.
struct SkipList {
    /// Where it is read from when nothing else is said, if it is there.
    static let defaultPath = ".ci/skips"

    /// Where it was read from.
    let path: String
    private let names: [String]

    /// Reads a list.
    ///
    /// - Throws: `KernelError` when the file cannot be read.
    init(path: String) throws(KernelError) {
        self.init(path: path, bytes: try FileBytes.read(path: path, limit: 1 << 20))
    }

    init(path: String, bytes: [UInt8]) {
        self.path = path
        names = bytes.split(separator: UInt8(ascii: "\n")).compactMap { line in
            let word = line.drop { $0 == 0x20 || $0 == 0x09 }.prefix { $0 > 0x20 }
            let name = String(decoding: word, as: UTF8.self)
            return name.hasPrefix("scenario:") ? name : nil
        }
    }

    /// Returns what `--strict` complains about: scenarios that were refused and are not listed,
    /// and those that are listed for this endpoint and were not refused.
    func complaints(about entries: [RunReport.Entry]) -> [String] {
        var complaints: [String] = []
        var last: (name: String, isRefused: Bool)?
        // The cells of a file stand together; it is listed when one of them may be refused.
        func conclude() {
            guard let (name, isRefused) = last else { return }
            let isListed = names.contains(name)
            if isRefused, !isListed {
                complaints.append("\(name) was refused and is not listed in \(path)")
            } else if !isRefused, isListed {
                complaints.append("\(name) is listed in \(path), but it was not refused")
            }
        }
        for case .scenario(let report) in entries {
            let name = "scenario:\(Self.plain(report.scenario.file))@\(report.endpoint)"
            let isRefused = report.status == .refused
            if let before = last, before.name == name {
                last = (name, before.isRefused || isRefused)
            } else {
                conclude()
                last = (name, isRefused)
            }
        }
        conclude()
        return complaints
    }

    /// A path without what does not change where it leads: `./` and doubled slashes.
    private static func plain(_ path: String) -> String {
        let parts = path.split(separator: "/").filter { $0 != "." }
        return (path.hasPrefix("/") ? "/" : "") + parts.joined(separator: "/")
    }
}
