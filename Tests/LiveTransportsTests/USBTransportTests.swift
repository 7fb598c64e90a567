import Kernel
import Testing
import TransportConformance

/// Each test runs one probe of `Tests/Support/USBTransportProbe` on the real libusb, as a child of
/// the test bed. The limit is the bed's; a probe takes a second or two.
@Suite("USB transport on the test bed", .serialized)
struct USBTransportTests {
    @Test(arguments: [
        "attachedBeforeOpening", "attachedAfterOpening", "reportsComeWholeAndOnCredit",
        "detachEndsPendingTransfers", "detachIsSeenWithoutTransfers", "attachesAgainAndAgain",
        "closingWhilePending",
        "droppingWhilePending", "busyForAWhile", "busyForGood", "featureReports", "overflow",
        "idleCostsNothing", "reopening", "eachSwipeIsOneReport", "aSwipeThatIsCutGivesNothing",
        "theManualsCardGivesTheManualsReport",
    ])
    func holds(probe: String) throws { try run(probe, packetSize: 8, watch: "polling") }

    @Test(arguments: [
        "attachedAfterOpening", "detachIsSeenWithoutTransfers", "attachesAgainAndAgain",
        "closingWhilePending", "busyForAWhile", "busyForGood",
    ])
    func holdsWithHotplugEvents(probe: String) throws {
        try run(probe, packetSize: 8, watch: "hotplug")
    }

    /// What a kernel does badly, and what stands in the way of opening.
    @Test(arguments: [
        "interfaceIsBusyForATime", "permissionComesAfter5Milliseconds",
        "permissionComesAfter40Milliseconds", "permissionComesAfter200Milliseconds",
        "permissionNeverComes", "interfaceDoesNotExistYet", "commandAtTheInstantOfAttach",
    ])
    func opensOrSaysWhyNot(probe: String) throws {
        try run(probe, packetSize: 8, watch: "polling")
        try run(probe, packetSize: 8, watch: "hotplug")
    }

    @Test(arguments: ["theHolderIsNamed", "shortReport", "lostFirstPacket", "reportTwice"])
    func holdsWhereThingsGoWrong(probe: String) throws {
        try run(probe, packetSize: 8, watch: "polling")
    }

    @Test func aHotplugEventThatIsMissedCostsTimeOnly() throws {
        try run("hotplugEventIsMissed", packetSize: 8, watch: "hotplug")
    }

    @Test(arguments: TransportPromise.allCases)
    func keeps(promise: TransportPromise) throws {
        try run(promise.rawValue, packetSize: 64, watch: "hotplug")
    }

    @Test func reportsComeWholeInLargePacketsToo() throws {
        try run("reportsComeWholeAndOnCredit", packetSize: 64, watch: "polling")
    }

    /// Ctrl-C on a terminal goes to the outer bed, the inner bed and the program at once.
    @Test func aSignalToAllEndsTheBedOnlyAfterTheProgram() throws {
        let bed = "\(BuiltPrograms.directory)/cardrig-usb-bed"
        try #require(Paths.kind(of: bed) == .file, "the test bed was not built")
        let program = "trap 'trap \"\" INT; sleep 0.3; exit 7' INT; kill -INT 0; sleep 5; exit 8"
        var child = try ChildProcess([
            "setsid", "--wait", bed, "--limit", "20",
            "--control", "/tmp/usb-bed-\(ProcessEnvironment.processID)-signal",
            "--", "sh", "-c", program,
        ])
        let limit = MonotonicClock.now + 30_000_000_000
        let status = try child.wait(untilMonotonicNanoseconds: limit)
        if status == .exited(77) {
            try Test.cancel("umockdev is not installed")
        }
        #expect(status == .exited(7))
    }

    private func run(_ probe: String, packetSize: Int, watch: String) throws {
        let directory = BuiltPrograms.directory
        let bed = "\(directory)/cardrig-usb-bed"
        try #require(Paths.kind(of: bed) == .file, "the test bed was not built")
        var child = try ChildProcess([
            bed, "--limit", "20", "--packet-size", "\(packetSize)",
            "--control", "/tmp/usb-bed-\(ProcessEnvironment.processID)-\(probe)-\(watch)",
            "--", "\(directory)/USBTransportProbe", probe, "\(packetSize)", watch,
        ])
        let limit = MonotonicClock.now + 30_000_000_000
        let status = try child.wait(untilMonotonicNanoseconds: limit)
        if status == .exited(77) {
            try Test.cancel("umockdev is not installed")
        }
        #expect(status == .exited(0))
    }
}

/// Where the programs of this package are built: beside the test bundle.
enum BuiltPrograms {
    static var directory: String {
        let bundle = CommandLine.arguments.first { $0.hasSuffix(".xctest") }
        let path = bundle ?? CommandLine.arguments[0]
        return path.split(separator: "/", omittingEmptySubsequences: false).dropLast()
            .joined(separator: "/")
    }
}
