import CaptureFiles
import Testing

@testable import CaptureFlows

@Suite("Names of flows")
struct FlowKeyTests {
    @Test func aFlowIsNamedInOneLine() {
        let key = USBEndpointKey(bus: 1, device: 11, endpoint: 0x81, transfer: .interrupt)
        #expect(FlowKey.usb(key).description == "usb 1.11 endpoint 0x81 interrupt")
        let channel = RFCOMMChannelKey(handle: 12, address: 0x0000_0A00_0FFF, dlci: 4)
        #expect(
            FlowKey.rfcomm(channel).description == "rfcomm 00:00:0a:00:0f:ff channel 2 dlci 4"
        )
        let connection = TCPConnectionKey(
            host: SocketEnd(ipv4: 0xC000_0201, port: 40_000),
            reader: SocketEnd(ipv6High: 0x2001_0DB8_0000_0000, low: 1, port: 6543),
            generation: 1
        )
        #expect(
            FlowKey.tcp(connection).description
                == "tcp 192.0.2.1:40000 to [2001:db8:0:0:0:0:0:1]:6543 (2)"
        )
    }
}
