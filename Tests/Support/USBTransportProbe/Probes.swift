import EventLoops
import Glibc
import Kernel
import LiveTransports
import Transports

/// Runs the probe of that name: one fact about the USB transport on the real libusb.
func runProbe(named name: String) throws {
    switch name {
    case "attachedBeforeOpening": try attachedBeforeOpening(try Probe())
    case "attachedAfterOpening": try attachedAfterOpening(try Probe())
    case "reportsComeWholeAndOnCredit": try reportsComeWholeAndOnCredit(try Probe())
    case "detachEndsPendingTransfers": try detachEndsPendingTransfers(try Probe())
    case "attachesAgainAndAgain": try attachesAgainAndAgain(try Probe())
    case "detachIsSeenWithoutTransfers": try detachIsSeenWithoutTransfers(try Probe())
    case "closingWhilePending": try closingWhilePending(try Probe())
    case "droppingWhilePending": try droppingWhilePending()
    case "busyForAWhile": try busyForAWhile(try Probe())
    case "busyForGood": try busyForGood(try Probe())
    case "featureReports": try featureReports(try Probe())
    case "overflow": try overflow(try Probe())
    case "idleCostsNothing": try idleCostsNothing(try Probe())
    case "reopening": try reopening(try Probe())
    case "eachSwipeIsOneReport": try eachSwipeIsOneReport(try Probe())
    case "theManualsCardGivesTheManualsReport":
        try theManualsCardGivesTheManualsReport(try Probe())
    case "aSwipeThatIsCutGivesNothing": try aSwipeThatIsCutGivesNothing(try Probe())
    default: try runOpeningProbe(named: name)
    }
}

private func attachedBeforeOpening(_ probe: Probe) throws {
    try probe.hand("plug in")
    probe.transport.open(at: .zero)
    try probe.expectAttached()
    try probe.expectNothing()
    try probe.await("driver", answers: "none")
}

private func attachedAfterOpening(_ probe: Probe) throws {
    probe.transport.open(at: .zero)
    try probe.expectNothing()
    try probe.hand("plug in")
    try probe.expectAttached()
    try probe.expectNothing()
}

private func reportsComeWholeAndOnCredit(_ probe: Probe) throws {
    try probe.hand("plug in")
    probe.transport.open(at: .zero)
    try probe.expectAttached()
    for number in 0..<3 { try probe.hand("send \(hex(report(number: number)))") }
    try probe.expectNothing()
    probe.transport.grant(credits: 1)
    try probe.expectReport(report(number: 0))
    try probe.expectNothing()
    probe.transport.grant(credits: 2)
    try probe.expectReport(report(number: 1))
    try probe.expectReport(report(number: 2))
    probe.transport.grant(credits: 100)
    try probe.hand("send \(hex(report(number: 9, byteCount: 3)))")
    try probe.expectReport(report(number: 9, byteCount: 3))
    for number in 3..<23 { try probe.hand("send \(hex(report(number: number)))") }
    for number in 3..<23 { try probe.expectReport(report(number: number)) }
    try probe.expectNothing()
}

private func detachEndsPendingTransfers(_ probe: Probe) throws {
    try probe.hand("plug in")
    probe.transport.grant(credits: 9)
    probe.transport.open(at: .zero)
    try probe.expectAttached()
    try probe.await("pending", answers: "4")
    try probe.hand("unplug")
    try probe.expect(.detached(.left))
    try probe.expectNothing()
}

/// Without a transfer in flight only the watch can tell that the reader left.
private func detachIsSeenWithoutTransfers(_ probe: Probe) throws {
    try probe.hand("plug in")
    probe.transport.open(at: .zero)
    try probe.expectAttached()
    try probe.hand("unplug")
    try probe.expect(.detached(.left))
    try probe.hand("plug in")
    try probe.expectAttached()
}

