import CaptureFiles

/// Where decoders put what they find: flows, items in their order, and notices up to a limit each.
struct FlowOutput: Sendable {
    /// The most conversations of one file that are told apart.
    static let flowCountLimit = 16_384
    /// How many notices of one topic are said before they are only counted.
    static let noticeCountLimit = 16

    /// The packet that is being decoded.
    struct Position: Sendable {
        var packetNumber = 0
        var place = CaptureNotice.Place.packet
        var byteOffset = 0
        var time: CaptureTime?
    }

    private struct Unsaid: Sendable {
        var saidCount = 0
        var last: CaptureNotice?
    }

    var flows: [Flow] = []
    var usbDevices: [USBDeviceSeen] = []
    var position = Position()
    /// The names of the section's interfaces.
    var interfaceNames: [String] = []
    var interfaceNumber = 0
    private var ids: [FlowKey: Flow.ID] = [:]
    private var items: [CaptureItem] = []
    private var firstItem = 0
    private var unsaid = [Unsaid](repeating: Unsaid(), count: NoticeTopic.allCases.count)

    var interfaceName: String {
        interfaceNumber < interfaceNames.count ? interfaceNames[interfaceNumber] : ""
    }

    var hasItem: Bool { firstItem < items.count }

    mutating func nextItem() -> CaptureItem? {
        guard firstItem < items.count else { return nil }
        if firstItem == 0, items.count == 1 { return items.removeLast() }
        let item = items[firstItem]
        firstItem += 1
        if firstItem == items.count {
            // Also gives the slices of the container's buffer back.
            items.removeAll(keepingCapacity: true)
            firstItem = 0
        }
        return item
    }

    // MARK: Flows

    /// Returns the flow of a key, made when it is new; `nil` beyond the limit, which is said.
    mutating func flow(_ key: FlowKey, isDirectionGuessed: Bool = false) -> Flow.ID? {
        if let id = ids[key] { return id }
        guard flows.count < Self.flowCountLimit else {
            notice(
                .flows,
                .leftOut,
                "more than \(Self.flowCountLimit) conversations; this one and later ones are left out"
            )
            return nil
        }
        let id = flows.count
        flows.append(
            Flow(
                key: key,
                interfaceName: interfaceName,
                firstPacketNumber: position.packetNumber,
                isDirectionGuessed: isDirectionGuessed
            )
        )
        ids[key] = id
        return id
    }

    // MARK: Items

    /// Puts a unit out, in pieces when it is long; `missingByteCount` of its end are not in the file.
    mutating func put(
        _ flow: Flow.ID,
        _ kind: FlowUnit.Kind,
        _ direction: FlowDirection,
        _ bytes: ArraySlice<UInt8> = [],
        at byteOffset: Int,
        missing missingByteCount: Int = 0
    ) {
        count(bytes.count, direction, in: flow)
        if missingByteCount == 0, bytes.count <= FlowUnit.byteCountLimit {
            items.append(
                .unit(
                    FlowUnit(
                        flow: flow,
                        kind: kind,
                        direction: direction,
                        time: position.time,
                        bytes: bytes,
                        isContinued: false,
                        isCut: false,
                        packetNumber: position.packetNumber,
                        byteOffset: byteOffset
                    )
                )
            )
        } else {
            putPieces(flow, kind, direction, bytes, at: byteOffset, missing: missingByteCount)
        }
    }

