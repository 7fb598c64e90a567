import Transports
import USBIP

// Transfers on their way to the server: each has a number, under which its answer comes.
extension USBIPSession {
    mutating func startNextRequest() {
        guard requestNumber == nil, isReady, !outbox.isEmpty else { return }
        let unit = outbox.removeFirst()
        requestNumber = nextNumber
        let data = unit.payload
        switch unit.kind {
        case .featureGet(let id, let byteCount):
            ask(
                .request(unit),
                type: 0xA1,
                code: 0x01,
                value: 0x0300 | UInt16(id),
                index: interface,
                byteCount: UInt16(clamping: byteCount)
            )
        case .featureSet(let id):
            let value = 0x0300 | UInt16(id)
            ask(.request(unit), type: 0x21, code: 0x09, value: value, index: interface, data: data)
        case .report(let id):
            let value = 0x0200 | UInt16(id)
            ask(.request(unit), type: 0x21, code: 0x09, value: value, index: interface, data: data)
        case .bytes, .lineState: requestNumber = nil
        }
    }

    /// Asks for a descriptor.
    mutating func get(_ purpose: Purpose, type: UInt8, value: UInt16, index: UInt16) {
        ask(
            purpose,
            type: type,
            code: 0x06,
            value: value,
            index: index,
            byteCount: 4_096
        )
    }

    mutating func ask(
        _ purpose: Purpose,
        type: UInt8,
        code: UInt8,
        value: UInt16,
        index: UInt16,
        byteCount: UInt16 = 0,
        data: ArraySlice<UInt8> = []
    ) {
        let isIn = type & 0x80 != 0
        let data = data.prefix(Int(UInt16.max))
        submit(
            purpose,
            endpoint: 0,
            isIn: isIn,
            byteCount: isIn ? Int(byteCount) : data.count,
            request: USBControlRequest(
                type: type,
                code: code,
                value: value,
                index: index,
                byteCount: isIn ? byteCount : UInt16(data.count)
            ),
            data: data
        )
    }

    mutating func submit(
        _ purpose: Purpose,
        endpoint: UInt8,
        isIn: Bool,
        byteCount: Int,
        request: USBControlRequest = .none,
        data: ArraySlice<UInt8> = []
    ) {
        let number = takeNumber()
        waiting.append(
            Waiting(number: number, isIn: isIn, byteCount: byteCount, purpose: purpose)
        )
        let transfer = USBIPTransfer(
            number: number,
            isIn: isIn,
            endpoint: endpoint,
            byteCount: byteCount,
            request: request,
            data: data
        )
        outgoing += USBIPCommand.submit(transfer).bytes(deviceID: deviceID)
    }

    mutating func takeNumber() -> UInt32 {
        defer { nextNumber = nextNumber == .max ? 1 : nextNumber + 1 }
        return nextNumber
    }
}
