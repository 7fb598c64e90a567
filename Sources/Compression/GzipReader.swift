import CLibZ

/// Unpacks gzip from pieces into pieces of a fixed size: a bomb is never more than one such piece.
///
/// One thread at a time calls it. zlib's state is owned by a class, so that copies share it.
public final class GzipReader {
    private var stream = z_stream()
    private var input: [UInt8] = []
    private var inputStart = 0
    private var isBegun = false
    private var isMemberOpen = false

    /// Creates a reader at the beginning of a gzip file.
    public init() {}

    deinit { if isBegun { inflateEnd(&stream) } }

    /// How many packed bytes wait to be unpacked.
    public var pendingByteCount: Int { input.count - inputStart }
}
