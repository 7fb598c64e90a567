public import CardCrypto
public import EventLoops
public import ReaderProtocols

extension SimulatedMagneSafeReader {
    /// The device serial number, property 0x03, as swipes carry it.
    var serial: [UInt8] { stored(0x03) ?? configuration.serial }

    private func stored(_ id: UInt8) -> [UInt8]? {
        state.properties.last { $0.id == id }?.value
    }

    /// The value of a property as it is stored, which holds from the next reset on.
    func value(of property: MagneSafeProperty) -> [UInt8] {
        if let value = stored(property.id) { return value }
        guard !configuration.model.isSureSwipe else { return property.factoryValue }
        switch (property.id, configuration.model) {
        case (0x00, .idynamo): return Array("21042875A01".utf8)
        case (0x02, _): return [UInt8(clamping: configuration.pollInterval.nanoseconds / 1_000_000)]
        case (0x03, _): return configuration.serial
        case (0x07, _): return configuration.mask.property
        case (0x08, _): return configuration.licenceMask.property
        case (0x0A, .dynamag(let count)): return [UInt8(clamping: count)]
        case (0x10, .idynamo): return [0x02]
        case (0x10, .keyboard): return [0x01]
        // As keyboards in the manual's examples 2 and 9 answer before it is set.
        case (0x2C, .keyboard): return [0x31, 0xFF, 0xFF, 0xFF, 0xFF]
        case (0x54, _): return [configuration.encryptsUnderDataVariant ? 1 : 0]
        default: return property.factoryValue
        }
    }

    /// Does what a command says.
    ///
    /// - Parameters:
    ///   - command: The command.
    ///   - cache: Keys and texts of earlier swipes.
    ///   - now: The time, which only the authenticated mode looks at.
    /// - Returns: The answer, and whether the reader resets after it.
    public mutating func execute(
        _ command: MagneSafeCommand,
        cache: CryptoCache,
        at now: VirtualInstant
    ) -> (response: MagneSafeResponse, resets: Bool) {
        advance(to: now)
        guard let kind = command.kind,
            !configuration.model.isSureSwipe || command.number <= 0x02
        else { return (MagneSafeResponse(configuration.unknownCommandResult), false) }
        let response: MagneSafeResponse
        switch kind {
        case .reset: return reset(command, cache)
        case .getProperty: response = getProperty(command)
        case .setProperty: response = setProperty(command, cache)
        case .getKeymapItem: response = getKeymapItem(command)
        case .setKeymapItem: response = setKeymapItem(command, cache)
        case .saveKeymap:
            response = withMAC(command, cache, byteCount: 0) {
                $0.state.savedKeymap = $0.state.keymap
            }
        case .getKSN:
            response =
                command.data.isEmpty
                ? MagneSafeResponse(.success, shownKSN.bytes) : MagneSafeResponse(.badParameter)
        case .setSessionID:
            guard command.data.count == 8 else { return (MagneSafeResponse(.badParameter), false) }
            sessionID = number(command.data)
            response = MagneSafeResponse(.success)
        case .activateAuthenticatedMode: response = activate(command, cache, at: now)
        case .activationChallengeReply: response = challengeReply(command, cache, at: now)
        case .deactivateAuthenticatedMode: response = deactivate(command, cache)
        case .getReaderState: response = MagneSafeResponse(.success, readerState)
        case .securityLevel: response = securityLevel(command, cache)
        case .getEncryptionCounter:
            response = MagneSafeResponse(.success, paddedSerial + counterBytes)
        case .encryptBulkData: response = encryptBulkData(command, cache)
        case .getTransactionCount, .readOldestTransaction, .eraseOldestTransaction, .powerDown,
            .getBatteryStatus:
            // Flash and wireless readers only.
            response = MagneSafeResponse(configuration.unknownCommandResult)
        }
        return (response, false)
    }

    // MARK: Keys and MACs

    /// The key serial number as the reader tells it; counter 0 belongs to the initial key, which
    /// is never used.
    private var shownKSN: KSN {
        configuration.hasKeys && ksn.counter == 0 ? ksn.withCounter(1) : ksn
    }