    private mutating func putPieces(
        _ flow: Flow.ID,
        _ kind: FlowUnit.Kind,
        _ direction: FlowDirection,
        _ bytes: ArraySlice<UInt8>,
        at byteOffset: Int,
        missing missingByteCount: Int
    ) {
        var unit = FlowUnit(
            flow: flow,
            kind: kind,
            direction: direction,
            time: position.time,
            bytes: bytes,
            isContinued: false,
            isCut: missingByteCount > 0,
            packetNumber: position.packetNumber,
            byteOffset: byteOffset
        )
        if bytes.count > FlowUnit.byteCountLimit {
            var rest = bytes
            while rest.count > FlowUnit.byteCountLimit {
                unit.bytes = rest.prefix(FlowUnit.byteCountLimit)
                unit.isContinued = true
                items.append(.unit(unit))
                unit.byteOffset += FlowUnit.byteCountLimit
                rest = rest.dropFirst(FlowUnit.byteCountLimit)
            }
            unit.bytes = rest
            unit.isContinued = false
        }
        items.append(.unit(unit))
        if missingByteCount > 0 {
            flows[flow].damageCount += 1
            unit.kind = .missing(byteCount: missingByteCount)
            unit.byteOffset += unit.bytes.count
            unit.bytes = []
            unit.isCut = false
            items.append(.unit(unit))
        }
    }

    private mutating func count(_ byteCount: Int, _ direction: FlowDirection, in flow: Flow.ID) {
        guard byteCount > 0 else { return }
        flows[flow].unitCount += 1
        switch direction {
        case .toReader: flows[flow].byteCountToReader += byteCount
        case .fromReader: flows[flow].byteCountFromReader += byteCount
        case .unknown: flows[flow].byteCountOfUnknownDirection += byteCount
        }
    }

    /// Says that bytes of a stream are not in the file.
    mutating func putMissing(
        _ flow: Flow.ID,
        _ direction: FlowDirection,
        byteCount: Int?,
        at byteOffset: Int
    ) {
        put(flow, .missing(byteCount: byteCount), direction, at: byteOffset)
        flows[flow].damageCount += 1
    }

    mutating func comment(_ text: String, packetNumber: Int?) {
        items.append(
            .comment(
                CaptureComment(
                    text: text,
                    packetNumber: packetNumber,
                    time: packetNumber == nil ? nil : position.time,
                    interfaceName: packetNumber == nil ? "" : interfaceName
                )
            )
        )
    }

    /// Says that the packet being decoded is damaged or not understood.
    mutating func notice(
        _ topic: NoticeTopic,
        _ severity: CaptureNotice.Severity,
        _ text: @autoclosure () -> String
    ) {
        guard isSaid(topic) else { return }
        say(
            topic,
            CaptureNotice(
                severity: severity,
                text: text(),
                number: position.packetNumber,
                place: position.place,
                byteOffset: position.byteOffset,
                furtherCount: 0
            )
        )
    }

    /// Says something of a block, or of the file as a whole.
    mutating func notice(_ topic: NoticeTopic, _ notice: CaptureNotice) {
        guard isSaid(topic) else { return }
        say(topic, notice)
    }

    /// Counts one more notice of a topic; `false` when it is one too many and only counted.
    private mutating func isSaid(_ topic: NoticeTopic) -> Bool {
        guard unsaid[topic.rawValue].saidCount >= Self.noticeCountLimit else { return true }
        unsaid[topic.rawValue].last?.furtherCount += 1
        unsaid[topic.rawValue].last?.number = position.packetNumber
        unsaid[topic.rawValue].last?.byteOffset = position.byteOffset
        return false
    }

    private mutating func say(_ topic: NoticeTopic, _ notice: CaptureNotice) {
        unsaid[topic.rawValue].saidCount += 1
        unsaid[topic.rawValue].last = notice
        items.append(.notice(notice))
    }

    /// Says how many notices of each topic were only counted, and the last of them.
    mutating func sayFurther() {
        for topic in unsaid.indices {
            guard let last = unsaid[topic].last, last.furtherCount > 0 else { continue }
            items.append(.notice(last))
        }
    }
}

/// What notices are about; of each only so many are said.
enum NoticeTopic: Int, CaseIterable, Sendable {
    case container, end, linkType, header, flows, isochronous, fragment, l2cap, rfcomm, cutFrame
    case textLine, textCut, drops, time, setup, reassembly
}
