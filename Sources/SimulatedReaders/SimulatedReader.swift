/// A simulated reader of any kind, for whatever drives it.
public enum SimulatedReader: Hashable, Sendable {
    /// A reader with a transport of its own: an iDynamo, a Dynamag and their like.
    case magneSafe(SimulatedMagneSafeReader)
    /// A thing of the host's ``AudioJack``, by its place in ``AudioJack/things``: the jack owns it,
    /// since a host has one jack and what is plugged in shares it.
    case audioJack(thing: Int)
}
