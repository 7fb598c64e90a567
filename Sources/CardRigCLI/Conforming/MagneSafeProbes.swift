import CardCrypto
import CardData
import EventLoops
import Journal
import ReaderProtocols
import Rig
import SimulatedReaders
import Transports

/// The probes of a MagneSafe reader: commands that change nothing, swipes, and what a host may do
/// wrong.
///
/// Source of what is safe: MagneSafe V5 Communication Reference Manual 99875475, Commands; Set
/// Property, Reset, Set Security Level with data and the authentication are left out.
struct MagneSafeProbes: ProbeSuite {
    private let line: any ProbeLine
    /// Whether it speaks on a stream, and not in reports.
    private let isStream: Bool
    private let answerLimit = VirtualDuration.seconds(2)
    /// How long nothing more may come until an answer counts as over.
    private var silence = VirtualDuration.milliseconds(400)

    init(_ line: any ProbeLine, isStream: Bool) {
        self.line = line
        self.isStream = isStream
    }

    // MARK: Identity

    func identify() throws(ProbeStop) -> ProbeResult {
        var result = ProbeResult(name: "identify")
        for (id, name) in [(0x00, "software"), (0x03, "serial"), (0x04, "MagneSafe")] {
            let answer = try ask(MagneSafeCommand(.getProperty, [UInt8(id)]), &result)
            // One that is silent once is not asked again.
            guard let response = answer else { break }
            guard response.result == .success else { continue }
            // Every reader has the first; its length tells whether this is the answer to it.
            guard id != 0 || MagneSafeProperty.with(id: 0)?.accepts(response.data) == true else {
                let text = "\(response.data.count) bytes, which is an answer to another command"
                result.observations.append(Observation(kind: .error, text: text, delay: .zero))
                continue
            }
            result.identity.append((name, printable(response.data)))
        }
        return result
    }

    // MARK: The suite

    func run(_ hands: Bool, _ note: (ProbeResult) -> Void) throws(ProbeStop) {
        let identity = try identify()
        note(identity)
        // A slow reader is waited for longer.
        var patient = self
        for observation in identity.observations {
            patient.silence = max(patient.silence, silence + observation.delay + observation.delay)
        }
        try patient.runRest(hands, note)
    }

    private func runRest(_ hands: Bool, _ note: (ProbeResult) -> Void) throws(ProbeStop) {
        for property in MagneSafeProperty.all where belongs(property) {
            let name = "get property \(Hexadecimal.encode([property.id])) (\(property.name))"
            note(try probe(name, MagneSafeCommand(.getProperty, [property.id])))
        }
        note(try probe("get property EE (unknown)", MagneSafeCommand(.getProperty, [0xEE])))
        note(try probe("get property without id", MagneSafeCommand(.getProperty)))
        for (name, kind) in [
            ("get reader state", MagneSafeCommand.Kind.getReaderState),
            ("get security level", .securityLevel),
            ("get encryption counter", .getEncryptionCounter),
        ] {
            note(try probe(name, MagneSafeCommand(kind)))
        }
        note(try probe("unknown command 7F", MagneSafeCommand(number: 0x7F)))
        for result in try mistakes() { note(result) }
        if hands { try handProbes(note) }
    }

    private func belongs(_ property: MagneSafeProperty) -> Bool {
        // What these hold is the reader's own, and is asked in `identify`.
        guard ![0x00, 0x01, 0x03, 0x04].contains(property.id) else { return false }
        return property.models.contains(isStream ? .idynamo : .report)
    }

