public import CardCrypto
import CardData

extension PGEncryptKeyPair {
    /// The key of the simulated gateway's merchant, number 777, with an RSA key of 2,048 bits.
    ///
    /// Both halves are public: it protects nothing and must never be used outside a simulation.
    /// Made with `openssl req -x509 -newkey rsa:2048`; a fixed one, so that a run depends on its
    /// seed alone.
    public static let simulated: PGEncryptKeyPair? = {
        guard let certificate = Base64.decode(certificate.utf8),
            let key = try? PGEncryptKey(number: "777", certificate: certificate),
            let bytes = Base64.decode(privateKey.utf8),
            let privateKey = PGEncryptPrivateKey(bytes)
        else { return nil }
        return PGEncryptKeyPair(key: key, privateKey: privateKey)
    }()

    private static let certificate = """
        MIIDfTCCAmWgAwIBAgIUWRvAsm6cJBdKxhLu+5xg8s9GpnowDQYJKoZIhvcNAQELBQAwTTELMAkGA1UEBhMC\
        VVMxFTATBgNVBAoMDENhcmRSaWcgVGVzdDEnMCUGA1UEAwwec2ltdWxhdGVkLWdhdGV3YXkuY2FyZHJpZy50\
        ZXN0MCAXDTI2MTEzMDE3NTE1NFoYDzIxMjYxMTA2MTc1MTU0WjBNMQswCQYDVQQGEwJVUzEVMBMGA1UECgwM\
        Q2FyZFJpZyBUZXN0MScwJQYDVQQDDB5zaW11bGF0ZWQtZ2F0ZXdheS5jYXJkcmlnLnRlc3QwggEiMA0GCSqG\
        SIb3DQEBAQUAA4IBDwAwggEKAoIBAQDUk76iHJ5kyXMwJU+FiRFMKOW1UQN6HVxJD6/lHpKQM/WOBQtJXLpe\
        YOn082WGYWRt2DKnusVmG32zxsoHpG7AmRiUwUUGQ/PuX+M4rcIhM7DY2efvcYmUnSm453M7B6eYABjGjAdP\
        bT5++qfJ6DThu9mbqsmhpcdsmQtNml49AbbLpZma8aJY2qAF/qkxiBaCr28c/TJKhVQWGDZ1D3rJW5OcIEZo\
        IQkxMcivUnCD1yONvyWz3Tj6K5Vwa9Wp72ZhCTF5apAPxiG2OBraFJONXtDpvG4YZ5eanNgT4rpfKOtqyY60\
        6RN3FRzOnUix6TlQl4O7p0NGKDg/IIxY3dXLAgMBAAGjUzBRMB0GA1UdDgQWBBQ4XxqD8cB9pdTQgJEXmzAr\
        Q5/LWzAfBgNVHSMEGDAWgBQ4XxqD8cB9pdTQgJEXmzArQ5/LWzAPBgNVHRMBAf8EBTADAQH/MA0GCSqGSIb3\
        DQEBCwUAA4IBAQBkurbUdEZltuN4vk9ukYKAValBDOoKxR2hZx71frptLPl80VJ5JWc9xhicdBH9p/TlvfvG\
        tb5r0HdQB2/rHHtdWZVK1NI9L97+q7JjjAzzzAuRl/aSk5paVDbcJsR47roDKnFNAZ4QakUO46ejdZuyB2Tm\
        VH/d4UU/xlbUKZ9MG5Aukfp9KsO60xksoGs/u3heJofFV1pco5hjMGLEnM8O4hf+xIba7eoSwnBQXjYV2DqU\
        xomA3ZOxNSdxpBt1vHJaUq9tsxHKndLRH4jY21YtINiI+6vIQlALLpkzfkkTyP9BS6SG6miPy1Os5hEc6sy3\
        5MUCbAiIKGk1V+1vqZJM
        """

