import LiveTransports
import Testing

@Suite("Selectors of streams")
struct StreamSelectorsTests {
    @Test(arguments: [
        ("tcp:192.168.1.20:6543", "192.168.1.20", 6543), ("tcp:miura.local:1", "miura.local", 1),
        ("tcp:[::1]:65535", "::1", 65_535),
    ])
    func anAddressIsRead(text: String, host: String, port: UInt16) throws {
        let selector = try TCPSelector(parsing: text)
        #expect(selector.host == host)
        #expect(selector.port == port)
        #expect(selector.description == text)
    }

    @Test(arguments: [
        ("tcp:", "HOST:PORT, as in 192.168.1.20:6543"),
        ("tcp:host", "HOST:PORT, as in 192.168.1.20:6543"),
        ("tcp:host:", "a port from 1 to 65535 after the last colon"),
        ("tcp:host:0", "a port from 1 to 65535 after the last colon"),
        ("tcp:host:65536", "a port from 1 to 65535 after the last colon"),
        ("tcp:host:+80", "a port from 1 to 65535 after the last colon"),
        ("tcp::6543", "a host name or address before the port"),
        ("tcp:a b:6543", "a host name or address before the port"),
        ("tcp:::1:6543", "an IPv6 address in brackets, as in [::1]:6543"),
    ])
    func aWrongAddressNamesWhatWouldBeRight(text: String, expected: String) {
        #expect {
            try TCPSelector(parsing: text)
        } throws: {
            "\($0)" == "\(text): expected \(expected)"
        }
    }

    @Test(arguments: [
        ("serial:/dev/ttyACM0", "/dev/ttyACM0", 115_200),
        ("serial:/dev/rfcomm0?baud=9600", "/dev/rfcomm0", 9_600),
    ])
    func aLineIsRead(text: String, path: String, baud: UInt32) throws {
        let selector = try SerialSelector(parsing: text)
        #expect(selector.path == path)
        #expect(selector.baud == baud)
        #expect(selector.description == text)
    }

    @Test(arguments: [
        ("serial:", "the path of a device, as in serial:/dev/ttyACM0"),
        ("serial:ttyACM0", "the path of a device, as in serial:/dev/ttyACM0"),
        ("serial:/", "the path of a device, as in serial:/dev/ttyACM0"),
        ("serial:/dev/tty?", "?baud= and a speed from 50 to 4000000 after the path"),
        ("serial:/dev/tty?baud=", "?baud= and a speed from 50 to 4000000 after the path"),
        ("serial:/dev/tty?baud=0", "?baud= and a speed from 50 to 4000000 after the path"),
        ("serial:/dev/tty?baud=-1", "?baud= and a speed from 50 to 4000000 after the path"),
        ("serial:/dev/tty?speed=9600", "?baud= and a speed from 50 to 4000000 after the path"),
    ])
    func aWrongLineNamesWhatWouldBeRight(text: String, expected: String) {
        #expect {
            try SerialSelector(parsing: text)
        } throws: {
            "\($0)" == "\(text): expected \(expected)"
        }
    }
}
