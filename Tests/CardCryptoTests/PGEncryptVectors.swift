/// A key string made for CardRig, and what the vendor's Android class gave with it.
///
/// Source: the official Android library's class, run on a desktop machine; number 777, RSA with
/// 2,048 bits; the private half was not kept.
enum PGEncryptVectors {
    static let key = """
        ***777|MIIDVjCCAj6gAwIBAgIBATANBgkqhkiG9w0BAQsFADBDMQswCQYDVQQGEwJVUzEVMBMGA1UECgwMQ2FyZ\
        FJpZyBUZXN0MR0wGwYDVQQDDBRnYXRld2F5LmNhcmRyaWcudGVzdDAgFw0yNjExMzAxMjM2NTZaGA8yMTI2MTEwN\
        jEyMzY1NlowQzELMAkGA1UEBhMCVVMxFTATBgNVBAoMDENhcmRSaWcgVGVzdDEdMBsGA1UEAwwUZ2F0ZXdheS5jY\
        XJkcmlnLnRlc3QwggEiMA0GCSqGSIb3DQEBAQUAA4IBDwAwggEKAoIBAQCN6YsZTFQyN7XeBI9jl8bgDHxtex3Ux\
        5aVdfeZjy7/BQX2mZkhfQ9ANjT5lZmrklHrWTQNygc5LBOC/6yvmXg9yYcWVR1llW609asbD7o+9+F9sQdBhclPl\
        T6dHuiQXA8NL+J9McuvXy5x3jhqW21I48BYp5xBGvv8SiwHxf4en287j6nfOUJjt36uS6E6s1Hv3Nm5HTzdBXLXY\
        VM9145PdeaegAruJ1tz/KSZ+vLxhiZ8rsxSOVFUZoXLNJCWIhS13rmJ2mj0iAhvTLdYvbKAgZ5nLdfHZD9OotQ2B\
        QCPRzh3bE2jzc4WGGB6EJfDXOQaj1aJjMnUOX5LECN0p0V3AgMBAAGjUzBRMB0GA1UdDgQWBBQu8U9p1eXk23Xen\
        ajNfyBB+oaUlzAfBgNVHSMEGDAWgBQu8U9p1eXk23XenajNfyBB+oaUlzAPBgNVHRMBAf8EBTADAQH/MA0GCSqGS\
        Ib3DQEBCwUAA4IBAQBGn/kKUwy9MtQOMdSmFGGE24ysLldlEWLL4+QBkh250Kd8TkfExICz+vW6Pc70bnHppVg+j\
        qs7bDPrUF7lia35M4C3ISFTG3xCOYhugfOhzNALZ8AmQMz8sUGyiiI3Pdd+JBA0lAyxbIMFhHRonhefYHewtTi+a\
        La4QEPjF3ufyVzzwrCEMzMMdojUSXfrKKtM35BOXv3vLS4vO83BwofqKjcf8mJe8TxUpJfLf7lk0SzqUp7M6k8KZ\
        afcYbUiCZzqVZyULDHROPUw8OEvAkBE+w5TJF393yZzDxWRyd9azWSQUMVAE1gAeOD323ygGO7ifcWLc2ShXKykn\
        xMVQqS3***
        """

    struct Output {
        var text: String
        /// `nil` where it was not written down.
        var key: String?
        var vector: String?
        var cryptogram: String?
        var value: String
    }

    static let outputs = [keyedWithCode, keyed, swiped]

    static let keyedWithCode = Output(
        text: "ccnumber=4111111111111111&ccexp=1025&cvv=999",
        key: "6669dcbe9f273364353695e9b4d656451ffd60756727782d1281c418d6d78e29",
        vector: "192db3cf0eb0c86826fd5d36c538ba4d",
        cryptogram: "a1238ad24ee87307cb7f216fc929844a1c2b2babfb9cbdaf564006c3a1ee3f39"
            + "881c2286c072e0b715c3a004d23905e3",
        value: """
            R1dTQ3wxfDc3N3xVV0JHN2hQWFpUcTc5cStWMmhwMzhFaFBXRHBHd3Byc09RV1gvT0lUQXBQRTJzcDFKVDIwV0gr\
            K2ZJd083am0wQUQxQWY0WjdMekVVT3lkZzJvbzk5NHA3aVE0bEU0ZkxWNzE4Tmc4TEtpR2Yxc3JrVWdIcVdOa1I0\
            NWZUcVhZNDFXNDBUaG1KK1NFZXN6Q1JhNXVhcVRwenNmaTBjSTNFQUpYS0JZOWZMMjFsaG9vdnlUYkhINFJVNkVs\
            UmVxZE1GeXZuamJ3VWlQd0t6TCtveWpDSVRpUU5wb005NFFTNjRERElVV0Fnd1Q3amtLME9qVUR3bHNhaEEyRjV0\
            VHRDcWhJaThYR0w5NUo4NXI1aGkzbk9TQTJpSE1mRElJbVNHc25rYkoyZ3lNTUxsa2pHblpmUFBqQlNBNTQrdWJ4\
            aWlsZndoVFRGeEoweU9mWlRhUWd5Znc9PXxHUzJ6enc2d3lHZ20vVjAyeFRpNlRRPT18b1NPSzBrN29jd2ZMZnlG\
            dnlTbUVTaHdySzZ2N25MMnZWa0FHdzZIdVB6bUlIQ0tHd0hMZ3R4WERvQVRTT1FYag==
            """
    )

