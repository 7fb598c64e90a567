import CardData
import Journal
import Laws
import Testing

@Suite("Outcome")
struct OutcomeCheckTests {
    static let here = SourceLocation(line: 20, column: 1)
    static let sale = LedgerFact(
        type: .sale,
        amount: Amount(minorUnits: 1_099),
        state: .pendingsettlement
    )
    static let declined = LedgerFact(
        type: .sale,
        amount: Amount(minorUnits: 500),
        state: .failed
    )

    static func charge(
        _ type: Symbol? = nil,
        _ minorUnits: Int64? = nil,
        _ state: Symbol? = nil
    ) -> ChargePattern {
        ChargePattern(
            type: type,
            amount: minorUnits.map(Amount.init(minorUnits:)),
            state: state,
            location: SourceLocation(line: 21, column: 3)
        )
    }

    static func failures(_ charges: [ChargePattern]?, _ ledger: [LedgerFact]) -> [String] {
        let plan = OutcomePlan(charges: charges, location: here)
        return OutcomeCheck.failures(of: plan, ledger: ledger, requestCount: 1).map(\.description)
    }

    @Test func chargesThatAreAsPlannedHold() {
        #expect(
            Self.failures([Self.charge(.sale, 1_099, .pendingsettlement)], [Self.sale]) == []
        )
        #expect(Self.failures([Self.charge()], [Self.sale]) == [])
        #expect(Self.failures(nil, [Self.sale, Self.sale]) == [])
    }

    @Test func aNumberOfChargesThatDiffersListsThem() {
        #expect(
            Self.failures([Self.charge(.sale)], [Self.sale, Self.sale])
                == [
                    """
                    expected 1 charge, found 2: sale 10.99 pendingsettlement, \
                    sale 10.99 pendingsettlement
                    """
                ]
        )
        #expect(Self.failures([Self.charge()], []) == ["expected 1 charge, found none"])
        #expect(
            Self.failures([], [Self.sale])
                == ["expected no charges, found 1: sale 10.99 pendingsettlement"]
        )
    }

    @Test func aChargeThatDiffersIsNamedAtItsLine() {
        let plan = OutcomePlan(
            charges: [Self.charge(), Self.charge(.sale, 1_100, .canceled)],
            location: Self.here
        )
        let found = OutcomeCheck.failures(
            of: plan,
            ledger: [Self.sale, Self.sale],
            requestCount: 2
        )
        #expect(found.map(\.location.line) == [21])
        #expect(
            found.map(\.description)
                == [
                    """
                    expected charge 2 to be sale 11.00 canceled, found \
                    sale 10.99 pendingsettlement
                    """
                ]
        )
    }

    @Test func declinedSalesAreChargesOnlyWhereTheFileListsThem() {
        #expect(Self.failures([], [Self.declined]) == [])
        #expect(Self.failures([Self.charge(.sale)], [Self.declined, Self.sale]) == [])
        #expect(
            Self.failures(
                [Self.charge(nil, nil, .failed), Self.charge()],
                [
                    Self.declined, Self.sale,
                ]
            ) == []
        )
        #expect(
            Self.failures([Self.charge(nil, nil, .failed)], [Self.sale]) != []
        )
    }

    @Test func aVoidedChargeIsStillACharge() {
        var voided = Self.sale
        voided.state = .canceled
        #expect(Self.failures([], [voided]) != [])
        #expect(Self.failures([Self.charge(.sale, nil, .canceled)], [voided]) == [])
    }

    @Test func theNumberOfRequestsIsComparedWhenGiven() {
        let plan = OutcomePlan(requestCount: 1, location: Self.here)
        #expect(OutcomeCheck.failures(of: plan, ledger: [], requestCount: 1) == [])
        #expect(
            OutcomeCheck.failures(of: plan, ledger: [], requestCount: 2).map(\.description)
                == ["expected 1 request, found 2"]
        )
    }

    @Test func theNumberOfUsedTokensIsComparedWhenGiven() {
        let plan = OutcomePlan(tokenCount: 1, location: Self.here)
        let failures = { (count: Int) in
            OutcomeCheck.failures(of: plan, ledger: [], requestCount: 5, tokenCount: count)
        }
        #expect(failures(1) == [])
        #expect(failures(0).map(\.description) == ["expected 1 used token, found 0"])
    }
}