    private static let privateKey = """
        MIIEowIBAAKCAQEA1JO+ohyeZMlzMCVPhYkRTCjltVEDeh1cSQ+v5R6SkDP1jgULSVy6XmDp9PNlhmFkbdgy\
        p7rFZht9s8bKB6RuwJkYlMFFBkPz7l/jOK3CITOw2Nnn73GJlJ0puOdzOwenmAAYxowHT20+fvqnyeg04bvZ\
        m6rJoaXHbJkLTZpePQG2y6WZmvGiWNqgBf6pMYgWgq9vHP0ySoVUFhg2dQ96yVuTnCBGaCEJMTHIr1Jwg9cj\
        jb8ls904+iuVcGvVqe9mYQkxeWqQD8Yhtjga2hSTjV7Q6bxuGGeXmpzYE+K6XyjrasmOtOkTdxUczp1Isek5\
        UJeDu6dDRig4PyCMWN3VywIDAQABAoIBAA1O1CGRKeSK+Zt+Z0R0ckRfgxHsAnKD1NUvsDlNxd5VNZgwfj/9\
        5Ota2D3hE7s37NhoYoA+bXRlxpbMnE7VX0GbbZiFooaXFnXj3UIdG29TE+bF4LYMWF3MNC9CyuOOweuYH46L\
        RNUW57fkHtqOOOrkBOZKTz+Mm1F6VOTRnZJM14aC5RxgC1C8ZoUDRIzfhI4w+CPtmWAZeMXRxy6wTtpWGgHa\
        1oqT/6NSLq2qFifiw3xme8SNuMfoo8rXYzazuSlcM648WuN8WWyXcZqdT0gQW0RKuIWq1wx5ZRBhyE5b0Qe8\
        oi2saxKYtZShwv0NXHXwiVU7IzUnXa1AOVOdyyECgYEA9S+DgRGwK4GwpiEyAMpFyTxEl1P5SIi3dzqlUZLQ\
        4PyQovTe78dr6OzFGcrLtrNMLQcaJdneOoPyCUrxcL4wEPU1IoAb+V8jm7aVcO+uJERVecFVEozZjtYnNvVS\
        WAcuudRla75IwfMFftd7JHJzjJlEIsONBdXJqK4wtG8ug9MCgYEA3fQJNfU6sd5lDLL+06w3Gy0p+tiORuVx\
        KX/RBnLpRWZaZ8iFrNibIXU0bTYX0jnPg3G7LVYSbaZ7G3dEwTyt8jF3DEBDD/+gWF2TQIl0N+Qzlk/9IhD5\
        Iv3i7UHHE0qEWj903TXCVx4+YNulJdgoyGONbYmucQj67J+E1cBbwykCgYEAvPHInYZMBLsEroGWTxWRgep3\
        0UZdLJBvEeqXy60gWsFHlMyvoIhFmFId8ipdooW5hlmaxOCIaP+VXaPrO77Uu7y7HcMry5iNkEm8EDQkNr6S\
        QCnErW7tmS1fOvMCaePfFkWfgtA4sX3eFkloFEY+1XKnF0MrQfvmU58o2WN0rRECgYB64Q90YwcS0FhLdpGk\
        KNT9Y7y5Fsl2MLK80fmsQ1QoSulESfzP27/O/y9+QxNfHQho8j85c0ySjjfb1eUnwmtfCcmp6631HoXsRiou\
        8ap5AwsYbcJr6M+1cq/+wIrxgDDUMguGKKwmRSUtxIyi7hBuGMeE3FPKWrlo5UvKd0uWOQKBgC/6irsPgikc\
        Etei2EQYcQHpttFPUW7m5uNVMXkgR2XsaFvM38ptb2c19t9efSq4wPyK7x1DXwXw+O/V+n9VfruHIdI2hezW\
        KmJC+L/LpC6mH+wwdVJTtIs8kTYr+OqY7z+VAMq7w6Ts+T3mwEh6bLq9fHrWUYyCqnsOt2CtuJ21
        """
}
