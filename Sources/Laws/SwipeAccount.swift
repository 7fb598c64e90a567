/// Which callbacks the swipes of one reader still owe or allow.
///
/// A swipe that arrived whole while the reader was ready and attached owes one callback before the
/// ready period ends. Any other swipe allows one: bytes were lost, or nobody was ready for them.
/// What is allowed ends with the session, since bytes never reach a later one; a session is that of
/// the link, which may have begun long before the app was told: a swipe of which bytes were lost
/// while nobody listened may still be arriving then.
struct SwipeAccount: Sendable {
    /// How many swipes still owe a callback.
    private(set) var owedCount = 0
    /// How many callbacks may come besides those.
    private var allowedCount = 0
    /// How many of those are for swipes that lost bytes since the link began.
    private var damagedCount = 0
    /// The numbers of the first and the last swipe that are owed one.
    private(set) var owedNumbers = (first: 0, last: 0)
    private var newestNumber = 0
    private var isNewestWhole = false

    /// Adds a swipe; the same number again is the same swipe, unless its first copy was damaged
    /// and this one is not.
    mutating func arrive(number: Int, isWhole: Bool, isExpected: Bool) {
        if number < newestNumber { return }
        if number > newestNumber {
            newestNumber = number
            isNewestWhole = isWhole
            if isWhole && isExpected {
                owe(number)
            } else {
                allowedCount += 1
                if !isWhole { damagedCount += 1 }
            }
        } else if isWhole && !isNewestWhole {
            isNewestWhole = true
            // The damaged copy may have given its callback already: the host cannot know then that
            // both are the same swipe.
            if allowedCount == 0 {
                allowedCount = 1
            } else if isExpected {
                allowedCount -= 1
                damagedCount = min(damagedCount, allowedCount)
                owe(number)
            }
        }
    }

    /// Allows one callback for a swipe whose arrival nobody sees.
    mutating func allow() { allowedCount += 1 }

    /// Takes a callback; returns whether a swipe owed or allowed it.
    mutating func callBack() -> Bool {
        if owedCount > 0 {
            owedCount -= 1
        } else if allowedCount > 0 {
            allowedCount -= 1
            damagedCount = min(damagedCount, allowedCount)
        } else {
            return false
        }
        return true
    }

    /// Allows what was owed: nobody listens to it any more.
    mutating func excuse() {
        allowedCount += owedCount
        owedCount = 0
    }

    /// Forgets what is owed, at the end of a ready period.
    mutating func endPeriod() { owedCount = 0 }

    /// Notes that the link begins anew: what had begun to arrive is lost.
    mutating func beginLink() { damagedCount = 0 }

    /// Forgets what is owed and allowed, where the app is told of the end or the beginning of a
    /// session; what is still arriving over the link stays allowed.
    mutating func tellSession() {
        owedCount = 0
        allowedCount = damagedCount
    }

    /// Forgets what is owed and allowed, at the end of a session.
    mutating func endSession() {
        owedCount = 0
        allowedCount = 0
        damagedCount = 0
    }

    private mutating func owe(_ number: Int) {
        owedNumbers = (first: owedCount == 0 ? number : owedNumbers.first, last: number)
        owedCount += 1
    }
}
