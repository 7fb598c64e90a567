import MagneticStripe

/// Success against speed and noise as an SVG: one square a pair, the darker the more are read.
struct TolerancePlot {
    var track: StripeTrack
    var seedCount: Int

    private static let speeds = [5, 10, 15, 20, 30, 40, 50, 55, 60, 70, 80]
    private static let noise = [0, 5, 10, 15, 20, 30, 40]
    private static let side = 36

    /// The picture.
    var svg: String {
        let side = Self.side
        let read = percentsRead
        let left = 70
        let top = 40
        let width = left + Self.speeds.count * side + 20
        let height = top + Self.noise.count * side + 60
        var lines = [
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"\(width)\" height=\"\(height)\" "
                + "font-family=\"sans-serif\" font-size=\"11\">",
            "<title>Track \(track.rawValue): swipes read, of \(seedCount) each, at 48,000 samples "
                + "a second</title>",
            "<text x=\"\(left)\" y=\"20\" font-size=\"14\">Track \(track.rawValue): percent read "
                + "of \(seedCount) swipes each</text>",
        ]
        for (row, percent) in Self.noise.reversed().enumerated() {
            let y = top + row * side
            lines.append(
                "<text x=\"\(left - 8)\" y=\"\(y + side / 2 + 4)\" text-anchor=\"end\">"
                    + "\(percent) %</text>"
            )
            for (column, speed) in Self.speeds.enumerated() {
                lines.append(
                    square(left + column * side, y, read[speed * 100 + percent] ?? 0)
                )
            }
        }
        let bottom = top + Self.noise.count * side
        for (column, speed) in Self.speeds.enumerated() {
            lines.append(
                "<text x=\"\(left + column * side + side / 2)\" y=\"\(bottom + 16)\" "
                    + "text-anchor=\"middle\">\(speed)</text>"
            )
        }
        lines.append(
            "<text x=\"\(left)\" y=\"\(bottom + 40)\">speed in inches a second; upwards the noise, "
                + "root mean square, of a pulse at 20 inches a second</text>"
        )
        lines.append("</svg>")
        return lines.joined(separator: "\n")
    }

    /// What was read, in percent, by a hundred times the speed and the noise.
    private var percentsRead: [Int: Int] {
        let cells = Self.noise.flatMap { noise in Self.speeds.map { (speed: $0, noise: noise) } }
        let percents = Measurement.inParallel(cells.count) {
            percentRead(speed: cells[$0].speed, noise: cells[$0].noise)
        }
        return Dictionary(
            uniqueKeysWithValues: zip(cells.map { $0.speed * 100 + $0.noise }, percents)
        )
    }

    private func percentRead(speed: Int, noise: Int) -> Int {
        // Without noise every seed gives the same swipe.
        let seedCount = noise == 0 ? 1 : seedCount
        let measurement = Measurement(
            track: track,
            sampleRate: 48_000,
            motion: {
                $0.speedHundredths = speed * 100
                $0.endSpeedHundredths = speed * 100
                $0.noisePerMille = noise * 10
            }
        )
        return measurement.run(seedCount: seedCount).read * 100 / seedCount
    }

    private func square(_ x: Int, _ y: Int, _ percent: Int) -> String {
        let side = Self.side
        let lightness = 95 - percent / 2
        let colour = percent > 60 ? "white" : "black"
        return "<rect x=\"\(x)\" y=\"\(y)\" width=\"\(side)\" height=\"\(side)\" "
            + "fill=\"hsl(210,60%,\(lightness)%)\" stroke=\"white\"/>"
            + "<text x=\"\(x + side / 2)\" y=\"\(y + side / 2 + 4)\" text-anchor=\"middle\" "
            + "fill=\"\(colour)\">\(percent)</text>"
    }
}
