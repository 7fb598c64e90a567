/// A large value in memory of its own, so that what holds it is copied at the cost of one count.
///
/// It is a value as what it holds is: a change through one copy is not seen through another. What
/// is changed while nothing else shares it is changed where it is.
struct Boxed<Value: Hashable & Sendable>: Hashable, Sendable {
    // Changed only while this box alone refers to it.
    private final class Storage: @unchecked Sendable {
        var value: Value

        init(_ value: Value) { self.value = value }
    }

    private var storage: Storage

    init(_ value: Value) { storage = Storage(value) }

    /// The value; changes are made in place.
    var value: Value {
        _read { yield storage.value }
        _modify {
            if !isKnownUniquelyReferenced(&storage) { storage = Storage(storage.value) }
            yield &storage.value
        }
    }

    static func == (left: Self, right: Self) -> Bool {
        left.storage === right.storage || left.value == right.value
    }

    func hash(into hasher: inout Hasher) { hasher.combine(value) }
}
