// The stages of a run, measured one by one; `Benchmarks/run` starts it beside the references.
//
//   cardrig-benchmarks [--milliseconds N] [--only PREFIX] [--repetitions N] SCENARIO
import Kernel
import ScenarioLanguage
import ScenarioRunner

var measurement = Measurement(nanosecondsPerFigure: 200_000_000, prefix: "")
var path: String?
var arguments = Array(CommandLine.arguments.dropFirst())
while !arguments.isEmpty {
    let argument = arguments.removeFirst()
    if argument == "--milliseconds", let value = arguments.first.flatMap({ Int64($0) }), value > 0 {
        measurement.nanosecondsPerFigure = value * 1_000_000
        arguments.removeFirst()
    } else if argument == "--only", !arguments.isEmpty {
        measurement.prefix = arguments.removeFirst()
    } else if argument == "--repetitions", let value = arguments.first.flatMap({ Int($0) }),
        value > 0
    {
        measurement.repetitions = value
        arguments.removeFirst()
    } else if !argument.hasPrefix("-"), path == nil {
        path = argument
    } else {
        stop(
            "usage: cardrig-benchmarks [--milliseconds N] [--only PREFIX] [--repetitions N] SCENARIO"
        )
    }
}
guard let path, let bytes = try? FileBytes.read(path: path, limit: 1 << 20) else {
    stop("the scenario to play cannot be read")
}
let parsed = ScenarioParser.parse(file: path, bytes: bytes)
guard let scenario = parsed.scenario else {
    stop("the scenario to play has mistakes: \(parsed.diagnostics.count)")
}

measureLateness()
measureLoop(measurement)
measureCodecs(measurement)
measureCrypto(measurement)
measurePayments(measurement)
measureRecords(measurement, PreparedScenario(scenario))
measureRuns(measurement, PreparedScenario(scenario))
measureCardPayments(measurement)
measureDays(measurement)

func stop(_ sentence: String) -> Never {
    try? StandardStream.error.write("cardrig-benchmarks: \(sentence)\n")
    ProcessEnvironment.exit(2)
}