    /// Whether the last four bytes of the data are the MAC under the key that the reader tells.
    private func hasRightMAC(_ command: MagneSafeCommand, _ cache: CryptoCache) -> Bool {
        guard configuration.hasKeys, !hasExhaustedKeys, command.data.count >= 4 else {
            return false
        }
        let key = cache.derive(
            configuration.baseDerivationKey,
            ksn: shownKSN,
            variant: .macRequest
        )
        return Array(command.data.suffix(4)) == cache.mac(command.authenticatedBytes, key: key)
    }

    private mutating func useKey() {
        ksn = shownKSN
        advanceKSN()
    }

    /// Runs a command that needs a MAC above level 2 and has so many bytes of data without it.
    private mutating func withMAC(
        _ command: MagneSafeCommand,
        _ cache: CryptoCache,
        byteCount: Int,
        isAlwaysNeeded: Bool = false,
        _ body: (inout Self) -> Void
    ) -> MagneSafeResponse {
        if isAlwaysNeeded || securityLevel > .two {
            guard hasRightMAC(command, cache) else { return MagneSafeResponse(.invalidOperation) }
            guard command.data.count == byteCount + 4 else {
                return MagneSafeResponse(.badParameter)
            }
            useKey()
        } else if command.data.count != byteCount {
            return MagneSafeResponse(.badParameter)
        }
        body(&self)
        return MagneSafeResponse(.success)
    }

    private mutating func reset(
        _ command: MagneSafeCommand,
        _ cache: CryptoCache
    ) -> (MagneSafeResponse, Bool) {
        if securityLevel > .two, hasRightMAC(command, cache) {
            useKey()
        } else if securityLevel > .two, authentication.refusesPlainReset {
            return (MagneSafeResponse(.invalidOperation), false)
        } else if securityLevel == .two, !command.data.isEmpty {
            return (MagneSafeResponse(.badParameter), false)
        }
        return (MagneSafeResponse(.success), true)
    }

    // MARK: Properties

    private func property(_ id: UInt8) -> MagneSafeProperty? {
        if configuration.model.isSureSwipe { return MagneSafeProperty.sureSwipe(id: id) }
        guard let property = MagneSafeProperty.with(id: id),
            !property.models.isDisjoint(with: configuration.model.propertyModels)
        else { return nil }
        return property
    }

    private func getProperty(_ command: MagneSafeCommand) -> MagneSafeResponse {
        guard command.data.count == 1, let id = command.data.first else {
            return MagneSafeResponse(.badParameter)
        }
        guard let property = property(id) else {
            return MagneSafeResponse(configuration.unknownPropertyResult)
        }
        return MagneSafeResponse(.success, value(of: property))
    }

    private mutating func setProperty(
        _ command: MagneSafeCommand,
        _ cache: CryptoCache
    ) -> MagneSafeResponse {
        let needsMAC = securityLevel > .two
        if needsMAC, !hasRightMAC(command, cache) { return MagneSafeResponse(.invalidOperation) }
        guard let id = command.data.first, command.data.count > (needsMAC ? 4 : 0) else {
            return MagneSafeResponse(.badParameter)
        }
        let value = Array(command.data.dropFirst().dropLast(needsMAC ? 4 : 0))
        guard let property = property(id) else {
            return MagneSafeResponse(configuration.unknownPropertyResult)
        }
        switch property.access {
        case .readOnly: return MagneSafeResponse(.failure)
        case .writeOnce:
            if !self.value(of: property).isEmpty { return MagneSafeResponse(.invalidOperation) }
        case .readWrite: break
        }
        guard property.accepts(value), isValid(value, for: id) else {
            return MagneSafeResponse(.badParameter)
        }
        if needsMAC { useKey() }
        store(id == 0x2C && value.count == 4 ? [0x31] + value.dropFirst() : value, at: id)
        return MagneSafeResponse(.success)
    }

