import EventLoops

/// The faults that meet one unit, with offsets counted from its start.
struct MetFaults {
    var corruptions: [(offset: Int, xor: UInt8)] = []
    var lostBytes: [Int] = []
    var repeatedBytes: [Int] = []
    var splits: [(offset: Int, gap: VirtualDuration)] = []
    var delay = VirtualDuration.zero
    var merge: (fault: LinkFault, within: VirtualDuration)?
    var isLost = false
    var isRepeated = false
    var cutOffset: Int?

    /// Divides a unit into parts, besides what faults divide.
    mutating func split(_ byteCount: Int, every size: Int, _ gap: VirtualDuration) {
        let end = min(byteCount, cutOffset ?? byteCount)
        for offset in stride(from: max(1, size), to: end, by: max(1, size))
        where !splits.contains(where: { $0.offset == offset }) {
            splits.append((offset, gap))
        }
        splits.sort { $0.offset < $1.offset }
    }

    /// Returns the bytes of a part of the unit as they arrive.
    func bytes(_ payload: ArraySlice<UInt8>, _ range: Range<Int>) -> ArraySlice<UInt8> {
        let start = payload.startIndex
        let part = payload[start + range.lowerBound..<start + range.upperBound]
        guard !corruptions.isEmpty || !lostBytes.isEmpty || !repeatedBytes.isEmpty else {
            return part
        }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(range.count + repeatedBytes.count)
        for offset in range {
            if lostBytes.contains(offset) { continue }
            var byte = payload[start + offset]
            for corruption in corruptions where corruption.offset == offset {
                byte ^= corruption.xor
            }
            bytes.append(byte)
            if repeatedBytes.contains(offset) { bytes.append(byte) }
        }
        return bytes[...]
    }
}

extension FaultInjector {
    /// Counts one unit and lets the faults that are addressed at it act.
    mutating func disturb(_ unit: TransportUnit, in window: TimeWindow, at now: VirtualInstant) {
        metUnitCount += 1
        let count = unit.payload.count
        let first = byteCount + 1
        metByteCount += count
        var faults = meetFaults(firstByte: first, byteCount: count, at: now)
        takeAim()
        if let size = timing.partByteCount { faults.split(count, every: size, timing.partGap) }

        if faults.isLost && faults.cutOffset == nil {
            base.grant(credits: 1)
            return
        }
        var window = window.later(by: faults.delay)
        let end = min(count, faults.cutOffset ?? count)
        let isPacket = if case .report = unit.kind { true } else { false }
        var parts: [(range: Range<Int>, window: TimeWindow)] = []
        if !faults.isLost {
            var lower = 0
            for split in faults.splits {
                parts.append((lower..<split.offset, window))
                lower = split.offset
                window = window.later(by: split.gap)
            }
            // A packet that is cut fails its checksum: the host never sees a part of it.
            let isCutArriving = lower < end && !isPacket
            if faults.cutOffset == nil || isCutArriving { parts.append((lower..<end, window)) }
        }
        let isWhole = faults.cutOffset == nil
        for round in 0..<(faults.isRepeated && isWhole ? 2 : 1) {
            for (range, partWindow) in parts {
                let part = TransportUnit(unit.kind, faults.bytes(unit.payload, range))
                arrive(part, in: round == 0 ? partWindow : window, at: now)
            }
        }
        if !isWhole {
            if parts.isEmpty { base.grant(credits: 1) }
            append(.detached(.cut), in: window)
            isLinkDown = true
        } else if let merge = faults.merge {
            waitingMerge = (merge.fault, unitCount)
            let last = toHost.count - 1
            let held = toHost[last].window.earliest + merge.within
            toHost[last].window = TimeWindow(at: held)
        }
    }

    /// Finds the lowest addresses that are still to come.
    mutating func takeAim() {
        aimedUnit = .max
        aimedByte = .max
        for fault in waitingFaults where fault.direction == .toHost {
            switch fault.address {
            case .unit(let number):
                if number > metUnitCount { aimedUnit = min(aimedUnit, number) }
            case .byteOfUnit(let number, _):
                if number > metUnitCount { aimedUnit = min(aimedUnit, number) }
            case .byte(let number):
                if number > metByteCount { aimedByte = min(aimedByte, number) }
            }
        }
        hostLine.isAimed = waitingFaults.contains { $0.direction == .toReader }
    }

