import CardCrypto
import CardData
import GatewayProtocols
import Transports

extension SimulatedNMIGateway {
    /// Carries out a request about the customers that are kept.
    ///
    /// The texts are those of active_merchant `network_merchants_test.rb` and omnipay-nmi
    /// `tests/Mock`.
    mutating func carryOut(
        _ request: NMIVaultRequest,
        _ call: NMICall,
        _ cache: CryptoCache
    ) -> HTTPResponse {
        switch request.action {
        case .add: return add(request, call, cache)
        case .update:
            guard var customer = vault.customer(request.customerID) else {
                return refuseCustomer(call, request.customerID)
            }
            if let data = request.card {
                switch payingCard(data, cache) {
                case .success(let card): customer.card = card
                case .failure(let refusal): return refuse(call, refusal.text)
                }
            }
            customer.details.merge(request.details)
            customer.card.customerID = customer.id
            vault.keep(customer)
            return approve(call, "Customer Update Successful", customerID: customer.id)
        case .delete:
            guard vault.forget(request.customerID) else {
                return refuseCustomer(call, request.customerID)
            }
            return approve(call, "Customer Deleted", customerID: request.customerID)
        }
    }

    private mutating func add(
        _ request: NMIVaultRequest,
        _ call: NMICall,
        _ cache: CryptoCache
    ) -> HTTPResponse {
        guard let data = request.card else { return refuse(call, "Billing Information missing") }
        guard request.customerID.isEmpty || vault.customer(request.customerID) == nil else {
            return refuse(call, "Duplicate Customer Vault Id", customerID: request.customerID)
        }
        guard !vault.isFull else { return refuse(call, "The simulated vault is full") }
        var card: PayingCard
        switch payingCard(data, cache) {
        case .success(let found): card = found
        case .failure(let refusal): return refuse(call, refusal.text)
        }
        let id = request.customerID.isEmpty ? vault.makeID() : request.customerID
        card.customerID = id
        vault.keep(StoredCustomer(id: id, card: card, details: request.details))
        return approve(call, "Customer Added", customerID: id)
    }

    struct CardRefusal: Error { var text: String }

    /// What pays, where a request keeps it and charges nothing.
    mutating func payingCard(
        _ data: NMICardData,
        _ cache: CryptoCache
    ) -> Result<PayingCard, CardRefusal> {
        switch resolve(data, nil, cache) {
        case .card(let card, _): .success(card)
        case .invalid(let text): .failure(CardRefusal(text: text))
        case .undecryptable: .failure(CardRefusal(text: configuration.swipeErrorText))
        case .unknownCustomer: .failure(CardRefusal(text: "Invalid Customer Vault Id"))
        }
    }

    /// Does what an approved payment asks of the vault and of the plans.
    ///
    /// - Returns: The fields that the answer has besides.
    mutating func keep(
        _ payment: NMIPayment,
        _ card: PayingCard,
        _ call: NMICall
    ) -> [NMIResponse.Field] {
        var fields: [NMIResponse.Field] = []
        var card = card
        if let order = payment.vault {
            let id = order.customerID.isEmpty ? vault.makeID() : order.customerID
            var customer =
                vault.customer(id)
                ?? StoredCustomer(id: id, card: card, details: payment.details)
            customer.card = card
            customer.card.customerID = id
            customer.details.merge(payment.details)
            vault.keep(customer)
            card.customerID = id
            fields.append(.init(name: "customer_vault_id", value: id))
        } else if !card.customerID.isEmpty {
            fields.append(.init(name: "customer_vault_id", value: card.customerID))
        }
        if let order = payment.subscription {
            let id = subscribe(order, card, payment.orderID, payment.details, at: call.instant)
            fields.append(.init(name: "subscription_id", value: id))
        }
        return fields
    }

    mutating func refuseCustomer(_ call: NMICall, _ id: String) -> HTTPResponse {
        refuse(call, "Invalid Customer Vault Id", customerID: id)
    }

    private func approve(
        _ call: NMICall,
        _ text: String,
        customerID: String
    ) -> HTTPResponse {
        let response = NMIResponse(
            kind: .approved,
            text: text,
            responseCode: .approved,
            otherFields: [.init(name: "customer_vault_id", value: customerID)]
        )
        return respond(call, response, id: nil)
    }
}
