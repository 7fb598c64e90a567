import CaptureFiles
import Compression

/// Reads any capture that CardRig knows, from bytes that come in pieces, as units of conversations.
///
/// The format is found by content, never by name. Feed pieces with ``append(_:)`` (64 KiB serve),
/// take items with ``next()`` until it returns `nil`, call ``finish()`` behind the last piece and
/// take the rest. Nothing throws: what is damaged or not understood is a ``CaptureNotice`` with its
/// block, packet or line, and the rest goes on. Memory is bounded whatever the file; any division
/// into pieces gives the same items. It is not copied, since the unpacker has state outside Swift.
///
/// | what | formats |
/// | --- | --- |
/// | containers | pcapng, pcap, btsnoop 1001/1002/2001, PacketLogger; gzip around any of all |
/// | USB | link types 189, 220 (usbmon), 249 (USBPcap), 266 (macOS), usbmon text `1u` and `1t` |
/// | TCP | link types 0, 1, 101, 108, 113, 228, 229, 276 |
/// | Bluetooth | link types 187, 201, 254: RFCOMM over L2CAP |
/// | serial | link types 250, 252; logs of socat, jpnevulator, interceptty, pyserial, Portmon |
/// | other text | umockdev scripts and ioctl records, hex dumps with marks of direction |
public struct CaptureImporter: ~Copyable {
    /// How the times of a file are to be understood.
    public enum Clock: Hashable, Sendable {
        /// Seconds since 1970-01-01 UTC (logs without a time zone are taken as UTC).
        case utc
        /// Counted from an unknown moment: only differences mean something.
        case relative
        /// The file has no times.
        case none
    }

    /// Where the importer is.
    private enum Stage {
        /// The first bytes are collected until the format is known.
        case probing
        case packets
        case lines
        /// Nothing more is made of what comes.
        case refused
        case ended
    }

    /// How many bytes are looked at to find the format of a file without a magic.
    static let probeByteCount = 4_096

    /// The conversations found so far; a unit's ``FlowUnit/flow`` is an index here.
    public var flows: [Flow] { output.flows }
    /// What was learnt of USB devices so far: descriptors that the capture holds.
    public var usbDevices: [USBDeviceSeen] { output.usbDevices }
    /// The file's format in a few words, such as `pcapng`; `nil` until it is found.
    public private(set) var formatName: String?
    /// Whether the file was compressed with gzip.
    public private(set) var isCompressed = false
    /// How times are to be understood.
    public private(set) var clock = Clock.utc
    /// How many packets (or, in text, lines) were read.
    public private(set) var packetCount = 0

    private var stage = Stage.probing
    private var isFinished = false
    /// The first bytes of the file, until it is known whether they are packed.
    private var firstBytes: [UInt8] = []
    private var gzip: GzipReader?
    private var packingProblem: String?
    private var probe: [UInt8] = []
    private var reader = CaptureReader(isTolerant: true)
    private var packet = CapturedPacket()
    private var packets = PacketFlows()
    private var lines = LineSplitter()
    private var log: TextLog?
    private var output = FlowOutput()

    /// Creates an importer at the beginning of a file.
    public init() {}

    /// Adds the next bytes of the file.
    public mutating func append(_ bytes: ArraySlice<UInt8>) {
        guard !bytes.isEmpty, stage != .refused, stage != .ended, !isFinished else { return }
        if let gzip {
            gzip.append(bytes)
        } else if stage == .packets {
            reader.append(bytes)
        } else if stage == .probing, probe.isEmpty {
            firstBytes.append(contentsOf: bytes)
            recognisePacking(isWhole: false)
        } else {
            take(bytes)
        }
    }

    /// Says that there are no more bytes; take the last items with ``next()``.
    public mutating func finish() {
        isFinished = true
        if stage == .probing, gzip == nil, probe.isEmpty { recognisePacking(isWhole: true) }
    }

    /// Returns the next item, or `nil` when more bytes are needed or, once finished, no more come.
    public mutating func next() -> CaptureItem? {
        while true {
            if let item = output.nextItem() { return item }
            guard advance() else { return nil }
        }
    }

    // MARK: What the bytes are

    /// Two bytes tell whether the file is packed.
    private mutating func recognisePacking(isWhole: Bool) {
        guard firstBytes.count >= 2 || isWhole else { return }
        let bytes = firstBytes
        firstBytes = []
        if bytes.starts(with: [0x1F, 0x8B]) {
            isCompressed = true
            let reader = GzipReader()
            reader.append(bytes[...])
            gzip = reader
        } else {
            take(bytes[...])
        }
    }

    /// Hands unpacked bytes to whoever reads them now.
    private mutating func take(_ bytes: ArraySlice<UInt8>) {
        switch stage {
        case .probing:
            probe.append(contentsOf: bytes)
            recogniseFormat(isWhole: false)
        case .packets: reader.append(bytes)
        case .lines: lines.append(bytes)
        case .refused, .ended: break
        }
    }

