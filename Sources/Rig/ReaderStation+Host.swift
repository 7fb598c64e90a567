import CardCrypto
import EventLoops
import SimulatedReaders
import Transports

extension ReaderStation {
    /// Sends one unit of the host to the reader; a simulated one answers at once.
    mutating func send(_ unit: TransportUnit, cache: CryptoCache, at now: VirtualInstant) {
        if disturbedLive != nil {
            disturbedLive?.send(unit, at: now)
        } else if isLive {
            live?.send(unit, at: now)
        } else if recorded != nil {
            recorded?.send(unit, at: now)
        } else if isFaulty {
            faulty?.send(unit, at: now)
            while let unit = faulty?.base.nextUnitForReader(at: now) { take(unit, cache, now) }
        } else {
            hostUnitCount += 1
            hostByteCount += unit.payload.count
            loopback.send(unit, at: now)
            while let unit = loopback.nextUnitForReader(at: now) { take(unit, cache, now) }
        }
    }

    mutating func take(_ unit: TransportUnit, _ cache: CryptoCache, _ now: VirtualInstant) {
        guard !isPaymentReader else {
            receive(unit.payload, cache, now)
            return
        }
        let reactions =
            magneSafe?.receive(unit, cache: cache, at: now) ?? secureMag?.receive(unit) ?? []
        for reaction in reactions {
            switch reaction {
            case .finishFeature(let result):
                let window = TimeWindow(at: now)
                if isFaulty {
                    faulty?.base.readerFinishFeature(result, in: window)
                } else {
                    loopback.readerFinishFeature(result, in: window)
                }
            case .send(let transmission):
                readerSends(transmission, at: now)
                // A reply is no swipe: its bytes come between those of swipes and count for none.
                beginSwipe(0, 0, transmission.unit.payload.count)
            case .reattach:
                unplug(at: now)
                plugIn(at: now)
            }
        }
    }
}
