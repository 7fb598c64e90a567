public import CardData

extension FieldListing {
    /// Lists a frame of the ViVOtech 2 protocol, which may be damaged.
    ///
    /// Data in which tag DFEE23 stands has the record of a swipe listed; other data is not shown,
    /// since it may hold a card's in clear.
    /// Source: see ``ViVOtechFrame``; tag DFEE23: Bluefin's integration guide of the VP3350.
    public init(viVOtech bytes: [UInt8]) {
        self.init()
        let header = ViVOtechFrame.header
        guard bytes.starts(with: header) else {
            let right = zip(bytes, header).prefix { $0 == $1 }.count
            complain(
                "a frame begins with ViVOtech2 and 00 (56 69 56 4F 74 65 63 68 32 00)",
                at: right
            )
            return
        }
        add("header", at: 0, byteCount: 10, SafeText("ViVOtech2"))
        guard bytes.count >= 14 else {
            complain(
                "command, subcommand or status, and length in two bytes follow the header; the "
                    + "input ends",
                at: bytes.count
            )
            return
        }
        let count = Int(bytes[12]) << 8 + Int(bytes[13])
        let end = 14 + count
        let crc = CRC16.checksum(of: bytes, in: 0..<min(end, bytes.count))
        let (high, low) = (UInt8(crc >> 8), UInt8(crc & 0xFF))
        var sent: (UInt8, UInt8)?
        if end + 2 <= bytes.count { sent = (bytes[end], bytes[end + 1]) }
        let isAnswer = sent.map { $0 == (high, low) } ?? false
        let isRequest = !isAnswer && (sent.map { $0 == (low, high) } ?? false)
        addViVOtechCommand(bytes, isAnswer: isAnswer, isRequest: isRequest)
        add("length", at: 12, byteCount: 2, SafeText(count), meaning: "of the data")
        let data = Array(bytes[14..<min(end, bytes.count)])
        if !data.isEmpty { addViVOtechData(data) }
        guard let sent else {
            complainToo(
                "the length makes a frame of \(end + 2) bytes, and the input ends after "
                    + "\(bytes.count)",
                at: bytes.count
            )
            return
        }
        let text = IDTechListing.hexadecimal(sent.0) + " " + IDTechListing.hexadecimal(sent.1)
        let order = isAnswer ? "right, high byte first" : isRequest ? "right, low byte first" : ""
        add("CRC", at: end, byteCount: 2, SafeText(scrubbing: text), meaning: order)
        if order.isEmpty {
            let right = IDTechListing.hexadecimal(low) + " " + IDTechListing.hexadecimal(high)
            let answer = IDTechListing.hexadecimal(high) + " " + IDTechListing.hexadecimal(low)
            complainToo("\(right) would be right for a request, \(answer) for an answer", at: end)
        }
        if bytes.count > end + 2 {
            let rest = bytes[(end + 2)...]
            if rest.allSatisfy({ $0 == 0 }) {
                add("padding", at: end + 2, byteCount: rest.count, SafeText(rest.count))
            } else {
                add("rest", at: end + 2, byteCount: rest.count, SafeText("not shown"))
                complainToo("the frame ends before this byte", at: end + 2)
            }
        }
    }

    private mutating func addViVOtechCommand(_ bytes: [UInt8], isAnswer: Bool, isRequest: Bool) {
        let command = ViVOtechFrame.meaning(ofCommand: bytes[10], isAnswer ? 0xFF : bytes[11])
        add(
            "command",
            at: 10,
            byteCount: 1,
            SafeText(wireBytes: bytes[10..<11]),
            meaning: command ?? ""
        )
        let status = ViVOtechFrame.meaning(ofStatus: bytes[11])
        add(
            isAnswer ? "status" : isRequest ? "subcommand" : "subcommand or status",
            at: 11,
            byteCount: 1,
            SafeText(wireBytes: bytes[11..<12]),
            meaning: isAnswer ? status ?? "not a status known here" : ""
        )
    }

    /// The data of an answer: a swipe's record behind tag DFEE23, if there is one.
    private mutating func addViVOtechData(_ data: [UInt8]) {
        let tag: [UInt8] = [0xDF, 0xEE, 0x23]
        guard data.count >= 5,
            let place = (0...(data.count - 5)).first(where: {
                data[$0..<($0 + 3)].elementsEqual(tag)
            }),
            let value = Self.tlvValue(data, at: place + 3)
        else {
            add("data", at: 14, byteCount: data.count, SafeText("not shown"))
            return
        }
        let before = value.lowerBound
        add("data", at: 14, byteCount: before, SafeText("not shown"), meaning: "up to tag DFEE23")
        let record = FieldListing(idTech: Array(data[value]))
        for var field in record.fields {
            field.offset += 14 + value.lowerBound
            fields.append(field)
        }
        for problem in record.problems {
            complainToo(problem.text, at: problem.offset + 14 + value.lowerBound)
        }
        let rest = data.count - value.upperBound
        if rest > 0 {
            add("data", at: 14 + value.upperBound, byteCount: rest, SafeText("not shown"))
        }
    }

    /// The value whose BER length stands at an offset, as far as it is there.
    private static func tlvValue(_ data: [UInt8], at offset: Int) -> Range<Int>? {
        let first = data[offset]
        let width = first < 0x80 ? 0 : Int(first & 0x7F)
        guard width <= 2, offset + 1 + width <= data.count else { return nil }
        let length =
            width == 0
            ? Int(first) : data[(offset + 1)...].prefix(width).reduce(0) { $0 << 8 | Int($1) }
        let start = offset + 1 + width
        guard length > 0, start + length <= data.count else { return nil }
        return start..<(start + length)
    }
}
