import CardCrypto
import CardData
import Kernel

/// What the command line of the test bed says.
struct BedOptions: Equatable {
    /// The most bytes of one packet, 1 to 64: 8 by default, as delivered readers have it.
    var packetByteCount = 8
    /// Whether the reader is an ID TECH SecureMag, and no Dynamag.
    var isSecureMag = false
    /// Whether the reader is plugged in before the program starts.
    var isAttached = false
    /// The base derivation key of the reader; `nil` for the published one.
    var key: CipherKey?
    /// The card that the hand swipes whatever it is called; `nil` for those that are named.
    var plastic: TestCard?
    /// Where the bed listens for the hand's lines.
    var controlPath = ""
    /// After how many seconds the program is ended.
    var limitSeconds: Int64 = 120
    /// The program and its arguments.
    var program: [String] = []

    static let usage = """
        usage: cardrig-usb-bed [--reader dynamag|securemag] [--packet-size N] [--attached] [--limit SECONDS] \
        [--key VARIABLE] [--plastic CARD] \
        --control SOCKETPATH -- PROGRAM ARGUMENTS
        """

    /// Reads the arguments after the program's name; `nil` when they make no sense.
    init?(_ arguments: [String]) {
        var rest = arguments[...]
        while let option = rest.popFirst(), option != "--" {
            switch option {
            case "--attached": isAttached = true
            case "--reader":
                guard let name = rest.popFirst(), name == "dynamag" || name == "securemag" else {
                    return nil
                }
                isSecureMag = name == "securemag"
            case "--packet-size":
                guard let number = rest.popFirst().flatMap({ Int($0) }), 1...64 ~= number else {
                    return nil
                }
                packetByteCount = number
            case "--limit":
                guard let number = rest.popFirst().flatMap({ Int64($0) }), 1...86_400 ~= number
                else { return nil }
                limitSeconds = number
            case "--key":
                // A key stands on no command line.
                guard let name = rest.popFirst(), let digits = ProcessEnvironment.value(of: name),
                    let key = CipherKey(digits)
                else { return nil }
                self.key = key
            case "--plastic":
                guard let name = rest.popFirst(), let card = TestCard.named(name) else {
                    return nil
                }
                plastic = card
            case "--control":
                guard let path = rest.popFirst(), !path.isEmpty else { return nil }
                controlPath = path
            default: return nil
            }
        }
        program = Array(rest)
        if program.isEmpty || controlPath.isEmpty { return nil }
    }
}
