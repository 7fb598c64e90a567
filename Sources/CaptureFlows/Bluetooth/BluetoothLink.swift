import CaptureFiles

/// One connection to a Bluetooth device: puts L2CAP frames together and knows its channels.
///
/// Source: Bluetooth Core Specification, volume 3 part A, sections 3.1, 4.2, 4.3 and 4.6.
struct BluetoothLink: Sendable {
    private static let channelCountLimit = 64
    private static let requestCountLimit = 32
    private static let signallingCID: UInt16 = 1
    private static let firstDynamicCID: UInt16 = 0x40
    private static let rfcommPSM: UInt16 = 3
    private static let headerByteCount = 4

    /// A frame that comes in several ACL packets of one side.
    private struct Assembly: Sendable {
        var bytes: [UInt8] = []
        var byteOffset = 0
        var isOpen = false
        /// The rest of a frame that is not put together is passed over.
        var isPassing = false
    }

    private struct Request: Sendable {
        var id: UInt8
        var side: HCISide
        var psm: UInt16
        var sourceCID: UInt16
    }

    private struct Channel: Sendable {
        /// What the host allocated (frames from the reader carry it); 0 when it is not known.
        var hostCID: UInt16
        /// What the reader allocated: frames from the host carry it.
        var readerCID: UInt16
        /// `nil` for a channel of another protocol.
        var session: RFCOMMSession?
        /// Recognised by its frames, since the log begins after it was made.
        var isGuessed = false
    }

    let adapter: UInt16
    let handle: UInt16
    let generation: UInt32
    let address: UInt64?
    private var assemblies = [Assembly](repeating: Assembly(), count: 3)
    private var requests: [Request] = []
    private var channels: [Channel] = []

    init(_ adapter: UInt16, _ handle: UInt16, generation: UInt32, _ address: UInt64?) {
        self.adapter = adapter
        self.handle = handle
        self.generation = generation
        self.address = address
    }

    /// Ends what is open on it.
    mutating func close(_ ending: FlowUnit.Ending, _ output: inout FlowOutput) {
        for index in channels.indices { channels[index].session?.close(ending, &output) }
        channels.removeAll()
        requests.removeAll()
        assemblies = [Assembly](repeating: Assembly(), count: 3)
    }

    /// Says what is unfinished at the end of the file.
    mutating func finish(_ output: inout FlowOutput) {
        for assembly in assemblies where assembly.isOpen {
            output.notice(.l2cap, .leftOut, "the file ends inside an L2CAP frame")
        }
    }

    /// Takes an ACL packet, whose header is whole.
    mutating func take(
        _ record: HCIRecord,
        _ output: inout FlowOutput
    ) throws(DecodingFailure) {
        let flags = record.payload.little16(0) >> 12 & 3
        let length = Int(record.payload.little16(2))
        let data = record.payload.part(from: 4, upTo: length)
        let isCut = data.count < length
        // Only hosts send packets that may not be flushed.
        let side = record.side == .unknown && flags == 0 ? HCISide.host : record.side
        let offset = record.byteOffset + 4
        if flags == 1 {
            try goOn(data, isCut: isCut, side, &output)
        } else {
            try begin(data, isCut: isCut, side, at: offset, &output)
        }
    }

    private mutating func begin(
        _ data: ArraySlice<UInt8>,
        isCut: Bool,
        _ side: HCISide,
        at offset: Int,
        _ output: inout FlowOutput
    ) throws(DecodingFailure) {
        if assemblies[side.rawValue].isOpen {
            output.notice(.l2cap, .leftOut, "an L2CAP frame before this one is not whole")
        }
        if assemblies[side.rawValue].isOpen || assemblies[side.rawValue].isPassing {
            assemblies[side.rawValue] = Assembly()
        }
        if data.count >= Self.headerByteCount {
            let total = Self.headerByteCount + Int(data.little16(0))
            if data.count >= total || isCut {
                if data.count < total { assemblies[side.rawValue].isPassing = true }
                takeFrame(data.part(from: 0, upTo: total), side, at: offset, total: total, &output)
                return
            }
        } else if isCut {
            assemblies[side.rawValue].isPassing = true
            throw DecodingFailure("an ACL packet cut before its L2CAP header", topic: .cutFrame)
        }
        assemblies[side.rawValue].bytes = Array(data)
        assemblies[side.rawValue].byteOffset = offset
        assemblies[side.rawValue].isOpen = true
    }

    private mutating func goOn(
        _ data: ArraySlice<UInt8>,
        isCut: Bool,
        _ side: HCISide,
        _ output: inout FlowOutput
    ) throws(DecodingFailure) {
        guard assemblies[side.rawValue].isOpen else {
            guard !assemblies[side.rawValue].isPassing else { return }
            assemblies[side.rawValue].isPassing = true
            throw DecodingFailure("the rest of an L2CAP frame without its beginning", topic: .l2cap)
        }
        // A frame of at most 65,535 bytes: what is behind its end is not kept.
        assemblies[side.rawValue].bytes.append(contentsOf: data)
        let bytes = assemblies[side.rawValue].bytes
        guard bytes.count >= Self.headerByteCount else { return }
        let total = Self.headerByteCount + Int(bytes[...].little16(0))
        guard bytes.count >= total || isCut else { return }
        let offset = assemblies[side.rawValue].byteOffset
        assemblies[side.rawValue] = Assembly()
        assemblies[side.rawValue].isPassing = bytes.count < total
        takeFrame(bytes.prefix(total), side, at: offset, total: total, &output)
    }

