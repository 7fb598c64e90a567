import EventLoops
import Journal
import Rig

/// The probes of one kind of reader, over one line.
protocol ProbeSuite {
    /// Asks who the reader is.
    ///
    /// - Throws: ``ProbeStop`` when the reader is lost.
    func identify() throws(ProbeStop) -> ProbeResult

    /// Plays all probes, and hands out what came of each.
    ///
    /// - Parameters:
    ///   - hands: Whether those that need a hand are played too.
    ///   - note: Takes each result.
    /// - Throws: ``ProbeStop`` when the reader or a hand is lost.
    func run(_ hands: Bool, _ note: (ProbeResult) -> Void) throws(ProbeStop)
}

extension ServedReaderKind {
    /// The probes of that kind of reader.
    func probes(on line: any ProbeLine) -> any ProbeSuite {
        switch self {
        case .idynamo: MagneSafeProbes(line, isStream: true)
        case .dynamag: MagneSafeProbes(line, isStream: false)
        case .securemag: SecureMagProbes(line)
        case .miura: MiuraProbes(line)
        }
    }
}
