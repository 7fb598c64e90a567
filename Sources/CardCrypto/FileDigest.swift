import Cryptography

/// The digests with which readers name the content of their files.
public enum FileDigest {
    /// Returns the 16 bytes of the MD5 of a file.
    ///
    /// - Complexity: O(*n*), where *n* is the number of bytes.
    public static func md5(_ bytes: [UInt8]) -> [UInt8] { MD5.digest(of: bytes) }
}
