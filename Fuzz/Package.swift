// swift-tools-version: 6.2
// Coverage-guided fuzzing of what reads strangers' bytes; `.ci/fuzz` builds and runs it. The targets
// under test are links to the ones of the main package, so that little is built.
import PackageDescription

let strict: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .treatAllWarnings(as: .error),
    .unsafeFlags(["-sanitize=fuzzer"]),
]

let package = Package(
    name: "Fuzz",
    targets: [
        .systemLibrary(
            name: "CLibZ",
            path: "Sources/CLibZ",
            pkgConfig: "zlib",
            providers: [.apt(["zlib1g-dev"])]
        ),
        .target(
            name: "Compression",
            dependencies: ["CLibZ"],
            path: "Sources/Compression",
            swiftSettings: strict
        ),
        .target(name: "CaptureFiles", path: "Sources/CaptureFiles", swiftSettings: strict),
        .target(
            name: "CaptureFlows",
            dependencies: ["CaptureFiles", "Compression"],
            path: "Sources/CaptureFlows",
            swiftSettings: strict
        ),
        .executableTarget(
            name: "capture-fuzzer",
            dependencies: ["CaptureFlows"],
            path: "Sources/CaptureFuzzer",
            swiftSettings: strict + [.unsafeFlags(["-parse-as-library"])],
            linkerSettings: [.unsafeFlags(["-sanitize=fuzzer"])]
        ),
    ]
)
