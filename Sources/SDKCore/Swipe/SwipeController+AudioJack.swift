public import EventLoops
public import ReaderProtocols
import Transports

/// The audio jack: at most one reader of the controller, with commands of its own.
///
/// Its events name the device whose library serves it. The driver's turn, after anything that went
/// in and while ``mayTell`` holds:
///
/// ```
/// while controller.mayTell {
///     while let command = controller.nextJackCommand() { carryOut(command) }
///     if let event = controller.nextEvent(at: now) { deliver(event) }
/// }
/// ```
extension SwipeController {
    /// Which reader is served at the audio jack; `none` without one.
    public var audioJackReaderType: AudioJackReaderType { jacks.first?.readerType ?? .none }

    /// The device that the flags of a reader speak of: at the audio jack the one of which the app
    /// has been told, or else the one that is served; `nil` when neither is.
    public func device(of reader: Int) -> SwipeDevice? {
        reader == jackReader ? jacks[0].device : usbDevice(of: reader)
    }

    /// The prompt that is shown and waits for ``SwipeCall/answerPrompt(_:)``.
    public var openPrompt: UniMagMessage? { jacks.first?.openPrompt }

    /// The Shuttle's settings as they are now; the wording of prompts and alerts is in them.
    public var uniMagOptions: UniMagOptions { jacks.first?.uniMag ?? UniMagOptions() }

    /// Takes what the host tells of its audio jack.
    public mutating func notice(_ notice: JackNotice, at now: VirtualInstant) {
        guard jackReader != nil, !isClosed else { return }
        jacks[0].pass(to: now)
        jacks[0].notice(notice)
        mayTell = true
    }

    /// Returns the next thing to do with the audio jack, or `nil`.
    ///
    /// Ask until `nil` before each ``nextEvent(at:)``: as long as one waits, no event comes. What
    /// the host says of it goes in with ``notice(_:at:)`` at once, above all a volume that has
    /// changed, or not, before the tone. Some are left after ``SwipeCall/close`` and in the
    /// background: a tone and a library end with their reader. An app that is killed leaves none;
    /// the host takes the jack back.
    public mutating func nextJackCommand() -> JackCommand? {
        guard jackReader != nil, !jacks[0].commands.isEmpty else { return nil }
        return jacks[0].commands.removeFirst()
    }

    /// Whether all that the controller waits for is that a swipe request of alwaysAcceptSwipe is
    /// renewed: nothing is pending then, since nobody waits for it.
    public var awaitsOnlyRenewal: Bool {
        guard jackReader != nil, jacks[0].awaitsOnlyRenewal else { return false }
        return sessions.allSatisfy { $0.deadline == nil }
    }

    // MARK: Parts of the controller's own

    /// Takes that something was plugged into the jack or pulled out of it.
    mutating func inputPlug(
        _ event: TransportEvent,
        connection: Int,
        at now: VirtualInstant
    ) {
        jacks[0].pass(to: now)
        switch event {
        case .attached: jacks[0].attached(connection: connection)
        case .detached: jacks[0].detached(connection: connection)
        case .unusable, .received, .featureFinished: break
        }
        forgetUnheardSwipes()
    }

    var hasJackCommand: Bool { jackReader != nil && !jacks[0].commands.isEmpty }

    mutating func nextJackEvent(at now: VirtualInstant) -> SwipeEvent? {
        guard let jackReader else { return nil }
        jacks[0].pass(to: now)
        guard let told = jacks[0].nextEvent() else { return nil }
        return SwipeEvent(reader: jackReader, device: told.device, kind: told.kind)
    }
}
