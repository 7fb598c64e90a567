import CardData
import GatewayProtocols

/// A customer that the gateway keeps.
struct StoredCustomer: Hashable {
    let id: String
    var card: PayingCard
    var details: NMIDetails
}

/// The customers that the gateway keeps, in the order in which they came.
struct CustomerVault: Hashable {
    /// The greatest number of customers kept.
    static let maximumCustomerCount = 10_000

    private(set) var customers: [StoredCustomer] = []
    private(set) var nextNumber: UInt64 = 1_000_000_001

    /// The customer of an id, or `nil`.
    func customer(_ id: String) -> StoredCustomer? { customers.first { $0.id == id } }

    /// Whether there is room for one more.
    var isFull: Bool { customers.count >= Self.maximumCustomerCount }

    /// Takes the next number that no customer has.
    mutating func makeID() -> String {
        while true {
            let id = String(nextNumber)
            nextNumber &+= 1
            if customer(id) == nil { return id }
        }
    }

    /// Keeps a customer, in place of one with the same id.
    mutating func keep(_ customer: StoredCustomer) {
        if let index = customers.firstIndex(where: { $0.id == customer.id }) {
            customers[index] = customer
        } else {
            customers.append(customer)
        }
    }

    /// Forgets a customer; returns whether there was one.
    mutating func forget(_ id: String) -> Bool {
        guard let index = customers.firstIndex(where: { $0.id == id }) else { return false }
        customers.remove(at: index)
        return true
    }

    /// Takes up what was kept earlier.
    init(customers: [StoredCustomer] = [], nextNumber: UInt64 = 1_000_000_001) {
        self.customers = customers
        self.nextNumber = nextNumber
    }
}
