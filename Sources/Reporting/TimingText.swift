import EventLoops
import Journal
import ScenarioRunner

/// How the machine kept time, in words and as JSON.
enum TimingText {
    /// A line with the figures, and a warning when the machine was too busy.
    static func lines(_ timing: LiveTiming, _ style: Style) -> String {
        var text = "timing: \(words(timing))\n"
        if timing.isBusy {
            text +=
                style.bad("warning:") + " this machine was too busy: more than one timer of a "
                + "hundred came over \(LatenessTally.busyLimit.text) late, so no time limit of this run "
                + "can be trusted; end what else runs, and play it again\n"
        }
        return text
    }

    /// The figures in one line.
    static func words(_ timing: LiveTiming) -> String {
        let timers = timing.timers
        let events = timing.events
        let late =
            timers.count == 0
            ? "no timer"
            : "\(timers.count) \(timers.count == 1 ? "timer" : "timers"), 99 of 100 at most "
                + "\(rounded(timers.percentile(99))) late, the worst \(rounded(timers.largest))"
        let byte =
            events.count == 0
            ? "no byte"
            : "from byte to event 99 of 100 at most \(rounded(events.percentile(99))), the worst "
                + rounded(events.largest)
        return "\(late); \(byte)"
    }

    static func write(_ timing: LiveTiming, to writer: inout JSONWriter) {
        writer.beginObject()
        writer.key("timers")
        write(timing.timers, to: &writer)
        writer.key("byteToEvent")
        write(timing.events, to: &writer)
        writer.key("isMachineTooBusy")
        writer.flag(timing.isBusy)
        writer.endObject()
    }

    private static func write(_ tally: LatenessTally, to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("count", Int64(tally.count))
        writer.member("medianNanoseconds", tally.percentile(50).nanoseconds)
        writer.member("percentile99Nanoseconds", tally.percentile(99).nanoseconds)
        writer.member("largestNanoseconds", tally.largest.nanoseconds)
        writer.endObject()
    }

    /// Whole microseconds, rounded up: nobody reads more of it.
    private static func rounded(_ time: VirtualDuration) -> String {
        VirtualDuration.microseconds((time.nanoseconds + 999) / 1_000).text
    }
}
