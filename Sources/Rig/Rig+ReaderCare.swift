import CardData
public import EventLoops
import Journal
import ReaderProtocols
import SimulatedReaders

// What is done to simulated payment readers beside payments.
extension Rig {
    /// Loads a `wifi.cfg` into a simulated payment reader, as a tool at its USB does; a reader that
    /// takes it starts anew and listens on its port.
    ///
    /// - Parameters:
    ///   - text: The file; `nil` is a valid one with the usual port.
    ///   - reader: The reader.
    /// - Returns: Whether the reader is on and no app has a link to it.
    public mutating func loadWiFi(_ text: String?, reader: Int) -> Bool {
        guard agentcash?.reader != reader,
            stations[reader].payment?.reader?.isReachable == true
        else { return false }
        touched.formUnion(.reader(reader))
        touched.formUnion(.readsTime)
        stations[reader].step = journal.step
        let bytes = Array((text ?? MiuraWiFiConfiguration.usualText).utf8)
        let now = now
        let effects =
            stations[reader].payment?.reader?
            .load(bytes, as: MiuraWiFiConfiguration.fileName, cache: cache, at: now) ?? []
        let isTaken = effects.contains(.noted(.answers(.resetDevice, .success)))
        journal.begin(.fileLoaded, at: now)
        journal.add(.reader, .reader(reader))
        journal.add(.result, .symbol(isTaken ? .success : .failure))
        do throws(MiuraWiFiConfiguration.Problem) {
            _ = try MiuraWiFiConfiguration(bytes)
        } catch {
            journal.add(.text, .text(SafeText(scrubbing: error.description)))
        }
        journal.end()
        take(effects, of: reader)
        takeFromLink(reader)
        return true
    }

    /// Takes a simulated payment reader out of its network for so long.
    public mutating func roam(_ reader: Int, for duration: VirtualDuration) {
        touched.formUnion(.reader(reader))
        touched.formUnion(.readsTime)
        stations[reader].step = journal.step
        journal.write(.readerRoamed, at: now, Attribute(.reader, .reader(reader)))
        carryOut(at: reader) { $0.roam(for: duration, cache: $1, at: $2) }
    }
}
