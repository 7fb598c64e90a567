extension TLVTag {
    /// 9A: date, YYMMDD.
    public static let date: TLVTag = 0x9A
    /// 9F21: time, HHMMSS.
    public static let time: TLVTag = 0x9F21
    /// 9C: transaction type.
    public static let transactionType: TLVTag = 0x9C
    /// 9F02: amount, authorised.
    public static let amount: TLVTag = 0x9F02
    /// 9F03: amount, other.
    public static let otherAmount: TLVTag = 0x9F03
    /// 5F2A: transaction currency code.
    public static let currency: TLVTag = 0x5F2A
    /// 9F41: transaction sequence counter.
    public static let sequenceCounter: TLVTag = 0x9F41
    /// 9F06: application identifier of the terminal.
    public static let applicationIdentifier: TLVTag = 0x9F06
    /// 50: application label.
    public static let applicationLabel: TLVTag = 0x50
    /// 57: track 2 equivalent data.
    public static let track2Equivalent: TLVTag = 0x57
    /// 5A: application primary account number.
    public static let cardNumber: TLVTag = 0x5A
    /// 5F20: cardholder name.
    public static let cardholderName: TLVTag = 0x5F20
    /// 5F24: application expiration date.
    public static let expirationDate: TLVTag = 0x5F24
    /// 8A: authorisation response code.
    public static let authorisationResponseCode: TLVTag = 0x8A
    /// 91: issuer authentication data.
    public static let issuerAuthenticationData: TLVTag = 0x91
    /// 95: terminal verification results.
    public static let verificationResults: TLVTag = 0x95
    /// 9F1E: interface device serial number.
    public static let serialNumber: TLVTag = 0x9F1E
    /// 9F26: application cryptogram.
    public static let cryptogram: TLVTag = 0x9F26
    /// 9F27: cryptogram information data.
    public static let cryptogramInformation: TLVTag = 0x9F27
    /// 9F34: cardholder verification method results.
    public static let verificationMethodResults: TLVTag = 0x9F34
    /// 84: dedicated file name; for Miura's files, a file name.
    public static let fileName: TLVTag = 0x84

    // Miura templates.

    /// E0: command data.
    public static let commandData: TLVTag = 0xE0
    /// E1: response data.
    public static let responseData: TLVTag = 0xE1
    /// E2: decision required.
    public static let decisionRequired: TLVTag = 0xE2
    /// E3: transaction approved.
    public static let transactionApproved: TLVTag = 0xE3
    /// E4: online authorisation required.
    public static let onlineAuthorisationRequired: TLVTag = 0xE4
    /// E5: transaction declined.
    public static let transactionDeclined: TLVTag = 0xE5
    /// E6: terminal status changed.
    public static let terminalStatusChanged: TLVTag = 0xE6
    /// ED: configuration information.
    public static let configurationInformation: TLVTag = 0xED
    /// EF: software information.
    public static let softwareInformation: TLVTag = 0xEF

    // Miura primitives.

    /// 48: card status.
    public static let cardStatus: TLVTag = 0x48
    /// 63: answer to reset of the chip.
    public static let answerToReset: TLVTag = 0x63
    /// 80: file size.
    public static let fileSize: TLVTag = 0x80
    /// C0: decision.
    public static let decision: TLVTag = 0xC0
    /// C3: device status code.
    public static let deviceStatusCode: TLVTag = 0xC3
    /// C4: device status text.
    public static let deviceStatusText: TLVTag = 0xC4
    /// DF0D: identifier.
    public static let identifier: TLVTag = 0xDF0D
    /// DF7F: version or value.
    public static let version: TLVTag = 0xDF7F
    /// DF28: cardholder verification status.
    public static let verificationStatus: TLVTag = 0xDF28
    /// DFA101 and DFA201: how many digits of the PIN were typed.
    public static let pinDigitCount: TLVTag = 0xDFA101
    /// DFA201: how many digits of the PIN were typed, by the newer number.
    public static let pinDigitCountNewer: TLVTag = 0xDFA201
    /// DFA102: PIN entry status.
    public static let pinEntryStatus: TLVTag = 0xDFA102
    /// DFA202: PIN entry status, by the newer number.
    public static let pinEntryStatusNewer: TLVTag = 0xDFA202
    /// DFA203: whether to stop at terminal risk management.
    public static let stopsAtRiskManagement: TLVTag = 0xDFA203
    /// DFA204: who selects the application.
    public static let applicationSelection: TLVTag = 0xDFA204
    /// DFA205: a key's code.
    public static let keyCode: TLVTag = 0xDFA205
    /// DFA208: what was typed or chosen.
    public static let numericData: TLVTag = 0xDFA208
    /// DFA209: charging status.
    public static let chargingStatus: TLVTag = 0xDFA209
    /// DFA20A: battery percentage.
    public static let batteryPercentage: TLVTag = 0xDFA20A
    /// DFA301: offset in a file.
    public static let streamOffset: TLVTag = 0xDFA301
    /// DFA302: byte count of a stream.
    public static let streamByteCount: TLVTag = 0xDFA302
    /// DFA303: time limit of a stream.
    public static let streamTimeLimit: TLVTag = 0xDFA303
    /// DFA304: MD5 of a file.
    public static let fileMD5: TLVTag = 0xDFA304
    /// DFA305: space used by files.
    public static let fileSpaceUsed: TLVTag = 0xDFA305
    /// DFA306: file slots used.
    public static let fileSlotsUsed: TLVTag = 0xDFA306
    /// DFA401: printer status.
    public static let printerStatus: TLVTag = 0xDFA401
    /// DFA601: Bluetooth pairing passcode.
    public static let pairingPasscode: TLVTag = 0xDFA601
    /// DFA602: Bluetooth address.
    public static let bluetoothAddress: TLVTag = 0xDFA602
    /// DFAB01: scanned bar code.
    public static let barCode: TLVTag = 0xDFAB01
    /// DFAB02: data of the USB serial adaptor.
    public static let usbSerialData: TLVTag = 0xDFAB02
    /// DFAB03: USB status.
    public static let usbStatus: TLVTag = 0xDFAB03
    /// DFAE01: P2PE status.
    public static let p2peStatus: TLVTag = 0xDFAE01
    /// DFAE02: SRED encrypted block.
    public static let sredData: TLVTag = 0xDFAE02
    /// DFAE03: KSN of the SRED block.
    public static let sredKSN: TLVTag = 0xDFAE03
    /// DFAE04: online PIN block.
    public static let onlinePINBlock: TLVTag = 0xDFAE04
    /// DFAE05: KSN of the online PIN block.
    public static let onlinePINKSN: TLVTag = 0xDFAE05
    /// DFAE06: MAC.
    public static let mac: TLVTag = 0xDFAE06
    /// DFAE07: result of the MAC check.
    public static let macCheckResult: TLVTag = 0xDFAE07
    /// DFAE21: masked track 1 of the stripe.
    public static let maskedTrack1: TLVTag = 0xDFAE21
    /// DFAE22: masked track 2 of the stripe.
    public static let maskedTrack2: TLVTag = 0xDFAE22
    /// DFAE57: masked track 2 equivalent of the chip.
    public static let maskedChipTrack2: TLVTag = 0xDFAE57
    /// DFAE5A: masked card number of the chip.
    public static let maskedCardNumber: TLVTag = 0xDFAE5A
    /// DFAF02: the area that was touched.
    public static let areaTouched: TLVTag = 0xDFAF02
    /// DFFF01: time limit in seconds.
    public static let timeLimit: TLVTag = 0xDFFF01
    /// 5F21: track 1 of the stripe in clear.
    public static let track1: TLVTag = 0x5F21
    /// 5F22: track 2 of the stripe in clear.
    public static let track2: TLVTag = 0x5F22
    /// 5F23: track 3 of the stripe in clear.
    public static let track3: TLVTag = 0x5F23
}
