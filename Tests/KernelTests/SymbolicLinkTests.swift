import Glibc
import Kernel
import Testing

@Suite("A link to a pty")
struct SymbolicLinkTests {
    private func target(_ path: String) -> String? {
        var buffer = [CChar](repeating: 0, count: 256)
        let count = readlink(path, &buffer, buffer.count)
        guard count > 0 else { return nil }
        return String(decoding: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    @Test func goesWithItsOwner() throws {
        try withTemporaryDirectory { folder in
            let path = folder + "/link"
            do {
                let link = try SymbolicLink(at: path, to: "/dev/null")
                #expect(target(path) == "/dev/null")
                _ = link.path
            }
            #expect(target(path) == nil)
        }
    }

    @Test func leavesAloneWhatIsThere() throws {
        try withTemporaryDirectory { folder in
            let path = folder + "/link"
            try FileBytes.write([1, 2, 3], to: path)
            #expect(throws: KernelError.self) { try SymbolicLink(at: path, to: "/dev/null") }
            #expect(try FileBytes.read(path: path, limit: 10) == [1, 2, 3])
            FileBytes.remove(path: path)
            #expect(symlink("/dev/zero", path) == 0)
            #expect(throws: KernelError.self) { try SymbolicLink(at: path, to: "/dev/null") }
            #expect(target(path) == "/dev/zero", "another's link")
            FileBytes.remove(path: path)
        }
    }

    @Test func leavesWhatSomebodyPutInItsPlace() throws {
        try withTemporaryDirectory { folder in
            let path = folder + "/link"
            do {
                let link = try SymbolicLink(at: path, to: "/dev/null")
                FileBytes.remove(path: link.path)
                #expect(symlink("/dev/zero", path) == 0)
            }
            #expect(target(path) == "/dev/zero")
            FileBytes.remove(path: path)
        }
    }

    @Test func takesThePlaceOfOneThatLeadsToAPtyThatIsGone() throws {
        try withTemporaryDirectory { folder in
            let path = folder + "/link"
            #expect(symlink("/dev/pts/999999", path) == 0)
            let link = try SymbolicLink(at: path, to: "/dev/null")
            #expect(target(path) == "/dev/null")
            _ = link.path
        }
    }
}
