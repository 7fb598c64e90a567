public import CardCrypto
public import ReaderProtocols

/// What follows, at once and in this order, from something that happened at an ``AudioJack``.
public enum JackEffect: Hashable, Sendable {
    /// The host sees that something is in the jack now; which one it is, it cannot see. Attach the
    /// transport.
    case attached(thing: Int)
    /// The host sees that the jack is empty now. Detach the transport; what had not come is lost.
    case detached(thing: Int)
    /// The host hears this of a thing; the offset is zero, since the jack keeps bytes until their
    /// time.
    case send(ReaderTransmission, thing: Int)
    /// The host tells its SDK.
    case notify(JackNotice)
    /// Nobody is told; it is there to be written down. The thing is the one that the fact is about,
    /// in the jack or not; `nil` when it is about the host.
    case noted(JackFact, thing: Int? = nil)
}

/// Something about the jack and its readers that no SDK is told.
public enum JackFact: Hashable, Sendable {
    /// A tone sounds now.
    case toneStarted(JackTone, volumePercent: Int, into: JackPlug)
    /// A tone goes on with another volume, or into something else.
    case toneChanged(JackTone, volumePercent: Int, into: JackPlug)
    /// A tone was to begin while other audio has the route, and did not.
    case toneRefused(JackTone)
    /// A tone ended.
    case toneStopped(JackTone, JackToneEnd)
    /// The volume is another one.
    case volumeChanged(percent: Int, by: VolumeChanger)
    /// The SDK asked for a volume that the host did not set.
    case volumeRefused(percent: Int)
    /// A library was loaded; `loadedCount` libraries are loaded now, and more than one is one too
    /// many.
    case libraryLoaded(AudioLibrary, loadedCount: Int)
    /// A library was to unload; one that did not unload cleanly is still loaded.
    case libraryUnloaded(AudioLibrary, isClean: Bool, loadedCount: Int)
    /// A Shuttle has power now and boots.
    case readerPowered
    /// A Shuttle has booted and answers.
    case readerBooted
    /// A Shuttle lost its power and forgot everything but its keys.
    case readerLostPower
    /// An IPS fell asleep.
    case readerSlept
    /// An IPS woke up.
    case readerWoke
    /// The battery of an IPS is another number of percent now; at 0 the reader is silent.
    case batteryChanged(percent: Int)
    /// A card was swiped and its reader will send nothing about it.
    case swipeLost(SwipeLoss)
    /// A reader begins to send what it made of a swipe: so many bytes, of which the last ones are
    /// no part of the record.
    case recordBegan(byteCount: Int, paddingByteCount: Int, ksn: KSN?)
    /// The last byte that a reader had to send left it; so many bytes of them were not heard.
    case transmissionEnded(unheardByteCount: Int)
    /// A reader went silent in the middle of what it sent, for want of power or of a jack.
    case transmissionCut(missingByteCount: Int)
}

/// Why a tone ended.
public enum JackToneEnd: Hashable, Sendable {
    /// The SDK stopped it, or unloaded its library.
    case stopped
    /// It is a short one.
    case over
    /// Other audio took the route.
    case interrupted
}

/// Who set the volume.
public enum VolumeChanger: Hashable, Sendable, CaseIterable {
    /// The cardholder or the merchant, by the buttons.
    case user
    /// The SDK.
    case sdk
    /// The host's volume limiter.
    case limiter
}

/// Why nothing comes of a swipe.
public enum SwipeLoss: Hashable, Sendable, CaseIterable {
    /// The reader is not in the jack and gets no power from it.
    case unplugged
    /// A Shuttle without power.
    case unpowered
    /// A Shuttle that still boots.
    case booting
    /// The reader is sending something else.
    case busy
    /// An IPS whose battery is empty.
    case emptyBattery
    /// An IPS that sleeps.
    case asleep
    /// The card could not be read, and the reader says nothing about that.
    case unread
    /// All keys of the reader are used up.
    case keysExhausted
    /// It is no card reader.
    case noReader
}
