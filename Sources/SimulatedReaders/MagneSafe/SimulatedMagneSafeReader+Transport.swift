public import CardCrypto
import CardData
public import EventLoops
import ReaderProtocols
public import Transports

/// What a reader does about a unit from the host, in order.
public enum MagneSafeReaction: Hashable, Sendable {
    /// It ends the host's oldest feature request.
    case finishFeature(FeatureResult)
    /// It sends a unit.
    case send(ReaderTransmission)
    /// It leaves the bus and comes back with its new settings; call
    /// ``SimulatedMagneSafeReader/powerUp()`` when it does.
    case reattach
}

extension SimulatedMagneSafeReader {
    /// The longest command line of a stream, in characters: number, length, 255 bytes.
    static let lineBound = 2 * 257

    /// Takes one unit that the host sent.
    ///
    /// | unit | reader with reports or keys | stream |
    /// | --- | --- | --- |
    /// | feature report set | runs the command in it | stalls |
    /// | feature report asked for | the answer to the last command | stalls |
    /// | bytes | nothing | runs each line of hexadecimal text |
    /// | another | nothing | nothing |
    ///
    /// A feature report of another length than the reader's stalls. A line that is none, or too
    /// long, is answered with result 02.
    /// Source: MagneSafe V5 Communication Reference Manual 99875475, Commands; USB HID 1.11, 7.2.
    public mutating func receive(
        _ unit: TransportUnit,
        cache: CryptoCache,
        at now: VirtualInstant
    ) -> [MagneSafeReaction] {
        let isStream = settings.interface == .stream
        switch unit.kind {
        case .featureSet(let id):
            guard !isStream, id == 0, unit.payload.count == featureByteCount else {
                return [.finishFeature(.stalled)]
            }
            let (response, resets) = answer(to: unit.payload, cache, at: now)
            state.answer =
                response.report(byteCount: featureByteCount)
                ?? MagneSafeResponse(.failure).report(byteCount: featureByteCount) ?? []
            return resets ? [.finishFeature(.set), .reattach] : [.finishFeature(.set)]
        case .featureGet(let id, let byteCount):
            guard !isStream, id == 0, byteCount == featureByteCount else {
                return [.finishFeature(.stalled)]
            }
            let answer = state.answer
            let report =
                answer.isEmpty ? [UInt8](repeating: 0, count: featureByteCount) : answer
            return [.finishFeature(.got(report[...]))]
        case .bytes: return isStream ? take(unit.payload, cache, at: now) : []
        case .report, .lineState: return []
        }
    }

    private mutating func answer(
        to bytes: ArraySlice<UInt8>,
        _ cache: CryptoCache,
        at now: VirtualInstant
    ) -> (MagneSafeResponse, Bool) {
        do {
            let (response, resets) = execute(try MagneSafeCommand(bytes), cache: cache, at: now)
            return (response, resets)
        } catch {
            return (MagneSafeResponse(.badParameter), false)
        }
    }

    private mutating func take(
        _ bytes: ArraySlice<UInt8>,
        _ cache: CryptoCache,
        at now: VirtualInstant
    ) -> [MagneSafeReaction] {
        var reactions: [MagneSafeReaction] = []
        var line = state.line
        var isTooLong = state.isLineTooLong
        defer {
            state.line = line
            state.isLineTooLong = isTooLong
        }
        for byte in bytes {
            guard byte == 0x0D else {
                if line.count < Self.lineBound { line.append(byte) } else { isTooLong = true }
                continue
            }
            let text = line
            let wasTooLong = isTooLong
            line.removeAll(keepingCapacity: true)
            isTooLong = false
            if text.isEmpty { continue }
            var response = MagneSafeResponse(.badParameter)
            var resets = false
            if !wasTooLong, let command = try? MagneSafeCommand(line: text) {
                (response, resets) = execute(command, cache: cache, at: now)
            }
            reactions.append(.send(reply(response)))
            if resets { reactions.append(.reattach) }
        }
        return reactions
    }

    private func reply(_ response: MagneSafeResponse) -> ReaderTransmission {
        var line = response.line
        if configuration.padsReplies {
            while line.count % MagneSafeStreamLayout.blockByteCount != 0 { line.append(0x78) }
        }
        return ReaderTransmission(
            offset: configuration.replyDelay,
            unit: TransportUnit(.bytes, line[...])
        )
    }

    /// Lets the time of the authenticated mode pass and returns what the reader sends about it.
    ///
    /// Nothing, unless the configuration asks for the message of a swipe's window that closed.
    public mutating func timePassed(
        cache: CryptoCache,
        at now: VirtualInstant
    ) -> [ReaderTransmission] {
        guard authentication.advance(to: now) else { return [] }
        advanceKSN()
        guard configuration.reportsSwipeTimeOut, !hasExhaustedKeys else { return [] }
        var record = exhaustedRecord(.timedOut, cache)
        record.readerStatus.insert(.authenticationRequired)
        return transmissions(of: record, cache: cache)
    }
}
