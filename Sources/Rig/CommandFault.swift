public import ReaderProtocols
public import Transports

/// A fault of a payment reader's link, addressed by a command of the host; it fires once.
public struct CommandFault: Hashable, Sendable {
    /// Which side of the exchange it disturbs.
    public enum Phase: UInt8, CaseIterable, Hashable, Sendable {
        /// The first frame of the command, on its way to the reader.
        case sent
        /// The first frame of its answer, on its way to the host.
        case answered
    }

    /// What happens there.
    public var action: LinkFault.Action
    /// The command.
    public var command: MiuraCommandName
    /// Which side of the exchange it disturbs.
    public var phase: Phase
    /// A byte of that frame, from 1; `nil` for the whole frame.
    public var byte: Int?

    /// Creates a fault.
    public init(
        _ action: LinkFault.Action,
        at command: MiuraCommandName,
        _ phase: Phase,
        byte: Int? = nil
    ) {
        self.action = action
        self.command = command
        self.phase = phase
        self.byte = byte
    }

    /// The same fault, at the unit with this number.
    fileprivate func linkFault(unit: Int) -> LinkFault {
        LinkFault(
            action,
            at: byte.map { .byteOfUnit(unit: unit, byte: $0) } ?? .unit(unit),
            direction: phase == .sent ? .toReader : .toHost
        )
    }
}

extension Rig {
    /// Adds a fault of a payment reader's link at the next exchange of a command.
    ///
    /// - Returns: Whether the link can be disturbed: only those of simulated payment readers can.
    @discardableResult
    public mutating func inject(_ fault: CommandFault, reader: Int) -> Bool {
        guard stations[reader].payment != nil, stations[reader].makeDisturbable() else {
            return false
        }
        stations[reader].payment?.commandFaults.append(fault)
        return true
    }

    /// How many units and bytes of the host went into a reader's link so far.
    public func hostLinkPosition(of reader: Int) -> (unitCount: Int, byteCount: Int) {
        stations[reader].hostPosition
    }

    /// Aims the faults of a command that is about to be sent at its first frame.
    mutating func aim(at unit: TransportUnit, _ reader: Int) {
        let frame = unit.payload
        let first = frame.startIndex
        // Node, control, length, and the first two bytes of a command.
        guard frame.count > 5 else { return }
        let code = UInt16(frame[first + 3]) << 8 | UInt16(frame[first + 4])
        let number = stations[reader].hostPosition.unitCount + 1
        aim(.sent, MiuraCommandName(rawValue: code), at: number, reader)
    }

    /// Aims the faults of a command's answer at its first frame, which is the next to be sent.
    mutating func aim(atAnswerOf command: MiuraCommandName?, _ reader: Int) {
        guard let number = stations[reader].nextUnitNumber else { return }
        aim(.answered, command, at: number, reader)
    }

    private mutating func aim(
        _ phase: CommandFault.Phase,
        _ command: MiuraCommandName?,
        at number: Int,
        _ reader: Int
    ) {
        guard let command, let faults = stations[reader].payment?.commandFaults else { return }
        for fault in faults where fault.phase == phase && fault.command == command {
            _ = stations[reader].makeDisturbable()
            stations[reader].faulty?.inject(fault.linkFault(unit: number))
        }
        stations[reader].payment?.commandFaults.removeAll {
            $0.phase == phase && $0.command == command
        }
    }
}
