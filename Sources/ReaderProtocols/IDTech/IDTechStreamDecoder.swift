public import EventLoops

/// One thing that a reader of the UniMag family said.
public enum IDTechReading: Hashable, Sendable {
    /// A swipe in one of the encryption formats.
    case record(IDTechRecord)
    /// A swipe in clear.
    case clearText(IDTechClearText)
    /// The reader could not read a swipe and is set to tell.
    case swipeError
    /// The answer to a command.
    case answer(IDTechAnswer)
    /// The reader got power.
    case powerUp(IDTechPowerUp)
    /// Bytes that were cut or changed on their way; nothing of them is used.
    case damaged(IDTechError)
}

/// Finds what a reader of the UniMag family says in a stream of bytes, in whatever pieces they come.
///
/// | first byte | what it begins | where it ends |
/// | --- | --- | --- |
/// | `02` | a record | by its length field |
/// | `06 02` | an answer with data, or an acknowledgement and a record | at a `03` with the right LRC |
/// | `06` | another answer, at most four bytes | with silence |
/// | `15` | a refusal | at once |
/// | `%`, `;`, `7F` | clear text or a swipe error | at the carriage return |
/// | another character | an announcement | at the carriage return |
/// | `00`, CR, LF | nothing: passed over between two | |
///
/// Damage gives one error. From there on a whole record with right checks is looked for, wherever it
/// begins; everything else counts as part of the damage until the line is silent and the caller says
/// so with ``finish()``. A whole record inside what began otherwise proves that the beginning was cut.
///
/// At most ``maximumBufferByteCount`` bytes are kept beyond what the caller added since it last took
/// every reading.
public struct IDTechStreamDecoder: Hashable, Sendable {
    /// The most bytes kept while nothing is complete.
    public static let maximumBufferByteCount = IDTechRecord.maximumByteCount + 1
    /// How long the line is silent before what has begun counts as all there is (assumed): the time
    /// of 24 characters at 2400 bit/s, the slowest line of a published phone profile.
    public static let silenceLimit = VirtualDuration.milliseconds(100)

    private var buffer: [UInt8] = []
    /// The position in the stream of the buffer's first byte.
    private var bufferOffset = 0
    private var start = 0
    private var position = 0
    /// Whether damage was reported and a record is looked for.
    private var isSearching = false
    /// Where records may begin, from `start` on, in order; each until its end is reached.
    private var candidates: [Int] = []
    /// A reading found behind one that was returned first.
    private var waiting: IDTechReading?

    /// Creates a decoder at the start of a stream.
    public init() {}

    /// Adds bytes at the end of the stream.
    ///
    /// - Complexity: O(*n*), where *n* is the number of bytes added.
    public mutating func append(_ bytes: Span<UInt8>) {
        compact()
        buffer.reserveCapacity(buffer.count + bytes.count)
        for index in bytes.indices { buffer.append(bytes[index]) }
    }

    /// Adds a part of a shared buffer at the end of the stream.
    public mutating func append(_ bytes: ArraySlice<UInt8>) {
        compact()
        buffer.append(contentsOf: bytes)
    }

    /// Whether something has begun that is not complete, or damage is being passed over: its owner
    /// calls ``finish()`` after ``silenceLimit`` without a byte.
    public var hasPartialPacket: Bool {
        waiting != nil || isSearching || start < buffer.count
    }

    /// Forgets everything that is not complete, as when the reader is detached.
    public mutating func reset() { self = IDTechStreamDecoder() }

    /// Returns the next thing that the reader said, or `nil` until more bytes arrive.
    public mutating func next() -> IDTechReading? {
        if let reading = waiting {
            waiting = nil
            return reading
        }
        while position < buffer.count {
            position += 1
            noteCandidate()
            if let reading = recordAtTheEnd() { return reading }
            if isSearching {
                start = candidates.first ?? max(start, position - 3)
            } else if let reading = step() {
                return reading
            }
        }
        return nil
    }

    /// Ends what has begun, as when the line was silent for ``silenceLimit``.
    ///
    /// - Returns: The answer or report if that is how it ends, `damaged` if it was cut, and `nil`
    ///   when nothing has begun. Ask again until `nil`.
    public mutating func finish() -> IDTechReading? {
        if let reading = next() { return reading }
        guard !isSearching, start < position else {
            begin(at: position)
            return nil
        }
        let bytes = Array(buffer[start..<position])
        if bytes[0] == IDTechAnswer.acknowledgement {
            if bytes.count > 1, bytes[1] == IDTechLayout.start,
                let end = IDTechAnswer.endOfData(in: bytes, from: 1)
            {
                return answer(byteCount: end)
            }
            if bytes.count == 1 || bytes[1] != IDTechLayout.start {
                return answer(byteCount: bytes.count)
            }
        }
        let isError = IDTechClearText.isSwipeError(bytes)
        let offset = bufferOffset + position
        begin(at: position)
        return isError ? .swipeError : .damaged(IDTechError(.truncated, offset: offset))
    }

    private mutating func compact() {
        guard start > 0 else { return }
        buffer.removeFirst(start)
        bufferOffset += start
        position -= start
        for index in candidates.indices { candidates[index] -= start }
        start = 0
    }

    private mutating func begin(at index: Int) {
        start = index
        position = index
        isSearching = false
        candidates.removeAll(keepingCapacity: true)
    }

