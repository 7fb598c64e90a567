import CLibCurl

/// Requests on their way, on libcurl's multi interface, driven by the owner's event loop.
///
/// Each request has a connection of its own that is used once: on a reused connection libcurl sends
/// a request again by itself when the server closes it, and a payment would be booked twice. Nothing
/// is retried, no redirect is followed, no proxy is asked, certificates are verified. All calls come
/// from the loop's thread, and none of them blocks.
public final class HTTPTransfers {
    /// The longest answer accepted, in bytes.
    public static let maximumAnswerByteCount = 4_194_304

    private let multi: OpaquePointer
    private var transfers: [Int: Transfer] = [:]
    private var count = 0
    fileprivate var interests: [HTTPSocketInterest] = []
    /// In how many milliseconds ``timerFired()`` is to be called; `nil` when it need not be.
    public fileprivate(set) var timerMilliseconds: Int?
    /// Counts every change of ``timerMilliseconds``, so that an owner sees when to set its timer.
    public fileprivate(set) var timerChangeCount = 0

    /// Creates a client without requests.
    ///
    /// Returns `nil` when the library cannot be set up.
    public init?() {
        guard libraryIsReady, let multi = curl_multi_init() else { return nil }
        self.multi = OpaquePointer(multi)
        let context = Unmanaged.passUnretained(self).toOpaque()
        _ = cardrig_curl_watch_sockets(multi, socketChanged, context)
        _ = cardrig_curl_watch_timer(multi, timerChanged, context)
    }

    deinit {
        for transfer in transfers.values {
            curl_multi_remove_handle(UnsafeMutableRawPointer(multi), transfer.handle)
        }
        curl_multi_cleanup(UnsafeMutableRawPointer(multi))
    }

    /// How many requests are on their way.
    public var activeCount: Int { transfers.count }

    /// Sends a request; returns its number, by which its end is told.
    public func start(_ request: HTTPTransferRequest) -> Int {
        count += 1
        let number = count
        guard let transfer = Transfer(request, number: number) else {
            refused.append((number, .notSent("the request cannot be made")))
            return number
        }
        transfers[number] = transfer
        curl_multi_add_handle(UnsafeMutableRawPointer(multi), transfer.handle)
        return number
    }

    private var refused: [(Int, HTTPTransferEnd)] = []

    /// Gives a request up; its end is not told.
    public func cancel(_ number: Int) {
        guard let transfer = transfers.removeValue(forKey: number) else { return }
        curl_multi_remove_handle(UnsafeMutableRawPointer(multi), transfer.handle)
    }

    /// Returns what to watch from now on, in order, and forgets it.
    public func takeInterests() -> [HTTPSocketInterest] {
        defer { interests.removeAll() }
        return interests
    }

    /// Tells that a descriptor is ready.
    public func ready(descriptor: Int32, isReadable: Bool, isWritable: Bool) {
        var running: Int32 = 0
        let events = (isReadable ? CURL_CSELECT_IN : 0) | (isWritable ? CURL_CSELECT_OUT : 0)
        curl_multi_socket_action(
            UnsafeMutableRawPointer(multi),
            descriptor,
            Int32(events),
            &running
        )
    }

    /// Tells that the time of ``timerMilliseconds`` is over.
    public func timerFired() {
        var running: Int32 = 0
        timerMilliseconds = nil
        curl_multi_socket_action(UnsafeMutableRawPointer(multi), CURL_SOCKET_BAD, 0, &running)
    }

    /// Returns a request that ended, or `nil`.
    public func nextEnd() -> (number: Int, end: HTTPTransferEnd)? {
        if !refused.isEmpty { return refused.removeFirst() }
        var left: Int32 = 0
        while let message = curl_multi_info_read(UnsafeMutableRawPointer(multi), &left) {
            guard message.pointee.msg == CURLMSG_DONE, let handle = message.pointee.easy_handle
            else { continue }
            let code = message.pointee.data.result
            guard let transfer = transfers.values.first(where: { $0.handle == handle }) else {
                continue
            }
            transfers.removeValue(forKey: transfer.number)
            curl_multi_remove_handle(UnsafeMutableRawPointer(multi), handle)
            return (transfer.number, transfer.end(code))
        }
        return nil
    }
}

/// The library calls these from within calls of its owner, on the same thread.
private func socketChanged(
    _ handle: UnsafeMutableRawPointer?,
    _ descriptor: Int32,
    _ what: Int32,
    _ context: UnsafeMutableRawPointer?,
    _ data: UnsafeMutableRawPointer?
) -> Int32 {
    guard let context else { return 0 }
    let transfers = Unmanaged<HTTPTransfers>.fromOpaque(context).takeUnretainedValue()
    if what == CURL_POLL_REMOVE {
        transfers.interests.append(.forget(descriptor: descriptor))
    } else {
        transfers.interests.append(
            .watch(
                descriptor: descriptor,
                isReading: what & CURL_POLL_IN != 0,
                isWriting: what & CURL_POLL_OUT != 0
            )
        )
    }
    return 0
}

private func timerChanged(
    _ multi: UnsafeMutableRawPointer?,
    _ milliseconds: Int,
    _ context: UnsafeMutableRawPointer?
) -> Int32 {
    guard let context else { return 0 }
    let transfers = Unmanaged<HTTPTransfers>.fromOpaque(context).takeUnretainedValue()
    transfers.timerMilliseconds = milliseconds < 0 ? nil : milliseconds
    transfers.timerChangeCount += 1
    return 0
}

/// The library wants to be initialised once, before threads use it.
private let libraryIsReady = curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK
