import CUSBTestBed
import CardData
import SimulatedReaders
import Synchronization

/// Why the hand could not act, in words for the program.
struct HandError: Error, CustomStringConvertible {
    var reason: String

    /// The reason.
    var description: String { reason }
}

/// The bed with its one reader; the main thread plays the hand.
final class Bed {
    /// The reader answers on libumockdev's worker, and the hand reads its packet size.
    private final class SharedReader: Sendable {
        let reader: Mutex<InventedReader>
        init(_ options: BedOptions) {
            reader = Mutex(
                InventedReader(
                    packetByteCount: options.packetByteCount,
                    key: options.key,
                    plastic: options.plastic,
                    isSecureMag: options.isSecureMag
                )
            )
        }
    }

    private let raw: OpaquePointer
    private let shared: SharedReader
    private let packetByteCount: Int
    /// The address of the next plug-in; the kernel counts up as well.
    private var nextAddress = 4

    /// Sets up a bed with a root hub and no reader; `nil` where umockdev is missing.
    init?(_ options: BedOptions) {
        packetByteCount = options.packetByteCount
        shared = SharedReader(options)
        let raw = usb_test_bed_create(
            { context, setup, data, length in
                guard let context, let setup, let data else { return -EPIPE }
                let shared = Unmanaged<SharedReader>.fromOpaque(context).takeUnretainedValue()
                let request = Array(UnsafeBufferPointer(start: setup, count: 8))
                let isToReader = request[0] & 0x80 == 0
                let sent =
                    isToReader ? Array(UnsafeBufferPointer(start: data, count: Int(length))) : []
                guard
                    let answer = shared.reader.withLock({ $0.answer(setup: request, data: sent) })
                else { return -EPIPE }
                if isToReader { return length }
                let count = min(answer.count, Int(length))
                for index in 0..<count { data[index] = answer[index] }
                return Int32(count)
            },
            Unmanaged.passUnretained(shared).toOpaque()
        )
        guard let raw else { return nil }
        self.raw = raw
        guard usb_test_bed_add(raw, InventedReader.hubRecord) == 0 else { return nil }
    }

    deinit { usb_test_bed_destroy(raw) }

    /// Plugs the reader in.
    ///
    /// - Returns: After how many milliseconds ``permit()`` is due; `nil` when it is not.
    @discardableResult
    func plugIn(isSilent: Bool = false) throws(HandError) -> Int? {
        let record = shared.reader.withLock { $0.record(address: nextAddress) }
        let code = usb_test_bed_plug_in(raw, record, Int32(nextAddress), isSilent ? 1 : 0)
        if code == -EEXIST { throw HandError(reason: "the reader is plugged in already") }
        guard code >= 0 || code == Self.forGood else {
            throw HandError(reason: "umockdev refused the reader: \(code)")
        }
        // Addresses below the reader's belong to others, and 127 is the last one.
        nextAddress = nextAddress == 127 ? 4 : nextAddress + 1
        shared.reader.withLock { $0.powerUp() }
        isPluggedIn = true
        return code > 0 ? Int(code) : nil
    }

    /// Lets everybody open the reader's node.
    func permit() { usb_test_bed_permit(raw) }

    /// Puts something in the way of opening the reader that is plugged in next, for so many
    /// milliseconds or until it is unplugged.
    func obstruct(isDenied: Bool, milliseconds: Int?) {
        let count = milliseconds.map { Int32(clamping: $0) } ?? Self.forGood
        usb_test_bed_obstruct(raw, isDenied ? 1 : 0, count)
    }

    /// The bed's number for what does not end by itself.
    private static let forGood: Int32 = -1_000

    func unplug() throws(HandError) {
        guard usb_test_bed_unplug(raw) == 0 else {
            throw HandError(reason: "the reader is not plugged in")
        }
        isPluggedIn = false
    }

    func swipe(card: TestCard, quality: SwipeQuality) -> [ReaderTransmission] {
        shared.reader.withLock { $0.swipe(card: card, quality: quality) }
    }

    func send(_ report: [UInt8]) throws(HandError) {
        let code = usb_test_bed_send(raw, report, Int32(report.count), Int32(packetByteCount))
        if code == -ENODEV { throw HandError(reason: "the reader is not plugged in") }
        guard code == 0 else { throw HandError(reason: "nobody reads the reports") }
    }

    func refuseClaims(_ count: Int, isMissing: Bool) {
        usb_test_bed_refuse_claims(raw, Int32(clamping: count), isMissing ? 1 : 0)
    }

    func takeOutputs() -> [[UInt8]] { shared.reader.withLock { $0.takeOutputs() } }

    var pendingTransferCount: Int { Int(usb_test_bed_pending(raw)) }

    private(set) var isPluggedIn = false

    var isKernelDriverBound: Bool { usb_test_bed_driver_is_bound(raw) != 0 }
}

private let EPIPE: Int32 = 32
private let EEXIST: Int32 = 17
private let ENODEV: Int32 = 19
