/// The table of `PaymentTableTests`.
enum PaymentTable {
    /// What each input does in a state, in the order of the inputs.
    static func rows(_ place: String) -> [String] {
        var rows: [String] = []
        var isFound = false
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            if line.isEmpty {
                isFound = false
            } else if isFound {
                rows.append(String(line))
            } else {
                isFound = line == place
            }
        }
        return rows
    }

    private static let text = """
        checking
        opened: -
        notFound: -
        linkLost: -
        cardInserted: -
        cardRead: -
        cardYes: -
        cardNo: -
        cardRemoved: -
        signed: misuse
        mismatch: misuse
        signCancelled: misuse
        cancel: .finished ends cancelled (cancelled)
        deadline: sends account → checking
        approved: orders start → waiting
        declined: orders start → waiting
        refused: .finished ends failed (wrongCredentials)
        reset: sends account → checking

        opening
        opened: orders start → waiting
        notFound: .finished ends failed (noSuchReader)
        linkLost: .finished ends failed (noSuchReader)
        cardInserted: -
        cardRead: -
        cardYes: -
        cardNo: -
        cardRemoved: -
        signed: misuse
        mismatch: misuse
        signCancelled: misuse
        cancel: .finished ends cancelled (cancelled)
        deadline: .finished ends failed (noSuchReader)
        approved: -
        declined: -
        refused: -
        reset: -

        waiting
        opened: -
        notFound: -
        linkLost: .readerDisconnected .finished ends failed (readerDisconnected)
        cardInserted: .cardInserted → reading
        cardRead: .onlineAuthorisation sends authorise → authorising
        cardYes: .finished ends failed (cardNotUsable)
        cardNo: .finished ends declined
        cardRemoved: .finished ends failed (cardRemoved)
        signed: misuse
        mismatch: misuse
        signCancelled: misuse
        cancel: orders abort → leaving
        deadline: orders abort → leaving
        approved: -
        declined: -
        refused: -
        reset: -

        reading
        opened: -
        notFound: -
        linkLost: .readerDisconnected .finished ends failed (readerDisconnected)
        cardInserted: -
        cardRead: .onlineAuthorisation sends authorise → authorising
        cardYes: .finished ends failed (cardNotUsable)
        cardNo: .finished ends declined
        cardRemoved: .finished ends failed (cardRemoved)
        signed: misuse
        mismatch: misuse
        signCancelled: misuse
        cancel: orders abort → leaving
        deadline: orders abort → leaving
        approved: -
        declined: -
        refused: -
        reset: -

        authorising
        opened: -
        notFound: -
        linkLost: .readerDisconnected → authorising without reader
        cardInserted: .cardInserted
        cardRead: -
        cardYes: → authorising without reader
        cardNo: → authorising without reader
        cardRemoved: → authorising without reader
        signed: misuse
        mismatch: misuse
        signCancelled: misuse
        cancel: → cancelling
        deadline: .lookingUp sends lookUp → inDoubt
        approved: .finalising orders approved → completing
        declined: .finalising orders declined → leaving
        refused: .finalising orders unreachable → leaving
        reset: .lookingUp sends lookUp → inDoubt

        inDoubt
        opened: -
        notFound: -
        linkLost: .readerDisconnected → inDoubt without reader
        cardInserted: .cardInserted
        cardRead: -
        cardYes: → inDoubt without reader
        cardNo: → inDoubt without reader
        cardRemoved: → inDoubt without reader
        signed: misuse
        mismatch: misuse
        signCancelled: misuse
        cancel: → inDoubt
        deadline: → inDoubt
        approved: → inDoubt
        declined: → inDoubt
        refused: → inDoubt
        reset: → inDoubt

        cancelling
        opened: -
        notFound: -
        linkLost: .readerDisconnected → cancelling without reader
        cardInserted: .cardInserted
        cardRead: -
        cardYes: → cancelling without reader
        cardNo: → cancelling without reader
        cardRemoved: → cancelling without reader
        signed: misuse
        mismatch: misuse
        signCancelled: misuse
        cancel: -
        deadline: .lookingUp sends lookUp → inDoubt
        approved: .finalising orders declined sends reverse → reversing
        declined: .finalising orders declined → leaving
        refused: .finalising orders unreachable → leaving
        reset: .lookingUp sends lookUp → inDoubt

        completing
        opened: -
        notFound: -
        linkLost: .readerDisconnected .finalising sends confirm → confirming
        cardInserted: .cardInserted
        cardRead: -
        cardYes: sends confirm → confirming
        cardNo: sends reverse → reversing
        cardRemoved: sends confirm → confirming
        signed: misuse
        mismatch: misuse
        signCancelled: misuse
        cancel: → completing cancelled
        deadline: sends confirm → confirming
        approved: -
        declined: -
        refused: -
        reset: -

        signing
        opened: -
        notFound: -
        linkLost: .readerDisconnected
        cardInserted: .cardInserted
        cardRead: -
        cardYes: -
        cardNo: .finalising sends reverse → reversing
        cardRemoved: -
        signed: .finalising sends confirm → confirming
        mismatch: .finalising sends reverse → reversing
        signCancelled: .finalising sends reverse → reversing
        cancel: .finalising sends reverse → reversing
        deadline: .finalising sends reverse → reversing
        approved: -
        declined: -
        refused: -
        reset: -

        confirming
        opened: -
        notFound: -
        linkLost: .readerDisconnected
        cardInserted: .cardInserted
        cardRead: -
        cardYes: -
        cardNo: -
        cardRemoved: -
        signed: misuse
        mismatch: misuse
        signCancelled: misuse
        cancel: -
        deadline: .lookingUp sends lookUp → confirming
        approved: .finished ends approved
        declined: .finished ends approved
        refused: sends reverse → reversing
        reset: .lookingUp sends lookUp → confirming

        reversing
        opened: -
        notFound: -
        linkLost: .readerDisconnected
        cardInserted: .cardInserted
        cardRead: -
        cardYes: -
        cardNo: -
        cardRemoved: -
        signed: misuse
        mismatch: misuse
        signCancelled: misuse
        cancel: -
        deadline: sends lookUp → reversing
        approved: .finished ends cancelled (signatureCancelled)
        declined: .finished ends cancelled (signatureCancelled)
        refused: .finished ends unknown (outcomeUnknown)
        reset: sends lookUp → reversing

        leaving
        opened: -
        notFound: -
        linkLost: .readerDisconnected .finished ends declined
        cardInserted: .cardInserted
        cardRead: orders unreachable
        cardYes: .finished ends declined
        cardNo: .finished ends declined
        cardRemoved: .finished ends declined
        signed: misuse
        mismatch: misuse
        signCancelled: misuse
        cancel: -
        deadline: .finished ends declined
        approved: -
        declined: -
        refused: -
        reset: -

        finished
        opened: -
        notFound: -
        linkLost: -
        cardInserted: -
        cardRead: -
        cardYes: -
        cardNo: -
        cardRemoved: -
        signed: misuse
        mismatch: misuse
        signCancelled: misuse
        cancel: -
        deadline: -
        approved: -
        declined: -
        refused: -
        reset: -
        """
}
