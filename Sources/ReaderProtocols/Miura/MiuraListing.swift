public import CardData

extension FieldListing {
    /// Lists the frames of a Miura link and the messages that they carry.
    ///
    /// Chained frames are joined. Without a direction each message is taken for a command when it
    /// has the code and the lengths of one, and else for an answer. Values are masked by what
    /// their tag is; data without tags is shown as text where it is text that is displayed. What
    /// is wrong first is named with its byte; whole frames behind it are listed all the same.
    /// - Complexity: O(*n*) for whole frames.
    public init(miura bytes: [UInt8], direction: MiuraDecoder.Direction? = nil) {
        self.init()
        guard !bytes.isEmpty else {
            complain("there is no frame", at: 0)
            return
        }
        var decoder = MiuraFrameDecoder(isFromReader: direction != .toReader, policy: .resync)
        decoder.append(bytes[...])
        var chains = [JoinedPayload](repeating: JoinedPayload(), count: 4)
        while let reading = decoder.next() ?? decoder.finish() {
            switch reading {
            case .frame(let frame, let offset):
                add(frame, at: offset)
                let index = (frame.node == .reader ? 0 : 2) + (frame.isUnsolicited ? 1 : 0)
                chains[index].append(frame, at: offset)
                guard !frame.isChained else { continue }
                let byteCount = add(chains[index], frame.isUnsolicited, direction)
                decoder.expectRawBytes(byteCount)
                chains[index] = JoinedPayload()
            case .rawBytes(let bytes, let offset):
                add(
                    "raw bytes",
                    at: offset,
                    byteCount: bytes.count,
                    SafeText(scrubbing: "\(bytes.count) bytes"),
                    meaning: decoder.awaitedRawByteCount == 0
                        ? "of STREAM BINARY"
                        : "of STREAM BINARY, \(decoder.awaitedRawByteCount) more to come"
                )
            case .damaged(let damage):
                complainToo(Self.reason(damage, in: bytes), at: damage.offset)
            case .skipped(let byteCount):
                add(
                    "passed over",
                    at: decoder.offset - byteCount,
                    byteCount: byteCount,
                    SafeText(scrubbing: "\(byteCount) bytes")
                )
            }
        }
        if let open = chains.first(where: { !$0.bytes.isEmpty }) {
            complain("the chain that begins here has no last frame", at: open.start)
        }
    }

    /// What is wrong with a frame, what stands there and what would be right.
    private static func reason(_ damage: MiuraDamage, in bytes: [UInt8]) -> String {
        let start = damage.frameOffset
        guard start + 3 <= bytes.count else { return damage.reason }
        let count = Int(bytes[start + 2])
        switch damage.code {
        case .wrongChecksum where start + 3 + count < bytes.count:
            let lrc = bytes[start..<(start + 3 + count)].reduce(0, ^)
            return "the LRC is \(IDTechListing.hexadecimal(bytes[start + 3 + count])), and "
                + "\(IDTechListing.hexadecimal(lrc)) would be right for the frame at byte \(start)"
        case .truncated where start + 4 + count > bytes.count:
            return
                "LEN \(IDTechListing.hexadecimal(bytes[start + 2])) of the frame at byte \(start) "
                + "makes \(count + 4) bytes, and the input ends after \(bytes.count - start)"
        default: return damage.reason
        }
    }

    private static func reason(_ error: MiuraFormatError, inCommand bytes: [UInt8]) -> String {
        guard error.code == .wrongDataLength, bytes.count > 4 else {
            return error.reason + ", found \(bytes.count) bytes"
        }
        return
            "the length (Lc) is \(IDTechListing.hexadecimal(bytes[4])), and \(bytes.count - 5) bytes "
            + "follow: that many of data, and one (Le) if an answer is wanted"
    }

    private mutating func add(_ frame: MiuraFrame, at offset: Int) {
        add(
            "frame",
            at: offset,
            byteCount: frame.payload.count + 4,
            SafeText(
                wireBytes: [frame.node.rawValue, frame.control, UInt8(frame.payload.count)]
            ),
            meaning: "\(frame.node == .reader ? "reader" : "hub")"
                + (frame.isUnsolicited ? ", unsolicited" : "")
                + (frame.isChained ? ", more follows" : "")
        )
    }

