import EventLoops
import ReaderProtocols
import SimulatedReaders
import Testing

@Suite("Files of a simulated Miura reader")
struct MiuraFilesTests {
    static let wifi = """
        [general]
        dhcp = true
        # the vendor's port
        listen_port = 6543
        [ap_00]
        ssid = shop
        psk = secret
        """

    /// Selects a file and streams its bytes in pieces; returns the status words.
    @discardableResult
    private func upload(
        _ text: String,
        as name: String = "wifi.cfg",
        pieceByteCount: Int = 7,
        _ desk: inout MiuraDesk
    ) -> [MiuraStatusWord] {
        let bytes = Array(text.utf8)
        desk.send(.selectFile(MiuraFileSelection(name, .truncate)))
        desk.send(.streamBinary(MiuraStream(offset: 0, byteCount: bytes.count)))
        var start = 0
        while start < bytes.count {
            let end = min(bytes.count, start + pieceByteCount)
            desk.send(Array(bytes[start..<end]))
            start = end
        }
        return desk.statusWords()
    }

    // MARK: Streaming

    @Test(arguments: [1, 7, 1_000])
    func whatWasStreamedIsReadBack(pieceByteCount: Int) {
        var desk = MiuraDesk()
        #expect(
            upload(Self.wifi, pieceByteCount: pieceByteCount, &desk) == [.success, .success]
        )
        #expect(
            desk.ask(.readBinary(offset: 10, byteCount: 20))
                == .fileBytes(Array(Self.wifi.utf8)[10..<30].map { $0 })
        )
        #expect(
            desk.ask(.selectFile(MiuraFileSelection("wifi.cfg", .append)))
                == .file(byteCount: Self.wifi.utf8.count, md5: nil)
        )
        #expect(
            desk.ask(.readBinary(offset: 5_000, byteCount: 1))
                == .refused(.invalidReference, [])
        )
    }

    @Test func bytesAndNextCommandInOneReadAreToldApart() {
        var desk = MiuraDesk()
        desk.send(.selectFile(MiuraFileSelection("a", .truncate)))
        desk.send(
            MiuraCommand.streamBinary(MiuraStream(offset: 0, byteCount: 3)).message().bytes
                + [0x01, 0x02, 0x03] + MiuraCommand.p2peStatus.message().bytes
        )
        #expect(desk.statusWords() == [.success, .success, .success])
    }

    @Test func aStreamThatDoesNotComeWholeFailsWhenItsTimeIsOver() {
        var desk = MiuraDesk()
        desk.send(.selectFile(MiuraFileSelection("a", .truncate)))
        desk.send(.streamBinary(MiuraStream(offset: 0, byteCount: 10, timeLimit: 3)))
        desk.send([0x01, 0x02])
        _ = desk.statusWords()
        desk.wait(.seconds(3))
        #expect(desk.statusWords() == [.internalError])
        #expect(desk.ask(.p2peStatus) == .p2peStatus([.pinReady, .sredReady]))
    }

    @Test func aStreamWithoutAFileIsRefusedAndItsBytesGoNowhere() {
        var desk = MiuraDesk()
        desk.send(.streamBinary(MiuraStream(offset: 0, byteCount: 3)))
        desk.send([0x01, 0x02, 0x03])
        #expect(desk.ask(.p2peStatus) == .refused(.fileSystemError, []))
        #expect(desk.ask(.p2peStatus) == .p2peStatus([.pinReady, .sredReady]))
    }

    @Test func theMD5IsTold() {
        var desk = MiuraDesk()
        desk.send(.selectFile(MiuraFileSelection("a", .truncate)))
        _ = desk.statusWords()
        let stream = MiuraCommand.streamBinary(
            MiuraStream(offset: 0, byteCount: 3, returnsMD5: true)
        )
        desk.send(stream)
        desk.send(Array("abc".utf8))
        // RFC 1321, A.5.
        let md5: [UInt8] = [
            0x90, 0x01, 0x50, 0x98, 0x3C, 0xD2, 0x4F, 0xB0, 0xD6, 0x96, 0x3F, 0x7D, 0x28, 0xE1,
            0x7F, 0x72,
        ]
        #expect(desk.answer(to: stream) == .md5(md5))
        #expect(
            desk.ask(.selectFile(MiuraFileSelection("a", .appendWithMD5)))
                == .file(byteCount: 3, md5: md5)
        )
    }

    // MARK: Lists

    @Test func filesAreListedAndDeletedByFolder() {
        var desk = MiuraDesk()
        upload("1", as: "one", &desk)
        upload("22", as: "two", &desk)
        _ = desk.ask(.selectFile(MiuraFileSelection("three", .append, in: .application)))
        #expect(
            desk.ask(.listFiles(.installation))
                == .files(names: ["one", "two"], spaceUsed: 3, slotsUsed: 3)
        )
        #expect(desk.ask(.deleteFile(name: "one", folder: .installation)) == .done)
        #expect(
            desk.ask(.deleteFile(name: "one", folder: .installation))
                == .refused(.fileSystemError, [])
        )
        #expect(desk.ask(.deleteFile(name: nil, folder: .installation)) == .done)
        #expect(
            desk.ask(.listFiles(.application))
                == .files(names: ["three"], spaceUsed: 0, slotsUsed: 1)
        )
    }

    @Test func tooMuchIsRefused() {
        var desk = MiuraDesk()
        for index in 0..<257 {
            let answer = desk.ask(.selectFile(MiuraFileSelection("file-\(index)", .append)))
            #expect(
                answer
                    == (index < 256
                        ? .file(byteCount: 0, md5: nil) : .refused(.fileCountLimit, []))
            )
        }
        // The last file is selected; a byte far away would need more room than there is.
        for offset in [16_000_000, 16_700_000] {
            desk.send(.streamBinary(MiuraStream(offset: offset, byteCount: 1)))
            desk.send([0x55])
        }
        #expect(desk.statusWords() == [.success, .success])
        _ = desk.ask(.selectFile(MiuraFileSelection("file-1", .append)))
        desk.send(.streamBinary(MiuraStream(offset: 16_700_000, byteCount: 1)))
        desk.send([0x55])
        _ = desk.ask(.selectFile(MiuraFileSelection("file-2", .append)))
        desk.send(.streamBinary(MiuraStream(offset: 16_700_000, byteCount: 1)))
        desk.send([0x55])
        #expect(desk.statusWords().last == .fileSizeLimit)
    }

    // MARK: wifi.cfg

    @Test func aReaderListensOnlyAfterAValidFileAndAReboot() {
        var desk = MiuraDesk()
        #expect(desk.reader.listenPort == nil)
        upload(Self.wifi, &desk)
        #expect(desk.reader.listenPort == nil)
        desk.send(.resetDevice(.hard))
        #expect(desk.statusWords() == [.success])
        desk.wait(.seconds(1))
        #expect(desk.dropCount == 1)
        #expect(!desk.reader.isReachable)
        #expect(desk.events().compactMap(\.shortStatus) == ["0B"])
        desk.wait(.seconds(20))
        #expect(desk.reachableCount == 1)
        #expect(desk.reader.listenPort == 6543)
        #expect(desk.facts.contains(.installed(["wifi.cfg"])))
        #expect(desk.facts.last == .listens(port: 6543))
    }

    @Test func anInvalidFileIsRefusedAtTheReset() {
        var desk = MiuraDesk()
        upload("[general]\ndhcp = maybe\n", &desk)
        #expect(desk.ask(.resetDevice(.hard)) == .refused(.invalidConfiguration, []))
        #expect(desk.reader.isReachable)
        guard case .software = desk.ask(.resetDevice(.clearFiles)) else {
            Issue.record("no answer")
            return
        }
        guard case .software = desk.ask(.resetDevice(.hard)) else {
            Issue.record("no answer")
            return
        }
    }

    @Test(arguments: [
        ("", "wifi.cfg has no dhcp in [general]"),
        ("[general", "line 1 of wifi.cfg is no section, key or comment"),
        ("[general]\nnonsense", "line 2 of wifi.cfg is no section, key or comment"),
        (
            "[general]\ndhcp = yes",
            "dhcp in [general] of wifi.cfg has a value it cannot have"
        ),
        ("[general]\ndhcp = false", "wifi.cfg has no address in [general]"),
        (
            "[general]\ndhcp=false\naddress=1.2.3.4\nnetmask=255.255.255.256\ngateway=1.2.3.1",
            "netmask in [general] of wifi.cfg has a value it cannot have"
        ),
        ("[general]\ndhcp=true", "wifi.cfg has no listen_port in [general]"),
        (
            "[general]\ndhcp=true\nlisten_port=0",
            "listen_port in [general] of wifi.cfg has a value it cannot have"
        ),
        ("[general]\ndhcp=true\nlisten_port=65535", "wifi.cfg has no ssid in [ap_00]"),
        ("[general]\ndhcp=true\nlisten_port=1\n[ap_00]\nssid=a", "wifi.cfg has no psk in [ap_00]"),
    ])
    func aFileThatIsWrongSaysWhere(_ text: String, _ message: String) {
        #expect {
            _ = try MiuraWiFiConfiguration(Array(text.utf8))
        } throws: { error in
            (error as? MiuraWiFiConfiguration.Problem)?.description == message
        }
    }

    @Test func aFileWithAFixedAddressAndTwoNetworksIsRight() throws {
        let text = """
            [general]
            dhcp = false
            address = 192.168.0.90
            netmask = 255.255.255.0
            gateway = 192.168.0.1
            dns = 192.168.0.1
            listen_port = 4000
            ;server_address = 192.168.0.2
            [ap_00]
            ssid = one
            psk = a
            [ap_09]
            ssid = two
            psk = b
            """
        let wifi = try MiuraWiFiConfiguration(Array(text.replacing("\n", with: "\r\n").utf8))
        #expect(wifi.listenPort == 4000)
        #expect(!wifi.usesDHCP)
        #expect(wifi.networks == ["one", "two"])
    }

    // MARK: Firmware and keys

    @Test func firmwareIsInstalledByTheReset() {
        var desk = MiuraDesk()
        upload("…", as: "M000-MPI-V1-64.tar.gz", &desk)
        desk.send(.resetDevice(.hard))
        desk.wait(.seconds(30))
        desk.messages = []
        desk.connect()
        guard case .software(let software) = desk.ask(.resetDevice(.soft)) ?? desk.next() else {
            Issue.record("no software")
            return
        }
        #expect(software.software.first == MiuraEntry("M000-MPI", "1-64"))
    }

    @Test func keysAreSetUpInTwoSteps() {
        var desk = MiuraDesk {
            $0.hasSREDKey = false
            $0.hasPINKey = false
        }
        #expect(desk.ask(.p2peStatus) == .p2peStatus([]))
        #expect(desk.ask(.p2peImport) == .refused(.keysNotReady, []))
        desk.send(.p2peInitialise)
        desk.wait(.seconds(30))
        #expect(desk.statusWords() == [.success])
        #expect(desk.ask(.p2peStatus) == .p2peStatus(.initialised))
        #expect(
            desk.ask(.selectFile(MiuraFileSelection("suggested-iksn.txt", .append))) != nil
        )
        #expect(desk.ask(.p2peImport) == .done)
        #expect(desk.ask(.p2peStatus) == .p2peStatus([.pinReady, .sredReady]))
    }
}

extension MiuraDesk {
    /// The next answer, as that of a reset.
    mutating func next() -> MiuraAnswer? { answer(to: .resetDevice(.soft)) }
}
