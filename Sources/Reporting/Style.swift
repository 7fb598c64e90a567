/// How console text is set off: with the terminal's colours, or not at all.
public struct Style: Hashable, Sendable {
    /// Whether escape sequences are written; only on a terminal and without `NO_COLOR`.
    public var isColoured: Bool

    /// Creates a style.
    public init(isColoured: Bool) { self.isColoured = isColoured }

    /// Sets off what held.
    public func passed(_ text: String) -> String { good(text) }
    /// Sets off what did not hold.
    public func failed(_ text: String) -> String { bad(text) }

    func good(_ text: String) -> String { wrap(text, "32") }
    func bad(_ text: String) -> String { wrap(text, "1;31") }
    func other(_ text: String) -> String { wrap(text, "33") }
    func faint(_ text: String) -> String { wrap(text, "2") }

    private func wrap(_ text: String, _ code: String) -> String {
        isColoured ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
    }
}
