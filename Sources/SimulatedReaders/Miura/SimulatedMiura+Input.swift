import CardCrypto
import CardData
import EventLoops
import ReaderProtocols

/// A command that asks the person for something; what is typed may be card data.
struct InputRun: Hashable {
    var input: MiuraInput
    var digits: [UInt8] = []
    var deadline: VirtualInstant
}

extension InputRun: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    var description: String { "input" }
    var debugDescription: String { description }
    var customMirror: Mirror { Mirror(self, children: []) }
}

extension SimulatedMiura {
    private static let prompt: TLVTag = 0xDFA206
    private static let menuOption: TLVTag = 0xDFA502
    private static let numberFormat: TLVTag = 0xDFA207
    private static let tipTemplates: TLVTag = 0xDFA217
    private static let secureElement: TLVTag = 0xDFA210
    /// The most digits of any input.
    private static let digitBound = 24

    mutating func begin(_ input: MiuraInput, _ cache: CryptoCache) {
        let isSecure = input.kind == .securePAN || input.kind == .secureData
        let name = MiuraCommandName(rawValue: input.kind.rawValue)
        if isSecure, !keyStatus.contains(.sredReady) { return refuse(.keysNotReady, name) }
        switch input.kind {
        case .menuOption:
            // 01 appends options, 02 clears the list; only 00 asks.
            if input.p2 != 0 { return answer(.done) }
            guard input.objects.first(Self.menuOption) != nil else {
                return refuse(.invalidReference, name)
            }
        case .secureData:
            switch input.p1 {
            case 0:
                secureElements = []
                return answer(.done)
            case 2: return encryptElements(cache)
            default: break
            }
            guard input.objects.first(Self.prompt) != nil, Self.elementTag(input) != nil else {
                return refuse(.invalidReference, name)
            }
        case .numericData, .alphanumericData, .expirationDate, .securePAN:
            guard input.objects.first(Self.prompt) != nil else {
                return refuse(.invalidReference, name)
            }
        case .dynamicTip:
            guard input.objects.first(Self.tipTemplates) != nil else {
                return refuse(.invalidReference, name)
            }
        }
        let seconds = input.objects.first(.timeLimit)?.number.map { Int64(clamping: $0) }
        let limit = seconds.map { VirtualDuration.seconds($0) } ?? configuration.inputTimeLimit
        activity = .input(InputRun(input: input, deadline: now + max(.zero, limit)))
        effects.append(.noted(.inputAsked))
    }

    mutating func press(_ key: MiuraKey, in run: InputRun, _ cache: CryptoCache) {
        var run = run
        switch key {
        case .digit(let digit):
            guard digit < 10, run.digits.count < Self.digitBound else { break }
            run.digits.append(0x30 + digit)
        case .clear: run.digits = []
        case .cancel: return end(.refused(.cancelled, []), run, cache)
        case .enter:
            if let answer = inputAnswer(run, cache) { return end(answer, run, cache) }
        }
        activity = .input(run)
    }

    mutating func end(_ answer: MiuraAnswer, _ run: InputRun, _ cache: CryptoCache) {
        activity = .idle
        self.answer(answer)
        resume(cache)
    }

    /// The answer that Enter gives, or `nil` when Enter means nothing yet.
    private mutating func inputAnswer(_ run: InputRun, _ cache: CryptoCache) -> MiuraAnswer? {
        let text = String(decoding: run.digits, as: UTF8.self)
        switch run.input.kind {
        case .menuOption:
            let options = run.input.objects.all(Self.menuOption)
            guard let number = Int(text), options.indices.contains(number - 1) else { return nil }
            return .input([TLV(.numericData, options[number - 1].value)])
        case .dynamicTip:
            guard let number = Int(text), 1...4 ~= number else { return nil }
            return .input([TLV(.numericData, text: text)])
        case .securePAN:
            guard let pan = PAN(run.digits) else { return nil }
            let block = encryptedSRED(TLV(Self.elementPAN, pan.unmaskedBytes).bytes, cache)
            return .input([TLV(.numericData, Self.redacted(run.digits))] + block)
        case .secureData:
            let allowsEmpty = run.input.p2 & 0x04 != 0
            guard let tag = Self.elementTag(run.input), !run.digits.isEmpty || allowsEmpty else {
                return nil
            }
            let checksLuhn = run.input.p2 & 0x10 == 0
            if tag == Self.elementPAN {
                guard let pan = PAN(run.digits), pan.isLuhnValid || !checksLuhn else { return nil }
            }
            secureElements.removeAll { $0.tag == tag }
            secureElements.append(TLV(tag, run.digits))
            return .done
        case .expirationDate:
            return run.digits.count == 4 ? .input([TLV(.numericData, run.digits)]) : nil
        case .numericData, .alphanumericData:
            let allowsEmpty = run.input.p2 & 0x04 != 0
            if run.digits.isEmpty, !allowsEmpty { return nil }
            let format = run.input.objects.first(Self.numberFormat)?.value ?? []
            let most = format.reduce(0) { $0 + Int($1) }
            if !format.isEmpty, run.digits.count > most { return nil }
            return .input([TLV(.numericData, run.digits)])
        }
    }

    // MARK: Secure data

    private static let elementPAN: TLVTag = 0xDFA211

    /// DFA211 to DFA216 for what DFA210 asks for; 07 is a PAN that is padded otherwise.
    private static func elementTag(_ input: MiuraInput) -> TLVTag? {
        guard let code = input.objects.first(secureElement)?.value.first else { return nil }
        switch code {
        case 1...6: return TLVTag(0xDFA210 + UInt32(code))
        case 7: return elementPAN
        default: return nil
        }
    }

    /// GET SECURE DATA, P1 02: encrypts what was collected.
    private mutating func encryptElements(_ cache: CryptoCache) {
        guard !secureElements.isEmpty else { return refuse(.noSecureData, .getSecureData) }
        let shown = secureElements.first { $0.tag == Self.elementPAN }?.value ?? []
        let block = encryptedSRED(secureElements.tlvBytes, cache)
        answer(.input([TLV(.numericData, Self.redacted(shown))] + block))
    }

    /// The first six and the last four digits with stars between.
    private static func redacted(_ digits: [UInt8]) -> [UInt8] {
        guard digits.count > 10 else { return [UInt8](repeating: 0x2A, count: digits.count) }
        let stars = [UInt8](repeating: 0x2A, count: digits.count - 10)
        return Array(digits.prefix(6)) + stars + Array(digits.suffix(4))
    }
}

extension MiuraStatusWord {
    /// 9FE2 of GET SECURE DATA: nothing was collected.
    static let noSecureData = failure(0xE2)
}

extension PAN {
    /// All digits in clear as ASCII, for a block that is encrypted.
    var unmaskedBytes: [UInt8] {
        var bytes: [UInt8] = []
        appendUnmasked(to: &bytes)
        return bytes
    }
}
