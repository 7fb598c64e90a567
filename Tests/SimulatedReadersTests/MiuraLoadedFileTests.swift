import EventLoops
import ReaderProtocols
import SimulatedReaders
import Testing

@Suite("A wifi.cfg that is loaded into a simulated Miura reader")
struct MiuraLoadedFileTests {
    private static let valid = Array(MiuraWiFiConfiguration.usualText.utf8)

    /// A reader without a link and without a network.
    private func desk(isLinked: Bool = false) -> MiuraDesk {
        MiuraDesk({ $0.wifi = nil }, isLinked: isLinked)
    }

    private func load(_ text: [UInt8], into desk: inout MiuraDesk) -> [MiuraReaderEffect] {
        desk.reader.load(text, as: "wifi.cfg", cache: desk.cache, at: desk.now)
    }

    @Test func aReaderListensOnceItStartedAnew() {
        var desk = desk()
        let effects = load(Self.valid, into: &desk)
        #expect(effects.contains(.noted(.answers(.resetDevice, .success))))
        #expect(!desk.reader.isReachable && desk.reader.listenPort == nil)
        #expect(!effects.contains { if case .send = $0 { true } else { false } })
        while let next = desk.reader.nextDeadline {
            desk.now = next
            desk.collect(desk.reader.advance(to: next, cache: desk.cache))
        }
        #expect(desk.reader.isReachable && desk.reader.listenPort == 6_543)
        #expect(desk.reader.networkAddress == nil && desk.reachableCount == 1)
    }

    @Test func aFileWithAMistakeChangesNothing() {
        var desk = desk()
        let effects = load(Array("[general]\ndhcp = true\n".utf8), into: &desk)
        #expect(effects.contains(.noted(.answers(.resetDevice, .invalidConfiguration))))
        #expect(desk.reader.isReachable && desk.reader.listenPort == nil)
        // The next file is taken.
        #expect(load(Self.valid, into: &desk).contains(.noted(.answers(.resetDevice, .success))))
    }

    @Test func aReaderWithALinkOrWithoutPowerTakesNone() {
        var linked = desk(isLinked: true)
        #expect(load(Self.valid, into: &linked).isEmpty)
        var off = desk()
        off.collect(off.reader.switchOff(cache: off.cache, at: off.now))
        #expect(load(Self.valid, into: &off).isEmpty)
    }

    @Test func anAddressOfTheFileIsTheReaders() throws {
        let text = """
            [general]
            dhcp = false
            address = 10.0.0.7
            netmask = 255.255.255.0
            gateway = 10.0.0.1
            listen_port = 7000
            [ap_00]
            ssid = shop
            psk = secret
            """
        let configuration = try MiuraWiFiConfiguration(Array(text.utf8))
        #expect(configuration.address == "10.0.0.7" && configuration.listenPort == 7_000)
    }
}
