/// The first track of a financial card: number, name, date, and what the issuer adds.
///
/// Source: ISO/IEC 7813, structure B; sentinels `%` and `?`, at most 79 characters with the LRC,
/// which is not part of this value.
public struct Track1: Hashable, Sendable {
    /// The card's number.
    public var pan: PAN
    /// The cardholder's name as the stripe has it, padding blanks included; at most 26 characters.
    public var name: [UInt8]
    /// The expiration date; `nil` is a separator in its place.
    public var expirationDate: ExpirationDate?
    /// The service code; `nil` is a separator in its place.
    public var serviceCode: ServiceCode?
    /// What the issuer adds; card data that is never shown.
    public var discretionaryData: [UInt8]

    /// Creates a track from its fields; the name is cut after 26 characters.
    public init(
        pan: PAN,
        name: String,
        expirationDate: ExpirationDate?,
        serviceCode: ServiceCode?,
        discretionaryData: String = ""
    ) {
        self.pan = pan
        self.name = Array(name.utf8.prefix(26))
        self.expirationDate = expirationDate
        self.serviceCode = serviceCode
        self.discretionaryData = Array(discretionaryData.utf8)
    }

    /// Reads a track with its sentinels, or returns `nil` when it is not of structure B.
    public init?(parsing stripe: some Collection<UInt8>) {
        let bytes = Array(stripe)
        guard bytes.count <= 79, bytes.starts(with: [0x25, 0x42]), bytes.last == 0x3F else {
            return nil
        }
        let body = bytes[2..<(bytes.count - 1)]
        guard let first = body.firstIndex(of: 0x5E),
            let second = body[(first + 1)...].firstIndex(of: 0x5E), second - first - 1 <= 26,
            let pan = PAN(body[..<first]), let rest = TrackTail(body[(second + 1)...], 0x5E)
        else { return nil }
        self.pan = pan
        name = Array(body[(first + 1)..<second])
        expirationDate = rest.expirationDate
        serviceCode = rest.serviceCode
        discretionaryData = rest.discretionaryData
    }

    /// The track in clear with its sentinels, as a reader's head decodes it.
    public var unmaskedBytes: [UInt8] {
        var bytes: [UInt8] = [0x25, 0x42]
        pan.appendUnmasked(to: &bytes)
        bytes.append(0x5E)
        bytes.append(contentsOf: name)
        bytes.append(0x5E)
        TrackTail(expirationDate, serviceCode, discretionaryData).append(to: &bytes, 0x5E)
        bytes.append(0x3F)
        return bytes
    }
}

/// The second track of a financial card: number, date, and what the issuer adds.
///
/// Source: ISO/IEC 7813; sentinels `;` and `?`, at most 40 characters with the LRC, which is not
/// part of this value.
public struct Track2: Hashable, Sendable {
    /// The card's number.
    public var pan: PAN
    /// The expiration date; `nil` is a separator in its place.
    public var expirationDate: ExpirationDate?
    /// The service code; `nil` is a separator in its place.
    public var serviceCode: ServiceCode?
    /// What the issuer adds; card data that is never shown.
    public var discretionaryData: [UInt8]

    /// Creates a track from its fields.
    public init(
        pan: PAN,
        expirationDate: ExpirationDate?,
        serviceCode: ServiceCode?,
        discretionaryData: String = ""
    ) {
        self.pan = pan
        self.expirationDate = expirationDate
        self.serviceCode = serviceCode
        self.discretionaryData = Array(discretionaryData.utf8)
    }

    /// Reads a track with its sentinels, or returns `nil` when it is not a financial card's.
    public init?(parsing stripe: some Collection<UInt8>) {
        let bytes = Array(stripe)
        guard bytes.count >= 2, bytes.count <= 40, bytes.first == 0x3B, bytes.last == 0x3F else {
            return nil
        }
        let body = bytes[1..<(bytes.count - 1)]
        guard let first = body.firstIndex(of: 0x3D), let pan = PAN(body[..<first]),
            let rest = TrackTail(body[(first + 1)...], 0x3D)
        else { return nil }
        self.pan = pan
        expirationDate = rest.expirationDate
        serviceCode = rest.serviceCode
        discretionaryData = rest.discretionaryData
    }

    /// The track in clear with its sentinels, as a reader's head decodes it.
    public var unmaskedBytes: [UInt8] {
        var bytes: [UInt8] = [0x3B]
        pan.appendUnmasked(to: &bytes)
        bytes.append(0x3D)
        TrackTail(expirationDate, serviceCode, discretionaryData).append(to: &bytes, 0x3D)
        bytes.append(0x3F)
        return bytes
    }
}

/// What tracks 1 and 2 have in common after the last separator.
private struct TrackTail {
    var expirationDate: ExpirationDate?
    var serviceCode: ServiceCode?
    var discretionaryData: [UInt8]

    init(_ date: ExpirationDate?, _ code: ServiceCode?, _ discretionaryData: [UInt8]) {
        expirationDate = date
        serviceCode = code
        self.discretionaryData = discretionaryData
    }

    init?(_ bytes: ArraySlice<UInt8>, _ separator: UInt8) {
        var rest = bytes
        if rest.first == separator {
            rest = rest.dropFirst()
        } else {
            guard let date = ExpirationDate(stripe: rest.prefix(4)) else { return nil }
            expirationDate = date
            rest = rest.dropFirst(4)
        }
        if rest.first == separator {
            rest = rest.dropFirst()
        } else {
            guard let code = ServiceCode(stripe: rest.prefix(3)) else { return nil }
            serviceCode = code
            rest = rest.dropFirst(3)
        }
        discretionaryData = Array(rest)
    }

    func append(to bytes: inout [UInt8], _ separator: UInt8) {
        if let expirationDate {
            expirationDate.appendStripe(to: &bytes)
        } else {
            bytes.append(separator)
        }
        if let serviceCode {
            serviceCode.appendStripe(to: &bytes)
        } else {
            bytes.append(separator)
        }
        bytes.append(contentsOf: discretionaryData)
    }
}

extension Track1: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The masked number only.
    public var description: String { "track 1 of \(pan)" }

    /// The same as ``description``.
    public var debugDescription: String { description }

    /// A mirror without children, so that reflection shows no card data.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension Track2: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The masked number only.
    public var description: String { "track 2 of \(pan)" }

    /// The same as ``description``.
    public var debugDescription: String { description }

    /// A mirror without children, so that reflection shows no card data.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
