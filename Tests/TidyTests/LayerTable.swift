/// Which target may import which: the table of Docs/decisions.md, section 1.
///
/// A new target needs a row here, a row there and an entry in Package.swift.
enum LayerTable {
    static let wrappers: [(target: String, module: String)] = [
        ("Kernel", "CLinux"),
        ("USB", "CLibUSB"),
        ("YAML", "CLibYAML"),
        ("Cryptography", "CLibCrypto"),
        ("XML", "CLibXML"),
        ("JSON", "CLibJSON"),
        ("HTTPClient", "CLibCurl"),
        ("HTTPServer", "CLibMicroHTTPD"),
        ("Compression", "CLibZ"),
        ("AudioFiles", "CLibSndFile"),
    ]

    static let core: [(target: String, mayImport: [String])] = [
        ("CardData", []),
        ("EventLoops", ["Kernel"]),
        ("CaptureFiles", []),
        ("CaptureFlows", ["CaptureFiles", "Compression"]),
        ("MagneticStripe", ["EventLoops"]),
        ("Journal", ["EventLoops", "CardData"]),
        ("CardCrypto", ["CardData", "Cryptography", "MagneticStripe"]),
        ("ReaderProtocols", ["EventLoops", "CardData", "CardCrypto"]),
        ("GatewayProtocols", ["EventLoops", "CardData", "CardCrypto", "JSON", "XML"]),
        ("Transports", ["EventLoops"]),
        ("USBIP", ["Transports"]),
        (
            "SDKCore",
            [
                "EventLoops", "CardData", "CardCrypto", "ReaderProtocols", "GatewayProtocols",
                "Transports",
            ]
        ),
        (
            "SimulatedReaders",
            [
                "EventLoops", "CardData", "CardCrypto", "MagneticStripe", "ReaderProtocols",
                "Transports",
            ]
        ),
        (
            "SimulatedGateways",
            ["EventLoops", "CardData", "CardCrypto", "GatewayProtocols", "JSON", "Transports"]
        ),
        (
            "Rig",
            [
                "EventLoops", "CardData", "CardCrypto", "ReaderProtocols", "GatewayProtocols",
                "Transports", "CaptureFiles", "Journal", "SDKCore", "SimulatedReaders",
                "SimulatedGateways",
            ]
        ),
        ("Laws", ["EventLoops", "CardData", "Journal"]),
        ("ScenarioLanguage", ["EventLoops", "CardData", "Journal", "YAML"]),
        (
            "CaptureAnalysis",
            [
                "EventLoops", "CardData", "CardCrypto", "CaptureFiles", "CaptureFlows",
                "ReaderProtocols", "GatewayProtocols", "Transports", "Journal", "JSON",
            ]
        ),
        ("ScenarioRunner", lower + ["CaptureAnalysis", "Rig", "Laws", "ScenarioLanguage"]),
        ("Exploration", lower + ["Rig", "Laws", "ScenarioLanguage", "ScenarioRunner"]),
        ("Plays", lower + ["Rig", "Laws"]),
        (
            "Reporting",
            lower + ["Rig", "Laws", "ScenarioLanguage", "ScenarioRunner", "Exploration"]
        ),
    ]

    static let edges: [(target: String, mayImport: [String])] = [
        (
            "LiveTransports",
            ["EventLoops", "Transports", "USBIP", "Kernel", "USB", "HTTPClient", "HTTPServer"]
        ),
        (
            "CardRigCLI",
            lower + [
                "AudioFiles", "CaptureFlows", "CaptureAnalysis", "USBIP", "Kernel",
                "LiveTransports", "HTTPServer", "Rig", "Laws", "Plays",
                "ScenarioLanguage", "ScenarioRunner", "Exploration", "Reporting", "JSON",
            ]
        ),
        ("cardrig", ["CardRigCLI"]),
        (
            "USBTestBed",
            [
                "CUSBTestBed", "Kernel", "EventLoops", "CardData", "CardCrypto",
                "ReaderProtocols", "SimulatedReaders", "Transports",
            ]
        ),
        (
            "USBTransportProbe",
            ["EventLoops", "Kernel", "LiveTransports", "TransportConformance", "Transports"]
        ),
        (
            "cardrig-benchmarks",
            ["Kernel"] + lower + ["Rig", "Laws", "ScenarioLanguage", "ScenarioRunner"]
        ),
        ("cardrig-stripe", ["Kernel", "MagneticStripe"]),
        ("cardrig-captures", ["Kernel", "CaptureFiles", "CaptureFlows"]),
        ("example-encrypt-card", lower),
        ("example-swipe-card", lower),
    ]

    /// What the toolchain brings and a target may import besides.
    static let toolchain: [(target: String, modules: [String])] =
        wrappers.map { ($0.target, ["Glibc", "Synchronization"]) } + [
            ("LiveTransports", ["Synchronization"]),
            ("CardRigCLI", ["Synchronization"]),
            ("USBTestBed", ["Synchronization"]),
            ("cardrig-stripe", ["Synchronization"]),
        ]

    /// The values and wires that everything at the top stands on.
    private static let lower = [
        "EventLoops", "CardData", "CardCrypto", "CaptureFiles", "MagneticStripe", "Journal",
        "ReaderProtocols",
        "GatewayProtocols", "Transports", "SDKCore", "SimulatedReaders", "SimulatedGateways",
    ]

    /// Every row: the targets of this package that a target may import.
    static let rows: [(target: String, mayImport: [String])] =
        wrappers.map { ($0.target, [$0.module]) } + core + edges

    static func isCore(_ target: String) -> Bool {
        core.contains { $0.target == target }
    }
}
