import Glibc
import Kernel
import Testing

@Suite("Lines over a socket")
struct LineStreamTests {
    private func withPair(_ body: (LineStream, LineStream) throws -> Void) throws {
        try withTemporaryDirectory { directory in
            let path = "\(directory)/control"
            let listener = try LineListener(path: path)
            #expect(try listener.accept() == nil)
            let client = try LineStream(connectingTo: path)
            let server = try #require(try listener.accept())
            try body(client, server)
        }
    }

    @Test func linesArriveWholeAndInOrder() throws {
        try withPair { client, server in
            #expect(try server.nextLine() == nil)
            try client.send("plug in dynamag")
            try client.send("swipe visa good")
            #expect(try server.nextLine() == "plug in dynamag")
            #expect(try server.nextLine() == "swipe visa good")
            try server.send("ok")
            let deadline = MonotonicClock.now + 5_000_000_000
            #expect(try client.nextLine(untilMonotonicNanoseconds: deadline) == "ok")
        }
    }

    @Test func aLineThatNeverEndsIsRefused() throws {
        try withPair { client, server in
            try client.send(String(repeating: "x", count: LineStream.maximumLineByteCount))
            #expect(try server.nextLine()?.utf8.count == LineStream.maximumLineByteCount)
            try client.send(String(repeating: "x", count: LineStream.maximumLineByteCount + 1))
            let error = #expect(throws: KernelError.self) { try server.nextLine() }
            #expect(error?.code == .badLine)
        }
    }

    @Test func behindABadLineTheStreamGoesOn() throws {
        try withPair { client, server in
            for length in [1, 1_000, 9_000] {
                let text = String(repeating: "x", count: LineStream.maximumLineByteCount + length)
                try client.send(text)
                try client.send("next")
                let error = #expect(throws: KernelError.self) { try server.nextLine() }
                #expect(error?.code == .badLine)
                #expect(try server.nextLine() == "next")
            }
            let number = client.descriptor
            let bytes: [UInt8] = [0x61, 0xFF, 0x0A, 0x62, 0x0A]
            #expect(bytes.withUnsafeBytes { write(number, $0.baseAddress, $0.count) } == 5)
            let error = #expect(throws: KernelError.self) { try server.nextLine() }
            #expect(error?.code == .badLine)
            #expect(try server.nextLine() == "b")
            #expect(try server.nextLine() == nil)
        }
    }

    @Test func waitingEndsAtTheDeadline() throws {
        try withPair { client, _ in
            let error = #expect(throws: KernelError.self) {
                try client.nextLine(untilMonotonicNanoseconds: MonotonicClock.now + 10_000_000)
            }
            #expect(error?.code == .timedOut)
        }
    }

    @Test func aPeerThatIsGoneEndsTheStream() throws {
        try withTemporaryDirectory { directory in
            let listener = try LineListener(path: "\(directory)/control")
            var client: LineStream? = try LineStream(connectingTo: "\(directory)/control")
            let server = try #require(try listener.accept())
            try client?.send("last")
            client = nil
            #expect(try server.nextLine() == "last")
            #expect(try server.nextLine(untilMonotonicNanoseconds: nil) == nil)
            #expect(server.isFinished)
            let error = #expect(throws: KernelError.self) {
                for _ in 0..<10 { try server.send("to nobody") }
            }
            #expect(error?.code == .closed)
        }
    }

    @Test func aPathThatIsTakenOrMissingIsRefused() throws {
        try withTemporaryDirectory { directory in
            let first = try LineListener(path: "\(directory)/control")
            let taken = #expect(throws: KernelError.self) {
                try LineListener(path: "\(directory)/control")
            }
            #expect(taken?.description.hasSuffix("end that program or take another path") == true)
            _ = first
            let error = #expect(throws: KernelError.self) {
                try LineStream(connectingTo: "\(directory)/none")
            }
            #expect(error?.code == .missing)
        }
    }

    @Test func onlyASocketAtWhichNobodyListensIsRemoved() throws {
        try withTemporaryDirectory { directory in
            let path = "\(directory)/control"
            try FileBytes.write([1], to: "\(directory)/file")
            do {
                let listener = try LineListener(path: path)
                LineListener.removeStale(at: path)
                #expect(Paths.kind(of: path) == .other)
                // A process that is killed leaves the socket of its listener behind.
                try #require(link(path, path + ".left") == 0)
                _ = listener
            }
            LineListener.removeStale(at: path + ".left")
            #expect(Paths.kind(of: path + ".left") == nil)
            LineListener.removeStale(at: "\(directory)/file")
            #expect(Paths.kind(of: "\(directory)/file") == .file)
            LineListener.removeStale(at: "\(directory)/none")
        }
    }
}
