/// Orders that an app was told are paid, and those that were booked.
struct PaidOrders {
    /// What the app was told.
    var told: [String] = []
    /// What the gateway booked.
    var booked: [String] = []

    /// The orders of which the app was told more than was booked.
    var complaints: [String] {
        told.filter { !booked.contains($0) }.map { order in
            "the app was told that \(order) is paid, and nothing was booked"
        }
    }
}
