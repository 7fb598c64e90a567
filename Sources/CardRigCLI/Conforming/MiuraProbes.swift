import CardData
import EventLoops
import Journal
import ReaderProtocols
import Rig
import SimulatedReaders
import Transports

/// The probes of a Miura reader: commands that change nothing, cards, and what a host may do wrong.
///
/// Source of what is safe: Miura Java SDK 1-1i, command builders; resets but the soft one, files,
/// key injection, the clock and transactions are left out.
struct MiuraProbes: ProbeSuite {
    private let line: any ProbeLine
    private let answerLimit = VirtualDuration.seconds(3)
    private let silence = VirtualDuration.milliseconds(400)

    init(_ line: any ProbeLine) { self.line = line }

    func identify() throws(ProbeStop) -> ProbeResult {
        var result = ProbeResult(name: "identify")
        guard let response = try ask(.resetDevice(.soft), &result) else { return result }
        if case .software(let software)? = try? MiuraAnswer(response, to: .resetDevice(.soft)) {
            result.identity.append(("serial", shown(software.serialNumber)))
            for entry in software.software {
                result.identity.append((shown(entry.name), shown(entry.value ?? "")))
            }
        } else if response.statusWord.isSuccess {
            let text = "\(response.body.count) bytes, which is an answer to another command"
            result.observations.append(Observation(kind: .error, text: text, delay: .zero))
        }
        return result
    }

    func run(_ hands: Bool, _ note: (ProbeResult) -> Void) throws(ProbeStop) {
        try line.drain()
        note(try identify())
        let safe: [(name: String, command: MiuraCommand)] = [
            ("get configuration", .getConfiguration),
            ("get device info", .getDeviceInfo),
            ("battery status", .batteryStatus(.query)),
            ("card status solicited", .cardStatusSolicited([])),
            ("printer status", .printerStatus(reportsChanges: false)),
            ("USB status", .usbStatus(reportsChanges: false)),
            ("system clock", .readClock),
            ("peripheral status", .peripheralStatus),
            ("P2PE status", .p2peStatus),
            ("abort with nothing to end", .abort),
            ("a command that nobody knows", .other(MiuraAPDU(0xD0EE))),
        ]
        for (name, command) in safe {
            var result = ProbeResult(name: name)
            _ = try ask(command, &result)
            note(result)
        }
        for result in try mistakes() { note(result) }
        if hands { try handProbes(note) }
    }

    // MARK: Commands

    private func ask(
        _ command: MiuraCommand,
        _ result: inout ProbeResult
    ) throws(ProbeStop) -> MiuraResponse? {
        let began = line.now
        line.send(TransportUnit(.bytes, command.message().bytes[...]))
        var decoder = MiuraDecoder(.fromReader, policy: .resync)
        let limit = began + answerLimit
        while let event = try line.next(until: limit) {
            guard take(event, &decoder) else { continue }
            while let reading = decoder.next() {
                guard case .message(let message) = reading else {
                    result.observations.append(
                        Observation(kind: .error, text: "a damaged frame", delay: line.now - began)
                    )
                    return nil
                }
                guard !message.isUnsolicited else {
                    note(message, began, &result)
                    continue
                }
                let response = MiuraResponse(message)
                note(response, to: command, line.now - began, &result)
                return response
            }
        }
        result.observations.append(Observation(kind: .error, text: "no answer", delay: .zero))
        return nil
    }

    private func take(_ event: TransportEvent, _ decoder: inout MiuraDecoder) -> Bool {
        guard case .received(let unit) = event else { return false }
        decoder.append(unit.payload)
        return true
    }

    private func note(
        _ response: MiuraResponse,
        to command: MiuraCommand?,
        _ delay: VirtualDuration,
        _ result: inout ProbeResult
    ) {
        guard response.statusWord.isSuccess else {
            let word = response.statusWord.rawValue
            let text = "refused \(Hexadecimal.encode([UInt8(word >> 8), UInt8(word & 0xFF)]))"
            result.observations.append(Observation(kind: .error, text: text, delay: delay))
            return
        }
        let answer = command.flatMap { try? MiuraAnswer(response, to: $0) }
        result.observations.append(
            Observation(kind: .message, text: "answer 9000\(words(answer, response))", delay: delay)
        )
    }

    /// What an answer says, without what is the reader's own.
    private func words(_ answer: MiuraAnswer?, _ response: MiuraResponse) -> String {
        switch answer {
        case .done?: return ""
        case .software(let software)?:
            return ", software of "
                + software.software.map { shown($0.name) }.joined(separator: ", ")
        case .entries(let entries)?:
            return ", "
                + entries.map { "\(shown($0.name)) \(shown($0.value ?? ""))" }
                .joined(separator: ", ")
        case .cardStatus(let report)?: return ", card status \(report.status.rawValue)"
        case .usb(let isPlugged)?: return isPlugged ? ", plugged in" : ", not plugged in"
        case .battery?: return ", a battery"
        case .clock?: return ", a time"
        case .peripherals(let names)?:
            return ", " + names.map { shown($0) }.joined(separator: ", ")
        case .p2peStatus(let status)?: return ", keys \(status.rawValue)"
        default: return ", \(response.body.isEmpty ? "no" : "some") objects"
        }
    }

