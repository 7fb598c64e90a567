extension TLVTag {
    /// Returns a value as it may be shown, by ``secrecy``.
    public func shown(_ value: [UInt8]) -> SafeText {
        guard !value.isEmpty else { return SafeText("empty") }
        let shown: SafeText? =
            switch secrecy {
            case .open: value.count <= 256 ? SafeText(wireBytes: value) : nil
            case .text: SafeText(scrubbing: String(decoding: value, as: UTF8.self))
            case .cardNumber: Self.cardNumber(Self.halves(value)[...]).map { SafeText($0) }
            case .binaryTrack: Self.track(Self.halves(value))
            case .track: SafeText(track: value)
            case .hidden: nil
            case .unknown:
                value.count <= 16 ? SafeText(scrubbing: Hexadecimal.encode(value)) : nil
            }
        return shown ?? SafeText(scrubbing: "\(value.count) bytes")
    }

    /// The half bytes as characters: digits, `=` for D, `*` for F, which readers mask with.
    private static func halves(_ value: [UInt8]) -> [UInt8] {
        var halves = value.flatMap { [$0 >> 4, $0 & 0xF] }
        if halves.last == 0xF { halves.removeLast() }
        return halves.map { $0 < 10 ? 0x30 + $0 : $0 == 0xD ? 0x3D : 0x2A }
    }

    private static func cardNumber(_ characters: ArraySlice<UInt8>) -> MaskedCardNumber? {
        var number = Array(characters.prefix { $0 != 0x3D })
        if number.count > 10 {
            for index in 6..<(number.count - 4) { number[index] = 0x2A }
        }
        return MaskedCardNumber(number[...])
    }

    /// Track 2 with its number masked and what follows the expiration date hidden.
    private static func track(_ characters: [UInt8]) -> SafeText? {
        guard let separator = characters.firstIndex(of: 0x3D),
            let number = cardNumber(characters[..<separator])
        else { return nil }
        var text: [UInt8] = []
        number.append(to: &text)
        text.append(0x3D)
        let date = characters[(separator + 1)...].prefix(4)
        text += ExpirationDate(stripe: date) == nil ? date.map { _ in 0x2A } : Array(date)
        text += characters[(separator + 1)...].dropFirst(4).map { _ in 0x2A }
        return SafeText(scrubbing: String(decoding: text, as: UTF8.self))
    }
}

extension TLV: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The object as a line, with values as ``TLVTag/shown(_:)`` gives them.
    public var description: String {
        guard children.isEmpty, !tag.isConstructed || !value.isEmpty else {
            return "\(tag) { " + children.map(\.description).joined(separator: " ")
                + (children.isEmpty ? "}" : " }")
        }
        return "\(tag)=\(tag.shown(value))"
    }

    /// The same as ``description``.
    public var debugDescription: String { description }

    /// A mirror without children.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension FieldListing {
    /// Lists BER-TLV objects, each in its line, those inside others indented.
    ///
    /// Values are masked by what the tag is. What is wrong is named with its byte; the objects
    /// before it are listed all the same.
    /// - Complexity: O(*n*).
    public init(berTLV bytes: [UInt8]) {
        self.init()
        guard bytes.contains(where: { $0 != 0 }) else {
            complain("there is no object", at: 0)
            return
        }
        addObjects(bytes, 0..<bytes.count, depth: 1) { $0 }
    }

    /// Lists objects of which the place in the input is known for each byte.
    package mutating func addObjects(
        _ bytes: [UInt8],
        _ range: Range<Int>,
        depth: Int,
        place: (Int) -> Int
    ) {
        var position = range.lowerBound
        while position < range.upperBound, problem == nil {
            guard bytes[position] != 0 else {
                position += 1
                continue
            }
            let header: TLVHeader
            do throws(TLVError) {
                guard depth <= TLV.maximumDepth else {
                    throw TLVError(.nestedTooDeeply, offset: position)
                }
                header = try TLVHeader(in: bytes, at: position, end: range.upperBound)
            } catch {
                complain(error.reason, at: place(min(error.offset, bytes.count - 1)))
                return
            }
            let tag = header.tag
            let value = Array(bytes[header.value])
            let indent = String(repeating: "  ", count: depth - 1)
            add(
                indent + "\(tag)" + (tag.name.map { " \($0)" } ?? ""),
                at: place(position),
                byteCount: header.value.upperBound - position,
                tag.isConstructed
                    ? SafeText(scrubbing: "\(value.count) bytes") : tag.shown(value),
                meaning: tag.isConstructed ? "template" : tag.meaning(of: value)
            )
            if tag.isConstructed {
                addObjects(bytes, header.value, depth: depth + 1, place: place)
            }
            position = header.value.upperBound
        }
    }
}
