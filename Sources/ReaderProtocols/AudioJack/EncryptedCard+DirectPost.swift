import CardData

/// One variable of a Direct Post string, in clear and not yet percent-encoded.
public struct DirectPostVariable: Hashable, Sendable {
    /// The variable's name, such as `encrypted_track_1`.
    public var name: String
    /// The value as the library writes it, without any escaping.
    public var value: String

    /// Creates a variable.
    public init(name: String, value: String) {
        self.name = name
        self.value = value
    }
}

/// The variables of `getDirectPostStringWithCVVIncluded:`.
///
/// | reading | first variable | others |
/// | --- | --- | --- |
/// | `observed` | `encrypted_track_1` always, with the text `null` when there is none | when not `nil`, empty ones too |
/// | `careful` | what is there | when not `nil`, empty ones too |
///
/// Tracks are lower-case hexadecimal; the KSN is lower case from a Shuttle and upper case from an
/// IPS. The IPS's card has an empty `cvv` until the app sets one.
/// Source: NMI Direct Post documentation, Retail Data ("IDTECH M130 encrypted swipe"); observed
/// output of the Android library.
extension EncryptedCard {
    /// Returns the variables in the library's order.
    ///
    /// - Parameters:
    ///   - reading: Whose habits to follow.
    ///   - includesCVV: Whether the app asked for the verification value.
    ///   - cvv: The verification value that the app set, or `nil`.
    /// - Returns: At most five variables.
    public func directPostVariables(
        _ reading: PacketReading = .careful,
        includesCVV: Bool = false,
        cvv: String? = nil
    ) -> [DirectPostVariable] {
        var variables: [DirectPostVariable] = []
        func add(_ name: String, _ value: String?) {
            if let value { variables.append(DirectPostVariable(name: name, value: value)) }
        }
        let first = track1.map(Self.lowercaseHexadecimal)
        switch reading {
        case .observed: add("encrypted_track_1", first ?? "null")
        case .careful: add("encrypted_track_1", first)
        }
        add("encrypted_track_2", track2.map(Self.lowercaseHexadecimal))
        add("encrypted_track_3", track3.map(Self.lowercaseHexadecimal))
        switch library {
        case .uniMag: add("encrypted_ksn", ksn.map(Self.lowercaseHexadecimal))
        case .ips: add("encrypted_ksn", ksn.map { Hexadecimal.encode($0) })
        }
        if includesCVV { add("cvv", cvv ?? (library == .ips ? "" : nil)) }
        return variables
    }

    /// Returns the string of the library: `name=value` joined by `&`, nothing escaped.
    public func directPostText(
        _ reading: PacketReading = .careful,
        includesCVV: Bool = false,
        cvv: String? = nil
    ) -> String {
        directPostVariables(reading, includesCVV: includesCVV, cvv: cvv)
            .map { "\($0.name)=\($0.value)" }.joined(separator: "&")
    }

    private static func lowercaseHexadecimal(_ bytes: [UInt8]) -> String {
        Hexadecimal.encode(bytes).lowercased()
    }
}
