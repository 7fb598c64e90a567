/// The client's side of one connection to a serial line behind RFC 2217, as bytes and without I/O.
///
/// | from the server | then |
/// | --- | --- |
/// | it agrees to COM-PORT control | speed, 8 data bits, no parity, one stop bit, no flow control, DTR and RTS are set |
/// | it acknowledges speed, data bits, parity and stop bits | the line is ready |
/// | it says nothing to DTR and RTS, as for a line without them | nothing: they are not insisted on |
/// | it refuses COM-PORT control, or sets another speed | an error |
/// | options that nobody needs, again and again; a subnegotiation without end | an error |
///
/// Data may come from the first byte on. A byte FF is doubled in both directions; without BINARY a
/// carriage return is followed by a zero.
///
/// Source: RFC 2217, Telnet Com Port Control Option; RFC 854 and 855, Telnet; RFC 856, BINARY. That
/// DTR and RTS stay unanswered on a pseudo-terminal was measured at ser2net 4.3.11.
struct RFC2217Session {
    /// The longest subnegotiation, in bytes; those of RFC 2217 have 5 at most, signatures a line.
    static let longestSubnegotiation = 512
    /// The most option commands of one connection; a server that works needs about ten.
    static let mostCommands = 200

    /// What is wrong with what a server sends.
    struct Violation: Error, Hashable, CustomStringConvertible {
        var reason: String

        /// The reason.
        var description: String { reason }
    }

    private enum Place {
        case data
        case afterCarriageReturn
        case command
        case option(verb: UInt8)
        case subnegotiation([UInt8])
        case commandInSubnegotiation([UInt8])
    }

    private let baud: UInt32
    private var place = Place.data
    private var commandCount = 0
    /// What the server does, and what we do, by option.
    private var isServerDoing: [UInt8: Bool] = [:]
    private var isClientDoing: [UInt8: Bool] = [:]
    private var isSetUp = false
    private var isAcknowledged = Acknowledged()

    private struct Acknowledged {
        var baud = false
        var dataSize = false
        var parity = false
        var stopSize = false
    }

    /// What the server sent, taken apart.
    struct Taken: Equatable {
        /// Bytes of the serial line.
        var data: [UInt8] = []
        /// What has to be sent back.
        var replies: [UInt8] = []
    }

    init(baud: UInt32) { self.baud = baud }

    /// Whether the line is set up as a reader needs it.
    var isReady: Bool {
        isAcknowledged.baud && isAcknowledged.dataSize && isAcknowledged.parity
            && isAcknowledged.stopSize
    }

    /// How far it came, for people who wait for it.
    var progress: String {
        if isReady { return "the line is ready" }
        if isSetUp { return "it did not acknowledge speed, data bits, parity and stop bits" }
        return isServerDoing.isEmpty && isClientDoing.isEmpty
            ? "it did not answer as a telnet server" : "it did not agree to COM-PORT control"
    }

    /// What is sent first: the options that are wanted.
    static let opening: [UInt8] =
        [iac, will, comPort] + [iac, will, binary] + [iac, doIt, binary]
        + [iac, will, suppressGoAhead] + [iac, doIt, suppressGoAhead]

    /// Takes bytes of the server.
    ///
    /// - Throws: ``Violation``; the session is of no use after it.
    mutating func receive(_ bytes: some Sequence<UInt8>) throws(Violation) -> Taken {
        var taken = Taken()
        for byte in bytes { try take(byte, &taken) }
        return taken
    }

    /// The bytes by which data travels to the server.
    func encoded(_ data: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let isBinary = isClientDoing[Self.binary] == true
        guard data.contains(where: { $0 == Self.iac || (!isBinary && $0 == 0x0D) }) else {
            return data
        }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(data.count + 8)
        for byte in data {
            bytes.append(byte)
            if byte == Self.iac {
                bytes.append(byte)
            } else if byte == 0x0D, !isBinary {
                bytes.append(0)
            }
        }
        return bytes[...]
    }

    /// The bytes that set DTR and RTS; the answer is not waited for.
    static func lines(dataTerminalReady: Bool, requestToSend: Bool) -> [UInt8] {
        subnegotiation(5, [dataTerminalReady ? 8 : 9])
            + subnegotiation(5, [requestToSend ? 11 : 12])
    }

    // MARK: Bytes

