// What a swipe may be like and still be read: the table and the plots of Docs/stripe.md.
//
//     cardrig-stripe [--seeds N] [--plot TRACK | --speed]
//
// With --speed how fast recordings are decoded. Without --plot the table in Markdown; with it the SVG of success against speed and noise.

var seedCount = 1_000
var plotted: StripeTrackName?
var measuresSpeed = false
var arguments = CommandLine.arguments.dropFirst().makeIterator()
while let argument = arguments.next() {
    switch argument {
    case "--seeds":
        guard let count = arguments.next().flatMap({ Int($0) }), (1...100_000).contains(count)
        else {
            usage("--seeds takes a number from 1 to 100000")
        }
        seedCount = count
    case "--plot":
        guard let name = arguments.next().flatMap({ StripeTrackName(rawValue: $0) }) else {
            usage("--plot takes track1 or track2")
        }
        plotted = name
    case "--speed": measuresSpeed = true
    default: usage("unknown argument \(argument)")
    }
}
if measuresSpeed {
    print(DecodingSpeed.markdown)
} else if let plotted {
    print(TolerancePlot(track: plotted.track, seedCount: seedCount).svg)
} else {
    print(ToleranceTable(seedCount: seedCount).markdown)
}
