import CUSBTestBed
import Kernel

/// The status that says that a test cannot run here; test suites count it as a skip.
let skippedStatus: Int32 = 77
let mark = "CARDRIG_USB_BED"
let preload = "libumockdev-preload.so.0"

func say(_ text: String) { try? StandardStream.error.write("cardrig-usb-bed: \(text)\n") }

/// The outer process: starts the bed again under umockdev's library and watches the time.
func runOuter(_ options: BedOptions) throws(KernelError) -> Int32 {
    usb_test_bed_heed_permissions()
    let signals = try TerminationSignals()
    let poller = try Poller()
    try poller.add(signals.descriptor, token: 0)
    var inner = try ChildProcess(
        ["/proc/self/exe"] + CommandLine.arguments.dropFirst(),
        setting: ["LD_PRELOAD=\(preload)", "\(mark)=inner"]
    )
    if let descriptor = inner.descriptor { try poller.add(descriptor, token: 1) }
    // The inner process ends the program at the limit; this is for when it hangs itself.
    let deadline = MonotonicClock.now + (options.limitSeconds + 5) * 1_000_000_000
    while true {
        if let status = inner.poll() {
            LineListener.removeStale(at: options.controlPath)
            return status.shellCode
        }
        let now = MonotonicClock.now
        if now >= deadline {
            say("the bed hangs and is ended")
            return 124
        }
        let look = inner.descriptor == nil ? now + 20_000_000 : deadline
        try poller.wait(untilMonotonicNanoseconds: min(look, deadline)) { _ in }
        if let signal = signals.take() { inner.signal(signal) }
    }
}

func runInner(_ options: BedOptions) throws(KernelError) -> Int32 {
    // Before umockdev starts threads: Ctrl-C on a terminal would end the bed through one of them,
    // while the program still writes what it recorded.
    let signals = try TerminationSignals()
    guard let bed = Bed(options) else {
        say(
            "umockdev is not installed (apt-get install libumockdev-dev), or was not when this was built"
        )
        return skippedStatus
    }
    var run = BedRun(options, bed: bed)
    return try run.run(signals)
}

guard let options = BedOptions(Array(CommandLine.arguments.dropFirst())) else {
    try? StandardStream.error.write(BedOptions.usage + "\n")
    ProcessEnvironment.exit(2)
}
do throws(KernelError) {
    let isInner = ProcessEnvironment.value(of: mark) == "inner"
    ProcessEnvironment.exit(isInner ? try runInner(options) : try runOuter(options))
} catch {
    say(error.description)
    ProcessEnvironment.exit(3)
}
