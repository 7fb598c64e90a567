import Journal

/// A place in a scenario; `SourceLocation` alone is ambiguous beside `Testing`.
typealias ScenarioPlace = SourceLocation

/// The examples that the language was made for and that this version plays, verbatim.
enum DesignExamples {
    static let charged = """
        scenario: A swipe on an iDynamo is charged
        rig:
          reader: idynamo
          gateway: nmi
        steps:
          - plug in
          - expect:
              - deviceConnected
              - deviceActivationFinished: { result: success }
              - deviceBecameReadyForSwipe
          - swipe: { card: visa }
          - expect:
              - didSwipeCard: { maskedCardNumber: "4111000010001111", expirationDate: "1225" }
          - charge: { amount: 10.99 }
          - expect: { gatewayAnswered: { response: approved }, within: 2s }
          - unplug
          - expect:
              - deviceBecameUnreadyForSwipe: { reason: disconnected }
              - deviceDeactivated
              - deviceDisconnected
        outcome:
          charges:
            - { type: sale, amount: 10.99, state: pendingsettlement }

        """

    static let volumeTooLow = """
        scenario: The Shuttle does not power up when the volume is too low
        rig:
          reader: shuttle
          sdk: { activateReaderOnAttach: false, automaticallySetVolumeToMaxOnActivate: false }
          app: { prompts: ask }
          host: { volume: 40% }
        steps:
          - plug in
          - expect: deviceConnected
          - call: { powerUpDevice: true }
          - expect: { promptShown: { text: cardReaderActivationAtMaxVolumePrompt } }
          - answer: yes
          - await: { deviceActivationFinished: { result: volumeTooLow }, within: 5s }
          - expect: { alertShown: { text: volumeTooLowMessage } }
          - set: { volume: 100% }
          - call: { powerUpDevice: true }
          - await: promptShown
          - answer: yes
          - await: deviceBecameReadyForSwipe
        never:
          - didSwipeCard
        outcome: { charges: none }

        """

    static let pulledOutDuringASwipe = """
        scenario: The iDynamo is pulled out while a swipe is on its way
        rig: { reader: idynamo, gateway: nmi }
        steps:
          - plug in
          - await: deviceBecameReadyForSwipe
          - race:
              within: 300ms
              of:
                - swipe: { card: visa }
                - unplug
          - settle                      # until nothing is pending
          - expect-any:
              - [didSwipeCard, deviceBecameUnreadyForSwipe, deviceDeactivated, deviceDisconnected]
              - [deviceBecameUnreadyForSwipe, deviceDeactivated, deviceDisconnected]
        outcome: { charges: none }

        """

    static let signatureCancelled = """
        scenario: A Miura card that wants a signature, and the customer walks away
        rig: { reader: miura, gateway: agentcash, mode: test, link: { kind: tcp } }
        steps:
          - charge: { amount: 15.00, currency: GBP, capture: true }
          - insert: { card: emv-visa-signature }
          - await: { userActionRequired: { action: collectSignature }, within: 10s }
          - sign: { result: cancelled }
          - await: { completed: { result: cancelled } }
        outcome:
          charges: [{ state: reversed, amount: 15.00 }]

        """
}
