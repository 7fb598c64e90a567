import Glibc
import Kernel
import Testing

@Suite("Whole files")
struct FileBytesTests {
    @Test func whatIsWrittenIsRead() throws {
        try withTemporaryDirectory { directory in
            let bytes = (0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
            try FileBytes.write(bytes, to: "\(directory)/a")
            try FileBytes.write(bytes, to: "\(directory)/a")
            #expect(try FileBytes.read(path: "\(directory)/a", limit: 200_000) == bytes)
            #expect(try Paths.files(under: directory, withSuffix: "") == ["\(directory)/a"])
        }
    }

    @Test func eachObstacleHasItsOwnError() throws {
        try withTemporaryDirectory { directory in
            try FileBytes.write([1, 2, 3], to: "\(directory)/three")
            let cases: [(path: String, code: KernelError.Code)] = [
                ("\(directory)/three", .tooLarge), (directory, .isDirectory),
                ("\(directory)/none", .missing), ("/dev/null", .notRegular),
                ("\(directory)/three/below", .missing),
            ]
            for (path, code) in cases {
                let error = #expect(throws: KernelError.self) {
                    try FileBytes.read(path: path, limit: 2)
                }
                #expect(error?.code == code)
                #expect(error?.path == path)
                #expect(
                    error?.description.hasSuffix("it is too large, the most is 2 bytes")
                        == (code == .tooLarge)
                )
            }
        }
    }

    @Test func aFailedWriteNamesThePathAndLeavesNothing() throws {
        try withTemporaryDirectory { directory in
            let path = "\(directory)/missing/file"
            let error = #expect(throws: KernelError.self) { try FileBytes.write([1], to: path) }
            #expect(error?.code == .missing)
            let checked = #expect(throws: KernelError.self) {
                try FileBytes.checkWritable(path)
            }
            #expect(checked == error)
            #expect(
                error?.description == "cannot write file \(path): No such file or directory"
            )
            let left = try Paths.files(under: directory, withSuffix: "")
            #expect(left.isEmpty)
        }
    }

    @Test func theCheckOfAPathLeavesItAsItIs() throws {
        try withTemporaryDirectory { directory in
            try FileBytes.write([1, 2, 3], to: "\(directory)/three")
            for path in ["\(directory)/three", "\(directory)/none", "/dev/null"] {
                try FileBytes.checkWritable(path)
            }
            let error = #expect(throws: KernelError.self) {
                try FileBytes.checkWritable(directory)
            }
            #expect(error?.code == .isDirectory)
            #expect(try FileBytes.read(path: "\(directory)/three", limit: 3) == [1, 2, 3])
            #expect(
                try Paths.files(under: directory, withSuffix: "") == ["\(directory)/three"]
            )
        }
    }

    @Test func aDeviceIsWrittenInPlace() throws {
        try FileBytes.write([1, 2], to: "/dev/null")
        #expect(Paths.kind(of: "/dev/null") == .other)
    }

    @Test(.timeLimit(.minutes(1)))
    func aPipeThatNobodyReadsFromIsAnErrorAndNoWait() throws {
        try withTemporaryDirectory { directory in
            let path = "\(directory)/pipe"
            try #require(mkfifo(path, 0o600) == 0)
            let error = #expect(throws: KernelError.self) { try FileBytes.write([1], to: path) }
            #expect(error?.description == "cannot write file \(path): nobody reads from it")
        }
    }

    @Test func filesAreListedInOrderOfTheirBytes() throws {
        try withTemporaryDirectory { directory in
            try FileBytes.makeDirectory("\(directory)/b/deep")
            try FileBytes.makeDirectory("\(directory)/b/deep")
            try FileBytes.makeDirectory("\(directory)/.hidden")
            let names = ["é.yaml", "a.yaml", "B.yaml", "b/deep/z.yaml", "b/other", "a-b.yaml"]
            for name in names { try FileBytes.write([], to: "\(directory)/\(name)") }
            try FileBytes.write([], to: "\(directory)/.hidden/x.yaml")
            let found = try Paths.files(under: directory, withSuffix: ".yaml")
            let expected = ["B.yaml", "a-b.yaml", "a.yaml", "b/deep/z.yaml", "é.yaml"]
            #expect(found == expected.map { "\(directory)/\($0)" })
        }
    }

    @Test func aLinkStaysOneWhenItsFileIsWritten() throws {
        try withTemporaryDirectory { folder in
            let file = folder + "/file"
            let link = folder + "/link"
            try FileBytes.write([1], to: file)
            #expect(symlink(file, link) == 0)
            try FileBytes.checkWritable(link)
            try FileBytes.write([2, 3], to: link)
            #expect(Paths.linkTarget(of: link) == file)
            #expect(try FileBytes.read(path: file, limit: 10) == [2, 3])
        }
    }
}
