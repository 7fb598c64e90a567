// How fast captures are read, and in how much memory; `Benchmarks/captures` holds it against tshark.
//
//     cardrig-captures make KIND COUNT FILE    packets of usb, tcp, rfcomm or serial
//     cardrig-captures read FILE               prints packets, units, seconds, peak memory in KiB
//     cardrig-captures stream KIND COUNT       the same for a file that is never stored
import Kernel

let arguments = Array(CommandLine.arguments.dropFirst())
switch arguments.first {
case "make" where arguments.count == 4:
    guard let packets = SamplePackets(arguments[1]), let count = Int(arguments[2]) else { usage() }
    do throws(KernelError) {
        let file = try OutputFile(path: arguments[3])
        try packets.write(count: count) { (bytes) throws(KernelError) in try file.append(bytes) }
    } catch {
        stop("\(arguments[3]): \(error)")
    }
case "read" where arguments.count == 2:
    var measurement = ReadingMeasurement()
    do throws(KernelError) {
        let file = try InputFile(path: arguments[1])
        while true {
            let piece = try file.read(upTo: 65_536)
            if piece.isEmpty { break }
            measurement.append(piece)
        }
    } catch {
        stop("\(arguments[1]): \(error)")
    }
    measurement.finish()
    measurement.print()
case "stream" where arguments.count == 3:
    guard let packets = SamplePackets(arguments[1]), let count = Int(arguments[2]) else { usage() }
    var measurement = ReadingMeasurement()
    packets.write(count: count) { measurement.append($0) }
    measurement.finish()
    measurement.print()
default: usage()
}

func usage() -> Never { stop("usage: make KIND COUNT FILE | read FILE | stream KIND COUNT") }

func stop(_ sentence: String) -> Never {
    try? StandardStream.error.write("cardrig-captures: \(sentence)\n")
    ProcessEnvironment.exit(2)
}
