/// How much memory this process holds.
public enum ProcessMemory {
    /// How many bytes of it are resident; `nil` when the kernel does not say.
    ///
    /// Source: proc(5), `/proc/self/status`, `VmRSS` in kB.
    public static var residentByteCount: Int? {
        guard let bytes = try? FileBytes.read(path: "/proc/self/status", limit: 1 << 16) else {
            return nil
        }
        for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n") {
            let words = line.split(whereSeparator: { $0 == " " || $0 == "\t" })
            guard words.count == 3, words[0] == "VmRSS:" else { continue }
            return Int(words[1]).map { $0 << 10 }
        }
        return nil
    }
}
