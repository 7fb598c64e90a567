import CardData
import Journal

extension Grammar {
    /// What stands behind a step's word; `nil` when nothing can.
    static func argument(of word: StepWord) -> Shape? {
        switch word {
        case .plugIn, .unplug: .text
        case .swipe: .either([.words(TestCard.names), .map(swipe)])
        case .insert, .tap: .either([.words(TestCard.names), .map(cardAct)])
        case .removeCard, .switchOff, .switchOn, .reboot: .text
        case .loadWiFi: .either([.text, .map(loadWiFi)])
        case .roam: .either([.duration, .map(roam)])
        case .keys: .either([.pattern(keysExpression), .map(keys)])
        case .press: .either([.words(pressed), .map(press)])
        case .charge: .either([.amount, .map(chargeStep)])
        case .auth: .either([.amount, .map(merchantPayment(.auth))])
        case .credit, .offline: .either([.amount, .map(merchantPayment(word))])
        case .validate: .map(merchantPayment(.validate))
        case .enterCheck: .map(enterCheck)
        case .update: .map(update)
        case .vault: .map(vault)
        case .addPlan: .map(addPlan)
        case .subscribe: .map(subscribe)
        case .void: .map(void)
        case .capture: .amount
        case .refund: .either([.amount, .map(refundStep)])
        case .enterCard: .either([.words(TestCard.names), .map(enterCard)])
        case .sign: .either([.words(signatureResults.map(\.spelling)), .map(sign)])
        case .answer: .words(["yes", "no"])
        case .phoneCall: .words(PhoneCall.allCases.map(\.rawValue))
        case .signUp: .map(signUp)
        case .logIn: .map(logIn)
        case .saveUser: .map(saveUser)
        case .enterAccount: .map(enterAccount)
        case .makeToken: .amount
        case .buy: .either([.words(products), .map(buy)])
        case .list: .words(listed)
        case .unsubscribe, .background, .foreground, .killApp, .launchApp: nil
        case .openURL: .either([.text, .map(openURL)])
        case .scan:
            .either([
                .words(TestCard.names + [ScanPlan.Result.cancelled.rawValue]), .map(scan),
            ])
        case .call: call
        case .set: .map(setting)
        case .link: .defined(.linkFault)
        case .gateway, .merchantServer: .map(gateway)
        case .expect: .either([.defined(.records), timedRecord])
        case .await: .either([.defined(.record), timedRecord])
        case .expectAny:
            .list(
                .either([
                    .defined(.record), .list(.defined(.record), minimumCount: 0),
                ]),
                minimumCount: 2
            )
        case .unordered: .list(.defined(.record), minimumCount: 2)
        case .until: .either([.defined(.record), timedRecord])
        case .never: .defined(.records)
        case .count: .defined(.counts)
        case .expectState: .map(state)
        case .on: .defined(.record)
        case .block: .defined(.steps)
        case .repeat: .map(repeated)
        case .race: .map(race)
        case .anyTime: oneOrMore(.defined(.act))
        case .sometime: .timed(oneOrMore(.defined(.act)))
        case .faultPoints: oneOrMore(.words(FaultPoint.allCases.map(\.rawValue)))
        case .wait: .duration
        case .settle: .map(settle)
        }
    }

    /// Whether a step's word can stand alone.
    static func standsAlone(_ word: StepWord) -> Bool {
        switch word {
        case .plugIn, .unplug, .swipe, .insert, .tap, .removeCard, .switchOff, .switchOn, .reboot,
            .loadWiFi, .enterCard, .capture, .refund, .void, .background, .foreground, .killApp,
            .launchApp,
            .settle, .validate, .enterCheck, .unsubscribe, .scan, .signUp, .logIn, .enterAccount:
            true
        case .credit, .offline, .update, .vault, .addPlan, .subscribe, .merchantServer, .openURL,
            .saveUser, .makeToken, .buy, .list, .keys,
            .press, .roam, .sign, .charge, .auth, .call, .set, .answer, .phoneCall, .link,
            .gateway, .expect, .await,
            .expectAny, .unordered,
            .until, .never, .count, .expectState, .on, .block, .repeat, .race, .anyTime, .sometime,
            .faultPoints, .wait:
            false
        }
    }

