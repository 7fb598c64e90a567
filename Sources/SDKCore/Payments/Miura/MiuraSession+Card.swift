import CardData
import EventLoops
import GatewayProtocols
import ReaderProtocols

/// Waiting for a card, by any of the three ways.
extension MiuraSession {
    /// Asks for a card as soon as the reader is set up and the card before is gone.
    mutating func awaitCard(at now: VirtualInstant) {
        guard phase == .awaitingReader, facts != nil, let sale else { return }
        if isUsedCardPresent {
            show("Please remove card", at: now)
            tell(.progress(.removeCard))
            return
        }
        if let clock = sale.transaction.clock { _ = send(.setClock(clock), at: now) }
        _ = send(.keyboardStatus(MiuraKeyboardReports(reportsKeys: true)), at: now)
        phase = .awaitingCard
        tell(.progress(.waitingForCard))
        askForCard(sale.text, at: now)
    }

    /// Shows a text and asks for the card status, whose answer begins what is possible.
    private mutating func askForCard(_ text: String, at now: VirtualInstant) {
        show(text, at: now)
        _ = send(.cardStatus(.payments), at: now)
    }

    /// Asks again after something that was no payment, with what is to be shown.
    mutating func askAgain(_ progress: MiuraProgress, _ text: String, at now: VirtualInstant) {
        phase = .awaitingCard
        tell(.progress(progress))
        askForCard(text, at: now)
    }

    // MARK: Reports

    mutating func heard(_ event: MiuraEvent, at now: VirtualInstant) {
        switch event {
        case .cardStatus(let report): took(report, at: now)
        case .keyPressed(0x1B):
            if phase == .awaitingCard, contactless == nil {
                finish(.cancelledByCardholder, at: now)
            }
        case .readerStatus(let status): took(status)
        case .battery(let battery):
            facts?.battery = battery
            tell(.battery(battery))
        case .keyPressed, .barCode, .printer, .usbSerialData, .touched, .wifi, .usb,
            .pairingRequest, .other:
            break
        }
    }

    private mutating func took(_ status: MiuraReaderStatus) {
        guard isBusy else { return }
        switch status.code {
        case .pinEntry: tell(.progress(.pinEntry(status.pinEntry)))
        case .applicationSelection: tell(.progress(.selectingApplication))
        case .seePhone: tell(.progress(.seePhone))
        default: break
        }
    }

    private mutating func took(_ report: MiuraCardReport, at now: VirtualInstant) {
        let isSwipe = report.status.contains(.swiped)
        if !isSwipe {
            slot = report.status
            if !slot.contains(.present), isUsedCardPresent {
                isUsedCardPresent = false
                awaitCard(at: now)
            }
        }
        guard phase == .awaitingCard else { return }
        guard contactless == nil else {
            // The contactless command ends by itself; what it says comes before this.
            if isSwipe || report.status.contains(.present) {
                waitingReport = report
                reportDeadline = now + options.reportLimit
            }
            return
        }
        reportDeadline = nil
        use(report, at: now)
    }

    /// Goes on with a report while no contactless command runs.
    private mutating func use(_ report: MiuraCardReport, at now: VirtualInstant) {
        if report.status.contains(.swiped) {
            use(swipe: report, at: now)
        } else if report.status.contains([.present, .chip]) {
            startChip(at: now)
        } else if report.status.contains(.present) {
            failedInsertCount += 1
            guard failedInsertCount >= options.insertsBeforeSwipe else {
                show("Card not readable", at: now)
                tell(.progress(.chipUnreadable))
                return
            }
            takesStripe = true
            show("Please swipe card", at: now)
            tell(.progress(.swipeInstead))
        } else {
            startContactless(at: now)
        }
    }

    /// The contactless command has ended, or has not, and the card that ended it did not show.
    mutating func reportIsMissing(at now: VirtualInstant) {
        guard phase == .awaitingCard else { return }
        if contactless != nil {
            _ = send(.abort, at: now)
        } else {
            _ = send(.cardStatus(.payments), at: now)
        }
    }

