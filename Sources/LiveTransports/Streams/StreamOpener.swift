import Kernel
import Transports

/// An open stream, shared by whoever tries to open one and whoever uses it.
final class OpenStream {
    let stream: ByteStream
    /// What translates between the connection and the serial line behind it; `nil` for a stream
    /// that carries the reader's bytes as they are.
    var coding: RFC2217Session?
    /// What the reader had sent when the stream was opened.
    var early: [UInt8] = []

    init(_ stream: consuming ByteStream) { self.stream = stream }
}

/// What an attempt to reach a reader came to.
enum StreamOpening {
    /// The reader is there.
    case open(OpenStream)
    /// It is under way; the descriptor tells when to look again.
    case waiting(descriptor: Int32, writable: Bool)
    /// The reader is not there; another attempt may find it.
    case absent
    /// Somebody else has it, perhaps for a moment only.
    case busy(TransportProblem)
    /// It cannot be used.
    case unusable(TransportProblem)
}

/// Who tries to reach a reader, again and again; it never blocks.
protocol StreamOpener: AnyObject {
    /// Begins an attempt, after the last one has ended.
    func begin() -> StreamOpening
    /// Goes on with the attempt, when its descriptor is ready.
    func proceed() -> StreamOpening
    /// Gives the attempt up: it has taken too long, or nobody wants it any more.
    func abandon(isLate: Bool)
    /// Why the last attempt found nothing, with the remedy.
    var absence: String { get }
}
