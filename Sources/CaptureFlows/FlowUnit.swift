public import CaptureFiles

/// Which way bytes went, seen from the payment reader.
public enum FlowDirection: Hashable, Sendable {
    /// From the host to the reader.
    case toReader
    /// From the reader to the host.
    case fromReader
    /// The file does not tell.
    case unknown
}

/// Something that happened on one conversation of a capture, in the order of the file.
public struct FlowUnit: Hashable, Sendable {
    /// What happened.
    public enum Kind: Hashable, Sendable {
        /// Bytes went: one USB transfer, one new range of a TCP stream, the information of one
        /// RFCOMM frame, one block of a log.
        case data
        /// A control transfer; the unit's bytes are its data, either way, without the setup packet.
        ///
        /// An OUT one comes when it was submitted, an IN one when it completed.
        case control(USBSetupPacket)
        /// The conversation began: SYN, SABM answered by UA, a configured device.
        case opened
        /// The conversation ended.
        case closed(Ending)
        /// A USB transfer of this endpoint did not succeed: the stall, the cancelled read.
        case failed(USBStatus)
        /// So many bytes (where known) of the stream, or of the unit before, are not in the file.
        case missing(byteCount: Int?)
        /// The serial line's settings or signals changed.
        case line(LineChange)
    }

    /// How a conversation ended.
    public enum Ending: Hashable, Sendable {
        /// FIN on both sides, DISC, or a recording that says so.
        case orderly
        /// RST, DM, a lost radio link.
        case aborted
        /// The USB device left its bus.
        case unplugged
        /// A new connection took the place of one whose end is not in the file.
        case superseded
    }

    /// A change of a serial line.
    public enum LineChange: Hashable, Sendable {
        /// Bits per second.
        case rate(UInt32)
        /// Data bits, parity (0 none, 1 odd, 2 even, 3 mark, 4 space), stop bits in halves.
        case format(dataBits: UInt8, parity: UInt8, halfStopBits: UInt8)
        /// The host's Data Terminal Ready.
        case dataTerminalReady(Bool)
        /// The host's Request To Send.
        case requestToSend(Bool)
        /// The RFCOMM modem status octet of the unit's direction, as it is on the wire.
        case modemStatus(UInt8)
        /// A break, on or off.
        case breakSignal(Bool)
    }

    /// The conversation: an index in ``CaptureImporter/flows``.
    public var flow: Flow.ID
    /// What happened.
    public var kind: Kind
    /// Which way.
    public var direction: FlowDirection
    /// When: UTC, or counted from 0 where ``CaptureImporter/clock`` says so; `nil` without times.
    public var time: CaptureTime?
    /// The bytes that went, at most ``byteCountLimit``; a slice of the importer's buffer, so copy
    /// what is kept for long.
    public var bytes: ArraySlice<UInt8>
    /// Whether the rest of the same transfer follows in the flow's next unit.
    public var isContinued: Bool
    /// Whether the file holds less of the transfer than was moved; a `missing` unit follows.
    public var isCut: Bool
    /// The number of the packet in the file, or of the line in a text log, from 1.
    public var packetNumber: Int
    /// Where ``bytes`` (or the packet, when there are none) begin in the file; in one that was
    /// compressed, in what was unpacked.
    public var byteOffset: Int

    /// The most bytes of one unit; longer transfers come in pieces.
    public static let byteCountLimit = 65_536
}

/// A remark that somebody put on a packet or a section, such as the mark of a scenario's step.
public struct CaptureComment: Hashable, Sendable {
    /// The remark.
    public var text: String
    /// The packet it stands on; `nil` for one on the section.
    public var packetNumber: Int?
    /// The packet's time, where there is one.
    public var time: CaptureTime?
    /// The interface of the packet (if_name), empty where there is none.
    public var interfaceName: String
}

/// Something in the file that was not understood or is damaged; the rest goes on where it can.
public struct CaptureNotice: Hashable, Sendable, CustomStringConvertible {
    /// How bad it is.
    public enum Severity: Hashable, Sendable {
        /// Worth knowing: the format cuts data, directions are guessed.
        case remark
        /// Part of the file was left out.
        case leftOut
        /// The file could not be read beyond this place.
        case end
        /// Nothing of the file can be made sense of: it is refused with this reason.
        case refusal
    }

    /// How bad it is.
    public var severity: Severity
    /// What is wrong and, where there is one, what would be right; never bytes of a packet.
    public var text: String
    /// The block, packet or line, from 1; 0 for the file as a whole.
    public var number: Int
    /// What ``number`` counts.
    public var place: Place
    /// Where, in bytes from the beginning of the (unpacked) file.
    public var byteOffset: Int
    /// How many alike were left unsaid since the last one that was said.
    public var furtherCount: Int

    /// What a notice's number counts.
    public enum Place: Hashable, Sendable {
        /// The file as a whole.
        case file
        /// A block of a pcapng file, a record of another container.
        case block
        /// A packet.
        case packet
        /// A line of a text log.
        case line
    }

    /// One line: the place, then what is wrong.
    public var description: String {
        let more = furtherCount == 0 ? "" : " (and \(furtherCount) more alike)"
        switch place {
        case .file: return text + more
        case .block: return "block \(number), byte \(byteOffset): \(text)\(more)"
        case .packet: return "packet \(number), byte \(byteOffset): \(text)\(more)"
        case .line: return "line \(number): \(text)\(more)"
        }
    }
}

/// What comes out of a file, in its order.
public enum CaptureItem: Hashable, Sendable {
    /// Something happened on a conversation.
    case unit(FlowUnit)
    /// A remark in the file.
    case comment(CaptureComment)
    /// Something was damaged, cut or not understood.
    case notice(CaptureNotice)
}
