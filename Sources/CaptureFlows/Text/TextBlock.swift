import CaptureFiles

/// Bytes that stand in several lines of a log and are one unit.
struct TextBlock: Sendable {
    private var flow: Flow.ID?
    private var direction = FlowDirection.unknown
    private var bytes: [UInt8] = []
    private var position = FlowOutput.Position()
    /// How many bytes the log says the block has, where it does.
    private var expected: Int?

    var isOpen: Bool { flow != nil }
    var remainingByteCount: Int {
        expected.map { max(0, $0 - bytes.count - toldByteCount) } ?? .max
    }
    private var toldByteCount = 0

    /// Ends the block before and begins one at the line that is being read.
    mutating func begin(
        _ flow: Flow.ID?,
        _ direction: FlowDirection,
        _ time: CaptureTime?,
        expected: Int? = nil,
        _ output: inout FlowOutput
    ) {
        end(&output)
        self.flow = flow
        self.direction = direction
        self.expected = expected
        position = output.position
        position.time = time
        toldByteCount = 0
    }

    /// Whether bytes of this flow and direction continue the block.
    func isSame(_ flow: Flow.ID?, _ direction: FlowDirection) -> Bool {
        self.flow != nil && self.flow == flow && self.direction == direction
    }

    mutating func add(_ more: [UInt8], _ output: inout FlowOutput) {
        guard flow != nil else { return }
        bytes += more
        while bytes.count > FlowUnit.byteCountLimit {
            put(Array(bytes.prefix(FlowUnit.byteCountLimit)), missing: 0, &output)
            bytes.removeFirst(FlowUnit.byteCountLimit)
        }
    }

    /// Puts out what was collected; bytes that the log announced and does not have are missing.
    mutating func end(_ output: inout FlowOutput) {
        guard flow != nil else { return }
        let missing = expected.map { max(0, $0 - bytes.count - toldByteCount) } ?? 0
        if !bytes.isEmpty || missing > 0 { put(bytes, missing: missing, &output) }
        bytes = []
        flow = nil
    }

    private mutating func put(_ bytes: [UInt8], missing: Int, _ output: inout FlowOutput) {
        guard let flow else { return }
        let now = output.position
        output.position = position
        output.put(
            flow,
            .data,
            direction,
            bytes[...],
            at: position.byteOffset,
            missing: missing
        )
        output.position = now
        toldByteCount += bytes.count
    }
}
