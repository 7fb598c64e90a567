public import EventLoops

/// A byte or report path between the host and a reader, seen from the host.
///
/// A transport is a value or a thin object that never blocks, calls nobody and reads no clock. Its
/// owner asks ``nextEvent(at:)`` until it returns `nil`; simulated transports say in ``nextDue``
/// when something more will come by itself, live ones wake the loop (``LiveTransport``).
///
/// | promise | meaning |
/// | --- | --- |
/// | order | units arrive in the order sent; an attach precedes them, nothing follows a detach |
/// | borders | a ``TransportUnit`` is never merged with another or split by the transport; on a stream a unit is what had come |
/// | credits | no unit is delivered without a credit; nothing but units needs or uses one |
/// | no held detach | a detach does not wait for credits: units that had none are lost |
/// | once | each attach is followed by at most one detach, whatever noticed the loss first |
/// | sessions | a new attach brings no unit of an older session, in either direction |
/// | bounded | ``send(_:at:)`` never blocks; past its bound the transport detaches with `overflow` |
/// | close | at most `detached` follows, if an attach was told; a closed one can be opened again |
///
/// A feature request that was under way when the reader went, or when the host closed, is not
/// answered. The suite in `Tests/Support/TransportConformance` holds every transport to this.
public protocol Transport {
    /// Starts to watch for the reader; an attach is reported when it is there.
    mutating func open(at now: VirtualInstant)

    /// Allows so many more units to be delivered.
    ///
    /// What is left of it outlives a detach and is there in the next session; a close takes it back.
    mutating func grant(credits: Int)

    /// Queues one unit for the reader; it is dropped unless the host was told of an attach and the
    /// same reader is still there.
    mutating func send(_ unit: TransportUnit, at now: VirtualInstant)

    /// Ends the watch; a reader that was reported as attached is reported as detached with `closed`,
    /// or with the reason for which it had gone already. Units on their way are lost.
    mutating func close(at now: VirtualInstant)

    /// When the next event comes by itself, or `nil` when none is on its way, when it waits for a
    /// credit, and always for a live transport. A window that is past means at once.
    var nextDue: TimeWindow? { get }

    /// Returns the next event that is due, which is one whose window has begun, or `nil`.
    mutating func nextEvent(at now: VirtualInstant) -> TransportEvent?
}

/// A transport whose events come from outside and wake the loop.
public protocol LiveTransport: AnyObject, Transport {
    /// The descriptor that becomes readable when ``Transport/nextEvent(at:)`` has something.
    var wakeDescriptor: Int32 { get }

    /// What to tell when the reader is not seen though somebody plugged it in: which one was looked
    /// for, and the remedy.
    var absence: String { get }

    /// When the system had what ``Transport/nextEvent(at:)`` returned last, in nanoseconds of the
    /// monotonic clock; `nil` where that is when the loop woke.
    var arrivalNanoseconds: Int64? { get }
}

extension LiveTransport {
    /// The loop reads by itself, as soon as it wakes.
    public var arrivalNanoseconds: Int64? { nil }
}

/// A transport whose reader is a capture, for worlds in virtual time.
///
/// It is an object so that whoever made it can read afterwards what differed.
public protocol RecordedTransport: AnyObject, Transport {
    /// How many records the recorded run had before what comes next; `nil` when the capture does not
    /// say. Of what is due at one instant, the owner takes what made those records first.
    var awaitedRecordCount: Int? { get }
}

/// What a transport tells its owner.
public enum TransportEvent: Hashable, Sendable {
    /// The reader is there.
    case attached(Attachment)
    /// One unit arrived from the reader.
    case received(TransportUnit)
    /// The reader answered a feature request, or refused it.
    case featureFinished(FeatureResult)
    /// The reader is gone; reported once for each attach.
    case detached(DetachReason)
    /// The reader is there but cannot be used; the text names the remedy.
    case unusable(TransportProblem)
}

/// What the host knows of a reader from the moment it is attached.
public struct Attachment: Hashable, Sendable {
    /// The largest packet of the endpoint that carries reports, in bytes; 0 for byte streams.
    public var maximumPacketByteCount: Int
    /// USB vendor id, 0 when the path is not USB.
    public var vendorID: UInt16
    /// USB product id, 0 when the path is not USB.
    public var productID: UInt16

    /// Creates the description of an attached reader.
    public init(maximumPacketByteCount: Int = 0, vendorID: UInt16 = 0, productID: UInt16 = 0) {
        self.maximumPacketByteCount = maximumPacketByteCount
        self.vendorID = vendorID
        self.productID = productID
    }
}

/// One unit on a transport: its borders are part of what is carried.
public struct TransportUnit: Hashable, Sendable {
    /// What kind of unit it is.
    public enum Kind: Hashable, Sendable {
        /// A piece of a byte stream.
        case bytes
        /// One transfer of an interrupt endpoint: a HID report or a packet of one; the report's
        /// id is 0 where the reader uses none.
        case report(id: UInt8)
        /// A feature report set by the host (SET_REPORT).
        case featureSet(id: UInt8)
        /// A request for a feature report of so many bytes (GET_REPORT).
        case featureGet(id: UInt8, byteCount: Int)
        /// The state of a serial line's DTR and RTS.
        case lineState(dataTerminalReady: Bool, requestToSend: Bool)
    }

    /// What kind of unit it is.
    public var kind: Kind
    /// A shared buffer and the range of it that this unit carries.
    public var payload: ArraySlice<UInt8>

    /// Creates a unit over a part of a shared buffer.
    @inlinable
    public init(_ kind: Kind, _ payload: ArraySlice<UInt8>) {
        self.kind = kind
        self.payload = payload
    }
}

/// How a feature request ended.
public enum FeatureResult: Hashable, Sendable {
    /// SET_REPORT was taken.
    case set
    /// GET_REPORT returned these bytes.
    case got(ArraySlice<UInt8>)
    /// The reader stalled the request, as for a wrong length.
    case stalled
    /// The reader did not answer in time.
    case timedOut
}

/// Why a reader is no longer attached.
public enum DetachReason: Hashable, Sendable {
    /// It was unplugged or left.
    case left
    /// The link between host and reader was cut.
    case cut
    /// The host's queue towards the reader was full.
    case overflow
    /// The host closed the transport.
    case closed
    /// The capture that plays the reader ended.
    case endOfCapture
}

/// Why a reader that is there cannot be used, and what to do about it.
public struct TransportProblem: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of problem, for programs.
    public enum Code: Hashable, Sendable {
        /// The node exists and may not be opened by this user.
        case accessDenied
        /// Another process or driver holds the interface.
        case busy
        /// The reader has no interface or endpoint of the expected kind.
        case unsupported
        /// The library or kernel failed in another way.
        case failed
    }

    /// The kind of problem.
    public var code: Code
    /// One line for people: what is wrong and the remedy.
    public var description: String

    /// Creates a problem with the sentence that people read.
    public init(_ code: Code, _ description: String) {
        self.code = code
        self.description = description
    }
}
