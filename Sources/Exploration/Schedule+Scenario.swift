public import ScenarioLanguage

extension Schedule {
    /// The hash of a parsed scenario, by which a schedule names the scenario that it belongs to.
    ///
    /// It takes in what decides which events there are: the readers, the gateway, and the steps in
    /// their own words. Comments, names, line numbers and promises about the end change nothing.
    ///
    /// - Complexity: O(*n*) in the text of the steps.
    public static func hash(of scenario: Scenario) -> UInt64 {
        var hash = StableHash()
        for reader in scenario.rig.readers {
            hash.fold("reader")
            hash.fold(reader.name)
            hash.fold(reader.kind.rawValue)
            hash.fold(reader.isAttachedAtStart ? "attached" : "away")
            hash.fold(reader.notifications.rawValue)
        }
        hash.fold(scenario.rig.gateway?.rawValue ?? "no gateway")
        fold(scenario.steps, into: &hash)
        return hash.value
    }

    private static func fold(_ steps: [Step], into hash: inout StableHash) {
        hash.fold("(")
        for step in steps {
            hash.fold(step.words)
            fold(step.action.innerSteps, into: &hash)
        }
        hash.fold(")")
    }
}

/// FNV-1a of 64 bits over texts, each closed by a byte that UTF-8 never has.
///
/// Source: Fowler, Noll, Vo, Eastlake, "The FNV Non-Cryptographic Hash Algorithm".
private struct StableHash {
    private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

    mutating func fold(_ text: String) {
        for byte in text.utf8 { fold(byte) }
        fold(0xFF)
    }

    private mutating func fold(_ byte: UInt8) {
        value = (value ^ UInt64(byte)) &* 0x0000_0100_0000_01B3
    }
}
