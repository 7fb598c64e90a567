/// The words that begin a step of a scenario.
///
/// The parser, the schema, the help and the documents take spelling, meaning and actor from here.
public enum StepWord: String, CaseIterable, Hashable, Sendable {
    // A hand.
    case plugIn = "plug in"
    case unplug
    case swipe
    case insert
    case tap
    case removeCard = "remove card"
    case keys
    case press
    case switchOff = "switch off"
    case switchOn = "switch on"
    case reboot
    case loadWiFi = "load wifi"
    case roam

    // The merchant and the app.
    case enterCard = "enter card"
    case charge
    case auth
    case capture
    case refund
    case void
    case sign
    case call
    case set
    case background
    case foreground
    case killApp = "kill app"
    case launchApp = "launch app"
    case answer
    case phoneCall = "phone call"
    case enterCheck = "enter check"
    case credit
    case validate
    case offline
    case update
    case vault
    case addPlan = "add plan"
    case subscribe
    case unsubscribe
    case merchantServer = "merchant server"
    case openURL = "open url"
    case scan
    case signUp = "sign up"
    case logIn = "log in"
    case saveUser = "save user"
    case enterAccount = "enter account"
    case makeToken = "make token"
    case buy
    case list

    // The link and the gateway.
    case link
    case gateway

    // Checks.
    case expect
    case await
    case expectAny = "expect-any"
    case unordered
    case until
    case never
    case count
    case expectState = "expect-state"

    // Order and time.
    case on
    case block = "do"
    case `repeat`
    case race
    case anyTime = "any time"
    case sometime = "sometime within"
    case faultPoints = "fault points"
    case wait
    case settle

    /// Words that later versions know.
    public static let later: [String] = []

    /// Every spelling, in the order of the cases.
    public static let spellings = allCases.map(\.rawValue)

    /// What the step does, in one sentence.
    public var meaning: String {
        switch self {
        case .plugIn: "A hand plugs a reader in."
        case .unplug: "A hand pulls a reader out."
        case .swipe: "A hand swipes a card."
        case .enterCard: "Somebody types a card in; the app keeps it as it keeps a swiped one."
        case .charge: "The app asks for money: of the last card swiped or typed in, or the next."
        case .auth: "The app authorises an amount on the card, to be captured later."
        case .capture: "The app captures what was authorised last, or less."
        case .refund: "The app pays back what was approved last, or less."
        case .insert: "A hand puts a card into the slot of a payment reader."
        case .tap: "A hand holds a card to a payment reader."
        case .removeCard: "A hand takes the card out of the slot."
        case .keys: "A hand presses keys, such as `1234 enter`; nothing shows the digits."
        case .press:
            "A hand presses one key: enter, clear, cancel; done or cancel of a terminal app."
        case .switchOff: "A hand switches a payment reader off."
        case .switchOn: "A hand switches a payment reader on."
        case .reboot: "A payment reader starts anew."
        case .loadWiFi:
            "A `wifi.cfg` is loaded into a payment reader over USB: a valid one, or this text."
        case .roam: "A payment reader leaves its network for so long."
        case .void: "The app voids the charge that was approved last."
        case .sign: "The app tells what came of the signature."
        case .call: "The app calls a method of the SDK."
        case .set: "Somebody turns what a hand can turn, such as the volume."
        case .background: "The app is sent to the background."
        case .foreground: "The app is brought back to the foreground."
        case .killApp: "The app is killed: its SDK objects are gone, the outside world is not."
        case .launchApp: "The app is launched and makes a new controller."
        case .answer: "The app's user answers the prompt that is shown."
        case .phoneCall: "A phone call takes the audio route, or gives it back."
        case .enterCheck: "Somebody types a bank account in; the app pays by electronic check."
        case .credit: "The app pays out to what pays, without an earlier payment."
        case .validate: "The app has what pays looked at, without money."
        case .offline: "The app records a payment that the issuer authorised by telephone."
        case .update: "The app adds data to what was approved last."
        case .vault: "The gateway keeps, changes or forgets a customer, or the app uses one."
        case .addPlan: "The app has the gateway keep a plan of recurring payments."
        case .subscribe: "The app subscribes what pays to a plan."
        case .unsubscribe: "The app ends the subscription that began last."
        case .merchantServer: "The merchant's server will do something else than it should."
        case .openURL: "The app charges through the terminal app, or somebody opens a URL."
        case .scan: "A hand holds a card in front of the camera, or leaves the scanner's screen."
        case .signUp: "The app makes a user of the store."
        case .logIn: "The app begins a session of a user of the store."
        case .saveUser: "The app saves the user with another address."
        case .enterAccount: "Somebody types a German bank account in; it pays by direct debit."
        case .makeToken: "The app has PAYMILL make a token of the card that was typed in."
        case .buy: "The app buys a product of the store, with a card, a token or a stored card."
        case .list: "The app lists the user's cards or the products."
        case .link: "The link will disturb what the reader sends, at an address."
        case .gateway: "The gateway will do something else than its natural answer."
        case .expect: "Exactly these records come next, in order."
        case .await: "This record comes, and others may come before it."
        case .expectAny: "Exactly what one of these lists says comes next."
        case .unordered: "Exactly these records come next, in any order."
        case .until: "Records pass up to this one, which the next check takes."
        case .never: "No such record comes from here to the end of the block."
        case .count: "So many records come in the block that the step stands in."
        case .expectState: "The reader's properties have these values."
        case .on: "Acts from inside a callback, before the next event is delivered."
        case .block: "A block of steps, in which never, count and on hold."
        case .repeat: "A block of steps, played again and again."
        case .race: "The steps come in any order and at any moment of a window."
        case .anyTime:
            "The step comes at any moment from here to the end; steps in a list keep their order."
        case .sometime: "The same in a window, such as `{ 2s: unplug }`."
        case .faultPoints: "Each of these faults may come once from here on, or not."
        case .wait: "Time passes."
        case .settle: "Until nothing is pending."
        }
    }

