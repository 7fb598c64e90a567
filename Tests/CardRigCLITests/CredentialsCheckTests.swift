import Testing

@testable import CardRigCLI

@Suite("Credentials of the environment")
struct CredentialsCheckTests {
    private func problem(_ values: [String: String]) -> String? {
        do throws(UsageError) {
            try CredentialsCheck.run { values[$0] }
            return nil
        } catch {
            return error.description
        }
    }

    @Test func whatCanBeUsedIsTaken() {
        #expect(problem([:]) == nil)
        #expect(problem(["CARDRIG_NMI_SECURITY_KEY": "k"]) == nil)
        #expect(
            problem(["CARDRIG_AGENTCASH_USERNAME": "a", "CARDRIG_AGENTCASH_PASSWORD": "b:c"]) == nil
        )
    }

    @Test(arguments: [
        ("CARDRIG_NMI_SECURITY_KEY", "", "CARDRIG_NMI_SECURITY_KEY is set and empty"),
        ("CARDRIG_PAYMILL_PRIVATE_KEY", "s3cret\n", "has a control character"),
        ("CARDRIG_NMI_USERNAME", "s3cret", "and CARDRIG_NMI_PASSWORD go together"),
        ("CARDRIG_AGENTCASH_PASSWORD", "s3cret", "CARDRIG_AGENTCASH_USERNAME and"),
        ("CARDRIG_TRUSTED_CERTIFICATES", "/nope", "CARDRIG_TRUSTED_CERTIFICATES: "),
        ("CARDRIG_TRUSTED_CERTIFICATES", "/etc/passwd", "/etc/passwd holds no certificate in PEM"),
    ])
    func whatCannotIsNamedWithoutItsValue(name: String, value: String, sentence: String) throws {
        let found = try #require(problem([name: value]))
        #expect(found.contains(sentence))
        #expect(!found.contains("s3cret"))
    }

    @Test func aUserNameWithAColonIsRefused() {
        let values = ["CARDRIG_AGENTCASH_USERNAME": "a:b", "CARDRIG_AGENTCASH_PASSWORD": "c"]
        #expect(problem(values)?.contains("has a colon") == true)
    }
}
