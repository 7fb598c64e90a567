public import CardData

/// The serial framing of ID TECH's readers, as one side of a line or both have it.
extension FieldListing {
    /// Lists what passed on a serial line or a control pipe: commands (`02 … 03 LRC`) and answers
    /// (`06`, `15`, `06 02 … 03 LRC`), one after the other.
    ///
    /// A frame ends at the first `03` that its LRC follows; without one it is all the rest, and what
    /// is wrong is named.
    /// - Complexity: O(*n*) for each frame; at most 256 frames.
    /// Source: SecureMag User Manual (MS246 manual 80096504-001), Command Protocol.
    public init(itp bytes: [UInt8]) {
        self.init()
        guard !bytes.isEmpty else {
            complain("a command (02 ... 03 LRC) or an answer (06, 15) is expected", at: 0)
            return
        }
        var place = 0
        var frameCount = 0
        while place < bytes.count {
            frameCount += 1
            guard frameCount <= 256 else {
                complainToo("a listing has at most 256 frames", at: place)
                return
            }
            let end = Self.endOfITPFrame(bytes, from: place)
            append(FieldListing(itpFrame: Array(bytes[place..<end])), at: place)
            place = end
        }
    }

    private init(itpFrame bytes: [UInt8]) {
        self.init()
        switch bytes[0] {
        case IDTechLayout.start: addCommand(bytes)
        case IDTechAnswer.acknowledgement, IDTechAnswer.refusal: addAnswer(bytes)
        default:
            add("bytes", at: 0, byteCount: bytes.count, SafeText("not shown"))
            complain(
                "a command begins with 02, an answer with 06 or 15; here is "
                    + IDTechListing.hexadecimal(bytes[0]),
                at: 0
            )
        }
    }

    private static func endOfITPFrame(_ bytes: [UInt8], from start: Int) -> Int {
        switch bytes[start] {
        case IDTechLayout.start: return endOfITPCommand(bytes, from: start) ?? bytes.count
        case IDTechAnswer.acknowledgement:
            guard start + 1 < bytes.count else { return start + 1 }
            if bytes[start + 1] == IDTechLayout.start {
                return IDTechAnswer.endOfData(in: bytes, from: start + 1) ?? bytes.count
            }
            // `06 56 ..` and `06 EE` end with silence; another answer or command does not.
            let isBare = bytes[start + 1] == 0x56 || bytes[start + 1] == 0xEE
            return isBare ? min(bytes.count, start + (bytes[start + 1] == 0x56 ? 4 : 2)) : start + 1
        case IDTechAnswer.refusal: return start + 1
        default:
            // Up to where something begins.
            let next = bytes[(start + 1)...].firstIndex {
                $0 == IDTechLayout.start || $0 == IDTechAnswer.acknowledgement
            }
            return next ?? bytes.count
        }
    }

    /// The end of a command, whose LRC may leave out the `02` where keys are loaded.
    private static func endOfITPCommand(_ bytes: [UInt8], from start: Int) -> Int? {
        if let end = IDTechAnswer.endOfData(in: bytes, from: start) { return end }
        guard bytes[(start + 1)...].starts(with: [0x46, 0x46]) else { return nil }
        var lrc: UInt8 = 0
        for index in (start + 1)..<(bytes.count - 1) {
            lrc ^= bytes[index]
            if bytes[index] == IDTechLayout.end, bytes[index + 1] == lrc { return index + 2 }
        }
        return nil
    }

    private mutating func append(_ listing: FieldListing, at offset: Int) {
        for var field in listing.fields {
            field.offset += offset
            fields.append(field)
        }
        for problem in listing.problems { complainToo(problem.text, at: problem.offset + offset) }
    }
}