    private func note(
        _ message: MiuraMessage,
        _ began: VirtualInstant,
        _ result: inout ProbeResult
    ) {
        let objects = (try? MiuraResponse(message).objects()) ?? []
        let tags = objects.map { Self.tags($0) }.joined(separator: " ")
        result.observations.append(
            Observation(kind: .message, text: "unsolicited \(tags)", delay: line.now - began)
        )
    }

    /// The tags of an object and of those inside it, in order, without any value.
    private static func tags(_ object: TLV) -> String { "\(object.tag)" }

    // MARK: What a host may do wrong

    private func mistakes() throws(ProbeStop) -> [ProbeResult] {
        let status = MiuraCommand.p2peStatus.message().bytes
        let usb = MiuraCommand.usbStatus(reportsChanges: false).message().bytes
        var broken = status
        broken[broken.count - 1] ^= 0x01
        let half = status.count / 2
        return [
            try frames("two commands at once", [(status + usb, .zero)]),
            try frames(
                "a command in two pieces, 300 ms apart",
                [(Array(status[..<half]), .milliseconds(300)), (Array(status[half...]), .zero)]
            ),
            try frames("a frame with a wrong LRC", [(broken, .zero)]),
            try frames("a command after that", [(status, .zero)]),
        ]
    }

    private func frames(
        _ name: String,
        _ pieces: [(bytes: [UInt8], pause: VirtualDuration)]
    ) throws(ProbeStop) -> ProbeResult {
        var result = ProbeResult(name: name)
        guard line.isAttached else {
            if try line.awaitAttach(within: .seconds(5)) { try line.drain() }
            return try line.isAttached ? frames(name, pieces) : result
        }
        for (bytes, pause) in pieces {
            line.send(TransportUnit(.bytes, bytes[...]))
            let end = line.now + pause
            while line.now < end, try line.next(until: end) != nil {}
        }
        var decoder = MiuraDecoder(.fromReader, policy: .resync)
        var byteCount = 0
        while let event = try line.next(until: line.now + silence), byteCount < 65_536 {
            if case .detached = event {
                result.observations.append(
                    Observation(kind: .error, text: "it ends the link", delay: .zero)
                )
            }
            guard take(event, &decoder) else { continue }
            byteCount += 1
            while let reading = decoder.next() {
                guard case .message(let message) = reading else {
                    result.observations.append(
                        Observation(kind: .error, text: "a damaged frame", delay: .zero)
                    )
                    continue
                }
                if message.isUnsolicited {
                    note(message, line.now, &result)
                } else {
                    note(MiuraResponse(message), to: nil, .zero, &result)
                }
            }
        }
        if result.observations.isEmpty {
            result.observations.append(Observation(kind: .error, text: "no answer", delay: .zero))
        }
        return result
    }

    // MARK: Hands

    private func handProbes(_ note: (ProbeResult) -> Void) throws(ProbeStop) {
        line.send(TransportUnit(.bytes, MiuraCommand.cardStatus(.payments).message().bytes[...]))
        try line.drain()
        let acts: [(name: String, act: HandAct)] = [
            ("swipe visa", .swipe(reader: 0, card: "visa", quality: .good)),
            (
                "swipe visa, the stripe away from the head",
                .swipe(reader: 0, card: "visa", quality: .unreadable)
            ),
            ("insert a chip card", .insert(reader: 0, card: "emv-visa-pin")),
            ("remove the card", .removeCard(reader: 0)),
        ]
        for (name, act) in acts {
            note(try withHand(name, act) { result throws(ProbeStop) in try listen(&result) })
        }
        note(
            try withHand("cut the link", .unplug(reader: 0)) { result throws(ProbeStop) in
                let end = line.now + .seconds(5)
                while line.isAttached, try line.next(until: end) != nil {}
                result.observations.append(
                    Observation(
                        kind: line.isAttached ? .error : .message,
                        text: line.isAttached ? "it is still there" : "it is gone",
                        delay: .zero
                    )
                )
            }
        )
        note(
            try withHand("give the link back", .plugIn(reader: 0)) { result throws(ProbeStop) in
                guard try line.awaitAttach(within: .seconds(10)) else {
                    result.observations.append(
                        Observation(kind: .error, text: "it does not come", delay: .zero)
                    )
                    return
                }
                try listen(&result)
                _ = try ask(.p2peStatus, &result)
            }
        )
    }

    /// Notes what the reader says by itself until it is silent.
    private func listen(_ result: inout ProbeResult) throws(ProbeStop) {
        let began = line.now
        var decoder = MiuraDecoder(.fromReader, policy: .resync)
        var limit = began + .seconds(2)
        while let event = try line.next(until: limit) {
            guard take(event, &decoder) else { continue }
            while let reading = decoder.next() {
                guard case .message(let message) = reading else { continue }
                note(message, line.now, &result)
                limit = line.now + silence
            }
            guard line.now - began < .seconds(10) else { break }
        }
    }

    private func withHand(
        _ name: String,
        _ act: HandAct,
        _ observe: (inout ProbeResult) throws(ProbeStop) -> Void
    ) throws(ProbeStop) -> ProbeResult {
        var result = ProbeResult(name: name)
        do throws(ProbeStop) {
            try line.act(act, words: name)
            try observe(&result)
        } catch {
            guard case .skipped(let reason) = error else { throw error }
            result.skipped = reason
        }
        return result
    }

    private func shown(_ text: String) -> String {
        SafeText(scrubbing: String(text.prefix(64))).description
    }
}
