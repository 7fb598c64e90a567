import EventLoops
import Transports

/// What a check saw, without the parts that differ from path to path.
enum SeenEvent: Equatable {
    case attached
    case unit([UInt8])
    case detached
    case detachedFor(DetachReason)
    case other(String)
    case nothing
}

/// One promise being checked on one harness.
struct PromiseCheck<Harness: TransportHarness> {
    var harness: Harness
    var violations: [String] = []

    init(_ harness: Harness) { self.harness = harness }

    // MARK: Order, borders, credits

    mutating func order() {
        openWithReader(credits: 100)
        for number in 1...20 { harness.deliver([UInt8(number), 0xA0]) }
        if keepsBorders {
            for number in 1...20 { expect(.unit([UInt8(number), 0xA0])) }
        } else {
            expectStream((1...20).flatMap { [UInt8($0), 0xA0] })
        }
        expect(.nothing)
    }

    mutating func attachFirst() {
        harness.transport.grant(credits: 4)
        harness.transport.open(at: harness.now)
        expect(.nothing)
        harness.attachReader()
        harness.deliver([1])
        expect(.attached)
        expect(.unit([1]))
        expect(.nothing)
    }

    mutating func borders() {
        openWithReader(credits: 8)
        for size in [1, 8, 8, 3] { harness.deliver([UInt8](repeating: 7, count: size)) }
        for size in [1, 8, 8, 3] { expect(.unit([UInt8](repeating: 7, count: size))) }
        expect(.nothing)
    }

    mutating func credits() {
        guard keepsBorders else { return creditsOfAStream() }
        openWithReader(credits: 0)
        for number in 1...4 { harness.deliver([UInt8(number)]) }
        expect(.nothing)
        harness.transport.grant(credits: 2)
        expect(.unit([1]))
        expect(.unit([2]))
        expect(.nothing)
        harness.transport.grant(credits: 1)
        expect(.unit([3]))
        expect(.nothing)
    }

    mutating func creditsAfterDetach() {
        openWithReader(credits: 3)
        harness.deliver([1])
        expect(.unit([1]))
        harness.detachReader()
        expect(.detached)
        harness.attachReader()
        expect(.attached)
        guard keepsBorders else {
            for number in 2...3 {
                harness.deliver([UInt8(number)])
                expect(.unit([UInt8(number)]))
            }
            harness.deliver([4])
            expect(.nothing)
            return
        }
        for number in 2...4 { harness.deliver([UInt8(number)]) }
        expect(.unit([2]))
        expect(.unit([3]))
        expect(.nothing)
    }

    // MARK: Detach

    mutating func detachWithoutCredits() {
        openWithReader(credits: 1)
        harness.deliver([1])
        if !keepsBorders { expect(.unit([1])) }
        for number in 2...3 { harness.deliver([UInt8(number)]) }
        if keepsBorders { expect(.unit([1])) }
        harness.detachReader()
        expect(.detached)
        harness.transport.grant(credits: 8)
        expect(.nothing)
    }

    mutating func detachOnce() {
        openWithReader(credits: 1)
        harness.detachReader()
        harness.detachReader()
        harness.transport.close(at: harness.now)
        expect(.detached)
        expect(.nothing)
        harness.transport.close(at: harness.now)
        expect(.nothing)
    }

    mutating func unitsBeforeDetach() {
        openWithReader(credits: 8)
        harness.deliver([1])
        harness.deliver([2])
        harness.detachReader()
        if keepsBorders {
            expect(.unit([1]))
            expect(.unit([2]))
        } else {
            expectStream([1, 2])
        }
        expect(.detached)
        expect(.nothing)
    }

    mutating func nothingAfterDetach() {
        openWithReader(credits: 8)
        harness.detachReader()
        harness.deliver([1])
        expect(.detached)
        harness.deliver([2])
        expect(.nothing)
    }

    // MARK: Sessions

    mutating func newSession() {
        openWithReader(credits: 1)
        harness.deliver([1])
        if !keepsBorders { expect(.unit([1])) }
        for number in 2...3 { harness.deliver([UInt8(number)]) }
        harness.detachReader()
        // A host that grants before it looks may still read the rest of a stream that has ended.
        if !keepsBorders { expect(.detached) }
        harness.attachReader()
        harness.transport.grant(credits: 8)
        harness.deliver([9])
        if keepsBorders {
            expect(.unit([1]))
            expect(.detached)
        }
        expect(.attached)
        expect(.unit([9]))
        expect(.nothing)
    }

    mutating func lateSend() {
        openWithReader(credits: 8)
        harness.detachReader()
        harness.attachReader()
        harness.transport.send(harness.unitForReader([1]), at: harness.now)
        expect(.detached)
        expect(.attached)
        harness.transport.send(harness.unitForReader([2]), at: harness.now)
        expect(.nothing)
        expectReaderUnits([[2]])
    }

