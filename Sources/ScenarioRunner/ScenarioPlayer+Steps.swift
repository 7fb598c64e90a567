import CardData
import EventLoops
import GatewayProtocols
import Journal
import Laws
import Rig
import ScenarioLanguage
import SimulatedGateways

extension RunFailure {
    init(_ kind: Kind, _ failure: CheckFailure) {
        self.init(
            kind,
            at: failure.location,
            failure.description,
            sequence: failure.found
        )
    }
}

extension ScenarioPlayer {
    /// Begins a step of the scenario's order.
    mutating func begin(_ index: Int) {
        currentStep = index
        rig.journal.step = index
        let step = prepared.flat[index].step
        switch step.action {
        case .plugIn, .unplug, .swipe, .insert, .tap, .removeCard, .keys, .power:
            if let act = step.action.handAct, isPossible(act, step) {
                hand(act, step)
            }
        case .set(let setting):
            if let percent = setting.batteryPercent, let reader = rig.paymentReader {
                hand(.setBattery(reader: reader, percent: percent), step)
            } else {
                perform(index)
            }
        case .plugInObject, .unplugJack, .answer, .phoneCall, .charge, .enterCard, .authorize,
            .capture, .refund, .sign, .void, .merchant, .store, .terminal, .scan, .call, .app,
            .gateway, .care:
            perform(index)
        case .link:
            if let act = step.action.handAct {
                hand(act, step)
            } else {
                perform(index)
            }
        case .expect(let patterns, let within, let notBefore):
            expectations.begin(.expect(patterns), in: rig.journal)
            waitForCheck(within: within, notBefore: notBefore)
        case .await(let pattern, let within, let notBefore):
            expectations.begin(.await(pattern), in: rig.journal)
            waitForCheck(within: within, notBefore: notBefore)
        case .expectAny(let branches, let within, let notBefore):
            expectations.begin(.expectAny(branches), in: rig.journal)
            waitForCheck(within: within, notBefore: notBefore)
        case .unordered(let patterns, let within, let notBefore):
            expectations.begin(.unordered(patterns), in: rig.journal)
            waitForCheck(within: within, notBefore: notBefore)
        case .until(let pattern, let within, let notBefore):
            expectations.begin(.until(pattern), in: rig.journal)
            waitForCheck(within: within, notBefore: notBefore)
        case .never(let patterns):
            // The scenario's own block ends with the run.
            expectations.forbid(patterns, scope: frames.count > 1 ? frames.count : 0)
        case .count:
            break
        case .expectState(let state):
            compare(state, step)
        case .on(let plan):
            reactions.append(
                Reaction(
                    step: index,
                    pattern: plan.pattern,
                    remainingCount: plan.times,
                    depth: frames.count
                )
            )
            updatePauses()
        case .block, .repeat:
            open(prepared.flat[index].branches, owner: index)
        case .race(let within, _):
            let window = TimeWindow(earliest: rig.now, latest: rig.now + within)
            var tokens: [(token: Int, step: Int)] = []
            for branch in prepared.flat[index].branches {
                let token = makeToken()
                tokens.append((token, branch))
                rig.schedule(token, in: window, step: branch)
            }
            wait = .race(tokens)
        case .anyTime:
            rig.scheduleAnyTime(openBranches(of: index))
        case .sometime(let within, _):
            rig.schedule(
                openBranches(of: index),
                in: TimeWindow(earliest: rig.now, latest: rig.now + within)
            )
        case .faultPoints(let points):
            rig.allow(points)
        case .wait(let duration):
            wait = .time(token: startTimer(duration))
        case .settle(let within):
            beginSettle(within: within ?? Self.longestWait, isEnd: false)
        }
    }

