import EventLoops
import Journal
import Transports

// What stands in the way when a reader is opened that was just plugged in: the host tries again and
// again, and either has it in the end or gives it up.
extension Rig {
    /// Plugs a simulated reader in that cannot be opened at once.
    mutating func beginOpening(_ reader: Int, against fault: OpeningFault) {
        noteOpeningFault(fault, reader)
        stations[reader].powerUp()
        stations[reader].isObstructed = true
        let end = OpeningAttempts.end(of: fault)
        let id = loop.post(
            RigEvent(.openingEnds(reader: reader), step: stations[reader].step),
            to: RigComponent.opening(reader),
            at: now + end.after
        )
        stations[reader].opening = (id, end.isOpen ? nil : fault.problem)
    }

    /// Opens the reader, or gives it up.
    mutating func endOpening(_ reader: Int) {
        guard let opening = stations[reader].opening.take() else { return }
        if let problem = opening.problem {
            deliver(.unusable(problem), from: reader)
        } else {
            stations[reader].attach(at: now)
            takeFromLink(reader)
        }
    }

    /// Forgets the attempts at a reader that is pulled out.
    mutating func abandonOpening(_ reader: Int) {
        if let opening = stations[reader].opening.take() { loop.cancel(opening.id) }
        stations[reader].isObstructed = false
        if stations[reader].isRefused { deliver(.detached(.left), from: reader) }
    }

    /// Writes down that something stands in the way.
    mutating func noteOpeningFault(_ fault: OpeningFault, _ reader: Int) {
        journal.write(
            .linkFault,
            at: now,
            Attribute(.reader, .reader(reader)),
            Attribute(.fault, .symbol(Symbol(fault.cause)))
        )
    }

    /// Writes down that the host gave a reader up; `false` for a reason that no scenario made.
    mutating func noteRefusal(_ problem: TransportProblem, _ reader: Int) -> Bool {
        let reason: Symbol
        switch problem.code {
        case .busy: reason = .busy
        case .accessDenied: reason = .denied
        default: return false
        }
        stations[reader].isRefused = true
        stations[reader].isObstructed = false
        journal.write(
            .readerUnusable,
            at: now,
            Attribute(.reader, .reader(reader)),
            Attribute(.reason, .symbol(reason))
        )
        return true
    }
}

extension Symbol {
    init(_ cause: OpeningFault.Cause) {
        switch cause {
        case .busy: self = .busy
        case .denied: self = .denied
        case .late: self = .late
        }
    }
}
