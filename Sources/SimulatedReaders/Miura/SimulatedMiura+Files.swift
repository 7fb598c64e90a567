import CardCrypto
import EventLoops
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
