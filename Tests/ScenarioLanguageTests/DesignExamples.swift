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
}
