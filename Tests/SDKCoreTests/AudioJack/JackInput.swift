import EventLoops
import ReaderProtocols

@testable import SDKCore

/// Something that can happen at a jack, by its name.
struct JackInput: Sendable, CustomStringConvertible {
    var description: String
    var happen: @Sendable (inout JackDesk) -> Void

    init(_ description: String, _ happen: @escaping @Sendable (inout JackDesk) -> Void) {
        self.description = description
        self.happen = happen
    }

    init(_ description: String, _ call: SwipeCall) {
        self.init(description) { desk in
            if let misuse = desk.call(call) { desk.misuses.append("\(misuse)") }
        }
    }

    /// Whatever the host, the reader and the hand do.
    static let world: [JackInput] = [
        JackInput("plug in") { $0.plugIn() },
        JackInput("unplug") { $0.unplug() },
        JackInput("answer") { $0.hear([0x06]) },
        JackInput("shuttle record") { $0.swipe(JackDesk.shuttleRecord($0.nextCounter())) },
        JackInput("ips packet") { desk in
            desk.swipe(JackDesk.ipsPacket(desk.nextCounter()))
            desk.now = desk.now + desk.observer.packetPause
            desk.controller.advance(to: desk.now)
        },
        JackInput("bad swipe") { $0.swipe(JackDesk.unreadable) },
        JackInput("time") { $0.wait() },
        JackInput("volume down") { $0.setVolume(30) },
        JackInput("interrupted") { $0.notice(.interrupted) },
        JackInput("resumed") { $0.notice(.resumed) },
    ]

    /// Whatever the app calls.
    static let calls: [JackInput] = [
        JackInput("type none", .setAudioJackReaderType(.none)),
        JackInput("type uniMag", .setAudioJackReaderType(.uniMag)),
        JackInput("type ips", .setAudioJackReaderType(.ips)),
        JackInput("type autodetect", .setAudioJackReaderType(.autodetectOnConnect)),
        JackInput("autodetect", .beginAutodetectAudioJackCardReader),
        JackInput("power up", .powerUpDevice(true)),
        JackInput("cancel power up", .powerUpDevice(false)),
        JackInput("power down", .powerDown),
        JackInput("request", .requestSwipe),
        JackInput("cancel request", .cancelSwipeRequest),
        JackInput("always on", .setAlwaysAcceptSwipe(true)),
        JackInput("always off", .setAlwaysAcceptSwipe(false)),
        JackInput("yes", .answerPrompt(true)),
        JackInput("no", .answerPrompt(false)),
        JackInput("test", .beginTestCommunication),
        JackInput("shutdown", .shutdown),
        JackInput("close", .close),
    ]

    static let all = world + calls
}

extension JackDesk {
    /// The counter of the next record, one that has not come yet.
    mutating func nextCounter() -> UInt32 {
        swipeCount += 1
        return swipeCount
    }

    /// Hears a record, unless two wait for their callback already: more make no difference.
    mutating func swipe(_ bytes: [UInt8]) {
        if controller.jacks[0].swipes.count < 2 { hear(bytes) }
    }
}
