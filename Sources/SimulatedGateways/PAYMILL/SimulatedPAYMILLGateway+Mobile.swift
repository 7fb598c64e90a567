import CardData
import EventLoops
public import GatewayProtocols
import JSON
import Transports

/// An installation of an app: who it is, and what it keeps in its safe.
public struct PAYMILLInstallation: Hashable, Sendable {
    /// Who it is; its key is a secret.
    public var device: PAYMILLDevice
    /// The key of its safe, a secret; empty while nothing was put into it.
    var safeKey = ""
    /// What is in the safe, by the ids of the payments.
    public internal(set) var safePayments: [String] = []
    /// How often the safe was asked with a wrong key, one after another.
    var wrongKeyCount = 0
}

// The backend for apps: it charges without a merchant's server. All of its answers are assumed.
extension SimulatedPAYMILLGateway {
    /// Carries out what an app asks.
    mutating func carryOut(
        _ asked: Result<PAYMILLMobileRequest, PAYMILLRefusal>,
        _ call: inout PAYMILLCall
    ) throws(PAYMILLRefusal) -> HTTPResponse {
        guard configuration.hasMobileApp else { throw .noMobileApp }
        // A device is made before anybody is one; else who asks is looked at before the path.
        if case .success(let request) = asked, case .createDevice(let key) = request.operation {
            return try createDevice(of: key)
        }
        let login = PAYMILLDevice(authorization: call.request.field("authorization") ?? "")
        guard let login, let place = books.installations.firstIndex(where: { $0.device == login })
        else { throw .accessDenied }
        let device = login.id
        switch try asked.get().operation {
        case .createDevice: throw .noSuchMethod
        case .create(let resource, let money, let isConsumable):
            return try create(resource, money, isConsumable, by: device, &call)
        case .show(let resource, let id):
            let index = try transaction(resource, id, of: device)
            return answer(whole(books.transactions[index].transaction, .v2).json(.v2), .v2)
        case .list(let resource):
            return list { $0.device == device && $0.isHeld == (resource == .preauthorizations) }
        case .listNotConsumed(let resource):
            return list {
                $0.device == device && $0.isHeld == (resource == .preauthorizations)
                    && $0.isConsumed == false
            }
        case .consume(let resource, let id):
            let index = try transaction(resource, id, of: device)
            guard books.transactions[index].isConsumed == false else { throw .consumedBefore }
            books.transactions[index].isConsumed = true
            let record = booking(books.transactions[index])
            call.records.append(.consumed(number: call.number, record))
            return answer(.string(id), .v2)
        case .savePayment(let id, let key):
            guard let payment = books.payment(id) else { throw .noSuchPayment }
            try open(place, key)
            if !books.installations[place].safePayments.contains(id) {
                books.installations[place].safePayments.append(id)
            }
            return answer(books.payments[payment].payment.json(.v2), .v2)
        case .listPayments(let key):
            try open(place, key)
            let kept = books.installations[place].safePayments.compactMap { books.payment($0) }
            return answer(.array(kept.map { books.payments[$0].payment.json(.v2) }), .v2)
        case .deletePayment(let id, let key):
            try open(place, key)
            guard books.installations[place].safePayments.contains(id),
                let payment = books.payment(id)
            else { throw .noSuchPayment }
            books.installations[place].safePayments.removeAll { $0 == id }
            return answer(books.payments[payment].payment.json(.v2), .v2)
        case .arePaymentsAvailable:
            return answer(.bool(!books.installations[place].safePayments.isEmpty), .v2)
        case .resetPayments:
            books.installations[place] = PAYMILLInstallation(device: login)
            return answer(.bool(true), .v2)
        }
    }

    private mutating func createDevice(of publicKey: String) throws(PAYMILLRefusal) -> HTTPResponse
    {
        guard publicKey == configuration.publicKey else { throw .accessDenied }
        guard books.installations.count < configuration.maximumEntryCount else {
            throw PAYMILLRefusal(status: 503, "The books are full")
        }
        let device = PAYMILLDevice(
            id: newID("device_", digitCount: 20),
            unmaskedKey: newID("", digitCount: 32)
        )
        books.installations.append(PAYMILLInstallation(device: device))
        return answer(device.json, .v2)
    }

    /// Charges or holds as the REST interface does, and notes whose it is.
    private mutating func create(
        _ resource: PAYMILLMobileRequest.Resource,
        _ money: PAYMILLRequest.Money,
        _ isConsumable: Bool,
        by device: String,
        _ call: inout PAYMILLCall
    ) throws(PAYMILLRefusal) -> HTTPResponse {
        guard books.transactions.count < configuration.maximumEntryCount else {
            throw PAYMILLRefusal(status: 503, "The books are full")
        }
        let count = books.transactions.count
        let response: HTTPResponse
        switch resource {
        case .transactions: response = try charge(money, .v2, &call)
        case .preauthorizations:
            var money = money
            // The guide: a description of an app is left out here.
            money.description = ""
            response = try preauthorize(money, .v2, &call)
        }
        guard books.transactions.count > count else { return response }
        let index = books.transactions.count - 1
        books.transactions[index].device = device
        if books.transactions[index].transaction.responseCode.isSuccess, isConsumable {
            books.transactions[index].isConsumed = false
        }
        return response
    }

    /// The place of a transaction that a device made.
    private func transaction(
        _ resource: PAYMILLMobileRequest.Resource,
        _ id: String,
        of device: String
    ) throws(PAYMILLRefusal) -> Int {
        let isHeld = resource == .preauthorizations
        guard
            let index = books.transactions.firstIndex(where: { entry in
                entry.device == device && entry.isHeld == isHeld
                    && (entry.transaction.id == id || entry.transaction.preauthorization?.id == id)
            })
        else { throw isHeld ? .noSuchPreauthorization : .noSuchTransaction }
        return index
    }

    private func list(_ isListed: (PAYMILLBooks.Transaction) -> Bool) -> HTTPResponse {
        let found = books.transactions.filter { !$0.isCapture && isListed($0) }
        let values = found.map { whole($0.transaction, .v2).json(.v2) }
        return answer(.array(values), .v2, count: found.count)
    }

    /// Opens a device's safe; the first key is the one by which it is made.
    private mutating func open(_ place: Int, _ key: String) throws(PAYMILLRefusal) {
        guard books.installations[place].wrongKeyCount < configuration.safeKeyAttemptCount else {
            throw .safeBlocked
        }
        if books.installations[place].safeKey.isEmpty { books.installations[place].safeKey = key }
        guard books.installations[place].safeKey == key else {
            books.installations[place].wrongKeyCount += 1
            throw .wrongSafeKey
        }
        books.installations[place].wrongKeyCount = 0
    }
}
