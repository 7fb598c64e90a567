import Journal
import ReaderProtocols
import Rig
import SDKCore
import ScenarioLanguage
import Transports

// What steps ask of the rig. Each returns why it cannot be done, or `nil` when it was done.
extension Rig {
    mutating func perform(_ call: CallPlan) -> String? {
        guard isAppAlive else { return "the app that would call it was killed before" }
        switch call.method {
        case .close:
            self.call(.close)
        case .setDelegate:
            let delegate: SwipeDelegate? =
                switch call.argument {
                case .symbol(.app): .app
                case .symbol(.other): .other
                default: nil
                }
            self.call(.setDelegate(delegate))
        case .setReaderDelegate:
            guard case .reader(let reader) = call.argument else { return "it names no reader" }
            self.call(.setReaderDelegate(.other), reader: reader)
        case .setAudioJackReaderType, .beginAutodetectAudioJackCardReader, .activateReaderOnAttach,
            .automaticallySetVolumeToMaxOnActivate, .alwaysAcceptSwipe, .messageOptions,
            .powerUpDevice, .powerDown, .requestSwipe, .cancelSwipeRequest,
            .setSwipeTimeoutDuration, .beginTestCommunication, .shutdown:
            return performAtJack(call)
        case .cancel, .paymentInfo, .payments:
            return performAtProvider(call)
        }
        return nil
    }

    mutating func perform(_ act: AppAct) -> String? {
        switch act {
        case .kill:
            guard isAppAlive else { return "the app was killed before" }
            killApp()
        case .launch:
            launchApp()
        case .background:
            guard isAppAlive else { return "the app that would leave was killed before" }
            sendToBackground()
        case .foreground:
            guard isAppAlive else { return "the app that would return was killed before" }
            bringToForeground()
        }
        return nil
    }

    mutating func perform(_ fault: LinkFaultPlan) -> String? {
        if case .open(let opening) = fault.action {
            act(.obstruct(reader: fault.reader, OpeningFault(opening)))
            return nil
        }
        let isDone: Bool
        if let fault = fault.commandFault {
            isDone = inject(fault.fault, reader: fault.reader)
        } else {
            let position =
                fault.receiver == .host
                ? linkPosition(of: fault.reader) : hostLinkPosition(of: fault.reader)
            isDone = inject(fault.linkFault(after: position), reader: fault.reader)
        }
        guard isDone else {
            return "the link of \(readerNames[fault.reader]) cannot be disturbed"
        }
        return nil
    }
}

extension OpeningFault {
    init(_ plan: OpeningPlan) {
        let cause: Cause =
            switch plan.cause {
            case .busy: .busy
            case .denied: .denied
            case .late: .late
            }
        self.init(cause, for: plan.duration)
    }
}

extension LinkFaultPlan {
    /// The fault, when a command addresses it.
    var commandFault: (reader: Int, fault: CommandFault)? {
        guard let place = address.command,
            let command = MiuraCommandName.allCases.first(where: { $0.title == place.name })
        else { return nil }
        let phase: CommandFault.Phase = place.phase == .sent ? .sent : .answered
        return (reader, CommandFault(linkAction, at: command, phase, byte: address.byte))
    }

    /// The fault, as a link takes it: its address counts from the beginning of the run.
    func linkFault(after position: (unitCount: Int, byteCount: Int) = (0, 0)) -> LinkFault {
        let place: LinkFault.Address =
            switch (address.unit, address.byte) {
            case (nil, let byte): .byte(position.byteCount + (byte ?? 1))
            case (.some, nil): .unit(position.unitCount + address.unitNumber)
            case (.some, let byte?):
                .byteOfUnit(unit: position.unitCount + address.unitNumber, byte: byte)
            }
        return LinkFault(
            linkAction,
            at: place,
            direction: receiver == .host ? .toHost : .toReader
        )
    }

    private var linkAction: LinkFault.Action {
        switch action {
        case .delay(let delay): .delay(delay)
        case .split(let gap): .split(at: 0, gap: gap)
        case .merge(let within): .merge(within: within)
        case .drop: .drop
        case .corrupt(let xor): .corrupt(at: 0, xor: xor)
        case .duplicate: .duplicate
        // What stands in the way of opening is no fault of what the reader sends.
        case .cut, .open: .cut
        }
    }
}
