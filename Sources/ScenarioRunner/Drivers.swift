public import EventLoops
public import Rig
import ScenarioLanguage

/// Plays a scenario in virtual time: nothing sleeps, no clock is read.
///
/// Same scenario, same configuration: the same journal, byte for byte.
///
/// - Parameters:
///   - prepared: The scenario.
///   - rig: The world, without a live reader.
///   - goesOn: Asked now and then, about once a millisecond of work; `false` ends the run as
///     ``RunEnd/interrupted``.
/// - Returns: What came of it.
public func play(
    _ prepared: PreparedScenario,
    on rig: consuming Rig,
    goesOn: () -> Bool = { true }
) -> RunResult {
    var player = ScenarioPlayer(prepared, rig: rig)
    player.start()
    var turn = 0
    while player.proceed() == .waiting {
        turn &+= 1
        if turn & 1_023 == 0, !goesOn() {
            player.interrupt()
            continue
        }
        switch player.rig.advance() {
        case .handled: break
        case .script(let token): player.scriptEvent(token)
        case .nothing: player.nothingPending()
        }
    }
    return player.result()
}

/// Plays a scenario against real readers: the same player, moved by the wall clock.
public struct LiveDriver {
    private let clock: WallClock

    /// Creates a driver; its timeline begins now.
    ///
    /// - Throws: ``EventLoops/WallClockError`` when the kernel gives no descriptors.
    public init() throws(WallClockError) { clock = try WallClock() }

    /// Plays a scenario; `interruption` is asked whenever something woke the loop.
    ///
    /// - Parameters:
    ///   - prepared: The scenario.
    ///   - rig: The world, with at least one live reader.
    ///   - handTimeout: How long a hand may take for one step.
    ///   - attachTimeout: How long a reader may take to be seen after a hand plugged it in; past
    ///     it the rig is lost.
    ///   - interruptDescriptor: A descriptor that becomes readable when the run must end.
    ///   - isInterrupted: Whether the run must end.
    /// - Returns: What came of it.
    /// - Throws: ``EventLoops/WallClockError`` when the kernel refuses to wait.
    public func play(
        _ prepared: PreparedScenario,
        on rig: consuming Rig,
        handTimeout: VirtualDuration,
        attachTimeout: VirtualDuration = ScenarioPlayer.longestAttach,
        interruptDescriptor: Int32?,
        isInterrupted: () -> Bool
    ) throws(WallClockError) -> RunResult {
        var player = ScenarioPlayer(
            prepared,
            rig: rig,
            handTimeout: handTimeout,
            attachTimeout: attachTimeout
        )
        for descriptor in player.rig.wakeDescriptors { try clock.watch(descriptor) }
        if let interruptDescriptor { try clock.watch(interruptDescriptor) }
        player.rig.moveTime(to: clock.now)
        player.start()
        try lookForReaders(&player)
        var timing = LiveTiming()
        while player.proceed() == .waiting {
            if isInterrupted() {
                player.interrupt()
                continue
            }
            var wakeUp = player.rig.nextTime ?? .distantFuture
            if let wanted = player.wantsWakeUp { wakeUp = min(wakeUp, wanted) }
            let before = player.rig.now
            try clock.sleep(until: wakeUp)
            let woke = clock.now
            // What was posted for the moment itself is no timer.
            if wakeUp > before, woke >= wakeUp { timing.timers.note(woke - wakeUp) }
            player.rig.moveTime(to: woke)
            player.rig.pollTransports()
            let arrivals = player.rig.takeLiveArrivals()
            if arrivals.count > 0 {
                let arrived = arrivals.oldestNanoseconds.map {
                    clock.instant(ofMonotonicNanoseconds: $0)
                }
                timing.events.note(clock.now - (arrived ?? woke))
            }
            // The app acts inside a callback before anything else is taken.
            if player.proceed() == .finished { break }
            while let due = player.rig.takeDue() {
                if case .script(let token) = due { player.scriptEvent(token) }
                if player.proceed() == .finished { break }
            }
        }
        player.rig.closeTransports()
        var result = player.result()
        result.timing = timing
        return result
    }

    /// How long a reader that is there already may take to be seen: a scan of the USB devices where
    /// no hotplug event comes takes a quarter of a second.
    private static let longestLook = VirtualDuration.milliseconds(700)

    /// Gives readers that are there already the time to be seen, so that a first step `plug in`
    /// counts as done.
    private func lookForReaders(_ player: inout ScenarioPlayer) throws(WallClockError) {
        let end = clock.now + Self.longestLook
        while !player.rig.areLiveReadersAttached, player.rig.problem == nil, clock.now < end {
            try clock.sleep(until: end)
            player.rig.moveTime(to: clock.now)
            player.rig.pollTransports()
        }
    }
}
