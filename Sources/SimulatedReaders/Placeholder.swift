public import CardCrypto
public import CardData
public import EventLoops
public import Transports
public enum SwipeQuality: Hashable, Sendable { case good, partial, reversed, tooFast, unreadable }
public enum MagneSafeModel: Hashable, Sendable { case idynamo; case dynamag(packetByteCount: Int) }
public struct MagneSafeReaderConfiguration: Hashable, Sendable { public init(_ m: MagneSafeModel) {}; public var isStream: Bool { true }; public var attachment: Attachment { Attachment() } }
public struct ReaderTransmission { public var offset: VirtualDuration; public var unit: TransportUnit }
public struct SimulatedMagneSafeReader { public init(_ c: MagneSafeReaderConfiguration) {}
 public mutating func swipe(card: TestCard, quality: SwipeQuality, cache: CryptoCache) -> [ReaderTransmission] { [] } }