    static let keyed = Output(
        text: "ccnumber=5431111111111111&ccexp=1025",
        key: "c925b9ec4cd11b03fb3d15ad0a666c1c84c4c543547b6319edc022bec63651f1",
        vector: "a01dbe287dd0cc499af587417b8c42b3",
        cryptogram: "bfec1db8f435cc179fdb18576b698e44e55584050ad3c87da4d7a6c2ee2de1dd"
            + "43d34b72cc18c71d539a553c9e962aae",
        value: """
            R1dTQ3wxfDc3N3xKN1NaaTBmR3FKdFQ0c01YTnN6R2UwWDlhRGo4S2dQekY5ZVRNUTZkMDBsTnU2b01LdmhMR1Nu\
            NmVUTytjNUN5VjdIdXQvRGpNeTExNkx4THFLc0Y0ZFVwTmpFUGJsbVZsaFJZS0JTS0xMWkFQenpPMUNKbm80bGxP\
            Y1QrSWh4QllPNjMxZDR4L0RiSmVNejhKZ3dyNTJ5WFpGbmF0UzhwT1lDZW1RTytNMU5PcS9KRTNDUE12Ry85MXNx\
            YWhhZUJKM1Q0WU4zSldFak5JVy9PSDc5VTJzL3VPSk42UUNEQWp4Q1daUWhJVkFWQ3dwVFBwcjBVb1RzdHN2UExT\
            THpZZHNJbDI3ZXJRKzRncnBENFkvMWV6R29YZlB2TndOeldFdFhjUnZPNFUxN080MmZnYnd0V0xJYTdLUnRiK21q\
            eld2Y250YXg0UXlNNitZa2Q5V1MwK3c9PXxvQjIrS0gzUXpFbWE5WWRCZTR4Q3N3PT18dit3ZHVQUTF6QmVmMnho\
            WGEybU9ST1ZWaEFVSzA4aDlwTmVtd3U0dDRkMUQwMHR5ekJqSEhWT2FWVHllbGlxdQ==
            """
    )

    static let swiped = Output(
        text: """
            encrypted_track_1=a0a1a2a3a4a5a6a7a8a9aaabacadaeafb0b1b2b3b4b5b6b7b8b9babbbcbdbebfc0c1c2\
            c3c4c5c6c7c8c9cacbcccdcecfd0d1d2d3d4d5d6d7d8d9dadbdcdddedf&encrypted_track_2=10111213141\
            5161718191a1b1c1d1e1f202122232425262728292a2b2c2d2e2f303132333435363738393a3b3c3d3e3f&en\
            crypted_ksn=ffff9876543210e0000a
            """,
        value: """
            R1dTQ3wxfDc3N3xFMjBTRTlHVzVURWxhek9jcnYzK2E5TUsvTTNUNU51K3hCVS9yeFBhYlkrZ0dXd2ZKS3BxRU1l\
            aVlDVzNJdC91Wnc2R01GYUsya1pEQ1NKaHdBMDZYeXczeXUxRXNkaHQzZWRWWXQ2Mi9UdTgydXRGYkQvNi9TdlV3\
            U1RFL0tFSzByVmdGV0dkRW50Z0FFTnVPOWN5aE1mVUxoenFlS1RaRFdQTVZ1aU9UdDZBUitnbXpKOFZ2dDVMVm5R\
            ekhtWjdEREVBUVh1cGUwMHE5NzY2Vy94QUZ6Ukw3RyszRTVzWnVCbVdJM0lQQ2pHbFNqR2FPZnJiUUpTaG91S00y\
            V1VWQkJZbUJsRnQvUzVpN3RoOFBOZS81NDBGV2xBamljT29GWU9iNXVmM1pHd2NPT1pTVWdQYUxoR2twRXlQM0Fo\
            Y1NwbnAyNUNnOFROZkZHWFRMM1o1SXc9PXxlVmZOZ3pxY1FjNGlmUzZOdG5iejZBPT18ZVA3ZDdNemNsQk5LUUpH\
            TUd6eDVkQ1l4bWdsUVg4amQ0YmNvQW1NaFVFTC81Zmt6VU9UVjZ4T2drYjRzdlNubVV6Y1JrWEVJVUJCOHJWSnhX\
            S0VKRStzZjFpR2xGNXUyT3J0TWtrdGdKbUd0NHd1Rko3aTBPT2FpR25sU2RPYlV2VkhpcVNGMHI0a2dYK1E0RXZj\
            Q1dXOTU3TUxIOVZvaUNWSHkrUmo2SHRJcHdzOVdFc0JlTUF0ZDF3NkxzWHgxbzFjYVdPaUd5TVc3STI2M0cwdWxy\
            VGlNQUJ5ZEpBQVFmamt6RUV4SkdLU0xWUHJtUmpHeDVOYnhsMFoycGVmNWkyWXBRamlDNGJyVVhsRXRjYVVlWGhT\
            bTdCbktqMTBob0hTNkoxRC9la0xiak83ZUVDSUF5ckcyTDdyU3RpUzJuNXFRRDY3Mm9FbW11cUhZWWwwRGF2d3R5\
            aFpZeVE0SHNCejNHTVpocGppZ0NGV3hRT2JXbW9zcmI5YVZHbUN2T1hqdC9BQytkRHJzZFAzUElabVc2UT09
            """
    )
}
