public import GatewayProtocols
public import ReaderProtocols

extension NMIEncryptedTracks {
    /// Creates the fields that an app posts for a card of an audio-jack reader.
    ///
    /// Source: SDK document, `getDirectPostStringWithCVVIncluded:`; see
    /// ``ReaderProtocols/EncryptedCard/directPostVariables(_:includesCVV:cvv:)``. An empty field is
    /// not sent. `reading` says whose habits to follow: the `observed` library sends the text
    /// `null` for a track 1 that it has not.
    public init(_ card: EncryptedCard, reading: PacketReading = .careful) {
        self.init(ksn: [])
        for variable in card.directPostVariables(reading) {
            let value = Array(variable.value.utf8)
            switch variable.name {
            case "encrypted_track_1": track1 = value
            case "encrypted_track_2": track2 = value
            case "encrypted_track_3": track3 = value
            case "encrypted_ksn": ksn = value
            default: break
            }
        }
    }
}
