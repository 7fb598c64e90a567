import Kernel

guard CommandLine.arguments.count == 4 else {
    try StandardStream.error.write("usage: USBTransportProbe NAME PACKETSIZE hotplug|polling\n")
    ProcessEnvironment.exit(2)
}
do {
    try runProbe(named: CommandLine.arguments[1])
} catch {
    try? StandardStream.error.write("\(CommandLine.arguments[1]): \(error)\n")
    ProcessEnvironment.exit(1)
}