    /// Whether somebody or something acts at once, so that the step can stand in a race and in the
    /// `do` of an `on`.
    public var isAct: Bool {
        switch self {
        case .plugIn, .unplug, .swipe, .insert, .tap, .removeCard, .keys, .press, .enterCard, .auth,
            .switchOff,
            .switchOn, .reboot, .loadWiFi, .roam, .charge, .void, .capture, .refund, .sign, .call,
            .set, .background,
            .foreground, .killApp, .launchApp, .answer, .phoneCall, .link, .gateway,
            .enterCheck, .credit, .validate, .offline, .update, .vault, .addPlan, .subscribe,
            .unsubscribe, .merchantServer, .openURL, .scan, .signUp, .logIn, .saveUser, .makeToken,
            .enterAccount, .buy, .list:
            true
        case .expect, .await, .expectAny, .unordered, .until, .never, .count, .expectState, .on,
            .block, .repeat, .race, .anyTime, .sometime, .faultPoints, .wait, .settle:
            false
        }
    }

    /// Whether the step waits for records, so that `within` and `not before` can stand beside it.
    public var hasTimeLimit: Bool {
        switch self {
        case .expect, .await, .expectAny, .unordered, .until: true
        case .plugIn, .unplug, .swipe, .insert, .tap, .removeCard, .keys, .press, .enterCard, .auth,
            .switchOff,
            .switchOn, .reboot, .loadWiFi, .roam, .charge, .void, .capture, .refund, .sign, .call,
            .set, .background,
            .foreground, .killApp, .launchApp, .answer, .phoneCall, .link, .gateway, .enterCheck,
            .credit,
            .validate, .offline, .update, .vault, .addPlan, .subscribe, .unsubscribe,
            .merchantServer, .openURL, .scan, .signUp, .logIn, .saveUser, .makeToken, .enterAccount,
            .buy, .list,
            .never, .count,
            .expectState, .on, .block,
            .repeat, .race, .anyTime, .sometime, .faultPoints, .wait, .settle:
            false
        }
    }
}
