import Glibc

/// The keys that a person presses at a terminal, one by one and without Enter.
///
/// Only between ``begin()`` and ``end()`` the terminal hands keys over without showing them; else it
/// works by lines, as it was. Ctrl-C ends the program as ever. What is no terminal, such as a
/// socket, gives its bytes.
///
/// - Note: Not `Sendable`: the loop's thread owns it.
public final class TerminalKeys {
    /// What was read.
    public enum Reading: Equatable, Sendable {
        /// These bytes, oldest first.
        case keys([UInt8])
        /// Nothing was pressed.
        case nothing
        /// Nobody can press anything any more.
        case end
    }

    /// Readable when ``read()`` has something.
    public let descriptor: Int32
    private var saved: termios?

    /// Reads from an open descriptor, which stays with its owner and must outlive this.
    public init(_ descriptor: Int32) { self.descriptor = descriptor }

    deinit { end() }

    /// Lets the terminal hand keys over, and drops what was typed before.
    public func begin() {
        if saved == nil {
            var state = termios()
            if tcgetattr(descriptor, &state) == 0 {
                saved = state
                state.c_lflag &= ~tcflag_t(ICANON | ECHO)
                _ = tcsetattr(descriptor, TCSANOW, &state)
            }
        }
        while case .keys = read() {}
    }

    /// Puts the terminal back as it was.
    public func end() {
        guard var state = saved else { return }
        _ = tcsetattr(descriptor, TCSANOW, &state)
        saved = nil
    }

    /// Returns what was pressed since the last call; never waits.
    public func read() -> Reading {
        var watched = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        guard poll(&watched, 1, 0) > 0 else { return .nothing }
        var buffer = [UInt8](repeating: 0, count: 256)
        let count = Glibc.read(descriptor, &buffer, buffer.count)
        if count > 0 { return .keys(Array(buffer[..<count])) }
        return count < 0 && (errno == EAGAIN || errno == EINTR) ? .nothing : .end
    }
}
