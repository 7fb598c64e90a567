import EventLoops
import Journal
import SDKCore
import SimulatedReaders

/// Who answers the prompts that the SDK shows to the app's user.
public enum PromptAnswer: Hashable, Sendable {
    /// Each is answered with yes at once.
    case accept
    /// Each is answered with no at once.
    case refuse
    /// Each waits until somebody answers.
    case ask
}

/// The audio jack of a rig's host, and how it stands between the SDK and its readers.
struct RigJack {
    /// The pending event at which something happens at the jack by itself.
    struct Look: Hashable {
        var id: EventLoop<RigEvent>.EventID
        var instant: VirtualInstant
        /// Whether nobody waits for what happens then.
        var isIdle: Bool
    }

    /// The rig's readers that are for the jack, in the order of the things in ``world``.
    let readers: [Int]
    var world: AudioJack
    /// Whether what is being sent is the record of a swipe, and not an answer.
    var isSendingRecord = false
    var look: Look?
    /// The readers of the rig whose link got something that the SDK was not told yet, since the
    /// thing that uses it came or went, in the order in which that happened.
    var moves: [Int] = []
    /// The alert that was shown last.
    var shownAlert: UniMagMessage?

    /// Creates the jack of a rig; `nil` when none of its readers is for one.
    init?(_ configuration: RigConfiguration) {
        var readers: [Int] = []
        var things: [JackThing] = []
        for (index, reader) in configuration.readers.enumerated() {
            guard case .audioJack(let thing) = reader.endpoint else { continue }
            readers.append(index)
            things.append(thing)
        }
        guard !readers.isEmpty else { return nil }
        self.readers = readers
        world = AudioJack(configuration.host, things: things + configuration.jackObjects)
    }

    /// The reader as which the SDK knows whatever is in the jack.
    var reader: Int { readers[0] }

    /// The place of a reader of the rig among what can be put into the jack; `nil` for one that is
    /// not for it.
    func thing(of reader: Int) -> Int? { readers.firstIndex(of: reader) }

    /// The place of something that is no reader of the rig.
    func object(_ kind: JackPlug) -> Int? {
        world.things.indices.first { $0 >= readers.count && world.things[$0].kind == kind }
    }

    /// The reader of the rig whose link a thing uses.
    func station(of thing: Int) -> Int { thing < readers.count ? readers[thing] : reader }

    /// What the thing is, when it is no reader of the rig.
    func strangeKind(of thing: Int) -> JackPlug? {
        thing < readers.count ? nil : world.things[thing].kind
    }

    /// The reader of the rig that the SDK means when it speaks of one of its devices.
    func reader(as device: SwipeDevice?) -> Int {
        let kind: JackPlug
        switch device {
        case .uniMag: kind = .shuttle
        case .ips: kind = .ips
        case nil, .iDynamo: return reader
        }
        return readers.indices.first { world.things[$0].kind == kind }.map { readers[$0] } ?? reader
    }

    mutating func apply(
        _ act: (inout AudioJack, VirtualInstant) -> [JackEffect],
        at now: VirtualInstant
    ) -> [JackEffect] {
        act(&world, now)
    }
}
