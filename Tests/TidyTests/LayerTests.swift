import Testing

/// The arrows point down only: imports and Package.swift are held against ``LayerTable``.
@Suite("Layers")
struct LayerTests {
    @Test func everyImportIsAllowedByTheTable() {
        #expect(importComplaints(Checkout.files) == [])
    }

    @Test func theManifestDeclaresNoArrowThatTheTableLacks() {
        #expect(manifestComplaints(Checkout.text(of: "Package.swift")) == [])
    }

    @Test func everyImportIsDeclaredInTheManifest() {
        let manifest = declaredTargets(in: Checkout.text(of: "Package.swift"))
        #expect(undeclaredImports(Checkout.files, manifest) == [])
    }

    @Test func theDocumentShowsTheSameTable() {
        let document = Checkout.text(of: "Docs/decisions.md")
        #expect(!document.isEmpty)
        for row in LayerTable.rows {
            let line = "| `\(row.target)` | \(row.mayImport.joined(separator: ", ")) |"
            let isShown = document.split(separator: "\n").contains { $0.hasPrefix(line) }
            #expect(isShown, "Docs/decisions.md lacks: \(line)")
        }
    }

    @Test(arguments: [
        ("Sources/SimulatedReaders/A.swift", "public import SDKCore"),
        ("Sources/CardData/A.swift", "import Foundation"),
        ("Sources/Laws/A.swift", "  @preconcurrency package import struct YAML.Node"),
        ("Sources/Rig/A.swift", "import Glibc"),
        ("Sources/NewTarget/A.swift", "let a = 1"),
    ])
    func aForbiddenImportIsFound(path: String, source: String) {
        #expect(importComplaints([TrackedFile(path, text: source)]).count == 1)
    }

    @Test func commentsAndTextAreNoImports() {
        let source = "// import SDKCore\nlet a = \"\"\"\n    import SDKCore\n    \"\"\"\n"
        #expect(importComplaints([TrackedFile("Sources/Laws/A.swift", text: source)]) == [])
    }

    @Test func aForbiddenArrowInTheManifestIsFound() {
        let manifest = """
            core("Laws", ["EventLoops", "Rig"]),
            .target(name: "CLinux", path: "Sources/CLinux"),
            wrapper("USB", over: "CLibUSB"),
            .executableTarget(name: "cardrig", dependencies: ["CardRigCLI", "Rig"]),
            """
        #expect(
            manifestComplaints(manifest) == [
                "Package.swift: Laws may not depend on Rig",
                "Package.swift: cardrig may not depend on Rig",
            ]
        )
    }

    @Test func anImportWithoutADependencyIsFound() {
        let file = TrackedFile("Sources/Laws/A.swift", text: "import CardData\nimport Journal")
        #expect(
            undeclaredImports([file], declaredTargets(in: "core(\"Laws\", [\"Journal\"]),")) == [
                "Sources/Laws/A.swift: Package.swift does not let Laws depend on CardData"
            ]
        )
    }
}

private func swiftSources(_ files: [TrackedFile]) -> [(target: String, file: TrackedFile)] {
    files.compactMap { file in
        let parts = file.path.split(separator: "/")
        guard parts.count > 2, parts[0] == "Sources", file.path.hasSuffix(".swift") else {
            return nil
        }
        return (String(parts[1]), file)
    }
}

private func importComplaints(_ files: [TrackedFile]) -> [String] {
    var complaints: [String] = []
    for (target, file) in swiftSources(files) {
        guard let row = LayerTable.rows.first(where: { $0.target == target }) else {
            complaints.append("\(file.path): LayerTable has no row for the target \(target)")
            continue
        }
        let toolchain = LayerTable.toolchain.first { $0.target == target }?.modules ?? []
        for (module, line) in SwiftCode(file.bytes).imports
        where !row.mayImport.contains(module) && !toolchain.contains(module) {
            complaints.append("\(file.path):\(line): \(target) may not import \(module)")
        }
    }
    return complaints
}

private func undeclaredImports(
    _ files: [TrackedFile],
    _ manifest: [(target: String, dependencies: [String])]
) -> [String] {
    let ownTargets = LayerTable.rows.map(\.target)
    return swiftSources(files).flatMap { target, file in
        let declared = manifest.first { $0.target == target }?.dependencies ?? []
        return SwiftCode(file.bytes).imports
            .filter { ownTargets.contains($0.module) && !declared.contains($0.module) }
            .map { "\(file.path): Package.swift does not let \(target) depend on \($0.module)" }
    }
}

private func manifestComplaints(_ manifest: String) -> [String] {
    declaredTargets(in: manifest).flatMap { target, dependencies in
        guard let row = LayerTable.rows.first(where: { $0.target == target }) else {
            return ["Package.swift: LayerTable has no row for the target \(target)"]
        }
        return dependencies.filter { !row.mayImport.contains($0) }
            .map { "Package.swift: \(target) may not depend on \($0)" }
    }
}

/// The Swift targets of the manifest: calls of its four functions and executable targets, with the
/// literals of the first list (or, for a wrapper, the second literal).
private func declaredTargets(in manifest: String) -> [(target: String, dependencies: [String])] {
    let bytes = Array(manifest.utf8)
    var found: [(offset: Int, target: String, dependencies: [String])] = []
    for call in ["wrapper(\"", "core(\n", "core(\"", "edge(\n", "edge(\"", ".executableTarget("] {
        for offset in offsets(of: call, in: bytes) {
            guard let open = bytes[offset...].firstIndex(of: UInt8(ascii: "(")),
                let arguments = balanced(bytes[open...])
            else { continue }
            let target = literals(in: arguments).first
            let list = arguments.firstIndex(of: UInt8(ascii: "[")).map { arguments[$0...] }
            var dependencies = list.flatMap(balanced).map(literals) ?? []
            if call.hasPrefix("wrapper") {
                dependencies = Array(literals(in: arguments).dropFirst())
            }
            guard let target else { continue }
            found.append((offset, target, dependencies))
        }
    }
    return found.sorted { $0.offset < $1.offset }.map { ($0.target, $0.dependencies) }
}

/// The bytes from an opening bracket to the one that closes it.
private func balanced(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    var depth = 0
    for index in bytes.indices {
        switch bytes[index] {
        case UInt8(ascii: "("), UInt8(ascii: "["): depth += 1
        case UInt8(ascii: ")"), UInt8(ascii: "]"):
            depth -= 1
            if depth == 0 { return bytes[bytes.startIndex...index] }
        default: break
        }
    }
    return nil
}

private func literals(in bytes: ArraySlice<UInt8>) -> [String] {
    let pieces = bytes.split(separator: UInt8(ascii: "\""), omittingEmptySubsequences: false)
    return pieces.indices.filter { $0 % 2 == 1 }.map { String(decoding: pieces[$0], as: UTF8.self) }
}
