import CardData
import ReaderProtocols
import Testing

@Suite("MagneSafe report descriptors")
struct ReportDescriptorTests {
    /// MagneSafe V5 Communication Reference Manual 99875475, HID report descriptor.
    static let v5 =
        "0600FF0901A101150026FF007508"
        + "092009210922092809290" + "92A0938" + "95078102"
        + "09309570820201" + "09319570820201" + "09329570820201"
        + "093995018102" + "75200923" + "95018102" + "7508092B95018102"
        + "09339580820201" + "09409510820201" + "09429502820201" + "0946950A820201"
        + "09470948094995038102"
        + "094A9570820201" + "094B9570820201" + "094C9570820201" + "09509508820201"
        + "095109520953095495048102"
        + "09559503820201" + "09569508820201" + "09579514820201"
        + "0920953CB20201C0"

    /// USB HID SureSwipe manual 99875191, report descriptor.
    static let sureSwipe =
        "0600FF0901A101150026FF007508"
        + "0920092109220928092" + "9092A0938" + "95078102"
        + "0930956E820201" + "0931956E820201" + "0932956E820201" + "09209518B20201C0"

    /// USB KB SureSwipe manual 99875206 and MagneSafe V5 manual, keyboard report descriptor.
    static let keyboard =
        "05010906A101050719E029E71500250175019508810295017508810395057501050819012905910295"
        + "017503910395067508150025660507190029668100" + "26FF000600FF09209518B20201C0"

    @Test func areThoseOfTheManuals() {
        #expect(Hexadecimal.encode(MagneSafeReportLayout.v5.reportDescriptor) == Self.v5)
        #expect(
            Hexadecimal.encode(MagneSafeReportLayout.sureSwipe.reportDescriptor) == Self.sureSwipe
        )
        #expect(Hexadecimal.encode(KeyboardReports.reportDescriptor()) == Self.keyboard)
        #expect(MagneSafeReportLayout.v5.reportDescriptor.count == 182)
        #expect(MagneSafeReportLayout.older.reportDescriptor.count == 161)
        #expect(MagneSafeReportLayout.sureSwipe.reportDescriptor.count == 61)
        #expect(KeyboardReports.reportDescriptor().count == 76)
    }

    @Test func declareWhatTheLayoutsHold() {
        func totals(_ descriptor: [UInt8]) -> HIDReportTotals? {
            HIDReportTotals(descriptor: descriptor)
        }
        #expect(
            totals(MagneSafeReportLayout.v5.reportDescriptor) == .init(input: 887, feature: 60)
        )
        #expect(
            totals(MagneSafeReportLayout.older.reportDescriptor) == .init(input: 856, feature: 60)
        )
        #expect(
            totals(MagneSafeReportLayout.sureSwipe.reportDescriptor)
                == .init(input: 337, feature: 24)
        )
        #expect(
            totals(KeyboardReports.reportDescriptor())
                == .init(input: 8, output: 1, feature: 24)
        )
        #expect(
            totals(KeyboardReports.reportDescriptor(featureByteCount: 60))?.featureByteCount == 60
        )
        for count in [337, 856, 887] {
            let layout = MagneSafeReportLayout.ofReports(byteCount: count)
            #expect(layout?.byteCount == count)
        }
        #expect(MagneSafeReportLayout.ofReports(byteCount: 888) == nil)
    }
}
