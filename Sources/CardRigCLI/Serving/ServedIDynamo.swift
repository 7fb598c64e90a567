import CardCrypto
import CardData
import EventLoops
import SimulatedReaders
import Transports

/// A simulated iDynamo behind a stream: its ASCII messages, and its commands as lines of text.
struct ServedIDynamo: ServedReader {
    private var configuration = MagneSafeReaderConfiguration(.idynamo)
    private var reader: SimulatedMagneSafeReader
    private let cache = CryptoCache()

    init() { reader = SimulatedMagneSafeReader(configuration) }

    var behaviours: [ReaderBehaviour] { SimulatedMagneSafeReader.streamBehaviours }

    var options: [ServedOption] {
        MagneSafeReaderConfiguration.options.map { option in
            ServedOption(name: option.name, form: option.form, value: option.value(configuration))
        }
    }

    var handForms: String { "plug in, unplug and swipe CARD [QUALITY]" }

    var nextDeadline: VirtualInstant? { nil }

    mutating func set(_ name: String, to text: String) -> Bool {
        guard let option = MagneSafeReaderConfiguration.options.first(where: { $0.name == name }),
            option.set(&configuration, text)
        else { return false }
        reader = SimulatedMagneSafeReader(configuration)
        return true
    }

    mutating func powerUp(at now: VirtualInstant) -> ServedReaction {
        reader.powerUp()
        return ServedReaction()
    }

    mutating func receive(_ bytes: ArraySlice<UInt8>, at now: VirtualInstant) -> ServedReaction {
        var answer = ServedReaction()
        for reaction in reader.receive(TransportUnit(.bytes, bytes), cache: cache, at: now) {
            switch reaction {
            case .send(let transmission):
                // 02 answers what is no command, or one with a wrong parameter.
                if !transmission.unit.payload.starts(with: Array("02".utf8)) {
                    answer.understoodCount += 1
                }
                answer.transmissions.append(transmission)
            case .reattach: answer.restarts = true
            case .finishFeature: break
            }
        }
        return answer
    }

    mutating func act(
        _ command: HandCommand,
        at now: VirtualInstant
    ) throws(HandRefusal) -> ServedReaction {
        guard case .swipe(let name, let quality) = command else {
            throw HandRefusal(reason: "at an iDynamo hands \(handForms)")
        }
        return try reader.served(swipe: name, quality, cache: cache, at: now)
    }

    mutating func timePassed(at now: VirtualInstant) -> ServedReaction {
        ServedReaction(transmissions: reader.timePassed(cache: cache, at: now))
    }

    mutating func clientLeft(at now: VirtualInstant) {
        // The next one's first command must not end a line that this one began: what is there now
        // is no command, and its answer goes nowhere.
        _ = reader.receive(TransportUnit(.bytes, [0x21, 0x0D]), cache: cache, at: now)
    }
}
