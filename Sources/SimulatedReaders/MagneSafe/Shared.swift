/// A value that never changes, behind one reference: what holds it is copied at the cost of one
/// count, however large the value is.
///
/// A rig copies its readers with every event that it looks at, and a reader's settings are many.
final class Shared<Value: Hashable & Sendable>: Hashable, Sendable {
    let value: Value

    init(_ value: Value) { self.value = value }

    static func == (left: Shared, right: Shared) -> Bool {
        left === right || left.value == right.value
    }

    func hash(into hasher: inout Hasher) { hasher.combine(value) }
}