    /// Does a step at once, as in a race.
    mutating func perform(_ index: Int) {
        rig.journal.step = index
        let step = prepared.flat[index].step
        switch step.action {
        case .plugIn, .unplug, .swipe, .insert, .tap, .removeCard, .keys, .power:
            if let act = step.action.handAct, isPossible(act, step) { rig.act(act) }
        case .charge(let charge):
            if let refusal = rig.perform(charge) { fail(step, refusal) }
        case .enterCard(let card) where rig.isTerminalOpen:
            if !rig.payAtTerminal(card.card) { fail(step, "there is no such card") }
        case .terminal(let act):
            if let refusal = rig.perform(act) { fail(step, refusal) }
        case .scan(let plan):
            if let refusal = rig.perform(plan) { fail(step, refusal) }
        case .store(let act):
            if let refusal = rig.perform(act) { fail(step, refusal) }
        case .enterCard(let card) where rig.hasStore:
            if !rig.enterStoreCard(card) {
                fail(step, "there is nobody to type a card in for: the app is not running")
            }
        case .enterCard(let card):
            let code = card.securityCode.map { $0 == .right ? "999" : "917" }
            if !rig.enterCard(card.card, securityCode: code, isEncrypted: card.isEncrypted) {
                fail(
                    step,
                    "there is nobody to type a card in for: the app is not running, or no charge "
                        + "is on the terminal app's screen"
                )
            }
        case .authorize(let charge):
            if let refusal = rig.perform(charge, isCaptured: false) { fail(step, refusal) }
        case .capture(let amount):
            if let refusal = rig.performCapture(amount) { fail(step, refusal) }
        case .refund(let refund):
            if let refusal = rig.perform(refund) { fail(step, refusal) }
        case .sign(let sign):
            if let refusal = rig.perform(sign) { fail(step, refusal) }
        case .care(let care):
            if let refusal = rig.perform(care) { fail(step, refusal) }
        case .merchant(let act):
            if let refusal = rig.perform(act) { fail(step, refusal) }
        case .void where rig.hasStore:
            if let refusal = rig.order(.void) { fail(step, refusal) }
        case .void(let plan):
            let reason = NMIVoidReason(rawValue: plan.reason)
            if !rig.voidLastCharge(reason: reason, isCheck: plan.isCheck) {
                fail(step, "there is nothing to void: no charge was approved before this step")
            }
        case .gateway(let fault):
            if !rig.arm(fault.gatewayFault) {
                fail(step, "there is no gateway: `rig:` names none")
            }
        case .call(let call):
            if let refusal = rig.perform(call) { fail(step, refusal) }
        case .app(let act):
            if let refusal = rig.perform(act) { fail(step, refusal) }
        case .plugInObject(let object):
            if let refusal = rig.plugIn(object) { fail(step, refusal) }
        case .unplugJack:
            if let refusal = rig.unplugJack() { fail(step, refusal) }
        case .answer(let isAccepted):
            if let refusal = rig.answer(isAccepted) { fail(step, refusal) }
        case .set(let setting):
            if let refusal = rig.perform(setting) { fail(step, refusal) }
        case .phoneCall(let call):
            if let refusal = rig.perform(call) { fail(step, refusal) }
        case .link(let fault):
            if let refusal = rig.perform(fault) { fail(step, refusal) }
        case .expect, .await, .expectAny, .unordered, .until, .never, .count, .expectState, .on,
            .block, .repeat, .race, .anyTime, .sometime, .faultPoints, .wait, .settle:
            fail(step, "a race and a callback take steps that act, not checks and waits")
        }
    }

    /// The gateway's transactions, as the outcome sees them.
    var ledgerFacts: [LedgerFact] {
        let facts = rig.ledgerEntries.map {
            LedgerFact(type: Symbol($0.type), amount: $0.amount, state: Symbol($0.state))
        }
        if rig.hasStore { return rig.storeFacts }
        let terminalFacts = rig.terminalTransactions.map {
            LedgerFact(type: .sale, amount: $0.amount, state: .pendingsettlement)
        }
        guard rig.hasPaymentProvider else { return facts + terminalFacts }
        return facts
            + rig.serviceEntries.map { entry in
                LedgerFact(
                    type: entry.capturesAtOnce ? .sale : .auth,
                    amount: entry.transaction.amount,
                    state: Symbol(entry.transaction.state)
                )
            }
    }

    /// Whether a hand can do that; nobody pulls a reader out of a jack that something else is in.
    private mutating func isPossible(_ act: HandAct, _ step: Step) -> Bool {
        guard case .unplug(let reader) = act, let other = rig.thingInJack(insteadOf: reader) else {
            return true
        }
        let name = rig.readerNames[reader]
        fail(
            step,
            "\(name) is not in the audio jack, \(other) is: `unplug: \(other)` pulls that out"
        )
        return false
    }

    private mutating func compare(_ state: StatePlan, _ step: Step) {
        let flags = rig.flags(of: state.reader)
        let type = Symbol(rig.audioJackReaderType)
        let compared: [(name: String, expected: String?, found: String)] = [
            ("isConnected", state.isConnected?.description, "\(flags.isConnected)"),
            ("isActivated", state.isActivated?.description, "\(flags.isActivated)"),
            ("isReadyForSwipe", state.isReadyForSwipe?.description, "\(flags.isReadyForSwipe)"),
            (
                "audioJackReaderType",
                state.audioJackReaderType.map { Vocabulary.spelling(of: $0.symbol) },
                Vocabulary.spelling(of: type)
            ),
        ]
        let wrong = compared.filter { $0.expected != nil && $0.expected != $0.found }
        guard !wrong.isEmpty else { return }
        let expected = wrong.map { "\($0.name): \($0.expected ?? "")" }.joined(separator: ", ")
        let found = wrong.map { "\($0.name): \($0.found)" }.joined(separator: ", ")
        failures.append(
            RunFailure(.check, at: step.location, "expected \(expected), found \(found)")
        )
        stop(.finished)
    }

    private mutating func fail(_ step: Step, _ sentence: String) {
        failures.append(RunFailure(.step, at: step.location, sentence))
        stop(.finished)
    }

    mutating func beginSettle(within: VirtualDuration, isEnd: Bool) {
        if isEnd { currentStep = nil }
        wait = .settle(deadline: startTimer(within), isEnd: isEnd)
    }

    mutating func makeToken() -> Int {
        nextToken += 1
        return nextToken
    }

    mutating func startTimer(
        _ duration: VirtualDuration,
        from start: VirtualInstant? = nil
    ) -> Int {
        let token = makeToken()
        rig.setScriptTimer(token, at: max(rig.now, (start ?? rig.now) + duration))
        return token
    }
}
