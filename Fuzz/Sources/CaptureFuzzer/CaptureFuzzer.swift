// libFuzzer calls it with bytes of its own making; CARDRIG_FUZZ_READER says which reader gets them.
import CaptureFlows
import Glibc

private let reader: FuzzedReader = {
    let name = getenv("CARDRIG_FUZZ_READER").map { String(cString: $0) } ?? "any"
    guard let reader = FuzzedReader(rawValue: name) else {
        print("CARDRIG_FUZZ_READER: there is no reader \(name)")
        exit(2)
    }
    return reader
}()

/// libFuzzer's own main function under a name that can be called.
@_silgen_name("LLVMFuzzerRunDriver")
private func runDriver(
    _ argumentCount: UnsafeMutablePointer<CInt>,
    _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?>,
    _ test: @convention(c) (UnsafePointer<UInt8>, Int) -> CInt
) -> CInt

/// The package manager names it as the entry of the program, instead of libFuzzer's.
@_cdecl("capture_fuzzer_main")
public func enter(
    _ count: CInt,
    _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> CInt {
    var count = count
    var arguments = arguments
    return runDriver(&count, &arguments) { fuzz($0, $1) }
}

/// Reads the bytes whole and in pieces: both must give the same, and nothing may trap.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    let file = reader.file(bytes)
    guard reader != .prefixes else {
        for count in 0..<file.count { _ = Summary(Array(file[..<count]), pieceByteCount: 65_536) }
        return 0
    }
    let whole = Summary(file, pieceByteCount: 65_536)
    let pieces = Summary(file, pieceByteCount: 1 + count % 61)
    precondition(whole == pieces, "the same file gave something else in pieces")
    return 0
}

/// What an importer made of a file: a sum over all items, and counts.
private struct Summary: Equatable {
    var itemCount = 0
    var payloadByteCount = 0
    var sum: UInt64 = 0xCBF2_9CE4_8422_2325

    init(_ file: [UInt8], pieceByteCount: Int) {
        var importer = CaptureImporter()
        var rest = file[...]
        while !rest.isEmpty {
            importer.append(rest.prefix(pieceByteCount))
            rest = rest.dropFirst(pieceByteCount)
            while let item = importer.next() { add(item, importer.flows.count) }
        }
        importer.finish()
        while let item = importer.next() { add(item, importer.flows.count) }
        precondition(importer.next() == nil, "something came behind the end")
    }

    private mutating func add(_ item: CaptureItem, _ flowCount: Int) {
        itemCount += 1
        switch item {
        case .unit(let unit):
            precondition(unit.bytes.count <= FlowUnit.byteCountLimit)
            precondition(unit.flow < flowCount)
            payloadByteCount += unit.bytes.count
            mix(UInt64(unit.bytes.count))
            mix(UInt64(bitPattern: Int64(unit.byteOffset)))
            mix(UInt64(bitPattern: Int64(unit.packetNumber)))
            for byte in unit.bytes { mix(UInt64(byte)) }
        case .comment(let comment): mix(UInt64(comment.text.utf8.count))
        case .notice(let notice):
            precondition(!notice.description.isEmpty)
            mix(UInt64(bitPattern: Int64(notice.number)))
        }
    }

    private mutating func mix(_ value: UInt64) { sum = (sum ^ value) &* 0x0000_0100_0000_01B3 }
}