    // MARK: Frames

    @inline(__always)
    private mutating func takeFrame(
        _ frame: ArraySlice<UInt8>,
        _ side: HCISide,
        at offset: Int,
        total: Int,
        _ output: inout FlowOutput
    ) {
        let cid = frame.little16(2)
        let payload = frame.dropFirst(Self.headerByteCount)
        if cid == Self.signallingCID {
            takeSignals(payload, side, &output)
            return
        }
        guard cid >= Self.firstDynamicCID else { return }
        guard let (index, sender) = channel(cid, side, payload) else { return }
        channels[index].session?.take(
            payload,
            sender,
            isDirectionKnown: side != .unknown,
            missing: total - frame.count,
            at: offset + Self.headerByteCount,
            &output
        )
    }

    /// The channel of a frame and who sent it; channels made before the log began are guessed.
    private mutating func channel(
        _ cid: UInt16,
        _ side: HCISide,
        _ payload: ArraySlice<UInt8>
    ) -> (index: Int, sender: HCISide)? {
        for index in channels.indices {
            if side != .controller, channels[index].readerCID == cid { return (index, .host) }
            if side != .host, channels[index].hostCID == cid { return (index, .controller) }
        }
        guard RFCOMMSession.isFrame(payload) else { return nil }
        if let index = channels.firstIndex(where: \.isGuessed) {
            // Two devices have one RFCOMM session at most: this is its other half.
            switch side {
            case .host: channels[index].readerCID = cid
            case .controller: channels[index].hostCID = cid
            case .unknown: break
            }
            return (index, side)
        }
        guard channels.count < Self.channelCountLimit else { return nil }
        channels.append(
            Channel(
                hostCID: side == .controller ? cid : 0,
                readerCID: side == .host ? cid : 0,
                session: session(hostCID: 0),
                isGuessed: true
            )
        )
        return (channels.count - 1, side)
    }

    private func session(hostCID: UInt16) -> RFCOMMSession {
        RFCOMMSession(
            RFCOMMChannelKey(
                adapter: adapter,
                handle: handle,
                generation: generation,
                address: address,
                channel: hostCID,
                dlci: 0
            )
        )
    }

    // MARK: Signals

    private mutating func takeSignals(
        _ payload: ArraySlice<UInt8>,
        _ side: HCISide,
        _ output: inout FlowOutput
    ) {
        var rest = payload
        while rest.count >= 4 {
            let code = rest.byte(0)
            let id = rest.byte(1)
            let length = Int(rest.little16(2))
            guard rest.count >= 4 + length else {
                output.notice(.l2cap, .leftOut, "an L2CAP signal is longer than its frame")
                return
            }
            let values = rest.dropFirst(4).prefix(length)
            switch code {
            case 2 where length >= 4: noteRequest(id, values, side)
            case 3 where length >= 8: noteAnswer(id, values, side, &output)
            case 6 where length >= 4: noteDisconnection(values, &output)
            default: break
            }
            rest = rest.dropFirst(4 + length)
        }
    }

    private mutating func noteRequest(_ id: UInt8, _ values: ArraySlice<UInt8>, _ side: HCISide) {
        if requests.count >= Self.requestCountLimit { requests.removeFirst() }
        requests.append(
            Request(id: id, side: side, psm: values.little16(0), sourceCID: values.little16(2))
        )
    }

    private mutating func noteAnswer(
        _ id: UInt8,
        _ values: ArraySlice<UInt8>,
        _ side: HCISide,
        _ output: inout FlowOutput
    ) {
        let destination = values.little16(0)
        let source = values.little16(2)
        let result = values.little16(4)
        guard
            let index = requests.lastIndex(where: {
                $0.id == id && $0.sourceCID == source
                    && ($0.side == side.opposite || $0.side == .unknown || side == .unknown)
            })
        else { return }
        guard result != 1 else { return }  // pending
        let request = requests.remove(at: index)
        guard result == 0, channels.count < Self.channelCountLimit else { return }
        let isFromHost = request.side != .controller
        let hostCID = isFromHost ? source : destination
        let readerCID = isFromHost ? destination : source
        forget(hostCID, readerCID, .superseded, &output)
        channels.append(
            Channel(
                hostCID: hostCID,
                readerCID: readerCID,
                session: request.psm == Self.rfcommPSM ? session(hostCID: hostCID) : nil
            )
        )
    }

    private mutating func noteDisconnection(
        _ values: ArraySlice<UInt8>,
        _ output: inout FlowOutput
    ) {
        let destination = values.little16(0)
        let source = values.little16(2)
        forget(source, destination, .orderly, &output)
        forget(destination, source, .orderly, &output)
    }

    private mutating func forget(
        _ hostCID: UInt16,
        _ readerCID: UInt16,
        _ ending: FlowUnit.Ending,
        _ output: inout FlowOutput
    ) {
        while let index = channels.firstIndex(where: {
            $0.hostCID == hostCID && $0.readerCID == readerCID
        }) {
            var channel = channels.remove(at: index)
            channel.session?.close(ending, &output)
        }
    }
}
