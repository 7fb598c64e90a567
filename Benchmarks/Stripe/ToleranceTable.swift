import MagneticStripe

/// The rows of the comparison with three open decoders, each measured over many seeds.
struct ToleranceTable {
    var seedCount: Int

    private struct Row: Sendable {
        var name: String
        /// The best of the three published decoders' models on this row.
        var best: String
        var measurement: Measurement
    }

    /// The table in Markdown.
    var markdown: String {
        var lines = [
            "| distortion | best of the three | read | wrong text |",
            "|---|---|---|---|",
        ]
        let counts = Measurement.inParallel(Self.rows.count) {
            Self.rows[$0].measurement.run(seedCount: seedCount)
        }
        for (row, (read, wrong)) in zip(Self.rows, counts) {
            lines.append("| \(row.name) | \(row.best) | \(read) of \(seedCount) | \(wrong) |")
        }
        return lines.joined(separator: "\n")
    }

    private static let rows = clean + speeds + noise + levels + other

    /// Hundredths of an inch a second at which a cell has so many samples, given in tenths.
    private static func speed(_ track: StripeTrack, _ tenths: Int) -> Int {
        44_100 * 1_000 / (track.bitsPerInch * tenths)
    }

    private static func row(
        _ name: String,
        _ best: String,
        _ track: StripeTrack = .two,
        cells: (from: Int, to: Int) = (400, 400),
        _ change: @escaping @Sendable (inout SwipeMotion) -> Void = { _ in },
        samples: @escaping @Sendable (inout [Int16]) -> Void = { _ in }
    ) -> Row {
        Row(
            name: name,
            best: best,
            measurement: Measurement(
                track: track,
                motion: {
                    $0.speedHundredths = speed(track, cells.from)
                    $0.endSpeedHundredths = speed(track, cells.to)
                    change(&$0)
                },
                samples: samples
            )
        )
    }

    private static let clean: [Row] = [
        row("clean, track 2, 40 samples a cell", "ok"),
        row("the same, reversed", "ok") { $0.isReversed = true },
        row("60 to 20 samples a cell", "ok", cells: (600, 200)),
        row("20 to 60 samples a cell", "ok", cells: (200, 600)),
        row("track 2, 150 to 120 samples a cell", "ok", cells: (1_500, 1_200)),
        row("track 1, 24 to 8 samples a cell", "ok", .one, cells: (240, 80)),
    ]

    private static let speeds: [Row] =
        [(75, "ok"), (70, "fail"), (60, "fail"), (130, "ok"), (150, "ok")].map { percent, best in
            row("sudden ×\(percent / 100).\(percent % 100) cell in mid data", best) {
                $0.joltPercent = 10_000 / percent
            }
        }
        + [(160, "ok"), (100, "ok"), (80, "ok"), (60, "ok"), (50, "ok"), (42, "fail")].map {
            tenths,
            best in
            row(
                "track 1, \(tenths / 10).\(tenths % 10) samples a cell",
                best,
                .one,
                cells: (tenths, tenths)
            )
        }

    private static let noise: [Row] =
        [(300, "ok"), (800, "ok"), (1_200, "fail")].map { rms, best in
            row("noise \(rms) rms on a peak of 12,000", best) {
                $0.noisePerMille = rms * 1_000 / 12_000
                atFullHeight(&$0)
            }
        } + [
            row("noise 2,000 rms on a peak of 12,000, 60 to 20", "fail", cells: (600, 200)) {
                $0.noisePerMille = 167
                atFullHeight(&$0)
            },
            row("jitter of 5 % of half a cell", "not measured", .one, cells: (160, 160)) {
                $0.jitterPerMille = 50
            },
            row("jitter of 10 % of half a cell", "not measured", .one, cells: (160, 160)) {
                $0.jitterPerMille = 100
            },
        ]

    /// A pulse's height goes with the speed; the noise of these rows is measured against the peak.
    private static func atFullHeight(_ motion: inout SwipeMotion) {
        motion.noisePerMille = motion.noisePerMille * motion.speedHundredths / 2_000
    }

    private static let levels: [Row] = [
        row("hard clip at 27 % of the peak", "ok") { $0.clipPerMille = 196 },
        row("peak 400 of 32,767", "ok") { $0.strengthPercent = 5 },
        row("peak 200 of 32,767", "ok") { $0.strengthPercent = 3 },
        row("fade to 0.35", "ok", samples: fade(toPerMille: 350)),
        row("fade to 0.2", "ok", samples: fade(toPerMille: 200)),
        row("offset 1,500", "ok", samples: offset(1_500)),
        row("offset 3,000", "ok", samples: offset(3_000)),
        row("baseline wanders by 2,000", "ok", samples: wander(2_000)),
        row("baseline wanders by 4,000", "ok", samples: wander(4_000)),
    ]

    private static let other: [Row] = [
        row("pulses 12 samples wide", "ok") { $0.halfWidthNanometres = 12 * 8_467 },
        row("pulses 24 samples wide", "ok") { $0.halfWidthNanometres = 24 * 8_467 },
        row("seven pulses in a row weakened to 5 %", "ok") {
            $0.dropouts = [
                SwipeMotion.Dropout(
                    startNanometres: 30_000_000,
                    lengthNanometres: 7 * 250_000,
                    strengthPercent: 5
                )
            ]
        },
        row("the first 19 zeros of the leader missing", "ok") {
            $0.dropouts = [
                SwipeMotion.Dropout(startNanometres: 0, lengthNanometres: 6_434_000)
            ]
        },
    ]

    private static func fade(toPerMille end: Int) -> @Sendable (inout [Int16]) -> Void {
        { samples in
            let count = samples.count
            for index in samples.indices {
                let part = 1_000 - (1_000 - end) * index / count
                samples[index] = Int16(clamping: Int(samples[index]) * part / 1_000)
            }
        }
    }

    private static func offset(_ value: Int) -> @Sendable (inout [Int16]) -> Void {
        { samples in
            for index in samples.indices {
                samples[index] = Int16(clamping: Int(samples[index]) + value)
            }
        }
    }

    /// A triangle with a period of 4,000 samples.
    private static func wander(_ height: Int) -> @Sendable (inout [Int16]) -> Void {
        { samples in
            for index in samples.indices {
                let phase = index % 4_000
                let rise = phase < 2_000 ? phase - 1_000 : 3_000 - phase
                samples[index] = Int16(clamping: Int(samples[index]) + rise * height / 1_000)
            }
        }
    }
}
