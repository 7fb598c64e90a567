/// A law's name, as scenarios and reports spell it.
public enum LawName: UInt8, CaseIterable, Hashable, Sendable {
    case nesting
    case flagsAgree
    case swipeOnlyWhileReady
    case oneCallbackPerSwipe
    case chargedAtMostOnce
    case noClearCardData
    case settles
    case quietAfterEnd
    case doubtIsLookedUp
    case refreshRenews
    case timeoutHonoured
    case autodetectSilent
    case oneAudioReader
    case noToneWithoutConsent
    case oneCompletion
    case oneUserAction
    case noChargeWithoutConsent
    case capturedWithinAuthorised
    case refundedWithinCaptured
    case noCardDataToMerchant
    case answersAreGenuine
    case tokenUsedOnce

    /// The spelling in scenarios and reports.
    public var spelling: String {
        switch self {
        case .nesting: "nesting"
        case .flagsAgree: "flags-agree"
        case .swipeOnlyWhileReady: "swipe-only-while-ready"
        case .oneCallbackPerSwipe: "one-callback-per-swipe"
        case .chargedAtMostOnce: "charged-at-most-once"
        case .noClearCardData: "no-clear-card-data"
        case .settles: "settles"
        case .quietAfterEnd: "quiet-after-end"
        case .doubtIsLookedUp: "doubt-is-looked-up"
        case .refreshRenews: "refresh-renews"
        case .timeoutHonoured: "timeout-honoured"
        case .autodetectSilent: "autodetect-silent"
        case .oneAudioReader: "one-audio-reader"
        case .noToneWithoutConsent: "no-tone-without-consent"
        case .oneCompletion: "one-completion"
        case .oneUserAction: "one-user-action"
        case .noChargeWithoutConsent: "no-charge-without-consent"
        case .capturedWithinAuthorised: "captured-within-authorised"
        case .refundedWithinCaptured: "refunded-within-captured"
        case .noCardDataToMerchant: "no-card-data-to-merchant"
        case .answersAreGenuine: "answers-are-genuine"
        case .tokenUsedOnce: "token-used-once"
        }
    }
}
