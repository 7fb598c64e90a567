import CardData
import EventLoops
import ReaderProtocols

/// A host with a reader at the other end of its link that a test plays by hand.
struct MPIBench {
    var host: MPIHost
    var now = VirtualInstant.zero
    var actions: [MPIAction] = []
    /// What the host wrote, as commands.
    var written: [MiuraCommand] = []
    private var reader = MiuraDecoder(.toReader)

    init(_ change: (inout MPIOptions) -> Void = { _ in }) {
        var options = MPIOptions()
        options.initialisation = []
        options.expectsGreeting = false
        change(&options)
        host = MPIHost(options)
        host.attached(at: now)
        collect()
        if !options.expectsGreeting, options.initialisation.isEmpty {
            precondition(take() == [.initialised(.reader, [])])
        }
    }

    mutating func collect() {
        while let action = host.nextAction() {
            guard case .write(let bytes) = action else {
                actions.append(action)
                continue
            }
            reader.append(bytes[...])
            while let reading = reader.next() {
                if case .message(let message) = reading,
                    let apdu = try? MiuraAPDU(message.payload),
                    let command = try? MiuraCommand(apdu)
                {
                    written.append(command)
                }
            }
        }
    }

    mutating func send(_ command: MiuraCommand, rawBytes: [UInt8] = []) -> MPIHost.Ticket {
        defer { collect() }
        return host.send(command, rawBytes: rawBytes, at: now)
    }

    mutating func receive(_ bytes: [UInt8]) {
        host.receive(bytes[...], at: now)
        collect()
    }

    mutating func answer(_ answer: MiuraAnswer) { receive(answer.message().bytes) }

    mutating func say(_ event: MiuraEvent) { receive(event.message().bytes) }

    mutating func wait(_ duration: VirtualDuration) {
        let end = now + duration
        while let deadline = host.deadline, deadline <= end {
            now = deadline
            host.advance(to: now)
            collect()
        }
        now = end
    }

    /// Takes the actions since the last time.
    mutating func take() -> [MPIAction] {
        defer { actions = [] }
        return actions
    }
}

extension MPIBench {
    static let software = MiuraAnswer.software(MiuraSoftware(serialNumber: "1", software: []))
    static let start = MiuraCommand.startTransaction(
        MiuraTransaction(amountMinorUnits: 1500, currency: 826)
    )
    static let text = MiuraCommand.displayText(MiuraText("Processing..."))
    static let poweredOn = MiuraEvent.readerStatus(MiuraReaderStatus(.poweredOn, "on"))
    static let noCard = MiuraEvent.cardStatus(MiuraCardReport([]))
    static let declined = MiuraAnswer.transaction(.declined([TLV(.transactionType, [0])]))
    static let online = MiuraAnswer.transaction(.onlineRequired([TLV(.transactionType, [0])]))
}
