/// The file of udev rules that `cardrig doctor` offers: one line for each known reader.
public enum UdevRuleFile {
    /// The whole file.
    ///
    /// Exact ids, the user at the seat through `uaccess` and nobody else; a serial port also goes to
    /// the group of serial ports, and ModemManager leaves it alone.
    public static var text: String {
        var text = """
            # Card readers for CardRig: the user at the seat may open them, and nobody else.
            # Belongs into /etc/udev/rules.d under a name before 73-seat-late.rules, where uaccess is
            # applied. Written by `cardrig doctor --write-udev-rules`.

            """
        for reader in KnownReader.all {
            let mark = reader.isInferred ? " (id inferred)" : ""
            text += "\n# \(reader.name)\(mark): \(reader.source)\n\(reader.udevRule)\n"
        }
        return text
    }

    /// Returns why udev would not take the file's rules under this name, or `nil` when it would.
    ///
    /// What is no regular file, as /dev/stdout, has no name that counts.
    public static func problem(withName path: String) -> String? {
        guard !path.hasPrefix("/dev/") else { return nil }
        let name = path.split(separator: "/", omittingEmptySubsequences: false).last ?? ""
        guard name.hasSuffix(".rules"), name.utf8.count > 6 else {
            return "udev reads only files whose names end with .rules, such as 60-cardrig.rules"
        }
        guard name.utf8.lexicographicallyPrecedes("73-seat-late.rules".utf8) else {
            return "udev reads it after 73-seat-late.rules, too late for uaccess; call it "
                + "60-cardrig.rules"
        }
        return nil
    }
}
