import CardCrypto
import CardData

extension MagneSafeRecord {
    /// Returns the message of the swipe as a stream reader sends it, with its terminator.
    ///
    /// - Parameters:
    ///   - format: The properties that shape the message.
    ///   - encryptingCRC: Encrypts the checksum, two bytes low byte first, to eight; called when
    ///     the format asks for it. Without it ``encryptedCRC`` is sent.
    /// - Returns: The whole message.
    public func streamMessage(
        format: MagneSafeStreamFormat = .factory,
        encryptingCRC: (([UInt8]) -> [UInt8])? = nil
    ) -> [UInt8] {
        var message: [UInt8] = []
        message.reserveCapacity(MagneSafeStreamLayout.maximumMessageByteCount)
        appendStreamMessage(to: &message, format, encryptingCRC)
        return message
    }

    /// Returns the message in whole blocks of 500 bytes as an iDynamo sends it, `x` at the end.
    ///
    /// - Parameters:
    ///   - format: The properties that shape the message.
    ///   - placement: Where the terminator stands; no manual shows it.
    ///   - encryptingCRC: As for ``streamMessage(format:encryptingCRC:)``.
    /// - Returns: 500 bytes or 1,000.
    public func streamBlocks(
        format: MagneSafeStreamFormat = .factory,
        terminator placement: MagneSafeStreamLayout.TerminatorPlacement = .beforePadding,
        encryptingCRC: (([UInt8]) -> [UInt8])? = nil
    ) -> [UInt8] {
        var message = streamMessage(format: format, encryptingCRC: encryptingCRC)
        let size = MagneSafeStreamLayout.blockByteCount
        switch placement {
        case .beforePadding: break
        case .afterPadding, .absent: message.removeLast(format.terminator.count)
        }
        let tail = placement == .afterPadding ? format.terminator : []
        while (message.count + tail.count) % size != 0 {
            message.append(MagneSafeStreamLayout.padding)
        }
        return tail.isEmpty ? message : message + tail
    }

    private func appendStreamMessage(
        to message: inout [UInt8],
        _ format: MagneSafeStreamFormat,
        _ encryptingCRC: (([UInt8]) -> [UInt8])?
    ) {
        message.append(contentsOf: format.preCard)
        Self.append(track1, 1, format.startSentinels.track1, format, to: &message)
        Self.append(track2, 2, format.startSentinels.track2, format, to: &message)
        Self.append(track3, 3, format.startSentinels.track3, format, to: &message)
        message.append(contentsOf: format.postCard)
        let dropsMagnePrint =
            !format.keepsMagnePrintSeparators && magnePrintStatus == nil && magnePrint.isEmpty
        var checksum: UInt16 = 0
        for field in MagneSafeStreamLayout.fields {
            if field == .encryptionCounter, encryptionCounter == nil { continue }
            if field.isMagnePrint, dropsMagnePrint { continue }
            if format.separator != 0 { message.append(format.separator) }
            switch field {
            case .clearCRC:
                checksum = CRC16.checksum(of: message)
                if format.sendsClearCRC {
                    Self.appendLittleEndian(UInt32(checksum), 2, to: &message)
                }
            case .encryptedCRC where format.sendsEncryptedCRC:
                let bytes = [UInt8(truncatingIfNeeded: checksum), UInt8(checksum >> 8)]
                Hexadecimal.append(encryptingCRC?(bytes) ?? encryptedCRC, to: &message)
            default: append(field, to: &message)
            }
        }
        message.append(contentsOf: format.terminator)
    }

    private func append(_ field: MagneSafeStreamLayout.Field, to message: inout [UInt8]) {
        switch field {
        case .readerStatus: Self.appendLittleEndian(UInt32(readerStatus.rawValue), 2, to: &message)
        case .track1: appendEncrypted(track1, to: &message)
        case .track2: appendEncrypted(track2, to: &message)
        case .track3: appendEncrypted(track3, to: &message)
        case .magnePrintStatus:
            if let status = magnePrintStatus {
                Self.appendLittleEndian(status.rawValue, 4, to: &message)
            }
        case .magnePrint: Hexadecimal.append(magnePrint, to: &message)
        case .serial: message.append(contentsOf: serial)
        case .sessionID:
            for shift in (0..<8).reversed() {
                Hexadecimal.append(
                    CollectionOfOne(UInt8(truncatingIfNeeded: sessionID >> UInt64(shift * 8))),
                    to: &message
                )
            }
        case .ksn: if let ksn { Hexadecimal.append(ksn.bytes, to: &message) }
        case .encryptionCounter:
            let counter = (encryptionCounter ?? 0).bigEndian >> 8
            Self.appendLittleEndian(counter, 3, to: &message)
        case .clearCRC: break
        case .encryptedCRC: Hexadecimal.append(encryptedCRC, to: &message)
        case .formatCode:
            for shift in [24, 16, 8, 0] {
                message.append(UInt8(truncatingIfNeeded: formatCode >> UInt32(shift)))
            }
        }
    }

    private func appendEncrypted(_ track: Track, to message: inout [UInt8]) {
        if readerStatus.isEncrypting {
            Hexadecimal.append(track.encrypted, to: &message)
        } else {
            message.append(contentsOf: track.encrypted)
        }
    }

    private static func append(
        _ track: Track,
        _ number: Int,
        _ startSentinel: UInt8,
        _ format: MagneSafeStreamFormat,
        to message: inout [UInt8]
    ) {
        switch track.status {
        case .blank: return
        case .read:
            message.append(contentsOf: format.preTrack)
            message.append(contentsOf: track.masked)
        case .failed:
            message.append(contentsOf: format.preTrack)
            message.append(startSentinel)
            message.append(0x45)
            message.append(format.endSentinel(ofTrack: number))
        }
        message.append(contentsOf: format.postTrack)
    }

    private static func appendLittleEndian(
        _ value: UInt32,
        _ byteCount: Int,
        to message: inout [UInt8]
    ) {
        for index in 0..<byteCount {
            let byte = UInt8(truncatingIfNeeded: value >> UInt32(index * 8))
            message.append(Hexadecimal.digit(byte >> 4))
            message.append(Hexadecimal.digit(byte & 0xF))
        }
    }
}
