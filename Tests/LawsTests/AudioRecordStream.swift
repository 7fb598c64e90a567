import EventLoops
import Journal
import Laws

// What only an audio jack has; the Shuttle is reader 0 and the IPS reader 1.
extension RecordStream {
    /// A journal of a rig with a shuttle and an ips.
    static func jack(lawsOff: [LawName] = [], _ audio: AudioSettings = AudioSettings()) -> Self {
        RecordStream(lawsOff: lawsOff, readerNames: ["shuttle", "ips"], audio: audio)
    }

    mutating func plugged(_ reader: Int = 0) {
        write(.pluggedIn, [Attribute(.reader, .reader(reader))])
        write(.readerAttached, [Attribute(.reader, .reader(reader))])
    }

    mutating func answered(_ answer: Symbol = .yes) {
        write(
            .promptAnswered,
            [
                Attribute(.text, .symbol(.cardReaderActivationPrompt)),
                Attribute(.answer, .symbol(answer)), Attribute(.by, .symbol(.setting)),
            ]
        )
    }

    mutating func tone(_ tone: Symbol = .power, into: Symbol = .shuttle) {
        write(
            .toneStarted,
            [
                Attribute(.tone, .symbol(tone)), Attribute(.volume, .integer(100)),
                Attribute(.into, .symbol(into)),
            ]
        )
    }

    mutating func library(_ library: Symbol, isLoaded: Bool, isClean: Bool = true) {
        var attributes = [Attribute(.library, .symbol(library))]
        if !isLoaded { attributes.append(Attribute(.isClean, .flag(isClean))) }
        write(isLoaded ? .libraryLoaded : .libraryUnloaded, attributes)
    }

    mutating func called(_ method: Symbol, _ more: [Attribute] = []) {
        write(
            .methodCalled,
            [Attribute(.reader, .reader(0)), Attribute(.method, .symbol(method))] + more
        )
    }

    /// A Shuttle that is plugged in and powered up, down to ready.
    mutating func powerUp() {
        plugged()
        connected()
        answered()
        tone()
        activated()
        ready()
    }

    mutating func detection(
        _ result: Symbol,
        _ flags: (Bool, Bool, Bool) = (true, true, true)
    ) {
        write(.deviceAutodetectStarted, [Attribute(.reader, .reader(0))])
        tone(.communicationTest, into: .shuttle)
        tone(.power, into: .shuttle)
        event(
            .deviceAutodetectComplete,
            flags,
            [Attribute(.result, .symbol(result))],
            reader: result == .ips ? 1 : 0
        )
    }
}
