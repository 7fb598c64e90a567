import CardData
import EventLoops
import ReaderProtocols
import Transports

/// The probes of an ID TECH reader on USB: ITP commands that change nothing, in feature reports.
///
/// Source: MS246 manual 80096504-001, Command Protocol. How long an answer takes is that of hosts
/// in the field: it is asked for every 10 ms, for two seconds at most.
struct SecureMagProbes: ProbeSuite {
    private let line: any ProbeLine
    private let featureByteCount = 8
    private let answerLimit = VirtualDuration.seconds(2)

    init(_ line: any ProbeLine) { self.line = line }

    func identify() throws(ProbeStop) -> ProbeResult {
        var result = ProbeResult(name: "identify")
        for (function, name) in [
            (IDTechFunction.firmwareVersion, "firmware"), (.serialNumber, "serial"),
            (.securityLevel, "security level"),
        ] {
            // One that is silent once is not asked again.
            let start = line.now
            guard let answer = try ask(.get(function)) else {
                note("no answer", since: start, &result)
                break
            }
            note("\(answer.packet.count) bytes", since: start, &result)
            guard case .data(let data) = answer else { continue }
            let text =
                function == .firmwareVersion
                ? data[...] : data.drop { $0 < 0x20 || $0 == 0x4E || $0 == 0x7E }
            let shown = text.filter { 0x20..<0x7F ~= $0 }
            result.identity.append((name, String(decoding: shown, as: UTF8.self)))
        }
        return result
    }

    private func note(_ text: String, since start: VirtualInstant, _ result: inout ProbeResult) {
        result.observations.append(
            Observation(kind: .message, text: text, delay: line.now - start)
        )
    }

    func run(_ hands: Bool, _ note: (ProbeResult) -> Void) throws(ProbeStop) {
        note(try identify())
        for function in IDTechFunction.allCases where function != .defaultSettings {
            let start = line.now
            var result = ProbeResult(name: "get \(function)")
            let answer = try ask(.get(function))
            let text: String
            switch answer {
            case nil: text = "no answer"
            case .data(let data)?: text = "\(data.count) bytes"
            case .refused?: text = "refused"
            case let other?: text = "\(other.packet.count) bytes"
            }
            self.note(text, since: start, &result)
            note(result)
        }
    }

    /// Sends a command in as many feature reports as it needs and gets the answer out of others.
    private func ask(_ command: IDTechCommand) throws(ProbeStop) -> IDTechAnswer? {
        var bytes = command.packet
        while bytes.count % featureByteCount != 0 { bytes.append(0) }
        for start in stride(from: 0, to: bytes.count, by: featureByteCount) {
            line.send(
                TransportUnit(.featureSet(id: 0), bytes[start..<(start + featureByteCount)])
            )
            guard try finish() != nil else { return nil }
        }
        var answer: [UInt8] = []
        let end = line.now + answerLimit
        while line.now < end {
            line.send(TransportUnit(.featureGet(id: 0, byteCount: featureByteCount), []))
            guard let piece = try finish() else { return nil }
            if piece.allSatisfy({ $0 == 0 }) {
                if !answer.isEmpty { break }
                _ = try line.next(until: line.now + .milliseconds(10))
                continue
            }
            answer += piece
        }
        var count = answer.count
        while count > 0 {
            if let whole = try? IDTechAnswer(answer.prefix(count)) { return whole }
            guard answer[count - 1] == 0 else { return nil }
            count -= 1
        }
        return nil
    }

    /// How the oldest feature request ended: its bytes, none for one that was set, `nil` when it
    /// was refused or nothing came.
    private func finish() throws(ProbeStop) -> [UInt8]? {
        let end = line.now + answerLimit
        while let event = try line.next(until: end) {
            guard case .featureFinished(let result) = event else { continue }
            switch result {
            case .set: return []
            case .got(let bytes): return Array(bytes)
            case .stalled, .timedOut: return nil
            }
        }
        return nil
    }
}
