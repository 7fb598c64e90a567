import Kernel
import Rig
import ScenarioLanguage

/// The hands of a desk: what can be switched is switched, and everything else is asked of the
/// operator behind it, with the card's note.
final class DeskOperator: Operator {
    private let desk: Desk
    private let inner: (any Operator)?
    /// Switches the reader's port; `nil` when only hands can.
    private let port: PortSwitch?
    private let wakeUp: OperatorWakeUp
    private var isSwitching = false
    private var failure: String?

    /// Creates the hands; without `inner` only what can be switched is done.
    ///
    /// - Throws: `KernelError` when the process has no descriptors left.
    init(_ desk: Desk, inner: (any Operator)?) throws(KernelError) {
        self.desk = desk
        self.inner = inner
        port = try desk.reader.port.map { port throws(KernelError) in try PortSwitch(port) }
        wakeUp = try OperatorWakeUp()
    }

    var wakeDescriptor: Int32? { wakeUp.descriptor }

    func begin(_ request: HandRequest) {
        failure = nil
        isSwitching = false
        if let port, let isOn = Self.power(request.act) {
            isSwitching = true
            port.turn(isOn: isOn, for: request)
            watch(port.wakeDescriptor)
            return
        }
        guard let inner else {
            failure =
                "the step '\(request.words)' needs a hand at \(request.readerName), and there is "
                + "none: run it on a terminal, or give --operator or --assume-operator"
            wakeUp.wake(at: 1)
            return
        }
        var request = request
        request.words += note(request.act)
        inner.begin(request)
        watch(inner.wakeDescriptor)
    }

    func poll() -> OperatorAnswer? {
        if let failure {
            wakeUp.wake(at: nil)
            self.failure = nil
            return .aborted(failure)
        }
        let answer = isSwitching ? port?.poll() : inner?.poll()
        guard let answer else { return nil }
        if answer != .again { forget() }
        return answer
    }

    func readerShowedAct() {
        if !isSwitching { inner?.readerShowedAct() }
    }

    func cancel() {
        forget()
        if isSwitching { port?.cancel() } else { inner?.cancel() }
    }

    /// Leaves the reader with power, for whoever comes next.
    func finish() { port?.leaveOn() }

    private func watch(_ descriptor: Int32?) {
        if let descriptor { _ = wakeUp.watch(descriptor) }
    }

    private func forget() {
        if let descriptor = isSwitching ? port?.wakeDescriptor : inner?.wakeDescriptor {
            wakeUp.forget(descriptor)
        }
    }

    private static func power(_ act: HandAct) -> Bool? {
        switch act {
        case .plugIn: true
        case .unplug: false
        case .swipe, .insert, .tap, .removeCard, .press, .switchOff, .switchOn, .reboot,
            .setBattery, .obstruct:
            nil
        }
    }

    private func note(_ act: HandAct) -> String {
        let name: String? =
            switch act {
            case .swipe(_, let card, _): card
            case .insert(_, let card), .tap(_, let card): card
            default: nil
            }
        guard let name, let note = desk.bench.card(named: name)?.note, !note.isEmpty else {
            return ""
        }
        return " (\(note))"
    }
}

/// The power of one port of a USB hub, switched by `uhubctl`, which is found along `PATH`.
///
/// Source: uhubctl(1), options -l (hub), -p (port) and -a (off, on).
final class PortSwitch {
    private let port: HubPort
    private let program: ProgramOperator
    private(set) var isOff = false
    private var willBeOff = false

    init(_ port: HubPort) throws(KernelError) {
        self.port = port
        program = try ProgramOperator([], option: "uhubctl")
    }

    var wakeDescriptor: Int32? { program.wakeDescriptor }

    /// Begins to switch the port for an act.
    func turn(isOn: Bool, for request: HandRequest) {
        willBeOff = !isOn
        program.begin(request, exactly: Self.command(port, isOn: isOn), name: "uhubctl")
    }

    /// Returns how it went, or `nil` while it goes on.
    func poll() -> OperatorAnswer? {
        let answer = program.poll()
        if answer == .done { isOff = willBeOff }
        return answer
    }

    func cancel() { program.cancel() }

    /// Switches the port on again when it is off, and waits for that.
    func leaveOn() {
        guard isOff else { return }
        isOff = false
        guard var child = try? ChildProcess(Self.command(port, isOn: true)) else { return }
        _ = try? child.wait(untilMonotonicNanoseconds: MonotonicClock.now + 10_000_000_000)
    }

    /// What it prints is no part of a report; what it complains of is seen.
    private static func command(_ port: HubPort, isOn: Bool) -> [String] {
        [
            "sh", "-c", "exec uhubctl \"$@\" > /dev/null", "sh", "-l", port.hub, "-p",
            "\(port.port)", "-a", isOn ? "on" : "off",
        ]
    }
}
