extension Grammar {
    private static let millimetres = Shape.pattern("^[0-9]{1,2}mm$")

    /// The physical values of a swipe.
    static let stripe = MapTable(
        subject: "the quality of a swipe",
        keys: [
            KeyRow("speed", .integer(1...400), "Inches a second; 20 where nothing is said."),
            KeyRow("to", .integer(1...400), "The speed at the other edge; it changes evenly."),
            KeyRow("jolt", .integer(10...1_000), "The speed after the middle, in percent."),
            KeyRow("direction", .words(["forward", "backward"]), "Which edge comes first."),
            KeyRow("noise", percent, "Noise, of a pulse at 20 inches a second."),
            KeyRow("jitter", percent, "How far the flux's turns lie from their places."),
            KeyRow("strength", percent, "What is left of the stripe's magnetism."),
            KeyRow("clip", percent, "Where the amplifier cuts the pulses."),
            KeyRow("holes", .list(.map(hole), minimumCount: 1), "Places without a stripe."),
            KeyRow("seed", .integer(0...Int64.max), "The first number of the noise."),
        ]
    )

    static let hole = MapTable(
        subject: "a hole",
        keys: [
            KeyRow("track", .integer(1...3), "The track; all of them where nothing is said."),
            KeyRow("at", millimetres, isRequired: true, "Where it begins, from the front edge."),
            KeyRow("length", millimetres, isRequired: true, "How long it is."),
        ]
    )
}