    /// Appends a unit, or joins it with the one that waits for it.
    private mutating func arrive(
        _ unit: TransportUnit,
        in window: TimeWindow,
        at now: VirtualInstant
    ) {
        if let merge = waitingMerge, let last = toHost.last,
            case .received(var joined) = last.event,
            joined.kind == unit.kind, window.earliest <= last.window.earliest
        {
            joined.payload += unit.payload
            toHost.truncate(to: toHost.count - 1)
            toHost.append(.received(joined), in: window)
            base.grant(credits: 1)
            fire(merge.fault, unitNumber: merge.unitNumber, at: now)
            waitingMerge = nil
        } else {
            append(.received(unit), in: window)
        }
    }

    /// Collects the faults that are addressed at the unit just counted, and fires them.
    private mutating func meetFaults(
        firstByte first: Int,
        byteCount count: Int,
        at now: VirtualInstant
    ) -> MetFaults {
        guard !waitingFaults.isEmpty else { return MetFaults() }
        let (met, fired) = MetFaults.meeting(
            waitingFaults,
            .toHost,
            unitNumber: unitCount,
            firstByte: first,
            byteCount: count
        )
        for fault in fired { fire(fault, unitNumber: unitCount, at: now) }
        return met
    }

    mutating func fire(_ fault: LinkFault, unitNumber: Int, at now: VirtualInstant) {
        guard let index = waitingFaults.firstIndex(of: fault) else { return }
        waitingFaults.remove(at: index)
        firedFaults.append(FiredFault(fault: fault, time: now, unitNumber: unitNumber))
    }
}

extension MetFaults {
    /// Returns what the faults of one direction that are addressed at a unit do to it, and those of
    /// them that fire now.
    static func meeting(
        _ waitingFaults: [LinkFault],
        _ direction: LinkFault.Direction,
        unitNumber: Int,
        firstByte first: Int,
        byteCount count: Int
    ) -> (met: MetFaults, fired: [LinkFault]) {
        var met = MetFaults()
        func offset(of fault: LinkFault) -> Int? {
            guard fault.direction == direction else { return nil }
            switch fault.address {
            case .unit(let number): return number == unitNumber ? 0 : nil
            case .byte(let number):
                return number >= first && number - first < count ? number - first : nil
            case .byteOfUnit(let number, let byte):
                return number == unitNumber && byte >= 1 && byte <= count ? byte - 1 : nil
            }
        }
        for fault in waitingFaults where fault.action == .cut {
            guard let offset = offset(of: fault) else { continue }
            met.cutOffset = min(met.cutOffset ?? offset, offset)
        }
        let end = met.cutOffset ?? count
        met.isLost = waitingFaults.contains { fault in
            guard case .unit = fault.address, fault.action == .drop else { return false }
            return offset(of: fault) != nil && met.cutOffset != 0
        }
        var fired: [LinkFault] = []
        for fault in waitingFaults {
            guard let offset = offset(of: fault) else { continue }
            if met.collect(fault, offset, end: end) { fired.append(fault) }
        }
        met.splits.sort { $0.offset < $1.offset }
        return (met, fired)
    }

    /// Adds one fault to those that act on a unit; returns whether it fires now.
    private mutating func collect(_ fault: LinkFault, _ offset: Int, end: Int) -> Bool {
        if fault.action == .cut { return offset == cutOffset }
        let isOfUnit: Bool
        switch fault.address {
        case .unit: isOfUnit = true
        case .byte, .byteOfUnit: isOfUnit = false
        }
        if fault.action == .drop && isOfUnit { return isLost }
        guard !isLost, offset < end || cutOffset == nil else { return false }
        switch fault.action {
        case .cut:
            return false
        case .delay(let delay):
            self.delay = self.delay + max(.zero, delay)
        case .split(let distance, let gap):
            let (border, isTooLarge) = offset.addingReportingOverflow(distance)
            let last = cutOffset ?? end - 1
            guard !isTooLarge, border > 0, border <= last else { return false }
            guard !splits.contains(where: { $0.offset == border }) else { return false }
            splits.append((border, max(.zero, gap)))
        case .merge(let within):
            guard cutOffset == nil else { return false }
            merge = (fault, max(.zero, within))
            return false
        case .drop:
            lostBytes.append(offset)
        case .corrupt(let distance, let xor):
            let (place, isTooLarge) = offset.addingReportingOverflow(distance)
            guard !isTooLarge, place >= 0, place < end else { return false }
            corruptions.append((place, xor))
        case .duplicate:
            if isOfUnit {
                guard cutOffset == nil else { return false }
                isRepeated = true
            } else {
                repeatedBytes.append(offset)
            }
        }
        return true
    }
}
