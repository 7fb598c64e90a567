import EventLoops
import Kernel
import LiveTransports
import Transports

/// Runs the probes about opening a reader, and about what a kernel does badly.
func runOpeningProbe(named name: String) throws {
    switch name {
    case "interfaceIsBusyForATime": try opensInTheEnd(try Probe(), after: "open busy 300")
    case "permissionComesAfter5Milliseconds": try opensInTheEnd(try Probe(), after: "open late 5")
    case "permissionComesAfter40Milliseconds": try opensInTheEnd(try Probe(), after: "open late 40")
    case "permissionComesAfter200Milliseconds":
        try opensInTheEnd(try Probe(), after: "open late 200")
    case "permissionNeverComes": try permissionNeverComes(try Probe())
    case "interfaceDoesNotExistYet": try opensInTheEnd(try Probe(), after: "miss claims 4")
    case "theHolderIsNamed": try theHolderIsNamed(try Probe())
    case "holdTheReader": try holdTheReader(try Probe())
    case "hotplugEventIsMissed": try hotplugEventIsMissed(try Probe())
    case "commandAtTheInstantOfAttach": try commandAtTheInstantOfAttach(try Probe())
    case "shortReport": try damagedReport(try Probe(), Array(report(number: 1)[..<100]))
    case "lostFirstPacket": try damagedReport(try Probe(), Array(report(number: 1)[8...]))
    case "reportTwice": try reportTwice(try Probe())
    default: try runPromise(named: name)
    }
}

/// Field bugs 16 and 19: however long it takes, the loop hears of one attach.
private func opensInTheEnd(_ probe: Probe, after obstacle: String) throws {
    probe.transport.open(at: .zero)
    try probe.hand(obstacle)
    try probe.hand("plug in")
    try probe.expectAttached()
    try probe.expectNothing()
    probe.transport.grant(credits: 1)
    try probe.hand("send \(hex(report(number: 3)))")
    try probe.expectReport(report(number: 3))
}

/// Field bug 12: the error names the node and the rule that is missing.
private func permissionNeverComes(_ probe: Probe) throws {
    probe.transport.open(at: .zero)
    try probe.hand("open denied")
    try probe.hand("plug in")
    let text = try refusal(probe, .accessDenied)
    for part in [
        "this user may not open /dev/bus/usb/001/",
        #"SUBSYSTEM=="usb", ATTR{idVendor}=="0801", ATTR{idProduct}=="0011", MODE="0660", "#
            + #"TAG+="uaccess""#,
    ] where !text.contains(part) {
        throw Failure(description: "'\(text)' does not say '\(part)'")
    }
    try probe.expectNothing()
    try probe.hand("unplug")
    try probe.expect(.detached(.left))
    try probe.hand("plug in")
    try probe.expectAttached()
}

/// Field bug 16: another process has the interface, and is named.
private func theHolderIsNamed(_ probe: Probe) throws {
    try probe.hand("plug in")
    var words = CommandLine.arguments
    words[0] = "/proc/self/exe"
    words[1] = "holdTheReader"
    var holder = try ChildProcess(words)
    try probe.await("driver", answers: "none")
    try probe.await("pending", answers: "1")
    probe.transport.open(at: .zero)
    let text = try refusal(probe, .busy)
    let number = holder.processID
    holder.signal(15)
    _ = try holder.wait(untilMonotonicNanoseconds: MonotonicClock.now + Probe.patience)
    guard text.hasPrefix("device in use by "), text.contains("(process \(number))") else {
        throw Failure(description: "'\(text)' does not name process \(number)")
    }
}

/// Opens the reader and keeps it until somebody ends this process.
private func holdTheReader(_ probe: Probe) throws {
    probe.transport.grant(credits: 1)
    probe.transport.open(at: .zero)
    try probe.expectAttached()
    probe.sleep(nanoseconds: 15_000_000_000)
}

/// An event can be lost: the reader is found all the same, if later.
private func hotplugEventIsMissed(_ probe: Probe) throws {
    probe.transport.open(at: .zero)
    try probe.expectNothing()
    try probe.hand("plug in silently")
    try probe.expectAttached()
    try probe.expectNothing()
    try probe.hand("unplug")
    try probe.expect(.detached(.left))
}

/// Field bug 20: what is sent at the instant of the attach is answered.
private func commandAtTheInstantOfAttach(_ probe: Probe) throws {
    probe.transport.open(at: .zero)
    try probe.hand("open busy 40")
    try probe.hand("plug in")
    try probe.expectAttached()
    let command: [UInt8] = [0x00, 0x01, 0x00] + [UInt8](repeating: 0, count: 57)
    probe.transport.send(TransportUnit(.featureSet(id: 0), command[...]), at: .zero)
    probe.transport.send(TransportUnit(.featureGet(id: 0, byteCount: 60), []), at: .zero)
    try probe.expect(.featureFinished(.set))
    guard case .featureFinished(.got(let answer)) = try probe.event(), answer.first == 0 else {
        throw Failure(description: "expected the answer to the command")
    }
}

/// A report that is damaged on the bus comes as it is, and the next one whole.
private func damagedReport(_ probe: Probe, _ damaged: [UInt8]) throws {
    try probe.hand("plug in")
    probe.transport.grant(credits: 9)
    probe.transport.open(at: .zero)
    try probe.expectAttached()
    try probe.hand("send \(hex(damaged))")
    try probe.expectReport(damaged)
    try probe.hand("send \(hex(report(number: 2)))")
    try probe.expectReport(report(number: 2))
    try probe.expectNothing()
}

/// Field bug 5: the transport hides nothing; whoever reads reports knows one that came twice.
private func reportTwice(_ probe: Probe) throws {
    try probe.hand("plug in")
    probe.transport.grant(credits: 9)
    probe.transport.open(at: .zero)
    try probe.expectAttached()
    for _ in 0..<2 { try probe.hand("send \(hex(report(number: 5)))") }
    for _ in 0..<2 { try probe.expectReport(report(number: 5)) }
    try probe.expectNothing()
}

private func refusal(_ probe: Probe, _ code: TransportProblem.Code) throws -> String {
    guard case .unusable(let problem) = try probe.event(), problem.code == code else {
        throw Failure(description: "expected to hear that the reader cannot be opened: \(code)")
    }
    return problem.description
}
