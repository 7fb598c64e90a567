import CardCrypto
import CardData
import Journal
import Kernel
import ScenarioLanguage

/// The bench of a run: what `--bench` says lies on the desk, and which of its readers is meant.
struct Desk: Sendable {
    let bench: Bench
    /// The reader that the scenarios are played on.
    let reader: BenchReader
    /// Where it is.
    let endpoint: Endpoint

    static let readerForm = "the name of a reader of the bench"

    /// Reads a bench file, and picks the reader: the one that is named, or the only one.
    ///
    /// - Throws: ``UsageError`` with every mistake of the file.
    init(file: String, readerName: String?) throws(UsageError) {
        let bytes: [UInt8]
        do throws(KernelError) {
            bytes = try FileBytes.read(path: file, limit: Bench.maximumByteCount + 1)
        } catch {
            throw .wrong("--bench \(error)")
        }
        let parsed = BenchParser.parse(file: file, bytes: bytes)
        guard let bench = parsed.bench else {
            let text = parsed.diagnostics.map(\.description).joined(separator: "\n")
            throw .wrong("--bench \(file): it is no bench\n\(text)")
        }
        // An address that is wrong is a mistake of the file, whichever reader is meant.
        var endpoints: [Endpoint] = []
        for reader in bench.readers { endpoints.append(try Self.endpoint(of: reader, in: file)) }
        let names = bench.readers.map(\.name)
        let index: Int?
        if let readerName {
            index = names.firstIndex(of: readerName)
            guard index != nil else {
                let hint = nearest(to: readerName, among: names).map { "; did you mean '\($0)'?" }
                throw .wrong(
                    "--reader \(readerName): \(file) has no such reader"
                        + (hint ?? "; it has \(names.joined(separator: ", "))")
                )
            }
        } else {
            index = names.count == 1 ? 0 : nil
        }
        guard let index else {
            throw .wrong(
                "--bench \(file): it has \(names.count) readers; name one with --reader: "
                    + names.joined(separator: ", ")
            )
        }
        self.bench = bench
        reader = bench.readers[index]
        endpoint = endpoints[index]
    }

    private static func endpoint(
        of reader: BenchReader,
        in file: String
    ) throws(UsageError) -> Endpoint {
        let place = "\(file):\(reader.addressLocation.line):\(reader.addressLocation.column)"
        let endpoint: Endpoint
        do throws(UsageError) {
            endpoint = try Endpoint(parsing: reader.address)
        } catch {
            throw .wrong("\(place): error: \(error.description)")
        }
        guard endpoint.isLive else {
            throw .wrong("\(place): error: a simulated reader lies on no desk")
        }
        guard reader.kind != .dynamag || endpoint.level == .usb else {
            throw .wrong("\(place): error: a dynamag is reached over USB only")
        }
        guard reader.kind != .miura || endpoint.level != .usb else {
            throw .wrong("\(place): error: a miura is reached over a serial line or the network")
        }
        return endpoint
    }

    /// Returns why a scenario cannot be played with what lies on the desk.
    func refusals(of scenario: Scenario) -> [Refusal] {
        var refusals: [Refusal] = []
        for plan in scenario.rig.readers where !Self.canStand(reader.kind, for: plan.kind) {
            refusals.append(
                Refusal(
                    level: endpoint.level,
                    location: plan.location,
                    reason: "the reader '\(reader.name)' of the bench is a \(reader.kind.rawValue)"
                )
            )
        }
        for used in scenario.usedCards where bench.card(named: used.name) == nil {
            let names = bench.cards.map(\.name)
            let rest = names.isEmpty ? "it has none" : "it has \(names.joined(separator: ", "))"
            refusals.append(
                Refusal(
                    level: endpoint.level,
                    location: used.location,
                    reason: "the bench has no card '\(used.name)'; \(rest)"
                )
            )
        }
        for reference in scenario.cardReferences {
            guard let card = bench.card(named: reference.card),
                card.value(of: reference.field) == nil
            else { continue }
            refusals.append(
                Refusal(
                    level: endpoint.level,
                    location: reference.location,
                    reason: "the bench does not say `\(reference.field.rawValue)` of its card "
                        + "'\(reference.card)'"
                )
            )
        }
        return refusals
    }

    private static func canStand(_ kind: ReaderKind, for wanted: ReaderKind) -> Bool {
        kind == wanted || (kind == .dynamag && wanted == .idynamo)
    }

    /// Returns what the bench knows of a card.
    func value(of reference: CardReference) -> SafeText? {
        bench.card(named: reference.card)?.value(of: reference.field)
    }

    /// The keys by which the gateway opens swipes; empty takes them unopened.
    ///
    /// - Throws: ``DeskError`` when the environment has no key.
    func readerKeys() throws(DeskError) -> [CipherKey] {
        switch bench.keys {
        case .accept: return []
        case .environment(let variable, let location):
            guard let digits = ProcessEnvironment.value(of: variable), !digits.isEmpty else {
                throw DeskError(
                    "\(bench.file):\(location.line):\(location.column): \(variable) is not set; "
                        + "export the test base derivation key, 32 hexadecimal digits"
                )
            }
            guard let key = CipherKey(digits) else {
                throw DeskError(
                    "\(bench.file):\(location.line):\(location.column): \(variable) does not hold "
                        + "32 hexadecimal digits"
                )
            }
            return [key]
        }
    }
}

/// Why a bench cannot be used though its file is right.
struct DeskError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
