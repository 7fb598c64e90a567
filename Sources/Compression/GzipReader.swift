import CLibZ

/// Unpacks gzip from pieces into pieces of a fixed size: a bomb is never more than one such piece.
///
/// Several members behind each other are one stream, as gzip and its readers have it. One thread at
/// a time calls it; zlib's state is owned by a class, so that nobody copies it.
///
/// Source: RFC 1952, section 2.2; zlib.h.
public final class GzipReader {
    /// How reading went.
    public enum Outcome: Hashable, Sendable {
        /// So many bytes were unpacked; there may be more.
        case unpacked(Int)
        /// More packed bytes are needed.
        case needsInput
        /// What follows the last member is not gzip; the stream ended before it.
        case trailingBytes
        /// The packed data contradict themselves, or their checksum is wrong.
        case damaged
    }

    /// The most bytes that one call unpacks.
    public static let pieceByteCount = 65_536

    private let stream: UnsafeMutablePointer<z_stream>
    private var input: [UInt8] = []
    private var inputStart = 0
    private var isMemberOpen = false
    private var memberCount = 0
    private var failure: Outcome?
    private var output = [UInt8](repeating: 0, count: GzipReader.pieceByteCount)

    /// Creates a reader at the beginning of a gzip file.
    public init() {
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
        if clibz_inflate_init_gzip(stream) != Z_OK { failure = .damaged }
    }

    deinit {
        inflateEnd(stream)
        stream.deallocate()
    }

    /// How many packed bytes wait to be unpacked.
    public var pendingByteCount: Int { input.count - inputStart }

    /// Whether the packed bytes so far end where a member ends.
    public var isAtEndOfMember: Bool {
        memberCount > 0 && !isMemberOpen && pendingByteCount == 0
    }

    /// Adds packed bytes; they wait until they are read.
    public func append(_ bytes: ArraySlice<UInt8>) {
        if inputStart > 0 {
            input.removeFirst(inputStart)
            inputStart = 0
        }
        input.append(contentsOf: bytes)
    }

    /// Unpacks at most ``pieceByteCount`` bytes and hands them over.
    public func read(_ take: (ArraySlice<UInt8>) -> Void) -> Outcome {
        if let failure { return failure }
        while pendingByteCount > 0 {
            if !isMemberOpen, memberCount > 0 {
                // Zero bytes behind the last member are padding, as of a tape.
                while inputStart < input.count, input[inputStart] == 0 { inputStart += 1 }
                guard pendingByteCount > 0 else { return .needsInput }
                guard input[inputStart] == 0x1F else { return fail(.trailingBytes) }
                if inflateReset(stream) != Z_OK { return fail(.damaged) }
            }
            isMemberOpen = true
            let (code, taken, made) = inflateOnce()
            inputStart += taken
            switch code {
            case Z_STREAM_END:
                isMemberOpen = false
                memberCount += 1
            case Z_OK, Z_BUF_ERROR: break
            default: failure = .damaged
            }
            if made > 0 {
                take(output[..<made])
                return .unpacked(made)
            }
            if let failure { return failure }
            if taken == 0, isMemberOpen { return .needsInput }
        }
        return .needsInput
    }

    private func inflateOnce() -> (code: Int32, taken: Int, made: Int) {
        let available = min(pendingByteCount, Int(UInt32.max))
        return input.withUnsafeMutableBufferPointer { packed in
            output.withUnsafeMutableBufferPointer { unpacked in
                stream.pointee.next_in = packed.baseAddress?.advanced(by: inputStart)
                stream.pointee.avail_in = UInt32(available)
                stream.pointee.next_out = unpacked.baseAddress
                stream.pointee.avail_out = UInt32(unpacked.count)
                let code = inflate(stream, Z_NO_FLUSH)
                return (
                    code, available - Int(stream.pointee.avail_in),
                    unpacked.count - Int(stream.pointee.avail_out)
                )
            }
        }
    }

    private func fail(_ outcome: Outcome) -> Outcome {
        failure = outcome
        return outcome
    }
}
