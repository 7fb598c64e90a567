public import CardData
import EventLoops
import GatewayProtocols
import Journal
import SDKCore

/// How a card scanner's screen is left.
public enum ScanResult: Hashable, Sendable {
    /// The camera reads the card.
    case scanned
    /// The number is typed in.
    case manual
    /// The user leaves without a card.
    case cancelled
}

extension Rig {
    /// Opens the card scanner of the app and lets a hand do what comes of it.
    ///
    /// A charge that the terminal app shows is paid with the card; else the app keeps it as it
    /// keeps a card that was typed in, unless it has no expiration date that can be sent.
    /// - Parameters:
    ///   - name: The test card that is in front of the camera, or whose number is typed in.
    ///   - delivered: The test card that is delivered in its place; `nil` is the same.
    ///   - result: How the screen is left.
    ///   - date: What the app gets of the date, made of the card's.
    ///   - securityCode: The code that was typed with it; `nil` is none.
    /// - Returns: Whether there was such a card, and an app or a terminal app that scans.
    public mutating func scan(
        _ name: String,
        delivering delivered: String? = nil,
        _ result: ScanResult,
        date: (ExpirationDate) -> (month: Int, year: Int),
        securityCode: String?
    ) -> Bool {
        touched.formUnion(.payments)
        guard let stripe = TestCard.named(delivered ?? name),
            let track = Track2(parsing: stripe.unmaskedTrack2), let expires = track.expirationDate
        else { return false }
        journal.write(
            .cardScanned,
            at: now,
            Attribute(.card, .text(SafeText(scrubbing: name))),
            Attribute(.result, .symbol(Symbol(result)))
        )
        if isTerminalOpen {
            return result == .cancelled || payAtTerminal(delivered ?? name)
        }
        guard isAppAlive, payments != nil || terminal != nil || store != nil else { return false }
        guard result != .cancelled else {
            journal.write(.userDidCancelPaymentViewController, at: now)
            return true
        }
        let (month, year) = date(expires)
        let card = ScannedCard(
            pan: track.pan,
            expiryMonth: month,
            expiryYear: year,
            securityCode: securityCode.map { CardSecurityCode(unmasked: Array($0.utf8)) },
            isScanned: result == .scanned
        )
        journal.begin(.userDidProvideCreditCardInfo, at: now)
        journal.add(.cardType, .symbol(Symbol(card.cardType)))
        journal.add(.redactedCardNumber, .text(card.redactedCardNumber))
        if let date = card.expirationDate { journal.add(.expirationDate, .text(SafeText(date))) }
        journal.add(.isScanned, .flag(card.isScanned))
        journal.end()
        keep(card)
        return true
    }

    /// Keeps what a scanner gave for the next charge, where it has a date.
    private mutating func keep(_ card: ScannedCard) {
        store?.app.instrument = .card(card.paymillCard)
        guard let date = card.expirationDate else { return }
        payments?.card = .keyed(NMIKeyedCard(card.pan, expires: date))
        payments?.securityCode = card.securityCode
    }
}

extension Symbol {
    fileprivate init(_ result: ScanResult) {
        switch result {
        case .scanned: self = .scanned
        case .manual: self = .manual
        case .cancelled: self = .cancelled
        }
    }

    fileprivate init(_ type: ScannedCard.CardType) {
        switch type {
        case .unrecognized, .ambiguous: self = .unrecognized
        case .amex: self = .amex
        case .visa: self = .visa
        case .mastercard: self = .mastercard
        case .discover: self = .discover
        case .jcb: self = .jcb
        }
    }
}
