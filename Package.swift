// swift-tools-version: 6.2
// The target graph is an allow-list: `Tests/TidyTests` holds every import against it.
import PackageDescription

let strict: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .treatAllWarnings(as: .error),
]
let pure = strict + [.strictMemorySafety()]

/// A wrapper around one C library: nobody else imports C.
func wrapper(_ name: String, over module: Target.Dependency) -> Target {
    .target(name: name, dependencies: [module], path: "Sources/\(name)", swiftSettings: strict)
}

/// A target of the core: no I/O, no clock, no Foundation.
func core(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
    .target(
        name: name,
        dependencies: dependencies,
        path: "Sources/\(name)",
        swiftSettings: pure
    )
}

/// A target that touches the outside: thin, at the edge.
func edge(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
    .target(
        name: name,
        dependencies: dependencies,
        path: "Sources/\(name)",
        swiftSettings: strict
    )
}

func tests(
    _ name: String,
    _ dependencies: [Target.Dependency],
    exclude: [String] = []
) -> Target {
    .testTarget(
        name: "\(name)Tests",
        dependencies: dependencies,
        path: "Tests/\(name)Tests",
        exclude: exclude,
        swiftSettings: strict
    )
}

let package = Package(
    name: "CardRig",
    products: [
        .executable(name: "cardrig", targets: ["cardrig"]),
        .executable(name: "cardrig-usb-bed", targets: ["USBTestBed"]),
    ],
    targets: [
        // C libraries, one module each.
        .systemLibrary(
            name: "CLibUSB",
            path: "Sources/CLibUSB",
            pkgConfig: "libusb-1.0",
            providers: [.apt(["libusb-1.0-0-dev"])]
        ),
        .systemLibrary(
            name: "CLibYAML",
            path: "Sources/CLibYAML",
            pkgConfig: "yaml-0.1",
            providers: [.apt(["libyaml-dev"])]
        ),
        .systemLibrary(
            name: "CLibCrypto",
            path: "Sources/CLibCrypto",
            pkgConfig: "libcrypto",
            providers: [.apt(["libssl-dev"])]
        ),
        .systemLibrary(
            name: "CLibXML",
            path: "Sources/CLibXML",
            pkgConfig: "libxml-2.0",
            providers: [.apt(["libxml2-dev"])]
        ),
        .systemLibrary(
            name: "CLibJSON",
            path: "Sources/CLibJSON",
            pkgConfig: "jansson",
            providers: [.apt(["libjansson-dev"])]
        ),
        .systemLibrary(
            name: "CLibCurl",
            path: "Sources/CLibCurl",
            pkgConfig: "libcurl",
            providers: [.apt(["libcurl4-openssl-dev"])]
        ),
        .systemLibrary(
            name: "CLibMicroHTTPD",
            path: "Sources/CLibMicroHTTPD",
            pkgConfig: "libmicrohttpd",
            providers: [.apt(["libmicrohttpd-dev"])]
        ),
        .systemLibrary(
            name: "CLibZ",
            path: "Sources/CLibZ",
            pkgConfig: "zlib",
            providers: [.apt(["zlib1g-dev"])]
        ),
        .systemLibrary(
            name: "CLibSndFile",
            path: "Sources/CLibSndFile",
            pkgConfig: "sndfile",
            providers: [.apt(["libsndfile1-dev"])]
        ),
        .systemLibrary(
            name: "CUMockdev",
            path: "Sources/CUMockdev",
            pkgConfig: "umockdev-1.0",
            providers: [.apt(["libumockdev-dev"])]
        ),
        .target(name: "CLinux", path: "Sources/CLinux"),
        .target(name: "CUSBTestBed", dependencies: ["CUMockdev"], path: "Sources/CUSBTestBed"),

        // Wrappers.
        wrapper("Kernel", over: "CLinux"),
        wrapper("USB", over: "CLibUSB"),
        wrapper("YAML", over: "CLibYAML"),
        wrapper("Cryptography", over: "CLibCrypto"),
        wrapper("XML", over: "CLibXML"),
        wrapper("JSON", over: "CLibJSON"),
        wrapper("HTTPClient", over: "CLibCurl"),
        wrapper("HTTPServer", over: "CLibMicroHTTPD"),
        wrapper("Compression", over: "CLibZ"),
        wrapper("AudioFiles", over: "CLibSndFile"),

        // Ground: values and wires.
        core("CardData"),
        core("EventLoops", ["Kernel"]),
        core("CaptureFiles"),
        core("CaptureFlows", ["CaptureFiles", "Compression"]),
        core("MagneticStripe", ["EventLoops"]),
        core("Journal", ["EventLoops", "CardData"]),
        core("CardCrypto", ["CardData", "Cryptography", "MagneticStripe"]),
        core("ReaderProtocols", ["EventLoops", "CardData", "CardCrypto"]),
        core("GatewayProtocols", ["EventLoops", "CardData", "CardCrypto", "JSON", "XML"]),
        core("Transports", ["EventLoops"]),
        core("USBIP", ["Transports"]),
        edge(
            "LiveTransports",
            ["EventLoops", "Transports", "USBIP", "Kernel", "USB", "HTTPClient", "HTTPServer"]
        ),

        // Middle: the worlds.
        core(
            "SDKCore",
            [
                "EventLoops", "CardData", "CardCrypto", "ReaderProtocols", "GatewayProtocols",
                "Transports",
            ]
        ),
        core(
            "SimulatedReaders",
            [
                "EventLoops", "CardData", "CardCrypto", "MagneticStripe", "ReaderProtocols",
                "Transports",
            ]
        ),
        core(
            "SimulatedGateways",
            ["EventLoops", "CardData", "CardCrypto", "GatewayProtocols", "JSON", "Transports"]
        ),
        core(
            "Rig",
            [
                "EventLoops", "CardData", "CardCrypto", "ReaderProtocols", "GatewayProtocols",
                "Transports", "CaptureFiles", "Journal", "SDKCore", "SimulatedReaders",
                "SimulatedGateways",
            ]
        ),
        core("Laws", ["EventLoops", "CardData", "Journal"]),
        core("ScenarioLanguage", ["EventLoops", "CardData", "Journal", "YAML"]),

        // Top: what people touch.
        core(
            "CaptureAnalysis",
            [
                "EventLoops", "CardData", "CardCrypto", "CaptureFiles", "CaptureFlows",
                "ReaderProtocols", "GatewayProtocols", "Transports", "Journal", "JSON",
            ]
        ),
        core(
            "ScenarioRunner",
            [
                "EventLoops", "CardData", "CardCrypto", "CaptureAnalysis", "CaptureFiles",
                "MagneticStripe", "Journal",
                "ReaderProtocols", "GatewayProtocols", "Transports", "SDKCore", "SimulatedReaders",
                "SimulatedGateways", "Rig", "Laws", "ScenarioLanguage",
            ]
        ),
        core(
            "Exploration",
            [
                "EventLoops", "CardData", "CardCrypto", "Journal", "Transports", "Rig", "Laws",
                "ScenarioLanguage", "ScenarioRunner",
            ]
        ),
        core(
            "Plays",
            [
                "EventLoops", "CardData", "CardCrypto", "Journal", "GatewayProtocols",
                "Transports", "SDKCore", "SimulatedReaders", "SimulatedGateways", "Rig", "Laws",
            ]
        ),
        core(
            "Reporting",
            [
                "EventLoops", "CardData", "Journal", "ScenarioLanguage", "Laws", "ScenarioRunner",
                "Exploration",
            ]
        ),
        edge(
            "CardRigCLI",
            [
                "AudioFiles", "Kernel", "EventLoops", "CardData", "CardCrypto", "CaptureFiles",
                "CaptureFlows", "CaptureAnalysis", "Journal", "MagneticStripe", "ReaderProtocols",
                "GatewayProtocols", "Transports", "USBIP", "SDKCore",
                "SimulatedReaders", "SimulatedGateways", "LiveTransports", "HTTPServer", "Rig",
                "Laws", "Plays", "ScenarioLanguage", "ScenarioRunner", "Exploration", "Reporting",
                "JSON",
            ]
        ),
        .executableTarget(
            name: "cardrig",
            dependencies: ["CardRigCLI"],
            path: "Sources/cardrig",
            swiftSettings: strict
        ),

        // An invented USB reader under umockdev; `PROGRAM` runs on the real libusb.
        .executableTarget(
            name: "USBTestBed",
            dependencies: [
                "CUSBTestBed", "Kernel", "EventLoops", "CardData", "CardCrypto",
                "ReaderProtocols", "SimulatedReaders", "Transports",
            ],
            path: "Sources/USBTestBed",
            swiftSettings: strict
        ),

        // Not a product: what `Benchmarks/run` measures.
        .executableTarget(
            name: "cardrig-benchmarks",
            dependencies: [
                "Kernel", "EventLoops", "CardData", "CardCrypto", "Journal", "ReaderProtocols",
                "GatewayProtocols", "Transports", "SDKCore", "SimulatedReaders",
                "SimulatedGateways", "Rig", "Laws", "ScenarioLanguage", "ScenarioRunner",
            ],
            path: "Benchmarks/Sources",
            swiftSettings: strict
        ),

        // Not a product: measures what a swipe may be like, for `Docs/stripe.md`.
        .executableTarget(
            name: "cardrig-stripe",
            dependencies: ["Kernel", "MagneticStripe"],
            path: "Benchmarks/Stripe",
            swiftSettings: strict
        ),

        // Not a product: how fast captures are read, for `Benchmarks/captures`.
        .executableTarget(
            name: "cardrig-captures",
            dependencies: ["Kernel", "CaptureFiles", "CaptureFlows"],
            path: "Benchmarks/Captures",
            swiftSettings: strict
        ),

        // Not products: the examples of the SDK document, which the self-test runs.
        .executableTarget(
            name: "example-encrypt-card",
            dependencies: [
                "EventLoops", "CardData", "CardCrypto", "GatewayProtocols", "Transports",
                "SimulatedGateways",
            ],
            path: "Examples/EncryptCard",
            swiftSettings: strict
        ),
        .executableTarget(
            name: "example-swipe-card",
            dependencies: [
                "EventLoops", "CardData", "CardCrypto", "Transports", "SDKCore",
                "SimulatedReaders",
            ],
            path: "Examples/SwipeCard",
            swiftSettings: strict
        ),

        // Tests. The suite is a target of its own, since transports are tested in several.
        .target(
            name: "TransportConformance",
            dependencies: ["EventLoops", "Transports"],
            path: "Tests/Support/TransportConformance",
            swiftSettings: strict
        ),
        .target(
            name: "USBIPClient",
            dependencies: ["Kernel", "USBIP"],
            path: "Tests/Support/USBIPClient",
            swiftSettings: strict
        ),
        .target(
            name: "CaptureSupport",
            path: "Tests/Support/CaptureSupport",
            swiftSettings: strict
        ),
        tests("Laws", ["Laws", "Journal", "CardData", "EventLoops", "Kernel"]),
        tests("CardData", ["CardData"]),
        tests("MagneticStripe", ["MagneticStripe", "EventLoops"]),
        tests("Tidy", []),
        tests("Kernel", ["Kernel"]),
        .executableTarget(
            name: "USBTransportProbe",
            dependencies: [
                "EventLoops", "Kernel", "LiveTransports", "TransportConformance", "Transports",
            ],
            path: "Tests/Support/USBTransportProbe",
            swiftSettings: strict
        ),
        tests(
            "LiveTransports",
            [
                "EventLoops", "HTTPServer", "Kernel", "LiveTransports", "TransportConformance",
                "Transports", "USBIP", "USBIPClient", "USBTestBed", "USBTransportProbe",
            ]
        ),
        tests(
            "Reporting",
            [
                "Reporting", "ScenarioRunner", "ScenarioLanguage", "Rig", "CardCrypto", "CardData",
                "EventLoops", "Exploration", "Journal", "Kernel", "SDKCore",
            ],
            exclude: ["Schemas", "__Golden__"]
        ),
        tests(
            "CardRigCLI",
            [
                "cardrig", "CardRigCLI", "USBTestBed", "Kernel", "CaptureAnalysis", "CaptureFiles",
                "CaptureSupport",
                "CardData", "EventLoops", "Exploration", "JSON", "Journal", "Plays", "Reporting",
                "Rig", "ScenarioLanguage",
                "SimulatedReaders", "USBIP", "USBIPClient",
            ]
        ),
        tests("USBTestBed", ["USBTestBed", "SimulatedReaders"]),
        tests("YAML", ["YAML"]),
        tests(
            "ScenarioLanguage",
            ["ScenarioLanguage", "CardData", "EventLoops", "Journal", "Kernel", "YAML"],
            exclude: ["__Golden__"]
        ),
        tests("CardCrypto", ["CardCrypto", "CardData", "Cryptography", "Kernel"]),
        tests("XML", ["XML"]),
        tests("JSON", ["JSON"]),
        tests("GatewayProtocols", ["GatewayProtocols", "CardData", "JSON"]),
        tests(
            "Rig",
            [
                "Rig", "Laws", "SDKCore", "SimulatedReaders", "SimulatedGateways",
                "GatewayProtocols",
                "Transports", "Journal", "EventLoops", "CardCrypto", "CardData",
            ]
        ),
        tests(
            "SDKCore",
            [
                "SDKCore", "SimulatedReaders", "SimulatedGateways", "GatewayProtocols",
                "ReaderProtocols",
                "Transports", "EventLoops", "CardCrypto", "CardData",
            ]
        ),
        tests(
            "SimulatedGateways",
            [
                "SimulatedGateways", "GatewayProtocols", "Transports", "EventLoops", "CardCrypto",
                "CardData", "JSON", "Kernel",
            ]
        ),
        tests("CaptureFiles", ["CaptureFiles", "CaptureSupport"]),
        tests(
            "CaptureAnalysis",
            [
                "CaptureAnalysis", "CaptureFiles", "CaptureFlows", "CardCrypto", "CardData",
                "EventLoops", "Journal", "ReaderProtocols", "SimulatedReaders", "Transports",
            ]
        ),
        tests("Compression", ["Compression"]),
        tests("AudioFiles", ["AudioFiles"]),
        tests(
            "CaptureFlows",
            ["CaptureFlows", "CaptureFiles", "CaptureSupport", "Compression"]
        ),
        tests(
            "ReaderProtocols",
            ["ReaderProtocols", "CardCrypto", "CardData", "Cryptography", "EventLoops"]
        ),
        tests(
            "SimulatedReaders",
            [
                "SimulatedReaders", "CardCrypto", "CardData", "Cryptography", "EventLoops",
                "ReaderProtocols", "Transports",
            ]
        ),
        tests("Transports", ["Transports", "EventLoops", "TransportConformance"]),
        tests("USBIP", ["USBIP", "Transports"]),
        tests("EventLoops", ["EventLoops", "Kernel"]),
        tests("Journal", ["Journal", "EventLoops", "CardData", "Kernel"]),
        tests(
            "Plant",
            [
                "Plays", "SDKCore", "ScenarioRunner", "ScenarioLanguage", "Rig", "Laws", "Journal",
                "SimulatedReaders", "SimulatedGateways", "Transports", "EventLoops", "CardCrypto",
                "CardData", "GatewayProtocols", "Kernel",
            ]
        ),
        tests(
            "ScenarioRunner",
            [
                "ScenarioRunner", "ScenarioLanguage", "Rig", "Laws", "SimulatedGateways",
                "SimulatedReaders", "Transports", "Journal", "EventLoops", "CardCrypto", "CardData",
                "Kernel",
            ]
        ),
        tests(
            "Exploration",
            [
                "Exploration", "ScenarioRunner", "ScenarioLanguage", "Rig", "SDKCore",
                "SimulatedReaders", "ReaderProtocols", "Laws", "Journal", "EventLoops",
                "CardCrypto", "CardData", "Kernel",
            ]
        ),
    ]
)