    private mutating func damaged(_ code: IDTechError.Code, at index: Int) -> IDTechReading {
        isSearching = true
        return .damaged(IDTechError(code, offset: bufferOffset + index))
    }

    // MARK: Records, wherever they begin

    /// Notes that a record may begin four bytes before the present end.
    private mutating func noteCandidate() {
        let index = position - 4
        guard index >= start, buffer[index] == IDTechLayout.start,
            IDTechLayout.isPlausible(buffer, from: index)
        else { return }
        candidates.append(index)
    }

    /// Takes the record that ends at the present end, if its checks are right.
    private mutating func recordAtTheEnd() -> IDTechReading? {
        guard !candidates.isEmpty else { return nil }
        var failure: IDTechReading?
        for index in candidates {
            let count = IDTechLayout.dataByteCount(buffer, from: index)
            guard index + count + IDTechLayout.envelopeByteCount == position else { continue }
            do {
                let record = try IDTechRecord(buffer[index..<position])
                let reading = take(record, from: index)
                guard let failure else { return reading }
                waiting = reading
                return failure
            } catch {
                if index == start, !isSearching, error.code != .truncated {
                    failure = damaged(error.code, at: index + error.offset)
                }
            }
        }
        // An end that has come is an end that was looked at.
        candidates.removeAll { [buffer, position] index in
            let count = IDTechLayout.dataByteCount(buffer, from: index)
            return index + count + IDTechLayout.envelopeByteCount <= position
        }
        return failure
    }

    private mutating func take(_ record: IDTechRecord, from index: Int) -> IDTechReading {
        let reading = IDTechReading.record(record)
        let isWhole = isSearching || index == start
        let isAnswered =
            index == start + 1 && buffer[start] == IDTechAnswer.acknowledgement
        let cut = IDTechError(.truncated, offset: bufferOffset + index)
        begin(at: position)
        if isWhole { return reading }
        waiting = reading
        return isAnswered ? .answer(.acknowledged) : .damaged(cut)
    }

    // MARK: What begins at the start

    /// Looks at the newest byte of what has begun.
    private mutating func step() -> IDTechReading? {
        let newest = buffer[position - 1]
        switch buffer[start] {
        case 0x00, 0x0A, 0x0D:
            begin(at: position)
            return nil
        case IDTechLayout.start:
            guard position - start == 4, candidates.first != start else { return nil }
            let count = IDTechLayout.dataByteCount(buffer, from: start)
            let isLength = count < 5 || count > IDTechLayout.maximumDataByteCount
            return isLength
                ? damaged(.wrongLength, at: start + 1) : damaged(.malformed, at: start + 3)
        case IDTechAnswer.refusal:
            begin(at: position)
            return .answer(.refused)
        case IDTechAnswer.acknowledgement: return stepOfAnswer()
        case 0x25, 0x3B, 0x7F:
            if newest == IDTechClearText.terminator { return text() }
            guard position - start < IDTechClearText.maximumByteCount else {
                return damaged(.tooLong, at: position)
            }
            return nil
        case 0x20..<0x7F:
            if newest == IDTechClearText.terminator { return announcement() }
            let isText = 0x20..<0x7F ~= newest || newest == 0x0A
            guard isText, position - start < IDTechPowerUp.maximumByteCount else {
                return damaged(.noStart, at: start)
            }
            return nil
        default: return damaged(.noStart, at: start)
        }
    }

    private mutating func stepOfAnswer() -> IDTechReading? {
        let count = position - start
        guard count > 1 else { return nil }
        guard buffer[start + 1] == IDTechLayout.start else {
            return count > IDTechAnswer.maximumBareByteCount
                ? damaged(.malformed, at: start + 1) : nil
        }
        // What may be a record waits for its end: a wrong record may still be an answer.
        if count < 5 || candidates.first == start + 1 { return nil }
        let bytes = Array(buffer[start..<position])
        if let end = IDTechAnswer.endOfData(in: bytes, from: 1) { return answer(byteCount: end) }
        return count >= IDTechAnswer.maximumByteCount ? damaged(.tooLong, at: position) : nil
    }

    /// Takes an answer at the start and goes on right after it.
    private mutating func answer(byteCount: Int) -> IDTechReading {
        let bytes = buffer[start..<(start + byteCount)]
        let offset = bufferOffset + start
        begin(at: start + byteCount)
        do {
            return .answer(try IDTechAnswer(bytes))
        } catch {
            return .damaged(IDTechError(error.code, offset: offset + error.offset))
        }
    }

    private mutating func text() -> IDTechReading {
        let bytes = buffer[start..<position]
        if IDTechClearText.isSwipeError(bytes) {
            begin(at: position)
            return .swipeError
        }
        do {
            let text = try IDTechClearText(bytes)
            begin(at: position)
            return .clearText(text)
        } catch {
            let offset = bufferOffset + start + error.offset
            begin(at: position)
            return .damaged(IDTechError(error.code, offset: offset))
        }
    }

    private mutating func announcement() -> IDTechReading {
        let line = buffer[start..<(position - 1)]
        let reading =
            IDTechPowerUp(line).map { IDTechReading.powerUp($0) }
            ?? .damaged(IDTechError(.noStart, offset: bufferOffset + start))
        begin(at: position)
        return reading
    }
}