    /// What can stand beside a step's word.
    static func siblings(of word: StepWord) -> [KeyRow] {
        if word.hasTimeLimit { return timeLimits }
        guard word == .on else { return [] }
        return [
            KeyRow("do", .defined(.acts), isRequired: true, "What the app does, in order."),
            KeyRow("times", .integer(1...10_000), "How often; once where nothing is said."),
        ]
    }

    static let timeLimits = [
        KeyRow("within", .duration, "The longest that the check waits."),
        KeyRow("not before", .duration, "The check fails if it is met earlier."),
    ]

    /// The ways in which a step of a word can be written.
    static func stepShapes(_ word: StepWord) -> [Shape] {
        var shapes: [Shape] = standsAlone(word) ? [.words([word.rawValue])] : []
        if let argument = argument(of: word) {
            let row = KeyRow(word.rawValue, argument, isRequired: true, word.meaning)
            shapes.append(.map(MapTable(subject: "a step", keys: [row] + siblings(of: word))))
        }
        return shapes
    }

    static let swipe = MapTable(
        subject: "`swipe`",
        keys: [
            KeyRow("card", .words(TestCard.names), "The card, a Visa where nothing is said."),
            KeyRow(
                "quality",
                .either([.words(qualities.map(\.spelling)), .map(stripe)]),
                "How it goes through: a word, or what the card does and what is wrong with it."
            ),
            KeyRow("reader", .text, "The reader, the first one where nothing is said."),
        ]
    )

    /// The words for how a card goes through; `tooFast` is the vocabulary's spelling.
    static let qualities: [(spelling: String, value: Symbol)] = [
        ("good", .good), ("partial", .partial), ("reversed", .reversed), ("too fast", .tooFast),
        ("tooFast", .tooFast), ("unreadable", .unreadable),
    ]

    static let chargeStep = MapTable(
        subject: "`charge`",
        keys: [
            KeyRow("amount", .amount, "The money."),
            KeyRow("order", .text, "The order id, of NMI."),
        ] + paymentKeys + merchantKeys + [payerKey],
        later: ["tip"],
        exactlyOne: [["amount", "amountText"]]
    )

    static let refundStep = MapTable(
        subject: "`refund`",
        keys: [
            KeyRow("amount", .amount, "The money; all that is left where nothing is said."),
            KeyRow("order", .text, "The app's name for the refund."),
            KeyRow(
                "as",
                .words(["card", "check"]),
                "What it is said to be; as it is if not said."
            ),
        ]
    )

    /// The security code is `right` or `wrong` by word: a scenario shows no code.
    static let enterCard = MapTable(
        subject: "`enter card`",
        keys: [
            KeyRow("card", .words(TestCard.names), "The card, a Visa where nothing is said."),
            KeyRow("cvv", .words(["right", "wrong"]), "The security code; none is typed without."),
            KeyRow(
                "encrypted",
                .words(["yes", "no"]),
                "Whether the app encrypts it with the merchant's key, as it does unless told not to."
            ),
        ] + storeCardKeys
    )

    /// A method's name, or a map of it with its argument.
    static let call = Shape.either([
        .words(MethodName.allCases.filter { $0.argument == .none }.map(\.spelling)),
        .map(methods),
    ])

    static let methods: MapTable = {
        let methods = MethodName.allCases.filter { $0.argument != .none }
        let names = methods.map(\.spelling)
        let rows = methods.map { KeyRow($0.spelling, shape(of: $0.argument), $0.meaning) }
        return MapTable(subject: "`call`", keys: rows, exactlyOne: [names])
    }()

    private static func shape(of argument: MethodName.Argument) -> Shape {
        switch argument {
        case .none: .nothing
        case .value(let kind): shape(of: kind)
        case .readerType: .either([.words(audioJackReaderTypes), .map(readerType)])
        case .messageOptions: .map(messageOptions)
        }
    }

    static let gateway = MapTable(
        subject: "`gateway`",
        keys: [
            KeyRow("answer", .pattern(answerExpression), isRequired: true, "What it does instead."),
            KeyRow("request", .integer(1...1_000_000), "The request's number, from 1 in the run."),
            KeyRow("kind", .words(requestKinds.map(\.spelling)), "The kind of request."),
            KeyRow("when", .words(["before booking", "after booking"]), "When it fires."),
        ]
    )