    private func handProbes(_ note: (ProbeResult) -> Void) throws(ProbeStop) {
        try swipe("swipe visa", .good, note)
        try swipe("swipe visa, the stripe away from the head", .unreadable, note)
        try withHand("unplug", .unplug(reader: 0), note) { result throws(ProbeStop) in
            let began = line.now
            while line.isAttached, let event = try line.next(until: began + .seconds(3)) {
                if case .detached = event {
                    result.observations.append(
                        Observation(kind: .message, text: "it is gone", delay: .zero)
                    )
                }
            }
            guard result.observations.isEmpty else { return }
            result.observations.append(
                Observation(kind: .error, text: "it is still there", delay: line.now - began)
            )
        }
        try withHand("plug in", .plugIn(reader: 0), note) { result throws(ProbeStop) in
            let began = line.now
            if try line.awaitAttach(within: .seconds(10)) {
                result.observations.append(
                    Observation(kind: .message, text: "it is there", delay: .zero)
                )
                try line.drain()
                _ = try ask(MagneSafeCommand(.getProperty, [0x00]), &result)
            } else {
                result.observations.append(
                    Observation(kind: .error, text: "it does not come", delay: line.now - began)
                )
            }
        }
    }

    // MARK: Commands

    private func probe(_ name: String, _ command: MagneSafeCommand) throws(ProbeStop) -> ProbeResult
    {
        var result = ProbeResult(name: name)
        if let response = try ask(command, &result, showsNothing: true) {
            let isError = response.result != .success
            let code = Hexadecimal.encode([response.result.rawValue])
            // The encryption counter comes with the serial number, and both are the reader's own.
            let isOwn = command.kind == .getEncryptionCounter && !isError
            let data = isOwn ? "\(response.data.count) bytes" : shown(response.data)
            result.observations[result.observations.count - 1].text = "answer \(code), \(data)"
            result.observations[result.observations.count - 1].kind = isError ? .error : .message
        }
        return result
    }

    /// Sends a command and returns its answer; what came instead is noted.
    private func ask(
        _ command: MagneSafeCommand,
        _ result: inout ProbeResult,
        showsNothing: Bool = false
    ) throws(ProbeStop) -> MagneSafeResponse? {
        let began = line.now
        let bytes = try isStream ? askLine(command) : askReport(command)
        let delay = line.now - began
        guard let bytes else {
            let text = line.isAttached ? "no answer" : "no answer, since it went away"
            result.observations.append(Observation(kind: .error, text: text, delay: .zero))
            return nil
        }
        let response: MagneSafeResponse?
        if isStream {
            response = try? MagneSafeResponse(line: bytes)
        } else {
            response = try? MagneSafeResponse(bytes)
        }
        guard let response else {
            result.observations.append(
                Observation(
                    kind: .error,
                    text: "\(bytes.count) bytes that are no answer",
                    delay: delay
                )
            )
            return nil
        }
        let code = Hexadecimal.encode([response.result.rawValue])
        result.observations.append(
            Observation(
                kind: response.result == .success ? .message : .error,
                text: "answer \(code)",
                delay: delay
            )
        )
        return response
    }

    private func askLine(_ command: MagneSafeCommand) throws(ProbeStop) -> [UInt8]? {
        line.send(TransportUnit(.bytes, command.line[...]))
        return try readLine(until: line.now + answerLimit)
    }

    /// Reads up to a carriage return; what fills a block up behind it is no answer.
    private func readLine(until limit: VirtualInstant) throws(ProbeStop) -> [UInt8]? {
        var bytes: [UInt8] = []
        while let event = try line.next(until: limit) {
            if case .detached = event { return nil }
            guard case .received(let unit) = event else { continue }
            bytes += unit.payload
            if bytes.contains(0x0D) { break }
            guard bytes.count < 4_096 else { break }
        }
        guard let end = bytes.firstIndex(of: 0x0D) else { return bytes.isEmpty ? nil : bytes }
        return Array(bytes[..<end].drop { $0 == UInt8(ascii: "x") })
    }

    private func askReport(_ command: MagneSafeCommand) throws(ProbeStop) -> [UInt8]? {
        guard let report = command.report() else { return nil }
        line.send(TransportUnit(.featureSet(id: 0), report[...]))
        guard case .set? = try feature() else { return nil }
        line.send(TransportUnit(.featureGet(id: 0, byteCount: report.count), []))
        guard case .got(let bytes)? = try feature() else { return nil }
        return Array(bytes)
    }

    private func feature() throws(ProbeStop) -> FeatureResult? {
        let limit = line.now + answerLimit
        while let event = try line.next(until: limit) {
            if case .featureFinished(let result) = event { return result }
        }
        return nil
    }

