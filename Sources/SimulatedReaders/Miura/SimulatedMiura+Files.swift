public import CardCrypto
public import EventLoops
import ReaderProtocols

extension SimulatedMiura {
    mutating func executeOnFiles(_ command: MiuraCommand) {
        switch command {
        case .selectFile(let selection):
            switch store.select(selection) {
            case .success(let byteCount):
                let md5 = selection.mode == .appendWithMD5 ? store.selectedMD5 : nil
                answer(.file(byteCount: byteCount, md5: md5))
            case .failure(let refusal): refuse(refusal.statusWord, .selectFile)
            }
        case .deleteFile(let name?, let folder):
            if store.remove(name, folder) {
                answer(.done)
            } else {
                refuse(.fileSystemError, .deleteFile)
            }
        case .deleteFile(nil, let folder):
            store.removeAll(in: folder)
            answer(.done)
        case .listFiles(let folder):
            answer(
                .files(
                    names: store.names(in: folder),
                    spaceUsed: store.byteCount,
                    slotsUsed: store.files.count
                )
            )
        case .readBinary(let offset, let byteCount):
            if let bytes = store.read(offset: offset, byteCount: byteCount) {
                answer(.fileBytes(bytes))
            } else {
                refuse(.invalidReference, .readBinary)
            }
        case .streamBinary(let stream): begin(stream)
        default: break
        }
    }

    private mutating func begin(_ stream: MiuraStream) {
        guard store.selected != nil else { return refuse(.fileSystemError, .streamBinary) }
        guard stream.byteCount > 0 else { return answer(.done) }
        // The unit of the time limit is not published; seconds fit the SDK's value of 100.
        let limit = VirtualDuration.seconds(Int64(max(1, stream.timeLimit)))
        activity = .streaming(Activity.Streaming(stream: stream, due: now + limit))
    }

    /// Loads a file as an update tool at the reader's USB does: SELECT FILE, STREAM BINARY, hard
    /// RESET DEVICE; the reader then starts anew.
    ///
    /// - Returns: What the reader does, but for what it tells the tool; nothing when it is off or a
    ///   host has a link to it. The fact `answers(.resetDevice, …)` says whether it took the file.
    public mutating func load(
        _ bytes: [UInt8],
        as name: String,
        cache: CryptoCache,
        at instant: VirtualInstant
    ) -> [MiuraReaderEffect] {
        let effects = act(at: instant, cache) { reader in
            guard reader.isReachable, !reader.isLinked else { return }
            reader.isLinked = true
            let stream = MiuraStream(offset: 0, byteCount: bytes.count)
            var written = MiuraCommand.selectFile(MiuraFileSelection(name, .truncate)).message()
                .bytes
            written += MiuraCommand.streamBinary(stream).message().bytes + bytes
            written += MiuraCommand.resetDevice(.hard).message().bytes
            reader.decoder.append(written[...])
            while let reading = reader.decoder.next() { reader.take(reading, cache) }
            // The tool lets go; what the reader took it applies at once.
            let isTaken = reader.departure != nil
            reader.departure = nil
            reader.loseLink()
            if isTaken { reader.beginReboot() }
        }
        return effects.filter { effect in
            switch effect {
            case .send, .dropLink: false
            case .reachable, .noted: true
            }
        }
    }

    /// Takes raw bytes; those of a refused command go nowhere.
    mutating func takeRaw(_ bytes: [UInt8], remaining: Int, _ cache: CryptoCache) {
        guard case .streaming(var streaming) = activity else { return }
        let offset = streaming.stream.offset + streaming.receivedByteCount
        let statusWord = store.write(bytes, at: offset)
        guard statusWord.isSuccess else {
            activity = .idle
            refuse(statusWord, .streamBinary)
            return resume(cache)
        }
        streaming.receivedByteCount += bytes.count
        guard remaining == 0 else {
            activity = .streaming(streaming)
            return
        }
        activity = .idle
        if streaming.stream.returnsMD5, let md5 = store.selectedMD5 {
            answer(.md5(md5))
        } else {
            answer(.done)
        }
        resume(cache)
    }
}
