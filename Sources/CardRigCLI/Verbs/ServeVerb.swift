import Journal
import Kernel
import LiveTransports
import Reporting
import SimulatedReaders

/// `cardrig serve`: a simulated reader that any program reaches as if it were the real one.
struct ServeVerb: Verb {
    static let name = "serve"
    static let summary = "Serves a simulated reader on TCP, a pty or USB/IP, for any program."
    static let help = """
        Usage: cardrig serve READER (--tcp HOST:PORT | --pty | --usbip HOST:PORT) [OPTIONS]
               cardrig serve READER --describe [--json]
               cardrig serve gateway nmi|agentcash|paymill|all --http HOST:PORT [OPTIONS]
               cardrig serve gateway NAME [--set NAME=VALUE] --describe [--json]
               cardrig serve terminal [--set NAME=VALUE] [--control PLACE] [--describe]

        Serves one simulated reader (\(ServedReaderKind.names.joined(separator: ", "))) to one \
        program at a time, in real time, until
        `quit` (exit code 0) or SIGINT or SIGTERM (130). Where it is reached is printed on a line
        of its own: `tcp HOST:PORT`, `pty LINK (DEVICE)`, `usbip HOST:PORT (bus id ID)`,
        `control PLACE`. Programs that do not
        read, or send what the reader does not understand without end, are let go, and the reason
        is written to standard error.

          --tcp HOST:PORT     Listens there; port 0 lets the system pick one.
          --pty               Makes a pty, and a link to it that stays when the reader is unplugged
                              and plugged in again.
          --link PATH         Where that link is.
          --usbip HOST:PORT   Exports it as a USB device (dynamag, miura, securemag), which a kernel elsewhere
                              attaches with `usbip attach -r HOST -b ID`. Unplugged it is off that
                              kernel's bus, and has to be attached again once it is plugged in.
          --control PLACE     Also takes the hand's lines from a socket: the path of a unix socket,
                              or 127.0.0.1:PORT. `run --operator control:PLACE` plays hands there.
          --steps FILE        Plays the hand's steps and the waits of a scenario file, from when the
                              first program has the reader; each is printed with its answer.
          --unplugged         Begins without the reader plugged in.
          --set NAME=VALUE    Changes what real readers may do differently; more after commas.
          --describe          Shows what the reader does, how each part is known (documented,
                              captured or assumed) and by which option it can be changed.
          --json              Writes the description as JSON.

        Lines on standard input or the control socket play the hands, each answered by `ok` or
        `error` and the reason: plug in, unplug, swipe CARD [QUALITY], status, quit, and what
        else the reader knows.

          Example: ./cardrig serve idynamo --tcp 127.0.0.1:6543

        `serve gateway` serves the simulated gateways to any number of web clients until SIGINT or
        SIGTERM (130), or a test's request to stop (0). `listening URL` on a line of its own says
        where; paths decide between the gateways. Credentials come from the environment
        (CARDRIG_NMI_SECURITY_KEY and the like); limits, and the paths under /cardrig/ by which a
        test arms faults, reads the ledger and moves the clock, are in Docs/http.md.

          --http HOST:PORT    Listens there; port 0 lets the system pick one.
          --tls CERT KEY      Speaks TLS with the certificate and its key, both files in PEM.
          --state FILE        Keeps all that was booked in a file, and begins with what is in it;
                              PAYMILL and the HoneyStore begin empty.
          --webhook URL       Where the NMI gateway sends its events.
          --admin             Keeps the paths under /cardrig/ where other machines reach them.
          --clock MOMENT      Where the calendar begins, as in 2019-12-01T00:00:00Z; today if not
                              said. PAYMILL's trigger card declines only before its expiries. With
                              --state it goes on from where it was.
          --set NAME=VALUE    latency, duplicate-window, profile and more, as --describe lists
                              them; more after commas.

          Example: ./cardrig serve gateway nmi --http 127.0.0.1:8080 --state shop.state

        `serve terminal` is Inner Fence's Credit Card Terminal app: a request's URL on a line is
        answered by the URL that calls the other app back, by `ok` and what happened where there
        is no return URL, or by `error` with the place and the reason. It ends with its input.

          --set NAME=VALUE    outcome, card, tip, tax-rate and more; --describe lists them. With
                              hands=lines a request waits for lines: pay CARD, done, cancel.

          Example: ./cardrig serve terminal --set tip=1.50,outcome=approved

        """

    /// What is served.
    private enum Subject {
        case reader(ServeOptions, any ServedReader)
        case gateways(ServeGatewayOptions)
        case terminal(ServeTerminalOptions)
    }

    private let subject: Subject

    init(_ arguments: consuming ArgumentReader) throws(UsageError) {
        if arguments.firstPositional == "gateway" {
            subject = .gateways(try ServeGatewayOptions(arguments))
        } else if arguments.firstPositional == "terminal" {
            subject = .terminal(try ServeTerminalOptions(arguments))
        } else {
            let options = try ServeOptions(arguments)
            subject = .reader(options, try options.makeReader())
        }
    }

