import Glibc

/// An open descriptor; it is closed once, when its owner goes.
public struct Descriptor: ~Copyable, Sendable {
    /// The number the kernel knows it by; valid as long as this value lives.
    public let number: Int32

    /// Takes the ownership of an open descriptor.
    public init(adopting number: Int32) { self.number = number }

    deinit { _ = Glibc.close(number) }

    /// Closes the descriptor now.
    public consuming func close() {}

    /// Hands the open descriptor over to who closes it.
    public consuming func release() -> Int32 {
        let number = number
        discard self
        return number
    }
}
