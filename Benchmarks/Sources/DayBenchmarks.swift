import CardCrypto
import EventLoops
import Kernel
import Rig
import ScenarioLanguage
import ScenarioRunner

/// Long runs in virtual time: a day of renewals, and shifts with hours of waiting in them.
func measureDays(_ measurement: Measurement) {
    let day = scenario(
        """
        scenario: An always-accepting Shuttle waits for a day
        rig: { reader: shuttle }
        events: loose
        steps:
          - plug in
          - wait: 86400s
        """
    )
    measurement.nanoseconds("shuttle_day") { repetitions in
        for _ in 0..<repetitions { playWhole(day) }
    }
    if "shuttle_day".hasPrefix(measurement.prefix) {
        checkMemory(of: day, tenth: .seconds(8_640))
    }
    for reader in ["idynamo", "shuttle"] {
        let shift = scenario(
            """
            scenario: A shift of eight hours with 200 sales
            rig: { reader: \(reader), gateway: nmi }
            events: loose
            steps:
              - plug in
              - await: { deviceBecameReadyForSwipe: {}, within: 30s }
              - repeat:
                  times: 200
                  steps:
                    - wait: 142s
                    - swipe: { card: visa }
                    - await: { didSwipeCard: {}, within: 2s }
                    - charge: { amount: 10.99 }
                    - await: { chargeFinished: { result: approved }, within: 2s }
              - wait: 360s
            """
        )
        measurement.perSecond("shift_\(reader)", "s", thingsPerRepetition: 28_800) { repetitions in
            for _ in 0..<repetitions { playWhole(shift) }
        }
    }
}

private func scenario(_ text: String) -> PreparedScenario {
    let parsed = ScenarioParser.parse(file: "benchmark", bytes: Array(text.utf8))
    guard let scenario = parsed.scenario else {
        stop("a scenario of the benchmarks has mistakes: \(parsed.diagnostics)")
    }
    return PreparedScenario(scenario)
}

private func playWhole(_ prepared: PreparedScenario) {
    let configuration = RigConfiguration(prepared.scenario.rig, options: RigOptions())
    let result = play(prepared, on: Rig(configuration, cache: CryptoCache()))
    guard result.hasPassed else {
        stop("a long run failed: \(result.failures.first?.explanation ?? "it was lost")")
    }
}

/// Stops unless the memory of a run is flat: from a tenth of it to its end it grows by at most 5 MB.
private func checkMemory(of prepared: PreparedScenario, tenth: VirtualDuration) {
    let configuration = RigConfiguration(prepared.scenario.rig, options: RigOptions())
    var player = ScenarioPlayer(prepared, rig: Rig(configuration, cache: CryptoCache()))
    let tenth = VirtualInstant.zero + tenth
    var before: Int?
    player.start()
    while player.proceed() == .waiting {
        switch player.rig.advance() {
        case .handled: break
        case .script(let token): player.scriptEvent(token)
        case .nothing: player.nothingPending()
        }
        if before == nil, player.rig.now >= tenth { before = ProcessMemory.residentByteCount }
    }
    guard let before, let after = ProcessMemory.residentByteCount else {
        stop("the kernel does not say how much memory the process has")
    }
    guard after - before <= 5 << 20 else {
        stop("a long run grew by \(after - before) bytes from a tenth of it to its end")
    }
}
