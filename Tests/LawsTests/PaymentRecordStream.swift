import CardData
import EventLoops
import Journal
import Laws

// What only card payments have.
extension RecordStream {
    /// A journal of a rig with a miura.
    static func till(lawsOff: [LawName] = []) -> Self {
        RecordStream(lawsOff: lawsOff, readerNames: ["miura"])
    }

    private static func money(_ amount: Int64) -> Attribute {
        Attribute(.amount, .amount(Amount(minorUnits: amount)))
    }

    private static func transaction(_ id: Int) -> Attribute {
        Attribute(.transactionID, .text(SafeText(id)))
    }

    mutating func authorize(_ payment: Int64 = 1) {
        write(
            .paymentRequested,
            [
                Attribute(.payment, .integer(payment)),
                Attribute(.amount, .text(SafeText("20.00"))),
                Attribute(.currency, .text(SafeText("GBP"))), Attribute(.isCaptured, .flag(true)),
            ]
        )
    }

    mutating func asked(_ record: RecordName, _ payment: Int64, of id: Int = 7) {
        write(record, [Attribute(.payment, .integer(payment)), Self.transaction(id)])
    }

    mutating func progress(_ state: Symbol = .waitingForCard, _ payment: Int64 = 1) {
        write(
            .progressChanged,
            [Attribute(.payment, .integer(payment)), Attribute(.state, .symbol(state))]
        )
    }

    mutating func askForSignature(_ payment: Int64 = 1) {
        write(
            .userActionRequired,
            [
                Attribute(.payment, .integer(payment)),
                Attribute(.action, .symbol(.collectSignature)),
            ]
        )
    }

    mutating func sign(_ result: Symbol = .successful, _ payment: Int64 = 1) {
        write(
            .signatureGiven,
            [Attribute(.payment, .integer(payment)), Attribute(.result, .symbol(result))]
        )
    }

    /// A word on a signature that is not taken.
    mutating func signInVain(_ result: Symbol = .successful, _ payment: Int64 = 1) {
        sign(result, payment)
        // At the same time: what a call does is told at once.
        wait(.milliseconds(-1))
        write(.misuse, [Attribute(.payment, .integer(payment))])
    }

    mutating func cancel(_ payment: Int64 = 1) {
        write(.paymentCancelled, [Attribute(.payment, .integer(payment))])
    }

    mutating func complete(
        _ result: Symbol = .approved,
        _ payment: Int64 = 1,
        kind: Symbol = .authorise
    ) {
        write(
            .completed,
            [
                Attribute(.payment, .integer(payment)), Attribute(.kind, .symbol(kind)),
                Attribute(.result, .symbol(result)),
            ]
        )
    }

    /// A request that reached the service: an authorisation or a search by its reference, others by
    /// their transaction.
    mutating func reached(
        _ number: Int64,
        _ kind: Symbol,
        _ about: Int? = nil,
        reference: StaticString = "installation-1",
        amount: Int64? = nil
    ) {
        var attributes = [Attribute(.number, .integer(number)), Attribute(.kind, .symbol(kind))]
        if let amount { attributes.append(Self.money(amount)) }
        if let about {
            attributes.append(Self.transaction(about))
        } else {
            attributes.append(Attribute(.reference, .text(SafeText(reference))))
        }
        write(.requestReceived, attributes)
    }

    mutating func told(_ number: Int64, _ kind: Symbol, _ response: Symbol = .approved) {
        write(
            .gatewayAnswered,
            [
                Attribute(.number, .integer(number)), Attribute(.kind, .symbol(kind)),
                Attribute(.response, .symbol(response)),
            ]
        )
    }

    mutating func authorised(
        _ id: Int = 7,
        amount: Int64 = 2_000,
        verification: Symbol = .offlinePIN,
        state: Symbol = .authorised
    ) {
        write(
            .booked,
            [
                Attribute(.type, .symbol(.sale)), Self.money(amount), Self.transaction(id),
                Attribute(.state, .symbol(state)), Attribute(.verification, .symbol(verification)),
            ]
        )
    }

    mutating func moved(_ record: RecordName, _ amount: Int64 = 2_000, of id: Int = 7) {
        write(record, [Self.money(amount), Self.transaction(id)])
    }

    /// A payment down to its capture and its end.
    mutating func sell(_ payment: Int64 = 1, id: Int = 7) {
        authorize(payment)
        progress(.waitingForCard, payment)
        reached(payment * 10, .authorise)
        authorised(id)
        told(payment * 10, .authorise)
        reached(payment * 10 + 1, .confirm, id)
        moved(.captured, of: id)
        told(payment * 10 + 1, .confirm)
        complete(.approved, payment)
    }

    /// What a card says in the end.
    mutating func decide(_ result: Symbol) {
        write(.cardDecided, [Attribute(.reader, .reader(0)), Attribute(.result, .symbol(result))])
    }

    /// Something that happens to the first reader or to its link.
    mutating func atReader(_ record: RecordName) {
        write(record, [Attribute(.reader, .reader(0))])
    }
}
