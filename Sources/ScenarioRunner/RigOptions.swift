public import CardCrypto
public import EventLoops
import GatewayProtocols
public import Journal
public import Rig
public import SDKCore
public import ScenarioLanguage
import SimulatedGateways
import SimulatedReaders
public import Transports

/// A reader of a scenario whose side of the conversation is in a capture.
public struct RecordedEndpoint {
    /// Which reader of the scenario it is.
    public var reader: Int
    /// What plays it.
    public var transport: any RecordedTransport
    /// What it carries.
    public var path: ReaderEndpoint.LivePath

    /// Creates the endpoint of the reader with a number.
    public init(
        reader: Int,
        transport: any RecordedTransport,
        path: ReaderEndpoint.LivePath
    ) {
        self.reader = reader
        self.transport = transport
        self.path = path
    }
}

/// What a run decides that the scenario leaves open.
public struct RigOptions {
    /// Which reader stands in for every reader of the scenario (`--reader sim:dynamag`); `nil`
    /// leaves them as the scenario says.
    public var simulatedAs: ReaderKind?
    /// The packet size of simulated USB readers, 8 or 64 bytes.
    public var packetByteCount: Int
    /// Who answers where the world could have gone either way.
    public var choices: ChoiceSource
    /// Whether wire bytes are kept.
    public var isRecorded: Bool
    /// The real reader that stands in for the scenario's only one (`--reader usb:…`, `tcp:…`).
    public var live: (any LiveTransport)?
    /// The gateways outside of this process that stand in for the scenario's (`--gateway …`).
    public var remoteGateways = RemoteGateways()
    /// What plays the reader of a capture in virtual time, for each reader of the scenario that is in
    /// it (`--reader capture:…`).
    public var recorded: [RecordedEndpoint] = []
    /// What readers at the audio jack say in a capture, piece by piece, by their numbers.
    public var recordedPieces: [(reader: Int, pieces: [ArraySlice<UInt8>])] = []
    /// Records of the recorded run that nothing in its replay makes.
    public var foreignFacts: [ForeignFact] = []
    /// When each record of the recorded run was, and the step it belonged to.
    public var recordedSteps: [RecordedStep] = []
    /// Whether the recorded readers were simulated ones, whose keys are known.
    public var ownsRecordedCards = false
    /// What comes from the real reader.
    public var livePath = ReaderEndpoint.LivePath.reports
    /// Where a payment provider finds the real reader.
    public var liveAddress = PaymentReaderAddress()
    /// How much the run may be.
    public var bounds: EventLoop<RigEvent>.Bounds
    /// How many of the newest records stay readable.
    public var journalCapacity: Int
    /// Faults of every simulated reader's link.
    public var linkFaults: [LinkFault]
    /// A mistake planted in the SDK on purpose, to see what catches it.
    public var plant: Plant?
    /// Whose library plays the SDK (`--sdk-profile observed`); `nil` leaves it to the scenario.
    public var library: SDKPlan.Library?

    /// The base derivation keys with which the gateway opens the swipes of a real reader; empty takes
    /// them unopened, as `nil` does at a real reader.
    public var readerKeys: [CipherKey]?

    /// Settings of the simulated readers of one kind, by the names of their options; a name that the
    /// reader does not have is left out.
    public var readerSettings: (kind: ReaderKind, settings: [ReaderProfile.Setting])?

    /// Creates the usual options: simulated, seed 1, not recorded.
    public init(
        simulatedAs: ReaderKind? = nil,
        packetByteCount: Int = 8,
        choices: ChoiceSource = .seeded(1),
        isRecorded: Bool = false,
        live: (any LiveTransport)? = nil,
        bounds: EventLoop<RigEvent>.Bounds = .init(),
        journalCapacity: Int = 8_192,
        linkFaults: [LinkFault] = [],
        plant: Plant? = nil
    ) {
        self.simulatedAs = simulatedAs
        self.packetByteCount = packetByteCount
        self.choices = choices
        self.isRecorded = isRecorded
        self.live = live
        self.bounds = bounds
        self.journalCapacity = journalCapacity
        self.linkFaults = linkFaults
        self.plant = plant
    }
}

extension RigOptions {
    fileprivate func settings(of kind: ReaderKind) -> [ReaderProfile.Setting] {
        readerSettings?.kind == kind ? readerSettings?.settings ?? [] : []
    }