    static let requestKinds: [(spelling: String, value: Symbol)] = [
        ("sale", .sale), ("void", .void), ("query", .query), ("auth", .auth),
        ("capture", .capture), ("refund", .refund), ("authorise", .authorise),
        ("confirm", .confirm), ("reverse", .reverse), ("credit", .credit), ("validate", .validate),
        ("offline", .offline), ("update", .update), ("vault", .vault), ("recurring", .recurring),
        ("token", .token),
    ]
    static let answers = [
        "decline", "error", "timeout", "http", "garbage", "reset", "slow", "refused", "other order",
    ]
    private static let answerExpression =
        "^ *(timeout|garbage|reset|refused|other +order|(decline|error|http)( +[0-9]{3})?"
        + "|http +5[0-9]{2} +approved|slow( +[0-9.]+[a-z]+)?) *$"

    static let state = MapTable(
        subject: "`expect-state`",
        keys: [
            KeyRow("reader", .text, "The reader, the first one where nothing is said."),
            KeyRow("isConnected", .flag, "Whether it is attached, as the app was told."),
            KeyRow("isActivated", .flag, "Whether it is initialised."),
            KeyRow("isReadyForSwipe", .flag, "Whether a swipe gives a didSwipeCard."),
            KeyRow(
                "audioJackReaderType",
                .words(audioJackReaderTypes),
                "The kind of audio-jack reader that is enabled."
            ),
        ],
        atLeastOne: ["isConnected", "isActivated", "isReadyForSwipe", "audioJackReaderType"]
    )

    static let repeated = MapTable(
        subject: "`repeat`",
        keys: [
            KeyRow("times", .integer(1...10_000), "How many rounds, or the most with `until`."),
            KeyRow("until", .defined(.record), "The record after whose round it ends."),
            KeyRow("steps", .defined(.steps), isRequired: true, "The steps of a round."),
        ],
        atLeastOne: ["times", "until"]
    )

    static let race = MapTable(
        subject: "`race`",
        keys: [
            KeyRow("within", .duration, isRequired: true, "The window."),
            KeyRow("of", .list(.defined(.act), minimumCount: 2), isRequired: true, "The steps."),
        ]
    )

    static let settle = MapTable(
        subject: "`settle`",
        keys: [KeyRow("within", .duration, isRequired: true, "The longest that it waits.")]
    )
}

extension Grammar {
    /// A record's name, or a map of it with its attributes.
    static let record = Shape.either([.words(recordNames), recordMap(beside: [])])

    /// The same, with time limits beside the name.
    static let timedRecord = recordMap(beside: timeLimits)

    private static let recordNames = Vocabulary.records.map(\.spelling)

    private static func recordMap(beside siblings: [KeyRow]) -> Shape {
        let rows = Vocabulary.records.map { record in
            KeyRow(record.spelling, .map(attributes(of: record)), record.meaning)
        }
        return .map(
            MapTable(subject: "a record", keys: rows + siblings, exactlyOne: [recordNames])
        )
    }

    static func attributes(of record: RecordDefinition) -> MapTable {
        MapTable(
            subject: "`\(record.spelling)`",
            keys: record.attributes.map { attribute in
                KeyRow(
                    Vocabulary.spelling(of: attribute.name),
                    shape(of: attribute.kind),
                    attribute.meaning
                )
            }
        )
    }

    static func shape(of kind: AttributeKind) -> Shape {
        switch kind {
        case .integer: .integer(0...Int64.max)
        case .flag: .flag
        case .amount: .amount
        case .percent: percent
        case .duration: .duration
        case .text, .reader: .text
        case .symbol(let symbols): .words(symbols.map { Vocabulary.spelling(of: $0) })
        }
    }

    static let count = MapTable(
        subject: "`count`",
        keys: [
            KeyRow("of", .defined(.record), isRequired: true, "Which records are counted."),
            KeyRow("is", countRange, "How many come."),
            KeyRow("at least", countRange, "The fewest that come."),
            KeyRow("at most", countRange, "The most that come."),
        ],
        atLeastOne: ["is", "at least", "at most"]
    )
    static let countByName = Shape.map(
        MapTable(
            subject: "`count`",
            keys: Vocabulary.records.map { KeyRow($0.spelling, countRange, $0.meaning) },
            atLeastOne: recordNames
        )
    )
    private static let countRange = Shape.integer(0...1_000_000)
}