    /// Lists a message, and returns how many raw bytes follow it.
    private mutating func add(
        _ joined: JoinedPayload,
        _ isUnsolicited: Bool,
        _ direction: MiuraDecoder.Direction?
    ) -> Int {
        let apdu = isUnsolicited || direction == .fromReader ? nil : try? MiuraAPDU(joined.bytes)
        let name = apdu.flatMap { MiuraCommandName(rawValue: $0.code) }
        if let apdu, direction == .toReader || name != nil {
            add(apdu, joined)
            return (try? MiuraStream(apdu)).map { name == .streamBinary ? $0.byteCount : 0 } ?? 0
        }
        if direction == .toReader {
            do throws(MiuraFormatError) { _ = try MiuraAPDU(joined.bytes) } catch {
                let place = joined.place(min(error.offset, joined.bytes.count - 1))
                complain(Self.reason(error, inCommand: joined.bytes), at: place)
            }
            return 0
        }
        addAnswer(joined, isUnsolicited)
        return 0
    }

    private mutating func add(_ apdu: MiuraAPDU, _ joined: JoinedPayload) {
        let name = MiuraCommandName(rawValue: apdu.code)
        add(
            "command",
            at: joined.place(0),
            byteCount: 4,
            SafeText(wireBytes: joined.bytes.prefix(4)),
            meaning: name?.title ?? "not a command that any source lists"
        )
        let isExtended = joined.bytes.count >= 7 && joined.bytes[4] == 0
        let start = 4 + (isExtended ? 3 : 1)
        let end = start + apdu.data.count
        if !apdu.data.isEmpty {
            if apdu.data.first == 0xE0 {
                addObjects(joined.bytes, start..<end, depth: 1, place: joined.place)
            } else {
                add(
                    "data",
                    at: joined.place(start),
                    byteCount: apdu.data.count,
                    Self.text(of: apdu, name)
                )
            }
        }
        if let byteCount = apdu.expectedByteCount {
            let width = isExtended ? 2 : 1
            add(
                "bytes wanted",
                at: joined.place(joined.bytes.count - width),
                byteCount: width,
                SafeText(byteCount)
            )
        }
        guard problem == nil else { return }
        do throws(MiuraFormatError) { _ = try MiuraCommand(apdu) } catch {
            let place = joined.place(min(error.offset, joined.bytes.count - 1))
            complain(error.reason, at: place)
        }
    }

    /// Text that is displayed, and names of files; other data shows its length.
    private static func text(of apdu: MiuraAPDU, _ name: MiuraCommandName?) -> SafeText {
        switch name {
        case .displayText, .selectFile, .deleteFile, .displayImage, .printText, .printImage:
            SafeText(scrubbing: String(decoding: apdu.data, as: UTF8.self))
        default: SafeText(scrubbing: "\(apdu.data.count) bytes")
        }
    }

    private mutating func addAnswer(_ joined: JoinedPayload, _ isUnsolicited: Bool) {
        let end = joined.bytes.count - 2
        let body = Array(joined.bytes[..<end])
        if (try? TLV.objects(in: body)) != nil {
            addObjects(body, 0..<end, depth: 1, place: joined.place)
        } else {
            let isTLV = (0xE0...0xEF).contains(body[0])
            if isTLV { addObjects(body, 0..<end, depth: 1, place: joined.place) }
            if !isTLV || problem == nil {
                add(
                    "body",
                    at: joined.place(0),
                    byteCount: end,
                    end == 1
                        ? SafeText(wireBytes: body) : SafeText(scrubbing: "\(end) bytes"),
                    meaning: "no BER-TLV"
                )
            }
        }
        let statusWord = MiuraStatusWord(joined.bytes[end], joined.bytes[end + 1])
        add(
            "status word",
            at: joined.place(end),
            byteCount: 2,
            SafeText(wireBytes: joined.bytes[end...]),
            meaning: statusWord.meaning
        )
    }
}

/// The payloads of a chain, and where each of their bytes stands in the input.
private struct JoinedPayload {
    private(set) var bytes: [UInt8] = []
    /// The first byte of each frame's payload: its place here, and in the input.
    private var parts: [(Int, Int)] = []
    private(set) var start = 0

    mutating func append(_ frame: MiuraFrame, at offset: Int) {
        if bytes.isEmpty { start = offset }
        parts.append((bytes.count, offset + 3))
        bytes += frame.payload
    }

    /// The place in the input of a byte of the joined payload.
    func place(_ position: Int) -> Int {
        let part = parts.last { $0.0 <= position } ?? (0, 0)
        return part.1 + position - part.0
    }
}