private func attachesAgainAndAgain(_ probe: Probe) throws {
    probe.transport.grant(credits: 20)
    probe.transport.open(at: .zero)
    for number in 0..<6 {
        try probe.hand("plug in")
        try probe.expectAttached()
        try probe.await("pending", answers: "4")
        try probe.hand("send \(hex(report(number: number)))")
        try probe.expectReport(report(number: number))
        try probe.hand("unplug")
        try probe.expect(.detached(.left))
    }
    try probe.expectNothing()
}

private func closingWhilePending(_ probe: Probe) throws {
    try probe.hand("plug in")
    probe.transport.grant(credits: 9)
    probe.transport.open(at: .zero)
    try probe.expectAttached()
    try probe.await("pending", answers: "4")
    probe.transport.close(at: .zero)
    try probe.expect(.detached(.closed))
    try probe.await("pending", answers: "0")
    try probe.await("driver", answers: "usbhid")
    try probe.hand("send \(hex(report(number: 1)))")
    try probe.expectNothing()
}

private func droppingWhilePending() throws {
    do {
        let probe = try Probe()
        try probe.hand("plug in")
        probe.transport.grant(credits: 9)
        probe.transport.open(at: .zero)
        try probe.expectAttached()
        try probe.await("pending", answers: "4")
    }
    let probe = try Probe()
    guard try probe.hand("pending") == "0", try probe.hand("driver") == "usbhid" else {
        throw Failure(description: "the end of the transport did not give the reader back")
    }
}

private func busyForAWhile(_ probe: Probe) throws {
    probe.transport.open(at: .zero)
    try probe.hand("refuse claims 4")
    try probe.hand("plug in")
    try probe.expectAttached()
    try probe.expectNothing()
}

private func busyForGood(_ probe: Probe) throws {
    probe.transport.open(at: .zero)
    try probe.hand("refuse claims 1000")
    try probe.hand("plug in")
    guard case .unusable(let problem) = try probe.event(), problem.code == .busy else {
        throw Failure(description: "expected to hear that the reader is busy")
    }
    try probe.expectNothing()
    try probe.await("driver", answers: "usbhid")
    try probe.hand("refuse claims 0")
    try probe.hand("unplug")
    try probe.expect(.detached(.left))
    try probe.hand("plug in")
    try probe.expectAttached()
}

private func featureReports(_ probe: Probe) throws {
    let zeros = [UInt8](repeating: 0, count: 60)
    let isDropped = TransportUnit(.featureSet(id: 0), zeros[...])
    probe.transport.open(at: .zero)
    probe.transport.send(isDropped, at: .zero)
    try probe.expectNothing()
    try probe.hand("plug in")
    try probe.expectAttached()
    // Command 00 with property 00: the reader answers with its software id.
    let command: [UInt8] = [0x00, 0x01, 0x00] + [UInt8](repeating: 0, count: 57)
    let answer = [0x00, 0x0B] + Array("21042840G01".utf8) + [UInt8](repeating: 0, count: 47)
    probe.transport.send(TransportUnit(.featureSet(id: 0), command[...]), at: .zero)
    probe.transport.send(TransportUnit(.featureGet(id: 0, byteCount: 60), []), at: .zero)
    probe.transport.send(TransportUnit(.featureSet(id: 0), command[..<59]), at: .zero)
    probe.transport.send(TransportUnit(.featureGet(id: 0, byteCount: 24), []), at: .zero)
    try probe.expect(.featureFinished(.set))
    try probe.expect(.featureFinished(.got(answer[...])))
    try probe.expect(.featureFinished(.stalled))
    try probe.expect(.featureFinished(.stalled))
}

private func overflow(_ probe: Probe) throws {
    try probe.hand("plug in")
    probe.transport.open(at: .zero)
    try probe.expectAttached()
    let unit = TransportUnit(.featureSet(id: 0), [UInt8](repeating: 0, count: 60)[...])
    for _ in 0..<(USBTransport.sendLimit * 20) { probe.transport.send(unit, at: .zero) }
    while let event = try probe.event() {
        if event == .detached(.overflow) {
            try probe.expectNothing()
            return
        }
        guard event == .featureFinished(.set) else {
            throw Failure(description: "expected an overflow, found \(event)")
        }
    }
    throw Failure(description: "expected an overflow")
}

