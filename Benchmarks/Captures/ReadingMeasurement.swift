import CaptureFiles
import CaptureFlows
import Kernel

/// Feeds an importer and counts what it makes, and how much processor time that takes.
struct ReadingMeasurement: ~Copyable {
    private var importer = CaptureImporter()
    private var unitCount = 0
    private var noticeCount = 0
    private var payloadByteCount = 0
    private var nanoseconds: Int64 = 0

    mutating func append(_ piece: [UInt8]) {
        let start = ProcessorClock.now
        importer.append(piece[...])
        drain()
        nanoseconds += ProcessorClock.now - start
    }

    mutating func finish() {
        let start = ProcessorClock.now
        importer.finish()
        drain()
        nanoseconds += ProcessorClock.now - start
    }

    private mutating func drain() {
        while let item = importer.next() {
            switch item {
            case .unit(let unit):
                unitCount += 1
                payloadByteCount += unit.bytes.count
            case .notice: noticeCount += 1
            case .comment: break
            }
        }
    }

    borrowing func print() {
        Swift.print(
            "packets \(importer.packetCount) units \(unitCount) notices \(noticeCount)",
            "payload \(payloadByteCount) nanoseconds \(nanoseconds)",
            "packets_per_second \(Int64(importer.packetCount) * 1_000_000_000 / max(1, nanoseconds))",
            "peak_kib \(Self.peakKibibytes)"
        )
    }

    /// The most memory that the process had resident.
    private static var peakKibibytes: Int {
        guard let status = try? FileBytes.read(path: "/proc/self/status", limit: 1 << 20) else {
            return 0
        }
        let line = String(decoding: status, as: UTF8.self).split(separator: "\n")
            .first { $0.hasPrefix("VmHWM:") }
        return line?.split(separator: " ").compactMap { Int($0) }.first ?? 0
    }
}
