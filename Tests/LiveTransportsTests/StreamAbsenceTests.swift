import EventLoops
import Kernel
import LiveTransports
import Testing
import Transports

/// What is told of a reader that cannot be reached, and of one that leaves in its own way.
@Suite("Absence on streams")
struct StreamAbsenceTests {
    @Test func aRefusedConnectionIsNamedWithARemedy() throws {
        var harness = try StreamHarness<TCPTransport>.tcp()
        harness.transport.open(at: .zero)
        #expect(harness.next(within: 150_000_000) == nil)
        #expect(harness.transport.absence.contains("(connection refused)"))
        #expect(harness.transport.absence.contains("switch the reader on"))
    }

    @Test func aHostThatDoesNotExistIsUnusable() throws {
        let transport = try TCPTransport(try TCPSelector(parsing: "tcp:no-such-host.invalid:1"))
        let far = try FarSide(.tcp(try loopback(port: 0)))
        var harness = try StreamHarness(transport, far)
        harness.transport.open(at: .zero)
        // The resolver may have nobody to ask, which is no proof that the host does not exist.
        if case .unusable(let problem)? = harness.next(within: 4_000_000_000) {
            #expect(problem.description.contains("there is no host 'no-such-host.invalid'"))
        } else {
            #expect(
                ["no name server", "did not answer", "was not reached yet"].contains {
                    transport.absence.contains($0)
                }
            )
        }
    }

    @Test func aMissingLineIsNamedWithARemedy() throws {
        var harness = try StreamHarness<SerialTransport>.pty("missing")
        harness.transport.open(at: .zero)
        #expect(harness.next(within: 150_000_000) == nil)
        #expect(harness.transport.absence.contains("there is no serial line /tmp/cardrig-"))
    }

    @Test(arguments: ["/dev/null", "/tmp"])
    func whatIsNoLineIsUnusable(path: String) throws {
        let transport = try SerialTransport(try SerialSelector(parsing: "serial:" + path))
        transport.open(at: .zero)
        guard case .unusable(let problem)? = transport.nextEvent(at: .zero) else {
            Issue.record("it was opened")
            return
        }
        #expect(problem.code == .unsupported)
    }

    @Test func aSecondOpenerIsRefused() throws {
        var first = try StreamHarness<SerialTransport>.pty("second-opener")
        first.attachReader()
        first.transport.open(at: .zero)
        #expect(first.next(within: 500_000_000) == .attached(Attachment()))
        let selector = try SerialSelector(parsing: "serial:" + first.far.server.address)
        var second = try StreamHarness(try SerialTransport(selector), first.far)
        second.transport.open(at: .zero)
        guard case .unusable(let problem)? = second.next(within: 6_000_000_000) else {
            Issue.record("the second opener got the line")
            return
        }
        #expect(problem.code == .busy)
        // And the line is free again once the first one closes it.
        first.transport.close(at: .zero)
        second.transport.close(at: .zero)
        second.transport.open(at: .zero)
        #expect(second.next(within: 500_000_000) == .attached(Attachment()))
    }

    /// Field bug 33: two programs on one line, and each got a part of the bytes.
    @Test func aProgramThatSharesTheLineIsNamedAndWaitedOut() throws {
        var harness = try StreamHarness<SerialTransport>.pty("shared-line")
        harness.attachReader()
        let line = try #require(harness.far.server.terminalPath)
        let mark = harness.far.server.address + ".opened"
        defer { FileBytes.remove(path: mark) }
        var other = try ChildProcess([
            "sh", "-c", "exec 3<>\(line); echo open > \(mark); exec sleep 60",
        ])
        let limit = MonotonicClock.now + 10_000_000_000
        while (try? FileBytes.read(path: mark, limit: 8))?.isEmpty != false {
            try #require(MonotonicClock.now < limit, "it did not open the line")
            harness.far.work(nanoseconds: 5_000_000)
        }
        harness.transport.open(at: .zero)
        guard case .unusable(let problem)? = harness.next(within: 10_000_000_000) else {
            Issue.record("a line that another program reads was used")
            return
        }
        #expect(problem.code == .busy)
        #expect(problem.description.contains("sleep (process \(other.processID)) has "))
        other.signal(15)
        _ = try other.wait(untilMonotonicNanoseconds: limit)
        harness.transport.close(at: .zero)
        harness.transport.open(at: .zero)
        #expect(harness.next(within: 2_000_000_000) == .attached(Attachment()))
    }

    @Test func aReaderThatSendsNoMoreHasLeftAfterWhatItSent() throws {
        var harness = try StreamHarness<TCPTransport>.tcp()
        harness.attachReader()
        harness.transport.open(at: .zero)
        harness.transport.grant(credits: 8)
        #expect(harness.next(within: 500_000_000) == .attached(Attachment()))
        harness.deliver([1, 2, 3])
        harness.far.server.letGo(.hungUp)
        #expect(
            harness.next(within: 500_000_000)
                == .received(TransportUnit(.bytes, [1, 2, 3][...]))
        )
        #expect(harness.next(within: 500_000_000) == .detached(.left))
        // The reader still listens, so that it is found again.
        #expect(harness.next(within: 500_000_000) == .attached(Attachment()))
    }

    @Test func aLineThatHangsUpIsADetachAndNoEmptyRead() throws {
        var harness = try StreamHarness<SerialTransport>.pty("hangs-up")
        harness.attachReader()
        harness.transport.open(at: .zero)
        harness.transport.grant(credits: 8)
        #expect(harness.next(within: 500_000_000) == .attached(Attachment()))
        harness.far.server.unplug()
        #expect(harness.next(within: 500_000_000) == .detached(.left))
        #expect(harness.next(within: 250_000_000) == nil)
    }

    @Test func theModemLinesOfAPtyAreIgnored() throws {
        var harness = try StreamHarness<SerialTransport>.pty("modem-lines")
        harness.attachReader()
        harness.transport.open(at: .zero)
        harness.transport.grant(credits: 1)
        #expect(harness.next(within: 500_000_000) == .attached(Attachment()))
        let state = TransportUnit.Kind.lineState(dataTerminalReady: true, requestToSend: false)
        harness.transport.send(TransportUnit(state, []), at: .zero)
        harness.transport.send(TransportUnit(.bytes, [0, 3, 17, 19, 255]), at: .zero)
        #expect(harness.takeReaderUnits() == [[0, 3, 17, 19, 255]])
        // Every byte of the reader passes unchanged too.
        harness.deliver(Array(0...255))
        #expect(
            harness.next(within: 500_000_000)
                == .received(TransportUnit(.bytes, Array(0...255)[...]))
        )
    }

    @Test func anIdleTransportDoesNotWakeTheLoop() throws {
        var harness = try StreamHarness<TCPTransport>.tcp()
        harness.attachReader()
        harness.transport.open(at: .zero)
        #expect(harness.next(within: 500_000_000) == .attached(Attachment()))
        let poller = try Poller()
        try poller.add(harness.transport.wakeDescriptor, token: 0)
        let limit = MonotonicClock.now + 200_000_000
        let count = try poller.wait(untilMonotonicNanoseconds: limit) { _ in }
        #expect(count == 0)
    }
}
