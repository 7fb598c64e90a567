import Kernel

/// A program that has a served reader, with what waits to be sent to it.
final class ServedClient {
    /// The way to it.
    enum Path {
        case tcp(OpenStream)
        case pty(PseudoTerminal)
    }

    let number: Int
    let path: Path
    /// Whether it sends no more; it may still read.
    var isHalfClosed = false
    /// What is watched of it.
    var interest = (readable: true, writable: false)
    private(set) var outboxByteCount = 0
    private var outbox: [ArraySlice<UInt8>] = []
    private var head = 0

    init(number: Int, _ path: Path) {
        self.number = number
        self.path = path
    }

    var descriptor: Int32 {
        switch path {
        case .tcp(let open): open.stream.descriptor
        case .pty(let pty): pty.descriptor
        }
    }

    /// Whether it hung up, or sends no more.
    var isGone: Bool {
        switch path {
        case .tcp(let open): open.stream.isPeerClosed
        case .pty(let pty): !pty.hasPeer
        }
    }

    func read() -> ByteStream.Reading {
        switch path {
        case .tcp(let open): open.stream.read(upTo: StreamLink.readByteCount)
        case .pty(let pty): pty.read(upTo: StreamLink.readByteCount)
        }
    }

    /// Queues bytes behind what waits, and sends what fits.
    func send(_ bytes: ArraySlice<UInt8>) {
        var rest = bytes
        if outboxByteCount == 0 {
            // One that is gone takes nothing; reading tells.
            guard let count = try? write(rest) else { return }
            rest = rest.dropFirst(count)
        }
        guard !rest.isEmpty else { return }
        outbox.append(rest)
        outboxByteCount += rest.count
    }

    /// Sends what fits of what waits.
    func flush() {
        while head < outbox.count {
            let unit = outbox[head]
            guard let count = try? write(unit) else {
                clear()
                return
            }
            outboxByteCount -= count
            guard count == unit.count else {
                outbox[head] = unit.dropFirst(count)
                return
            }
            head += 1
        }
        clear()
    }

    private func clear() {
        outbox.removeAll(keepingCapacity: true)
        head = 0
        outboxByteCount = 0
    }

    private func write(_ bytes: ArraySlice<UInt8>) throws(KernelError) -> Int {
        switch path {
        case .tcp(let open): try open.stream.write(bytes)
        case .pty(let pty): try pty.write(bytes)
        }
    }
}
