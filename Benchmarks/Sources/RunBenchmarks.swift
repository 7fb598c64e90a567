import CardCrypto
import EventLoops
import Rig
import ScenarioLanguage
import ScenarioRunner
import SimulatedReaders

/// Whole runs of the scenario: laws on, recording off, seed 1, one core.
func measureRuns(_ measurement: Measurement, _ prepared: PreparedScenario) {
    let stream = RigOptions()
    let packetsOf8 = RigOptions(simulatedAs: .dynamag, packetByteCount: 8)
    let packetsOf64 = RigOptions(simulatedAs: .dynamag, packetByteCount: 64)
    let cache = CryptoCache()
    measurement.nanoseconds("rig") { repetitions in
        for _ in 0..<repetitions {
            blackHole(Rig(RigConfiguration(prepared.scenario.rig, options: stream), cache: cache))
        }
    }
    var ksn = KSN.publishedTestKSN
    func measure(_ name: String, _ options: RigOptions, hasNewKSN: Bool = false) {
        measurement.perSecond(name, "runs") { repetitions in
            for _ in 0..<repetitions {
                var configuration = RigConfiguration(prepared.scenario.rig, options: options)
                if hasNewKSN {
                    ksn = ksn.next ?? .publishedTestKSN
                    configuration.startReaders(at: ksn)
                }
                let result = play(prepared, on: Rig(configuration, cache: cache))
                guard result.hasPassed else {
                    stop("a run failed: \(result.failures.first?.explanation ?? "it was lost")")
                }
            }
        }
    }
    measure("run_stream", stream)
    measure("run_stream_new_ksn", stream, hasNewKSN: true)
    measure("run_report_8", packetsOf8)
    measure("run_report_64", packetsOf64)
}

/// Whole chip-and-PIN sales at a Miura reader, with the AgentCASH service: laws on, recording off.
func measureCardPayments(_ measurement: Measurement) {
    let text = """
        scenario: Chip and PIN
        rig: { reader: miura, gateway: agentcash }
        steps:
          - charge: { amount: 15.00, currency: GBP, capture: true }
          - await: { progressChanged: { state: waitingForCard } }
          - insert: { card: emv-visa-pin }
          - await: { progressChanged: { state: pinEntry } }
          - keys: "1234 enter"
          - await: { completed: { result: approved, state: captured } }
          - remove card
        outcome:
          charges: [{ type: sale, state: captured, amount: 15.00 }]

        """
    guard
        let scenario = ScenarioParser.parse(file: "chip-and-pin.yaml", bytes: Array(text.utf8))
            .scenario
    else { stop("the scenario of a card payment has mistakes") }
    let prepared = PreparedScenario(scenario)
    let options = RigOptions()
    let cache = CryptoCache()
    measurement.perSecond("run_chip_pin", "runs") { repetitions in
        for _ in 0..<repetitions {
            let configuration = RigConfiguration(prepared.scenario.rig, options: options)
            let result = play(prepared, on: Rig(configuration, cache: cache))
            guard result.hasPassed else {
                stop("a run failed: \(result.failures.first?.explanation ?? "it was lost")")
            }
        }
    }
}

extension RigConfiguration {
    /// Lets the simulated readers of a run begin with another key than those of the run before.
    fileprivate mutating func startReaders(at ksn: KSN) {
        for index in readers.indices {
            guard case .simulated(var configuration) = readers[index].endpoint else { continue }
            configuration.initialKSN = ksn
            readers[index].endpoint = .simulated(configuration)
        }
    }
}