    mutating func sends() {
        openWithReader(credits: 8)
        for number in 1...5 {
            harness.transport.send(harness.unitForReader([UInt8(number)]), at: harness.now)
        }
        expect(.nothing)
        expectReaderUnits([[1], [2], [3], [4], [5]])
    }

    mutating func sendsWithoutReader() {
        harness.transport.send(harness.unitForReader([1]), at: harness.now)
        harness.transport.open(at: harness.now)
        harness.transport.send(harness.unitForReader([2]), at: harness.now)
        harness.attachReader()
        expect(.attached)
        harness.detachReader()
        expect(.detached)
        harness.transport.send(harness.unitForReader([3]), at: harness.now)
        harness.attachReader()
        expect(.attached)
        expect(.nothing)
        expectReaderUnits([])
    }

    mutating func overflow() {
        openWithReader(credits: 8)
        for _ in 0..<100_000 {
            harness.transport.send(harness.unitForReader([0]), at: harness.now)
        }
        expect(.detachedFor(.overflow))
        expect(.nothing)
        harness.detachReader()
        expect(.nothing)
        harness.attachReader()
        expect(.attached)
    }

    // MARK: Close

    mutating func close() {
        openWithReader(credits: 8)
        harness.transport.close(at: harness.now)
        expect(.detachedFor(.closed))
        expect(.nothing)
        harness.detachReader()
        expect(.nothing)
    }

    mutating func closeWithoutReader() {
        harness.transport.open(at: harness.now)
        harness.transport.close(at: harness.now)
        expect(.nothing)
        harness.attachReader()
        harness.deliver([1])
        expect(.nothing)
    }

    mutating func closeForgets() {
        openWithReader(credits: 8)
        harness.deliver([1])
        harness.transport.close(at: harness.now)
        expect(.detachedFor(.closed))
        expect(.nothing)
        harness.transport.open(at: harness.now)
        expect(.attached)
        harness.deliver([2])
        expect(.nothing)
        harness.transport.grant(credits: 8)
        expect(.unit([2]))
        expect(.nothing)
    }

    mutating func reopen() {
        openWithReader(credits: 8)
        harness.transport.close(at: harness.now)
        harness.transport.open(at: harness.now)
        harness.transport.grant(credits: 8)
        expect(.detachedFor(.closed))
        expect(.attached)
        harness.deliver([5])
        expect(.unit([5]))
        harness.detachReader()
        expect(.detached)
        expect(.nothing)
    }

    mutating func attachBeforeOpen() {
        harness.attachReader()
        expect(.nothing)
        openAndGrant(credits: 8)
        expect(.attached)
        harness.deliver([1])
        expect(.unit([1]))
        expect(.nothing)
    }

    // MARK: Parts

    private mutating func openAndGrant(credits: Int) {
        harness.transport.open(at: harness.now)
        harness.transport.grant(credits: credits)
    }

    private mutating func openWithReader(credits: Int) {
        openAndGrant(credits: credits)
        harness.attachReader()
        expect(.attached)
    }

    private mutating func expect(_ wanted: SeenEvent) {
        let seen = next()
        let isSame: Bool
        switch (wanted, seen) {
        case (.detached, .detachedFor): isSame = true
        default: isSame = wanted == seen
        }
        if !isSame { violations.append("expected \(wanted), saw \(seen)") }
    }

    private mutating func expectReaderUnits(_ wanted: [[UInt8]]) {
        let units = harness.takeReaderUnits()
        let isSame =
            keepsBorders ? units == wanted : units.flatMap(\.self) == wanted.flatMap(\.self)
        if !isSame { violations.append("the reader expected \(wanted), got \(units)") }
    }

    /// Whether units keep their borders; a stream may merge what was sent apart.
    private var keepsBorders: Bool { Harness.abilities.contains(.keepsBorders) }

    /// Expects these bytes in one unit or several.
    private mutating func expectStream(_ wanted: [UInt8]) {
        var seen: [UInt8] = []
        while seen.count < wanted.count {
            guard case .unit(let bytes) = next(), !bytes.isEmpty else { break }
            seen += bytes
        }
        if seen != wanted { violations.append("expected the stream \(wanted), saw \(seen)") }
    }

    /// A credit is worth one unit of a stream, however much came meanwhile.
    private mutating func creditsOfAStream() {
        openWithReader(credits: 0)
        harness.deliver([1])
        expect(.nothing)
        harness.transport.grant(credits: 2)
        expect(.unit([1]))
        harness.deliver([2])
        expect(.unit([2]))
        harness.deliver([3])
        expect(.nothing)
        harness.deliver([4])
        harness.transport.grant(credits: 1)
        expect(.unit([3, 4]))
        harness.deliver([5])
        expect(.nothing)
    }

    private mutating func next() -> SeenEvent {
        switch harness.nextEvent() {
        case .none: .nothing
        case .attached: .attached
        case .received(let unit): .unit(Array(unit.payload))
        case .detached(let reason): .detachedFor(reason)
        case .featureFinished(let result): .other("featureFinished \(result)")
        case .unusable(let problem): .other(problem.description)
        }
    }
}
