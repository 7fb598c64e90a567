import CaptureFiles
import EventLoops

/// Writes the times of captures for people.
enum CaptureClock {
    /// `2024-06-03 09:00:00.000000000`.
    static func text(_ time: CaptureTime) -> String {
        // What is outside of some ten thousand years is no time that anybody means.
        let seconds = max(-1 << 40, min(time.seconds, 1 << 40))
        let days = seconds >= 0 ? seconds / 86_400 : (seconds - 86_399) / 86_400
        let second = seconds - days * 86_400
        let date = CivilDate(daysSince1970: days)
        return "\(date.year)-\(two(date.month))-\(two(date.day))"
            + " \(two(second / 3_600)):\(two(second / 60 % 60)):\(two(second % 60))"
            + ".\(nine(time.nanoseconds))"
    }

    /// The time between two moments in seconds with nine digits behind the point.
    static func seconds(from first: CaptureTime, to last: CaptureTime) -> String {
        var seconds = last.seconds &- first.seconds
        var nanoseconds = Int64(last.nanoseconds) - Int64(first.nanoseconds)
        if nanoseconds < 0 {
            nanoseconds += 1_000_000_000
            seconds &-= 1
        }
        return "\(seconds).\(nine(UInt32(nanoseconds)))"
    }

    private static func two(_ number: Int64) -> String {
        number < 10 ? "0\(number)" : "\(number)"
    }

    private static func nine(_ nanoseconds: UInt32) -> String {
        String(String(1_000_000_000 + UInt64(nanoseconds)).dropFirst())
    }
}