    // MARK: Taps

    private mutating func startContactless(at now: VirtualInstant) {
        guard takesTaps, facts?.hasField == true, var transaction = sale?.transaction else {
            return
        }
        let left = (cardDeadline.map { $0 - now } ?? .zero).nanoseconds / 1_000_000_000
        transaction.applicationSelection = nil
        transaction.stopsAtRiskManagement = nil
        transaction.timeLimitSeconds = Int(max(1, min(left, 0xFFFF)))
        contactless = send(.startContactless(transaction), at: now)
    }

    /// The contactless command was answered; what is no outcome of a tap goes on by another way.
    mutating func contactlessAnswered(_ answer: MiuraAnswer, at now: VirtualInstant) {
        contactless = nil
        reportDeadline = nil
        if case .aborting(let end) = phase {
            endAborted(answer, end, at: now)
            return
        }
        guard phase == .awaitingCard else { return }
        if case .transaction = answer {
            isContactless = true
            tell(.progress(.cardTapped))
            outcome(answer, at: now)
            return
        }
        guard case .refused(let statusWord, _) = answer else {
            finish(.failed(.readerFailed), at: now)
            return
        }
        let report = waitingReport
        waitingReport = nil
        switch statusWord {
        case .cardInserted, .cardSwiped: break
        case .noContactlessApplication, .contactlessNotPossible, .useChip,
            .contactlessHardwareError:
            takesTaps = false
            if report == nil {
                askAgain(.tapNotPossible, "Please insert card", at: now)
                return
            }
        case .cancelled where report != nil: break
        default:
            refused(statusWord, at: now)
            return
        }
        if let report {
            use(report, at: now)
        } else {
            reportDeadline = now + options.reportLimit
        }
    }

    // MARK: Swipes

    private mutating func use(swipe report: MiuraCardReport, at now: VirtualInstant) {
        guard report.status.contains(.track2),
            let track = report.objects.first(.maskedTrack2).flatMap({ MaskedTrack($0.value) }),
            let reading = MiuraCardReading(
                swipe: report,
                track,
                isFallback: takesStripe && track.hasChip
            )
        else {
            askAgain(.badSwipe, "Please swipe again", at: now)
            return
        }
        guard !track.hasChip || takesStripe else {
            askAgain(.insertInstead, "Please insert card", at: now)
            return
        }
        tell(.progress(.cardSwiped))
        guard reading.isEncrypted || options.takesClearCards else {
            finish(.failed(.keysMissing), at: now)
            return
        }
        guard track.requiresPIN, let sale, let masked = report.objects.first(.maskedTrack2) else {
            authorise(reading)
            return
        }
        phase = .awaitingPIN(reading)
        command = send(
            .onlinePIN(
                MiuraOnlinePIN(
                    amountMinorUnits: sale.transaction.amountMinorUnits,
                    currency: sale.transaction.currency,
                    label: "Card",
                    maskedTrack2: masked.value,
                    allowsBypass: options.allowsPINBypass
                )
            ),
            at: now
        )
    }

    /// ONLINE PIN was answered.
    mutating func pinAnswered(
        _ answer: MiuraAnswer,
        _ reading: MiuraCardReading,
        at now: VirtualInstant
    ) {
        var reading = reading
        switch answer {
        case .onlinePIN(.block(let block, let ksn)),
            .onlinePIN(.encryptedData(let block, let ksn)):
            reading.card.pinBlock = block
            reading.card.pinKeySerialNumber = ksn
            authorise(reading)
        case .onlinePIN(.bypassed):
            reading.card.verification = .signature
            authorise(reading)
        case .onlinePIN(.cancelledOrTimedOut): finish(.cancelledByCardholder, at: now)
        case .onlinePIN(.internalError): finish(.failed(.pinFailed), at: now)
        case .refused(let statusWord, _): refused(statusWord, at: now)
        default: finish(.failed(.readerFailed), at: now)
        }
    }
}