    /// A MagneSafe reader with its settings.
    fileprivate func configured(
        _ model: MagneSafeModel,
        as kind: ReaderKind
    ) -> MagneSafeReaderConfiguration {
        var configuration = MagneSafeReaderConfiguration(model)
        for setting in settings(of: kind) {
            let option = MagneSafeReaderConfiguration.options.first { $0.name == setting.name }
            _ = option?.set(&configuration, setting.value)
        }
        return configuration
    }
}

extension RigConfiguration {
    /// The world that a scenario's `rig:` asks for.
    public init(_ plan: RigPlan, options: RigOptions) {
        var gateway = plan.gateway == .nmi ? SimulatedNMIGateway.Configuration() : nil
        gateway?.adopt(plan.account)
        if gateway != nil, let remote = options.remoteGateways.nmi {
            var own = gateway ?? SimulatedNMIGateway.Configuration()
            remote.adoptCredentials(&own)
            gateway = own
        }
        if let seconds = plan.clockSecondsSince1970 { gateway?.startSecondsSince1970 = seconds }
        self.init(
            readers: plan.readers.enumerated().map { index, reader in
                RigReader(reader, index, of: plan, options: options)
            },
            gateway: gateway,
            choices: options.choices,
            bounds: options.bounds,
            journalCapacity: options.journalCapacity,
            isRecorded: options.isRecorded
        )
        merchant = MerchantSetup(plan, gateway)
        remoteGateways = options.remoteGateways
        agentcash = AgentCASHSetup(plan, remote: options.remoteGateways.agentcash)
        terminal = TerminalSetup(plan, library: options.library)
        store = HoneyStoreSetup(plan, library: options.library)
        store?.backend.seed = options.choices.seed ?? 0
        accessoryProtocols = plan.app.accessoryProtocols
        delegateAtStart = plan.sdk.hasDelegate ? .app : nil
        profile = SwipeProfile(
            isUnreadyAfterSwipe: plan.sdk.isUnreadyAfterSwipe,
            reportsCutSwipes: plan.sdk.reportsCutSwipes,
            isSilentInBackground: plan.sdk.isSilentInBackground
        )
        plant = options.plant
        foreignFacts = options.foreignFacts
        recordedSteps = options.recordedSteps
        ownsRecordedCards = options.ownsRecordedCards
        readerKeys = options.readerKeys
        if plan.readers.contains(where: \.kind.isAudioJack) {
            adoptJack(plan, library: options.library)
        }
    }
}

extension ReaderPlan {
    /// What a real one's transport carries, where the kind decides it.
    fileprivate var livePath: ReaderEndpoint.LivePath? {
        switch kind {
        case .miura: .frames
        case .securemag: .idTechReports
        case .idynamo, .dynamag, .shuttle, .ips: nil
        }
    }
}

