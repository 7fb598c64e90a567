public import Kernel
import USB

/// What changed on the desk between two looks.
public enum DeskChange: Hashable, Sendable {
    /// Something was plugged in.
    case attached(FoundReader)
    /// Something was pulled out; how it was seen last.
    case detached(FoundReader)
    /// It is the same one, and what can be done with it is not.
    case changed(FoundReader)

    /// Returns what changed: what left, then what is another way, then what came.
    ///
    /// Something that was pulled out and put back between two looks has another node.
    public static func between(_ old: [FoundReader], _ new: [FoundReader]) -> [DeskChange] {
        func isSame(_ one: FoundReader, _ other: FoundReader) -> Bool {
            one.node == other.node && one.ids == other.ids
        }
        let left = old.filter { one in !new.contains { isSame($0, one) } }
        let came = new.filter { one in !old.contains { isSame($0, one) } }
        let changed = new.filter { one in old.contains { isSame($0, one) && $0 != one } }
        return left.map { .detached($0) } + changed.map { .changed($0) }
            + came.map { .attached($0) }
    }
}

/// Follows what is plugged in and pulled out.
///
/// Where udevd runs, libusb wakes it; elsewhere no hotplug event ever comes, and it looks every
/// 250 ms. It also looks every 250 ms for two seconds after an event, since permissions and ttys come
/// after it, and every two seconds in any case, since an event can be missed.
public final class DeskWatch {
    private static let tick: Int64 = 250_000_000
    private static let longTick: Int64 = 2_000_000_000

    private let survey: DeskSurvey
    private let poller: Poller
    private var context: USBContext?
    private var hotplug: USBHotplugWatch?
    private var isStirred = false
    private var lively: Int64 = 0
    private var nextLook: Int64 = 0
    /// How the desk looked last; empty before the first look.
    public private(set) var last = DeskSurvey.Result(readers: [])

    /// Prepares to watch; a descriptor that becomes readable wakes the watch.
    ///
    /// - Throws: `KernelError` when the process has no descriptors left.
    public init(_ survey: DeskSurvey, interruptDescriptor: Int32?) throws(KernelError) {
        self.survey = survey
        poller = try Poller()
        if let interruptDescriptor { try poller.add(interruptDescriptor, token: 0) }
        guard survey.listsWithLibUSB, USBContext.claimsHotplug,
            Paths.kind(of: "\(survey.tree.run)/udev/control") != nil,
            let context = try? USBContext()
        else { return }
        hotplug = try? USBHotplugWatch(context) { [unowned self] _ in isStirred = true }
        if hotplug != nil { self.context = context }
    }

    /// Waits for at most a quarter of a second and returns what changed meanwhile.
    ///
    /// The first call returns at once, with everything that is there as attached.
    public func next() -> [DeskChange] {
        wait()
        let now = MonotonicClock.now
        if isStirred { lively = now + Self.longTick }
        isStirred = false
        guard now >= nextLook || now < lively else { return [] }
        let looked = survey.look()
        defer { last = looked }
        // Without events the list itself is all there is to follow.
        nextLook = context == nil ? 0 : now + Self.longTick
        return DeskChange.between(last.readers, looked.readers)
    }

    private var hasLooked = false

    private func wait() {
        guard hasLooked else {
            hasLooked = true
            return
        }
        guard let context else {
            _ = try? poller.wait(untilMonotonicNanoseconds: MonotonicClock.now + Self.tick) { _ in }
            return
        }
        do throws(USBError) {
            try context.handleEvents(timeoutMilliseconds: Int(Self.tick / 1_000_000))
        } catch {
            // Events are lost for good; from here on it only looks.
            hotplug = nil
            self.context = nil
        }
    }
}