    // MARK: What a host may do wrong

    private func mistakes() throws(ProbeStop) -> [ProbeResult] {
        guard isStream else {
            var result = ProbeResult(name: "two commands before the first answer is read")
            for id in [0x05, 0x07] as [UInt8] {
                let report = MagneSafeCommand(.getProperty, [id]).report() ?? []
                line.send(TransportUnit(.featureSet(id: 0), report[...]))
            }
            for _ in 0..<2 { note(try feature(), &result) }
            line.send(TransportUnit(.featureGet(id: 0, byteCount: 60), []))
            note(try feature(), &result)
            return [result]
        }
        var results: [ProbeResult] = []
        let first = MagneSafeCommand(.getProperty, [0x07]).line
        let second = MagneSafeCommand(.getProperty, [0x10]).line
        results.append(try lines("two commands at once", [(first + second, .zero)], count: 2))
        let middle = first.count / 2
        results.append(
            try lines(
                "a command in two pieces, 300 ms apart",
                [
                    (Array(first[..<middle]), .milliseconds(300)),
                    (Array(first[middle...]), .zero),
                ],
                count: 1
            )
        )
        results.append(
            try lines("a line that is no command", [(Array("XYZ!\r".utf8), .zero)], count: 1)
        )
        results.append(try lines("an empty line", [([0x0D], .zero)], count: 1))
        results.append(
            try lines(
                "a command whose length is wrong",
                [(Array("000507\r".utf8), .zero)],
                count: 1
            )
        )
        results.append(try lines("a command after that", [(first, .zero)], count: 1))
        return results
    }

    private func note(_ feature: FeatureResult?, _ result: inout ProbeResult) {
        let text: String
        var kind = Observation.Kind.message
        switch feature {
        case .set?: text = "taken"
        case .got(let bytes)?: text = "answer \(Hexadecimal.encode(bytes.prefix(10)))"
        case .stalled?: (text, kind) = ("stalled", .error)
        case .timedOut?, nil: (text, kind) = ("no answer", .error)
        }
        result.observations.append(Observation(kind: kind, text: text, delay: .zero))
    }

    private func lines(
        _ name: String,
        _ pieces: [(bytes: [UInt8], pause: VirtualDuration)],
        count: Int
    ) throws(ProbeStop) -> ProbeResult {
        var result = ProbeResult(name: name)
        for (bytes, pause) in pieces {
            line.send(TransportUnit(.bytes, bytes[...]))
            let end = line.now + pause
            while line.now < end, try line.next(until: end) != nil {}
        }
        var received: [UInt8] = []
        while let event = try line.next(until: line.now + silence) {
            guard case .received(let unit) = event else { continue }
            received += unit.payload
            guard received.count < 8_192 else { break }
        }
        let answers = received.split(separator: 0x0D).map { $0.drop { $0 == UInt8(ascii: "x") } }
            .filter { !$0.isEmpty }
        for answer in answers {
            let response = try? MagneSafeResponse(line: answer)
            let text =
                response.map { "\(Hexadecimal.encode([$0.result.rawValue])), \(shown($0.data))" }
                ?? "of \(answer.count) bytes that are none"
            result.observations.append(
                Observation(
                    kind: response?.result == .success ? .message : .error,
                    text: "answer \(text)",
                    delay: .zero
                )
            )
        }
        if answers.isEmpty {
            result.observations.append(
                Observation(kind: .error, text: "no answer", delay: .zero)
            )
        }
        return result
    }

    // MARK: Hands

    private func withHand(
        _ name: String,
        _ act: HandAct,
        _ note: (ProbeResult) -> Void,
        _ observe: (inout ProbeResult) throws(ProbeStop) -> Void
    ) throws(ProbeStop) {
        var result = ProbeResult(name: name)
        do throws(ProbeStop) {
            try line.act(act, words: name)
            try observe(&result)
        } catch {
            guard case .skipped(let reason) = error else { throw error }
            result.skipped = reason
        }
        note(result)
    }