    private mutating func recogniseFormat(isWhole: Bool) {
        guard probe.count >= 4 || isWhole else { return }
        if CaptureReader.hasMagic(probe[...]) {
            stage = .packets
            reader.append(probe[...])
        } else {
            guard probe.count >= Self.probeByteCount || isWhole else { return }
            let first = probe.prefix(Self.probeByteCount)
            if let order = CaptureReader.packetLoggerByteOrder(firstBytes: first) {
                stage = .packets
                reader = CaptureReader(isTolerant: true, format: .packetLogger(order))
                reader.append(probe[...])
            } else if let recognised = TextLog(firstBytes: first) {
                stage = .lines
                formatName = recognised.name
                clock = recognised.clock
                log = recognised
                lines.append(probe[...])
            } else {
                refuse(CaptureReader.refusal(firstBytes: first))
            }
        }
        probe = []
    }

    private mutating func refuse(_ text: String) {
        stage = .refused
        output.notice(
            .end,
            CaptureNotice(
                severity: .refusal,
                text: text,
                number: 0,
                place: .file,
                byteOffset: 0,
                furtherCount: 0
            )
        )
    }

    // MARK: Going on

    /// Makes items if it can; `false` when bytes are missing for that.
    private mutating func advance() -> Bool {
        switch stage {
        case .probing: break
        case .packets: if advancePackets() { return true }
        case .lines: if advanceLines(isWhole: false) { return true }
        case .refused, .ended: return false
        }
        if unpackMore() { return true }
        guard isFinished else { return false }
        end()
        return true
    }

    /// Unpacks one more piece; `false` when the file is not packed or all is unpacked.
    private mutating func unpackMore() -> Bool {
        guard let gzip else { return false }
        var unpacked: ArraySlice<UInt8> = []
        let outcome = gzip.read { unpacked = $0 }
        switch outcome {
        case .unpacked:
            take(unpacked)
            return true
        case .needsInput: return false
        case .trailingBytes:
            packingProblem = "what follows the gzip data is left out"
        case .damaged:
            packingProblem = "the gzip data are damaged; what was unpacked before is read"
        }
        isFinished = true
        return false
    }

    private mutating func advancePackets() -> Bool {
        let isRead: Bool
        do throws(CaptureError) {
            isRead = try reader.read(into: &packet)
        } catch {
            tellAsides()
            tell(error, severity: .end)
            endFlows()
            return true
        }
        if reader.hasAside { tellAsides() }
        if formatName == nil { formatName = reader.formatName }
        guard isRead else {
            // Gives the reader's buffer back, so that it grows in place.
            packet.data = []
            return output.hasItem
        }
        packetCount += 1
        packets.take(packet, reader, &output)
        return true
    }

    private mutating func tellAsides() {
        while let aside = reader.takeAside() {
            switch aside {
            case .problem(let problem):
                if case .unknownBlock = problem.code {
                    tell(problem, severity: .remark)
                } else {
                    tell(problem, severity: .leftOut)
                }
            case .sectionComment(let text): output.comment(text, packetNumber: nil)
            }
        }
    }

    private mutating func tell(_ error: CaptureError, severity: CaptureNotice.Severity) {
        output.notice(
            severity == .end ? .end : .container,
            CaptureNotice(
                severity: severity,
                text: error.reason,
                number: error.blockNumber,
                place: .block,
                byteOffset: error.byteOffset,
                furtherCount: 0
            )
        )
    }

    private mutating func advanceLines(isWhole: Bool) -> Bool {
        guard var line = lines.next(isWhole: isWhole) else { return false }
        if line.number == 1, line.bytes.starts(with: TextLog.byteOrderMark) {
            line.bytes = line.bytes.dropFirst(TextLog.byteOrderMark.count)
        }
        packetCount += 1
        output.position.place = .line
        output.position.packetNumber = line.number
        output.position.byteOffset = line.byteOffset
        if line.isCut {
            output.notice(
                .textLine,
                .leftOut,
                "a line of more than \(LineSplitter.lineByteCountLimit) bytes; its rest is left out"
            )
        }
        log?.take(line, &output)
        return true
    }

    // MARK: The end

    /// There are no more bytes.
    private mutating func end() {
        switch stage {
        case .probing:
            recogniseFormat(isWhole: true)
            return
        case .packets:
            do throws(CaptureError) {
                try reader.finish()
            } catch {
                tell(error, severity: .end)
            }
        case .lines:
            // The last line may end without a line feed.
            if advanceLines(isWhole: true) { return }
        case .refused, .ended: break
        }
        tellPacking()
        endFlows()
    }

    /// Says what was wrong with the packing, at the end of what was unpacked.
    private mutating func tellPacking() {
        if let gzip, packingProblem == nil, !gzip.isAtEndOfMember {
            packingProblem = "the gzip data are cut short; what was unpacked is read"
        }
        if let packingProblem {
            output.notice(
                .end,
                CaptureNotice(
                    severity: .end,
                    text: packingProblem,
                    number: 0,
                    place: .file,
                    byteOffset: 0,
                    furtherCount: 0
                )
            )
        }
    }

    private mutating func endFlows() {
        log?.finish(&output)
        packets.finish(&output)
        stage = .ended
        output.sayFurther()
        if let refusal = packets.refusal { refuse(refusal) }
    }
}