    /// Masks must be readable; everything else has its form.
    private func isValid(_ value: [UInt8], for id: UInt8) -> Bool {
        guard id == 0x07 || id == 0x08, !configuration.model.isSureSwipe else { return true }
        return MagneSafeMask(property: String(decoding: value, as: UTF8.self)) != nil
    }

    private mutating func store(_ value: [UInt8], at id: UInt8) {
        var state = state
        state.properties.removeAll { $0.id == id }
        state.properties.append(MagneSafePropertyValue(id: id, value: value))
        state.hasNewProperties = true
        self.state = state
    }

    // MARK: Keymap

    private func getKeymapItem(_ command: MagneSafeCommand) -> MagneSafeResponse {
        guard command.data.count == 1, let character = command.data.first,
            let us = KeyboardReports.stroke(for: character)
        else { return MagneSafeResponse(.badParameter) }
        let stroke = state.keymap.first { $0.character == character }?.stroke ?? us
        return MagneSafeResponse(.success, [stroke.usage, stroke.modifiers])
    }

    private mutating func setKeymapItem(
        _ command: MagneSafeCommand,
        _ cache: CryptoCache
    ) -> MagneSafeResponse {
        guard command.data.count >= 3, command.data[0] < 128 else {
            return MagneSafeResponse(.badParameter)
        }
        let item = KeymapItem(
            character: command.data[0],
            stroke: KeyStroke(usage: command.data[1], modifiers: command.data[2])
        )
        return withMAC(command, cache, byteCount: 3) {
            $0.state.keymap.removeAll { $0.character == item.character }
            $0.state.keymap.append(item)
        }
    }

    // MARK: Level, state and counter

    private mutating func securityLevel(
        _ command: MagneSafeCommand,
        _ cache: CryptoCache
    ) -> MagneSafeResponse {
        if command.data.isEmpty { return MagneSafeResponse(.success, [securityLevel.rawValue]) }
        guard command.data.count == 5,
            let level = MagneSafeSecurityLevel(rawValue: command.data[0]),
            level > securityLevel
        else { return MagneSafeResponse(.badParameter) }
        return withMAC(command, cache, byteCount: 1, isAlwaysNeeded: true) {
            $0.securityLevel = level
        }
    }

    private var readerState: [UInt8] {
        // A reader that waits for no activation waits for a swipe (assumed).
        let isOpen = securityLevel < .four && authentication.state == .waitingForActivation
        let state = isOpen ? MagneSafeAuthentication.State.waitingForSwipe : authentication.state
        return [state.rawValue, authentication.antecedent.rawValue]
    }

    private var paddedSerial: [UInt8] {
        let serial = serial.prefix(16)
        return serial + Array(repeating: 0, count: 16 - serial.count)
    }

    private var counterBytes: [UInt8] {
        let counter = encryptionCounter ?? 0xFF_FFFF
        return [16, 8, 0].map { UInt8(truncatingIfNeeded: counter >> $0) }
    }

    // MARK: Authenticated mode

    private static let challengeMask: UInt64 = 0xF0F0_F0F0_F0F0_F0F0
    private static let replyMask: UInt64 = 0x3C3C_3C3C_3C3C_3C3C

    private func block(_ value: UInt64) -> [UInt8] {
        (0..<8).map { UInt8(truncatingIfNeeded: value >> UInt64(56 - $0 * 8)) }
    }

    private func number(_ bytes: some Collection<UInt8>) -> UInt64 {
        bytes.reduce(0) { $0 << 8 | UInt64($1) }
    }

    private func key(_ mask: UInt64, _ cache: CryptoCache) -> CipherKey {
        cache.derive(configuration.baseDerivationKey, ksn: ksn, variant: .pin).masked(mask)
    }

    private mutating func nextChallenges() -> MagneSafeReaderConfiguration.Challenges {
        if let fixed = configuration.fixedChallenges { return fixed }
        var generator = SplitMix64(seed: configuration.challengeSeed &+ state.challengeCount)
        state.challengeCount += 1
        return .init(first: generator.next(), second: generator.next())
    }

