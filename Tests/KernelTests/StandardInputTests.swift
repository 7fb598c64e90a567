import Glibc
import Testing

@testable import Kernel

@Suite("Standard input")
struct StandardInputTests {
    @Test func inputWithoutEndIsRefusedWithTheLimit() throws {
        let descriptor = open("/dev/zero", O_RDONLY)
        try #require(descriptor >= 0)
        defer { close(descriptor) }
        let error = #expect(throws: KernelError.self) {
            _ = try StandardInput.read(limit: 1_000, from: descriptor)
        }
        #expect(
            error?.description
                == "cannot read standard input: it is too large, the most is 1000 bytes"
        )
    }

    @Test func inputIsReadToItsEnd() throws {
        let descriptor = open("/dev/null", O_RDONLY)
        try #require(descriptor >= 0)
        defer { close(descriptor) }
        #expect(try StandardInput.read(limit: 0, from: descriptor) == [])
    }
}
