import MagneticStripe

/// Success against speed and noise as an SVG: one square a pair, the darker the more are read.
struct TolerancePlot {
    var track: StripeTrack
    var seedCount: Int

    private static let speeds = Array(stride(from: 5, through: 80, by: 5))
    private static let noise = Array(stride(from: 0, through: 40, by: 5))
    private static let side = 36

    /// The picture.
    var svg: String {
        let side = Self.side
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
                    square(left + column * side, y, percentRead(speed: speed, noise: percent))
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

    private func percentRead(speed: Int, noise: Int) -> Int {
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