private func idleCostsNothing(_ probe: Probe) throws {
    try probe.hand("plug in")
    probe.transport.grant(credits: 4)
    probe.transport.open(at: .zero)
    try probe.expectAttached()
    try probe.await("pending", answers: "4")
    let before = clock()
    _ = try probe.event(within: 1_000_000_000)
    let spent = Double(clock() - before) / Double(CLOCKS_PER_SEC)
    guard spent < 0.3 else {
        throw Failure(description: "a second of waiting took \(spent) s of the processor")
    }
}

private func reopening(_ probe: Probe) throws {
    try probe.hand("plug in")
    for number in 0..<3 {
        probe.transport.open(at: .zero)
        try probe.expectAttached()
        probe.transport.grant(credits: 1)
        try probe.hand("send \(hex(report(number: number)))")
        try probe.expectReport(report(number: number))
        probe.transport.close(at: .zero)
        try probe.expect(.detached(.closed))
    }
}

private func eachSwipeIsOneReport(_ probe: Probe) throws {
    try probe.hand("plug in")
    probe.transport.grant(credits: 9)
    probe.transport.open(at: .zero)
    try probe.expectAttached()
    var counters: [UInt8] = []
    for (line, status) in [("visa good", 0), ("visa unreadable", 1), ("visa too fast", 1)] {
        try probe.hand("swipe \(line)")
        guard case .received(let unit) = try probe.event(), unit.payload.count == 887 else {
            throw Failure(description: "expected a report of 887 bytes for \(line)")
        }
        // Offset 0 is the status of track 1, 504 the end of the key serial number.
        let bytes = Array(unit.payload)
        guard Int(bytes[0]) == status else { throw Failure(description: "wrong status: \(line)") }
        counters.append(bytes[504])
    }
    guard counters == [1, 2, 3] else { throw Failure(description: "one key served two swipes") }
    try probe.expectNothing()
}

private func theManualsCardGivesTheManualsReport(_ probe: Probe) throws {
    try probe.hand("plug in")
    probe.transport.grant(credits: 9)
    probe.transport.open(at: .zero)
    try probe.expectAttached()
    try probe.hand("swipe magtek-manual good")
    guard case .received(let unit) = try probe.event(), unit.payload.count == 887 else {
        throw Failure(description: "expected a report of 887 bytes")
    }
    // Example 11 of MagTek's manual 99875475: lengths, track 1, status, key serial number.
    let bytes = Array(unit.payload)
    let parts: [(offset: Int, digits: String)] = [
        (3, "402820"), (7, "C25C1D1197D31CAA87285D59A892047426D9182EC11353C0"),
        (119, "724C5DB7D6F901C7"), (231, "76BB013C0DFD8195"), (344, "A105000038"),
        (493, "0006FFFF9876543210E000083C251F"), (844, "21685F158B5C6BE0"),
    ]
    for (offset, digits) in parts
    where hex(Array(bytes[offset..<offset + digits.utf8.count / 2])).uppercased() != digits {
        throw Failure(description: "the report differs from the manual's at \(offset)")
    }
}

private func aSwipeThatIsCutGivesNothing(_ probe: Probe) throws {
    try probe.hand("plug in")
    probe.transport.grant(credits: 9)
    probe.transport.open(at: .zero)
    try probe.expectAttached()
    try probe.hand("swipe visa good")
    // The report takes 111 packets and as many milliseconds.
    probe.sleep(nanoseconds: 30_000_000)
    try probe.hand("unplug")
    try probe.expect(.detached(.left))
    try probe.hand("plug in")
    try probe.expectAttached()
    try probe.hand("swipe visa good")
    guard case .received(let unit) = try probe.event(), unit.payload.count == 887 else {
        throw Failure(description: "expected the report of the second swipe, whole")
    }
    try probe.expectNothing()
}
