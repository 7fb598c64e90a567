import CardCrypto
import CardData
import Kernel
import Plays
import SDKCore

/// Card payments by the thousand in virtual time, on one rig after the other, since a ledger keeps
/// what it booked: the sums agree, and neither memory nor rate depends on how long it went on.
struct PaymentSoak {
    /// How many payments one rig takes.
    private static let paymentsPerRig = 25
    /// How much more memory may be held at the end than after a tenth.
    private static let mostGrowth = 5 << 20

    private struct Look {
        var paymentCount: Int
        var time = ProcessorClock.now
        var byteCount = ProcessMemory.residentByteCount ?? 0
    }

    private(set) var total = PaymentSums()
    private var looks: [Look] = []

    /// Takes so many payments, or a few more; the same ones each time.
    init(paymentCount: Int, plant: Plant? = nil) {
        let cache = CryptoCache()
        let places = [paymentCount / 10, paymentCount / 2]
        looks.append(Look(paymentCount: 0))
        var seed: UInt64 = 0
        while total.paymentCount < paymentCount {
            seed += 1
            let part = CardPaymentPlay.takePayments(
                Self.paymentsPerRig,
                seed: seed,
                plant: plant,
                cache: cache
            )
            total.add(part, seed: seed)
            while looks.count <= places.count, total.paymentCount >= places[looks.count - 1] {
                looks.append(Look(paymentCount: total.paymentCount))
            }
        }
        looks.append(Look(paymentCount: total.paymentCount))
    }

    /// What did not hold.
    var complaints: [String] {
        var complaints = total.complaints
        let endCount = total.capturedCount + total.refundedCount + total.letGoCount
        if endCount != total.authorisedCount {
            complaints.append("\(total.authorisedCount) authorisations have \(endCount) ends")
        }
        if growth > Self.mostGrowth {
            complaints.append("memory grew by \(growth >> 10) KiB from a tenth to the end")
        }
        // A third is what a busy machine takes from processor time; a leak of time takes more.
        if late * 3 < early * 2 {
            complaints.append("the first half went at \(early)/s, the second at \(late)/s")
        }
        return complaints
    }

    /// What was measured, in one line.
    var summary: String {
        "\(total.paymentCount) card payments, \(total.authorisedCount) authorised: "
            + "\(total.capturedCount) captured, \(total.refundedCount) refunded whole, "
            + "\(total.letGoCount) let go; \(Amount(minorUnits: total.booked)) booked, "
            + "\(Amount(minorUnits: total.told)) told; first half \(early)/s, second \(late)/s, "
            + "\(looks[1].byteCount >> 10) KiB after a tenth, \(looks[3].byteCount >> 10) KiB at "
            + "the end"
    }

    private var growth: Int { looks[3].byteCount - looks[1].byteCount }
    private var early: Int { rate(looks[0], looks[2]) }
    private var late: Int { rate(looks[2], looks[3]) }

    private func rate(_ first: Look, _ last: Look) -> Int {
        (last.paymentCount - first.paymentCount) * 1_000_000
            / max(1, Int((last.time - first.time) / 1_000))
    }
}