    private mutating func take(_ byte: UInt8, _ taken: inout Taken) throws(Violation) {
        switch place {
        case .data:
            if byte == Self.iac {
                place = .command
            } else {
                taken.data.append(byte)
                if byte == 0x0D, isServerDoing[Self.binary] != true { place = .afterCarriageReturn }
            }
        case .afterCarriageReturn:
            place = .data
            if byte != 0 { try take(byte, &taken) }
        case .command:
            switch byte {
            case Self.iac:
                taken.data.append(byte)
                place = .data
            case Self.will, Self.wont, Self.doIt, Self.dont: place = .option(verb: byte)
            case Self.begin: place = .subnegotiation([])
            // NOP, GA, AYT and the like say nothing about the line.
            default: place = .data
            }
        case .option(let verb):
            place = .data
            commandCount += 1
            guard commandCount <= Self.mostCommands else {
                throw Violation(reason: "it negotiates telnet options without end")
            }
            try negotiate(verb, byte, &taken)
        case .subnegotiation(var content):
            if byte == Self.iac {
                place = .commandInSubnegotiation(content)
            } else {
                place = .data
                try extend(&content, byte)
                place = .subnegotiation(content)
            }
        case .commandInSubnegotiation(var content):
            switch byte {
            case Self.end:
                place = .data
                try finish(content)
            case Self.iac:
                try extend(&content, byte)
                place = .subnegotiation(content)
            default:
                throw Violation(
                    reason: "it sent the telnet command \(byte) inside a subnegotiation"
                )
            }
        }
    }

    private func extend(_ content: inout [UInt8], _ byte: UInt8) throws(Violation) {
        guard content.count < Self.longestSubnegotiation else {
            throw Violation(
                reason: "it sent a subnegotiation of more than \(Self.longestSubnegotiation) bytes"
            )
        }
        content.append(byte)
    }

    // MARK: Options

    private mutating func negotiate(
        _ verb: UInt8,
        _ option: UInt8,
        _ taken: inout Taken
    ) throws(Violation) {
        switch verb {
        case Self.will, Self.wont:
            let isDone = verb == Self.will
            // Nothing is asked of the server but BINARY and SUPPRESS-GO-AHEAD; what it offers
            // besides is refused once.
            let isWanted = option == Self.binary || option == Self.suppressGoAhead
            guard isServerDoing[option] != isDone else { return }
            isServerDoing[option] = isDone && isWanted
            if isDone, !isWanted { taken.replies += [Self.iac, Self.dont, option] }
        default:
            let isAllowed = verb == Self.doIt
            let isWanted =
                option == Self.binary || option == Self.suppressGoAhead || option == Self.comPort
            guard isClientDoing[option] != isAllowed else { return }
            isClientDoing[option] = isAllowed && isWanted
            if isAllowed, !isWanted { taken.replies += [Self.iac, Self.wont, option] }
            guard option == Self.comPort else { return }
            guard isAllowed else {
                throw Violation(
                    reason: "it refuses COM-PORT control (RFC 2217); for ser2net write "
                        + "`accepter: telnet(rfc2217),tcp,PORT`, or reach a raw port by tcp:"
                )
            }
            guard !isSetUp else { return }
            isSetUp = true
            taken.replies += setUp
        }
    }

    private var setUp: [UInt8] {
        let speed = stride(from: 24, through: 0, by: -8).map {
            UInt8(truncatingIfNeeded: baud >> $0)
        }
        return Self.subnegotiation(1, speed) + Self.subnegotiation(2, [8])
            + Self.subnegotiation(3, [1]) + Self.subnegotiation(4, [1])
            + Self.subnegotiation(5, [1])
            + Self.lines(dataTerminalReady: true, requestToSend: true)
    }

    private mutating func finish(_ content: [UInt8]) throws(Violation) {
        guard content.first == Self.comPort, content.count >= 2 else { return }
        let value = content[2...]
        switch content[1] {
        case 101:
            guard value.count == 4 else {
                throw Violation(reason: "it acknowledged a speed of \(value.count) bytes, not 4")
            }
            let set = value.reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
            guard set == baud else {
                throw Violation(reason: "it set the line to \(set) bit/s instead of \(baud)")
            }
            isAcknowledged.baud = true
        case 102: isAcknowledged.dataSize = try acknowledged(value, 8, "data bits")
        case 103: isAcknowledged.parity = try acknowledged(value, 1, "a parity")
        case 104: isAcknowledged.stopSize = try acknowledged(value, 1, "stop bits")
        // States of the line and of the modem, and answers that nobody waits for.
        default: break
        }
    }

    private func acknowledged(
        _ value: ArraySlice<UInt8>,
        _ wanted: UInt8,
        _ what: String
    ) throws(Violation) -> Bool {
        guard value.count == 1, value.first == wanted else {
            let found = value.first.map { "\($0)" } ?? "nothing"
            throw Violation(reason: "it set \(what) to \(found), not to \(wanted) (RFC 2217)")
        }
        return true
    }

    private static func subnegotiation(_ code: UInt8, _ value: [UInt8]) -> [UInt8] {
        var bytes = [iac, begin, comPort, code]
        for byte in value {
            bytes.append(byte)
            if byte == iac { bytes.append(byte) }
        }
        return bytes + [iac, end]
    }

    private static let iac: UInt8 = 0xFF
    private static let dont: UInt8 = 0xFE
    private static let doIt: UInt8 = 0xFD
    private static let wont: UInt8 = 0xFC
    private static let will: UInt8 = 0xFB
    private static let begin: UInt8 = 0xFA
    private static let end: UInt8 = 0xF0
    private static let binary: UInt8 = 0
    private static let suppressGoAhead: UInt8 = 3
    private static let comPort: UInt8 = 44
}
