extension USBMonPacket {
    /// Which URB a record is about.
    public struct URB: Hashable, Sendable {
        /// Pairs a submission with its completion.
        public var id: UInt64
        /// The bus.
        public var busNumber: UInt16
        /// The device's address on the bus.
        public var deviceAddress: UInt8

        /// Names an URB; ids are the writer's choice, and may be used again after completion.
        public init(id: UInt64, busNumber: UInt16, deviceAddress: UInt8) {
            self.id = id
            self.busNumber = busNumber
            self.deviceAddress = deviceAddress
        }
    }

    /// The host asks an endpoint for, or sends it, a report or piece of a stream.
    ///
    /// - Parameters:
    ///   - urb: Which URB.
    ///   - transfer: Interrupt or bulk.
    ///   - endpointAddress: With bit 7 set for IN.
    ///   - byteCount: The size of an IN buffer; ignored for OUT.
    ///   - data: What an OUT transfer sends; ignored for IN.
    ///   - time: When.
    /// - Returns: A record with status -115 (in progress).
    public static func submission(
        of urb: URB,
        transfer: TransferType,
        endpointAddress: UInt8,
        byteCount: Int,
        data: [UInt8] = [],
        at time: CaptureTime
    ) -> USBMonPacket {
        let isIn = endpointAddress & 0x80 != 0
        return USBMonPacket(
            urb,
            .submission,
            transfer,
            endpointAddress: endpointAddress,
            dataFlag: isIn ? UInt8(ascii: "<") : 0,
            status: .inProgress,
            urbByteCount: isIn ? byteCount : data.count,
            data: isIn ? [] : data,
            at: time
        )
    }

    /// An endpoint's transfer ended: IN with the bytes that came, OUT with the count that went.
    ///
    /// - Parameters:
    ///   - urb: The URB of the submission.
    ///   - transfer: Interrupt or bulk.
    ///   - endpointAddress: With bit 7 set for IN.
    ///   - data: What an IN transfer brought; ignored for OUT.
    ///   - byteCount: How many bytes an OUT transfer moved; ignored for IN.
    ///   - status: How it ended.
    ///   - time: When.
    /// - Returns: A record that pairs with the last submission of the same URB and endpoint.
    public static func completion(
        of urb: URB,
        transfer: TransferType,
        endpointAddress: UInt8,
        data: [UInt8] = [],
        byteCount: Int = 0,
        status: USBStatus = .success,
        at time: CaptureTime
    ) -> USBMonPacket {
        let isIn = endpointAddress & 0x80 != 0
        return USBMonPacket(
            urb,
            .completion,
            transfer,
            endpointAddress: endpointAddress,
            dataFlag: isIn ? 0 : UInt8(ascii: ">"),
            status: status,
            urbByteCount: isIn ? data.count : byteCount,
            data: isIn ? data : [],
            at: time
        )
    }

    /// The host asks for an IN report on an interrupt endpoint.
    public static func interruptInSubmission(
        of urb: URB,
        endpointAddress: UInt8,
        byteCount: Int,
        at time: CaptureTime
    ) -> USBMonPacket {
        submission(
            of: urb,
            transfer: .interrupt,
            endpointAddress: endpointAddress | 0x80,
            byteCount: byteCount,
            at: time
        )
    }

    /// The reader's IN report, whole, as one completed URB.
    public static func interruptInCompletion(
        of urb: URB,
        endpointAddress: UInt8,
        report: [UInt8],
        status: USBStatus = .success,
        at time: CaptureTime
    ) -> USBMonPacket {
        completion(
            of: urb,
            transfer: .interrupt,
            endpointAddress: endpointAddress | 0x80,
            data: report,
            status: status,
            at: time
        )
    }