extension RigReader {
    fileprivate init(_ plan: ReaderPlan, _ index: Int, of rig: RigPlan, options: RigOptions) {
        let isAccessory = plan.kind == .idynamo
        if let live = options.live {
            self.init(
                name: plan.name,
                endpoint: .live(live, path: plan.livePath ?? options.livePath),
                isAttachedAtStart: plan.kind == .miura,
                isAccessory: isAccessory,
                protocolString: plan.protocolString ?? RigReader.idynamoProtocol
            )
            address = options.liveAddress
            adoptSystem(plan)
            return
        }
        if let recorded = options.recorded.first(where: { $0.reader == index }) {
            self.init(
                name: plan.name,
                endpoint: .recorded(recorded.transport, path: recorded.path),
                isAttachedAtStart: plan.isAttachedAtStart,
                isAccessory: isAccessory,
                protocolString: plan.protocolString ?? RigReader.idynamoProtocol
            )
            address = PaymentReaderAddress(rig.link.kind, number: index)
            if plan.kind == .miura {
                // The recorded reader was found as the simulated one is.
                let carrier = PaymentReaderAddress.Carrier(rig.link.kind)
                let reader = SimulatedMiura(
                    MiuraReaderConfiguration(plan, index, carrier: carrier)
                )
                address.bluetoothName = reader.configuration.bluetoothName
                address.host = reader.networkAddress ?? address.host
                address.port = reader.listenPort ?? address.port
            }
            adoptSystem(plan)
            return
        }
        let endpoint: ReaderEndpoint
        if let thing = JackThing(plan) {
            endpoint = .audioJack(thing)
        } else if plan.kind == .miura {
            let carrier = PaymentReaderAddress.Carrier(rig.link.kind)
            var configuration = MiuraReaderConfiguration(plan, index, carrier: carrier)
            for setting in options.settings(of: .miura) {
                let option = MiuraReaderConfiguration.options.first { $0.name == setting.name }
                _ = option?.set(&configuration, setting.value)
            }
            endpoint = .miura(configuration)
        } else if plan.kind == .securemag {
            endpoint = .secureMag(
                SecureMagConfiguration(
                    packetByteCount: plan.packetByteCount ?? options.packetByteCount
                )
            )
        } else if (options.simulatedAs ?? plan.kind) == .dynamag {
            let byteCount = plan.packetByteCount ?? options.packetByteCount
            endpoint = .simulated(
                options.configured(.dynamag(packetByteCount: byteCount), as: .dynamag)
            )
        } else {
            endpoint = .simulated(options.configured(.idynamo, as: .idynamo))
        }
        let plans = rig.link.faults.filter { $0.reader == index }
        let faults = plans.filter { $0.address.command == nil && !$0.isOpening }.map {
            $0.linkFault()
        }
        self.init(
            name: plan.name,
            endpoint: endpoint,
            isAttachedAtStart: plan.isAttachedAtStart,
            faults: faults + options.linkFaults,
            timing: LinkTiming(
                delay: rig.link.delay,
                jitter: rig.link.jitter,
                seed: SplitMix64.mix((options.choices.seed ?? 0) &+ UInt64(index)),
                partByteCount: rig.link.partByteCount,
                partGap: rig.link.partGap
            ),
            isAccessory: isAccessory,
            protocolString: plan.protocolString ?? RigReader.idynamoProtocol
        )
        commandFaults = plans.compactMap { $0.commandFault?.fault }
        recordedPieces = options.recordedPieces.first { $0.reader == index }?.pieces ?? []
        address = PaymentReaderAddress(rig.link.kind, number: index)
        adoptSystem(plan)
        opening = rig.link.opening.map { OpeningFault($0) }
        for fault in rig.link.faults where fault.reader == index {
            if case .open(let plan) = fault.action { firstOpening = OpeningFault(plan) }
        }
    }

    /// What the system does, at a simulated reader and at a real one.
    private mutating func adoptSystem(_ plan: ReaderPlan) {
        sessionOpenFailureCount = plan.sessionOpenFailureCount
        notifications =
            switch plan.notifications {
            case .once: .once
            case .twice: .twice
            case .lateDisconnect: .lateDisconnect
            }
    }
}

extension GatewayFaultPlan {
    /// The fault, as the simulated gateway takes it.
    var gatewayFault: GatewayFault {
        var fault = GatewayFault(
            request: request,
            kind: requestKind,
            phase: isAfterBooking ? .afterBooking : .beforeBooking,
            answer: gatewayAnswer
        )
        // The codes of PAYMILL have five digits, those of NMI three.
        if case .decline(let code) = answer, code >= 40_000 {
            fault.paymillCode = PAYMILLResponseCode(rawValue: code)
        }
        return fault
    }

    private var requestKind: GatewayRequestKind? {
        switch kind {
        case .sale: .sale
        case .void: .void
        case .query: .query
        case .auth, .authorise: .auth
        // What AgentCASH has for itself, as its simulated service takes it.
        case .confirm: .update
        case .reverse: .void
        case .capture: .capture
        case .refund: .refund
        case .credit: .credit
        case .validate, .token: .validate
        case .offline: .offline
        case .update: .update
        case .vault: .vault
        case .recurring: .recurring
        default: nil
        }
    }

    private var gatewayAnswer: GatewayFault.Answer {
        switch answer {
        case .decline(let code): .decline(NMIResponseCode(rawValue: code) ?? .declined)
        case .error(let code): .error(NMIResponseCode(rawValue: code) ?? .rejected)
        case .timeout: .timeout
        case .reset: .reset
        case .garbage: .garbage
        case .http(let status): .httpStatus(status)
        case .httpApproval(let status): .httpApproval(status)
        case .otherOrder: .otherOrder
        case .refused: .refused
        case .slow(let duration): .slow(duration)
        }
    }
}
