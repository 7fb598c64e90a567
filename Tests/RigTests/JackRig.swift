import CardCrypto
import EventLoops
import Journal
import Rig
import SDKCore
import SimulatedGateways
import SimulatedReaders

/// A rig with readers at the audio jack.
enum JackRig {
    static let shuttle = JackThing.shuttle(SimulatedShuttle(ShuttleConfiguration()))
    static let ips = JackThing.ips(SimulatedIPS(IPSConfiguration()))
    static let swipe = HandAct.swipe(reader: 0, card: "visa", quality: .good)

    static func make(
        _ things: [JackThing] = [shuttle],
        attached: Bool = false,
        _ change: (inout RigConfiguration) -> Void = { _ in }
    ) -> AppRig {
        var configuration = RigConfiguration(
            readers: things.enumerated().map { index, thing in
                RigReader(
                    name: "reader\(index)",
                    endpoint: .audioJack(thing),
                    isAttachedAtStart: attached && index == 0
                )
            },
            gateway: SimulatedNMIGateway.Configuration()
        )
        if things.first?.kind == .ips { configuration.audioJack.readerType = .ips }
        change(&configuration)
        return AppRig(configuration)
    }

    /// One whose reader is plugged in and ready.
    static func ready(
        _ things: [JackThing] = [shuttle],
        _ change: (inout RigConfiguration) -> Void = { _ in }
    ) -> AppRig {
        var desk = make(things, change)
        _ = desk.names { $0.act(.plugIn(reader: 0)) }
        return desk
    }
}