    func run(_ streams: Streams) -> ExitCode {
        switch subject {
        case .reader(let options, let reader): return serve(options, reader, streams)
        case .terminal(let options): return serve(options, streams)
        case .gateways(let options):
            if options.isDescription {
                let gateways = ServedGatewayDescription(settings: options.settings)
                streams.write(
                    options.wantsJSON
                        ? ReaderDescription.json(options.name, gateways)
                        : Array(
                            ReaderDescription.text(options.name, gateways, noun: "gateway").utf8
                        )
                )
                return .held
            }
            do {
                let server = try GatewayServer(options, streams: streams)
                return try server.run()
            } catch let mistake as UsageError {
                streams.complain(mistake.description)
                return .wrong
            } catch {
                streams.complain("serve: \(error)")
                return .lost
            }
        }
    }

    private func serve(_ options: ServeTerminalOptions, _ streams: Streams) -> ExitCode {
        if options.isDescription {
            let terminal = options.terminal
            streams.write(
                options.wantsJSON
                    ? ReaderDescription.json("terminal", terminal)
                    : Array(ReaderDescription.text("terminal", terminal, noun: "app").utf8)
            )
            return .held
        }
        do throws(KernelError) {
            var session = try TerminalSession(options, streams: streams)
            return try session.run()
        } catch {
            streams.complain("serve: \(error)")
            return .lost
        }
    }

    private func serve(
        _ options: ServeOptions,
        _ reader: any ServedReader,
        _ streams: Streams
    ) -> ExitCode {
        if options.isDescription {
            streams.write(
                options.wantsJSON
                    ? ReaderDescription.json(options.kind.rawValue, reader)
                    : Array(ReaderDescription.text(options.kind.rawValue, reader).utf8)
            )
            return .held
        }
        do throws(KernelError) {
            guard let place = try place(options, reader) else { return .wrong }
            var session = try ServeSession(options, reader, at: place, streams: streams)
            return try session.run()
        } catch {
            streams.complain("serve: \(error)")
            return .lost
        }
    }

    private func place(
        _ options: ServeOptions,
        _ reader: any ServedReader
    ) throws(KernelError) -> ServeSession.Place? {
        switch options.place {
        case .tcp(let selector):
            return try address(selector).map { .stream(.tcp($0)) }
        case .usbip(let selector):
            guard let device = reader as? any ServedUSBReader else { return nil }
            return try address(selector).map { .bus($0, device) }
        case .pty(let link):
            let folder = ProcessEnvironment.value(of: "TMPDIR") ?? "/tmp"
            let name = "cardrig-\(options.kind.rawValue)-\(ProcessEnvironment.processID)"
            return .stream(.pty(link: link ?? "\(folder)/\(name)"))
        case nil: return nil
        }
    }

    private func address(_ selector: TCPSelector) throws(KernelError) -> SocketAddress? {
        let host = selector.host == "localhost" ? "127.0.0.1" : selector.host
        let digits = SocketAddress.inDigits(host: host, port: selector.port)
        if let first = digits.first { return first }
        return try SocketAddress.lookedUp(host: host, port: selector.port).first
    }
}

/// What a simulated reader does and how that is known, for people and programs.
enum ReaderDescription {
    static func text(
        _ name: String,
        _ reader: any DescribedServing,
        noun: String = "reader"
    ) -> String {
        var text = "\(name): what the simulated \(noun) does, and how that is known\n"
        for behaviour in reader.behaviours {
            let (basis, option) = words(behaviour.basis)
            text += "\n\(basis)  \(behaviour.subject): \(behaviour.text)\n"
            text += "            \(basis == "assumed" ? "because" : "source") \(behaviour.source)\n"
            if let option { text += "            option --set \(option)=...\n" }
        }
        text += "\nOptions (--set NAME=VALUE), with the value that holds:\n"
        for option in reader.options {
            text += "  \(option.name)=\(option.value)  (\(option.form))\n"
        }
        if !reader.handForms.isEmpty { text += "\nHands: \(reader.handForms)\n" }
        return text
    }

    static func json(_ name: String, _ reader: any DescribedServing) -> [UInt8] {
        var writer = JSONWriter(isIndented: true)
        writer.beginObject()
        writer.member("version", CardRigCommand.version)
        writer.member("reader", name)
        writer.key("behaviours")
        writer.beginArray()
        for behaviour in reader.behaviours {
            let (basis, option) = words(behaviour.basis)
            writer.beginObject()
            writer.member("subject", behaviour.subject)
            writer.member("text", behaviour.text)
            writer.member("basis", basis)
            writer.member("source", behaviour.source)
            if let option { writer.member("option", option) }
            writer.endObject()
        }
        writer.endArray()
        writer.key("options")
        writer.beginArray()
        for option in reader.options {
            writer.beginObject()
            writer.member("name", option.name)
            writer.member("form", option.form)
            writer.member("value", option.value)
            writer.endObject()
        }
        writer.endArray()
        writer.endObject()
        writer.endLine()
        return writer.bytes
    }

    private static func words(_ basis: ReaderBehaviour.Basis) -> (String, option: String?) {
        switch basis {
        case .documented: ("documented", nil)
        case .captured: ("captured", nil)
        case .assumed(let option): ("assumed", option)
        }
    }
}
