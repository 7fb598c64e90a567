import Glibc

/// The clock that never jumps: nanoseconds since the machine started.
public enum MonotonicClock {
    /// The present moment in nanoseconds.
    public static var now: Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}

/// The clock on the wall, for the time stamps of captures and reports only.
public enum WallClock {
    /// Nanoseconds since 1 January 1970, 00:00 UTC.
    public static var now: Int64 {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}
