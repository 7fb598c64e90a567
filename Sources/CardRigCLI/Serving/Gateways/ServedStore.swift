import EventLoops
import GatewayProtocols
import LiveTransports
import SimulatedGateways
import Transports

extension ServedGateways {
    /// Takes a call of the HoneyStore's app: the function asks PAYMILL as often as it has to, and
    /// the answer comes when it would have come.
    mutating func handleStore(_ request: HTTPRequest, at now: VirtualInstant) -> Handling {
        advance(to: now)
        guard store != nil else { return Handling(reply: .silence) }
        storeCallCount += 1
        let call = storeCallCount
        store?.take(request, call: call, at: now)
        var instant = now
        while true {
            while let action = store?.nextAction() {
                switch action {
                case .post(let post, _, let request):
                    let (outcome, delay) = ask(request, at: now)
                    instant = instant + delay
                    store?.outcome(outcome, post: post, at: instant)
                case .answer(call, let response):
                    return Handling(reply: .answer(response, after: instant - now))
                case .answer, .answered, .unanswered, .finished: break
                }
            }
            guard let deadline = store?.nextDeadline else { return Handling(reply: .silence) }
            instant = max(instant, deadline)
            store?.deadlineReached(at: instant)
        }
    }

    /// Asks PAYMILL; nothing waits longer for it than a backend does.
    private mutating func ask(
        _ request: HTTPRequest,
        at now: VirtualInstant
    ) -> (HTTPOutcome, VirtualDuration) {
        let limit = VirtualDuration.seconds(20)
        guard let reply = paymill?.receive(request, at: now) else { return (.refused, .zero) }
        paymillRecords.add(reply.records)
        return switch reply.wire {
        case .answer(let response, let delay) where delay < limit: (.answered(response), delay)
        case .answer, .silence: (.timedOut, limit)
        case .reset(let delay): (.reset, delay)
        case .refused: (.refused, .zero)
        }
    }
}