    /// A control request; `data` is what an OUT request sends.
    public static func controlSubmission(
        of urb: URB,
        setup: USBSetupPacket,
        data: [UInt8] = [],
        at time: CaptureTime
    ) -> USBMonPacket {
        var packet = USBMonPacket(
            urb,
            .submission,
            .control,
            endpointAddress: setup.isIn ? 0x80 : 0x00,
            dataFlag: setup.isIn ? UInt8(ascii: "<") : 0,
            status: .inProgress,
            urbByteCount: setup.isIn ? Int(setup.byteCount) : data.count,
            data: setup.isIn ? [] : data,
            at: time
        )
        packet.setup = setup
        packet.setupFlag = 0
        return packet
    }

    /// The answer to a control request: the data of an IN request, the count of an OUT request.
    public static func controlCompletion(
        of urb: URB,
        setup: USBSetupPacket,
        data: [UInt8] = [],
        status: USBStatus = .success,
        at time: CaptureTime
    ) -> USBMonPacket {
        completion(
            of: urb,
            transfer: .control,
            endpointAddress: setup.isIn ? 0x80 : 0x00,
            data: data,
            byteCount: status == .success ? Int(setup.byteCount) : 0,
            status: status,
            at: time
        )
    }

    private init(
        _ urb: URB,
        _ event: EventType,
        _ transfer: TransferType,
        endpointAddress: UInt8,
        dataFlag: UInt8,
        status: USBStatus,
        urbByteCount: Int,
        data: [UInt8],
        at time: CaptureTime
    ) {
        urbID = urb.id
        self.event = event
        self.transfer = transfer
        self.endpointAddress = endpointAddress
        deviceAddress = urb.deviceAddress
        busNumber = urb.busNumber
        setup = nil
        setupFlag = UInt8(ascii: "-")
        self.dataFlag = dataFlag
        self.time = time
        self.status = status
        self.urbByteCount = urbByteCount
        capturedByteCount = data.count
        interval = 0
        startFrame = 0
        transferFlags = endpointAddress & 0x80 != 0 ? 0x200 : 0
        isochronousErrorCount = 0
        isochronousDescriptors = []
        self.data = data[...]
    }

    /// The same record of a transfer that moved more bytes than it holds.
    ///
    /// - Parameter byteCount: How many were moved; fewer than it holds are not taken.
    /// - Returns: The record, which says that it is cut.
    public func moving(byteCount: Int) -> USBMonPacket {
        guard byteCount > data.count else { return self }
        var packet = self
        packet.urbByteCount = byteCount
        return packet
    }

    /// Returns the record as the bytes of a packet of link type 220.
    public func encode(byteOrder: ByteOrder = .littleEndian) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(Self.headerByteCount + data.count)
        bytes.store(urbID, byteOrder)
        bytes += [event.rawValue, transfer.rawValue, endpointAddress, deviceAddress]
        bytes.store(busNumber, byteOrder)
        bytes += [setupFlag, dataFlag]
        bytes.store(time.seconds, byteOrder)
        bytes.store(time.nanoseconds / 1_000, byteOrder)
        bytes.store(status.rawValue, byteOrder)
        bytes.store(UInt32(clamping: urbByteCount), byteOrder)
        bytes.store(UInt32(clamping: capturedByteCount), byteOrder)
        if let setup {
            bytes += setup.bytes
        } else {
            bytes.store(isochronousErrorCount, byteOrder)
            bytes.store(UInt32(clamping: isochronousDescriptors.count), byteOrder)
        }
        bytes.store(interval, byteOrder)
        bytes.store(startFrame, byteOrder)
        bytes.store(transferFlags, byteOrder)
        bytes.store(UInt32(clamping: isochronousDescriptors.count), byteOrder)
        for descriptor in isochronousDescriptors {
            bytes.store(descriptor.status, byteOrder)
            bytes.store(descriptor.offset, byteOrder)
            bytes.store(descriptor.byteCount, byteOrder)
            bytes.store(UInt32(0), byteOrder)
        }
        bytes += data
        return bytes
    }
}
