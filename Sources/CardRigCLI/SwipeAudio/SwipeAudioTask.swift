import AudioFiles
import CardData
import Journal
import MagneticStripe
import Reporting

/// `cardrig decode swipe-audio`: what passed a magnetic head while a WAV file was recorded.
struct SwipeAudioTask {
    var path: String
    var wantsJSON: Bool

    func run(_ streams: Streams) -> ExitCode {
        let file: SwipeAudioFile
        do throws(UsageError) {
            file = try SwipeAudioFile(path: path, track: nil)
        } catch {
            streams.complain("swipe-audio: \(error)")
            return .wrong
        }
        streams.write(wantsJSON ? json(file) : table(file))
        guard file.passes.contains(where: \.isRead) else {
            let reason =
                file.passes.isEmpty
                ? "no card passed the head" : "no pass of a card could be decoded"
            streams.complain("swipe-audio: \(path): \(reason)")
            return .wrong
        }
        return .held
    }

    /// One line for each pass.
    private func table(_ file: SwipeAudioFile) -> [UInt8] {
        guard !file.passes.isEmpty else { return [] }
        var text = "      at  seconds  head  in/s  track  what\n"
        for found in file.passes {
            let columns = [
                Self.right(seconds(found.pass.startSample, file), 8),
                Self.right(seconds(found.pass.sampleCount, file), 7),
                Self.right(String(found.channel + 1), 4),
                Self.right(found.isRead ? Self.tenths(found.pass.speedHundredths) : "-", 4),
                Self.right(found.pass.track.map { String($0.rawValue) } ?? "-", 5),
                found.shown.description,
            ]
            text += columns.joined(separator: "  ") + "\n"
        }
        return Array(text.utf8)
    }

    private func seconds(_ samples: Int, _ file: SwipeAudioFile) -> String {
        let thousandths = samples * 1_000 / file.format.sampleRate
        let rest = String(1_000 + thousandths % 1_000).dropFirst()
        return "\(thousandths / 1_000).\(rest)"
    }

    private static func tenths(_ hundredths: Int) -> String {
        let tenths = (hundredths + 5) / 10
        return "\(tenths / 10).\(tenths % 10)"
    }

    private static func right(_ text: String, _ width: Int) -> String {
        String(repeating: " ", count: max(0, width - text.utf8.count)) + text
    }

    private func json(_ file: SwipeAudioFile) -> [UInt8] {
        var json = JSONWriter(isIndented: true)
        json.beginObject()
        json.key("protocol")
        json.string("swipe-audio")
        json.key("sampleRate")
        json.integer(Int64(file.format.sampleRate))
        json.key("sampleCount")
        json.integer(Int64(file.format.frameCount))
        json.key("passes")
        json.beginArray()
        for found in file.passes {
            json.beginObject()
            json.key("startSample")
            json.integer(Int64(found.pass.startSample))
            json.key("sampleCount")
            json.integer(Int64(found.pass.sampleCount))
            json.key("head")
            json.integer(Int64(found.channel + 1))
            json.key("reading")
            json.string(found.word)
            json.key("track")
            if let track = found.pass.track {
                json.integer(Int64(track.rawValue))
            } else {
                json.null()
            }
            json.key("speedHundredths")
            json.integer(Int64(found.pass.speedHundredths))
            json.key("text")
            if found.isRead { json.string(found.shown.description) } else { json.null() }
            json.endObject()
        }
        json.endArray()
        json.endObject()
        json.endLine()
        return json.bytes
    }
}

extension SwipeAudioFile.Pass {
    var isRead: Bool {
        if case .read = pass.reading { true } else { false }
    }

    /// The reading in one word.
    var word: String {
        switch pass.reading {
        case .blank: "blank"
        case .failed: "failed"
        case .tooFast: "tooFast"
        case .read(_, isReversed: false): "forward"
        case .read(_, isReversed: true): "backward"
        }
    }

    /// The text with its number hidden, or what came in its place.
    var shown: SafeText {
        switch pass.reading {
        case .blank: SafeText("nothing")
        case .failed: SafeText("not decoded: there are pulses, and no track in them")
        case .tooFast:
            SafeText("too fast: a cell has less than four samples; record with a higher rate")
        case .read(let text, _): SafeText(track: Self.masked(text))
        }
    }

    /// The text with stars in the middle of its number, as readers mask it.
    private static func masked(_ text: [UInt8]) -> [UInt8] {
        var text = text
        let isTrack1 = text.first == UInt8(ascii: "%")
        let start = isTrack1 ? 2 : 1
        let separator = UInt8(ascii: isTrack1 ? "^" : "=")
        guard text.count > start, let end = text[start...].firstIndex(of: separator),
            end - start > 10
        else { return text }
        for index in (start + 6)..<(end - 4) { text[index] = UInt8(ascii: "*") }
        return text
    }
}
