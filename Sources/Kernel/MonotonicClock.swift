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

/// The clock that stands while others have the processor; for measurements of computing only.
public enum ProcessorClock {
    /// Nanoseconds of processor time that this process has used, all threads together.
    public static var now: Int64 {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
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