    private mutating func activate(
        _ command: MagneSafeCommand,
        _ cache: CryptoCache,
        at now: VirtualInstant
    ) -> MagneSafeResponse {
        guard isEncrypting, !hasExhaustedKeys else { return MagneSafeResponse(.invalidOperation) }
        guard command.data.count == 2 || command.data.isEmpty else {
            return MagneSafeResponse(.badParameter)
        }
        switch authentication.state {
        case .waitingForReply, .waitingForSwipe: return MagneSafeResponse(.redundant)
        case .delayed: return MagneSafeResponse(.delayed)
        case .waitingForActivation: break
        }
        if encryptionCounter == 0 { return MagneSafeResponse(.counterExpired) }
        useKey()
        guard !hasExhaustedKeys else { return MagneSafeResponse(.invalidOperation) }
        let challenges = nextChallenges()
        let first = challenges.first & ~0xFFFF | number(ksn.bytes.suffix(2))
        authentication.challenge(
            first: first,
            second: challenges.second,
            seconds: Int(number(command.data)),
            at: now
        )
        let key = key(Self.challengeMask, cache)
        return MagneSafeResponse(
            .success,
            ksn.bytes + cache.encrypt(block(first), key: key)
                + cache.encrypt(block(challenges.second), key: key)
        )
    }

    private mutating func challengeReply(
        _ command: MagneSafeCommand,
        _ cache: CryptoCache,
        at now: VirtualInstant
    ) -> MagneSafeResponse {
        guard authentication.state == .waitingForReply else {
            return MagneSafeResponse(.invalidOperation)
        }
        guard command.data.count == 8 || command.data.count == 16 else {
            return MagneSafeResponse(.badParameter)
        }
        let key = key(Self.replyMask, cache)
        let text = cache.decrypt(command.data.prefix(8), key: key) ?? []
        guard authentication.reply(number(text), at: now) == true else {
            advanceKSN()
            return MagneSafeResponse(.badData)
        }
        if command.data.count == 16 {
            // Each block for itself, as the challenges are (assumed).
            sessionID = number(cache.decrypt(command.data.suffix(8), key: key) ?? [])
        }
        countEncryption()
        return MagneSafeResponse(.success)
    }

    private mutating func deactivate(
        _ command: MagneSafeCommand,
        _ cache: CryptoCache
    ) -> MagneSafeResponse {
        guard authentication.state == .waitingForSwipe else {
            return MagneSafeResponse(.invalidOperation)
        }
        guard command.data.count == 8 else { return MagneSafeResponse(.badParameter) }
        let text = cache.decrypt(command.data, key: key(Self.replyMask, cache)) ?? []
        do {
            if try authentication.deactivate(number(text)) == true { advanceKSN() }
            return MagneSafeResponse(.success)
        } catch {
            return MagneSafeResponse(.redundant)
        }
    }

    // MARK: Bulk data

    /// Serial number, count, key serial number, cryptogram and MAC; the count is that of the
    /// cryptogram's bytes and the MAC covers all before it (both assumed).
    private mutating func encryptBulkData(
        _ command: MagneSafeCommand,
        _ cache: CryptoCache
    ) -> MagneSafeResponse {
        guard isEncrypting, !hasExhaustedKeys else { return MagneSafeResponse(.invalidOperation) }
        let cryptogramByteCount = (command.data.count + 7) / 8 * 8
        let limit = settings.interface == .stream ? 255 : featureByteCount - 2
        guard (1...120).contains(command.data.count), 31 + cryptogramByteCount <= limit else {
            return MagneSafeResponse(.badParameter)
        }
        useKey()
        guard !hasExhaustedKeys else { return MagneSafeResponse(.invalidOperation) }
        let source = configuration.baseDerivationKey
        let cryptogram = cache.encrypt(
            command.data,
            key: cache.derive(source, ksn: ksn, variant: .dataResponse)
        )
        let data = paddedSerial + [UInt8(cryptogram.count)] + ksn.bytes + cryptogram
        let code = cache.mac(data, key: cache.derive(source, ksn: ksn, variant: .macResponse))
        return MagneSafeResponse(.success, data + code)
    }
}