    private func swipe(
        _ name: String,
        _ quality: SwipeQuality,
        _ note: (ProbeResult) -> Void
    ) throws(ProbeStop) {
        let before = try counter()
        let act = HandAct.swipe(reader: 0, card: "visa", quality: quality)
        var used: Int?
        try withHand(name, act, note) { result throws(ProbeStop) in
            used = try observeSwipe(&result)
            let after = try counter()
            // A reader that was never used may take its first key another way.
            if let before, let used, quality != .good {
                let text =
                    "it is under key \(used &- before) from the one before, then \((after ?? before) &- before)"
                result.observations.append(Observation(kind: .message, text: text, delay: .zero))
            }
        }
    }

    /// The encryption counter inside the key serial number.
    private func counter() throws(ProbeStop) -> Int? {
        var ignored = ProbeResult(name: "")
        try line.drain()
        guard let response = try ask(MagneSafeCommand(.getKSN), &ignored),
            let ksn = KSN(response.data)
        else { return nil }
        return Int(ksn.counter)
    }

    private func observeSwipe(_ result: inout ProbeResult) throws(ProbeStop) -> Int? {
        var bytes: [UInt8] = []
        var units: [VirtualInstant] = []
        let limit = line.now + .seconds(5)
        while let event = try line.next(until: bytes.isEmpty ? limit : line.now + silence) {
            guard case .received(let unit) = event else { continue }
            bytes += unit.payload
            units.append(line.now)
            guard bytes.count < 16_384 else { break }
        }
        guard let first = units.first, let last = units.last else {
            result.observations.append(
                Observation(kind: .error, text: "nothing came of the swipe", delay: .zero)
            )
            return nil
        }
        let record: MagneSafeRecord?
        if isStream {
            var decoder = MagneSafeStreamDecoder()
            decoder.append(bytes[...])
            if case .record(let found)? = decoder.next() { record = found } else { record = nil }
        } else {
            record = try? MagneSafeRecord(report: bytes)
        }
        let size =
            isStream
            ? "\(filling(bytes)), \(bytes.count % 500 == 0 ? "whole blocks" : "\(bytes.count) bytes")"
            : "a report of \(bytes.count) bytes"
        guard let record else {
            result.observations.append(
                Observation(kind: .error, text: "\(size), which is no swipe", delay: last - first)
            )
            return nil
        }
        let tracks = [record.track1, record.track2, record.track3].map(shape).joined(
            separator: ", "
        )
        result.observations.append(
            Observation(kind: .message, text: "\(size): \(tracks)", delay: last - first)
        )
        return record.ksn.map { Int($0.counter) }
    }

    private func shape(_ track: MagneSafeRecord.Track) -> String {
        switch track.status {
        case .blank: "no track"
        case .failed: "a track error"
        case .read: track.encrypted.isEmpty ? "a clear track" : "an encrypted track"
        }
    }

    /// Where the carriage return stands, and what fills the block up.
    private func filling(_ bytes: [UInt8]) -> String {
        let padding = bytes.reversed().prefix { $0 == UInt8(ascii: "x") || $0 == 0x0D }
        guard padding.contains(0x0D) else { return "no carriage return" }
        if padding.first == 0x0D, padding.count > 1 { return "a carriage return after the filling" }
        return "a carriage return before the filling"
    }

    /// Data of an answer, which are settings and never a card's.
    private func shown(_ data: [UInt8]) -> String {
        if data.isEmpty { return "no data" }
        let isText = data.count > 1 && data.allSatisfy { (0x20...0x7E).contains($0) }
        return isText
            ? "'\(SafeText(scrubbing: String(decoding: data, as: UTF8.self)))'"
            : SafeText(wireBytes: data).description
    }

    private func printable(_ bytes: [UInt8]) -> String {
        let isText = bytes.allSatisfy { (0x20...0x7E).contains($0) }
        let text = isText ? String(decoding: bytes, as: UTF8.self) : Hexadecimal.encode(bytes)
        return SafeText(scrubbing: text).description
    }
}
