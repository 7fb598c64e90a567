// What the benchmarks compare with, measured in the same run: a bare C++ event loop and OpenSSL.
//
//   g++ -O2 -std=c++17 -o reference reference.cpp -lcrypto && ./reference
//
// Prints lines of `name value unit`; each value is the best of five rounds.
// `virtual_loop_events` is the yardstick for the virtual loop: small events through a queue of 64
// entries, ordered by time and sequence, dispatched through a switch.

#include <openssl/evp.h>

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <queue>
#include <vector>

namespace {

struct Event {
    int64_t time;
    uint64_t sequence;
    uint32_t kind;
    uint32_t payload;
};

struct IsLater {
    bool operator()(const Event &left, const Event &right) const {
        if (left.time != right.time) return left.time > right.time;
        return left.sequence > right.sequence;
    }
};

constexpr int rounds = 5;
constexpr int queueEntries = 64;
constexpr int64_t events = 5'000'000;
constexpr int encryptions = 200'000;

double seconds() {
    using namespace std::chrono;
    return duration<double>(steady_clock::now().time_since_epoch()).count();
}

uint64_t mixed(uint64_t &state) {  // SplitMix64
    state += 0x9E3779B97F4A7C15ull;
    uint64_t value = state;
    value = (value ^ (value >> 30)) * 0xBF58476D1CE4E5B9ull;
    value = (value ^ (value >> 27)) * 0x94D049BB133111EBull;
    return value ^ (value >> 31);
}

// Four kinds of events with small, different effects, so that the switch is not folded away.
struct Components {
    uint64_t bytes = 0, timers = 0, answers = 0, checksum = 0;
};

double eventsPerSecond(uint64_t &checksum) {
    std::vector<Event> storage;
    storage.reserve(queueEntries + 1);
    std::priority_queue<Event, std::vector<Event>, IsLater> queue(IsLater(), std::move(storage));
    uint64_t random = 1, sequence = 0;
    for (int entry = 0; entry < queueEntries; entry++) {
        const uint64_t draw = mixed(random);
        queue.push({int64_t(draw % 1000), sequence++, uint32_t(entry % 4), uint32_t(draw >> 32)});
    }
    Components components;
    const double start = seconds();
    for (int64_t count = 0; count < events; count++) {
        const Event event = queue.top();
        queue.pop();
        switch (event.kind) {
            case 0: components.bytes += event.payload & 0xFF; break;
            case 1: components.timers += 1; break;
            case 2: components.answers ^= event.payload; break;
            default: components.checksum = components.checksum * 31 + event.payload; break;
        }
        const uint64_t draw = mixed(random);
        queue.push({event.time + int64_t(draw % 1000), sequence++, uint32_t(draw >> 62),
                    uint32_t(draw >> 16)});
    }
    const double elapsed = seconds() - start;
    checksum ^= components.bytes ^ components.timers ^ components.answers ^ components.checksum;
    return double(events) / elapsed;
}

double nanosecondsForEncryption(uint64_t &checksum) {
    unsigned char key[24], iv[8] = {0}, plain[64], output[64];
    for (int index = 0; index < 24; index++) key[index] = (unsigned char)(index * 7 + 1);
    for (int index = 0; index < 64; index++) plain[index] = (unsigned char)index;
    EVP_CIPHER_CTX *context = EVP_CIPHER_CTX_new();
    if (!context || !EVP_EncryptInit_ex(context, EVP_des_ede3_cbc(), nullptr, key, iv) ||
        !EVP_CIPHER_CTX_set_padding(context, 0)) {
        std::fprintf(stderr, "reference: libcrypto has no triple DES\n");
        std::exit(3);
    }
    const double start = seconds();
    for (int count = 0; count < encryptions; count++) {
        int length = 0;
        // The key schedule is kept; only the chaining value begins anew.
        if (!EVP_EncryptInit_ex(context, nullptr, nullptr, nullptr, iv) ||
            !EVP_EncryptUpdate(context, output, &length, plain, sizeof plain) || length != 64) {
            std::fprintf(stderr, "reference: encryption failed\n");
            std::exit(3);
        }
        plain[count & 63] ^= output[0];
    }
    const double elapsed = seconds() - start;
    checksum ^= output[0];
    EVP_CIPHER_CTX_free(context);
    return elapsed * 1e9 / encryptions;
}

}  // namespace

int main() {
    uint64_t checksum = 0;
    double bestEvents = 0, bestEncryption = 1e18;
    for (int round = 0; round < rounds; round++) {
        const double perSecond = eventsPerSecond(checksum);
        const double nanoseconds = nanosecondsForEncryption(checksum);
        if (perSecond > bestEvents) bestEvents = perSecond;
        if (nanoseconds < bestEncryption) bestEncryption = nanoseconds;
    }
    std::printf("virtual_loop_events %.0f events/s\n", bestEvents);
    std::printf("tdes_cbc_64_bytes %.0f ns\n", bestEncryption);
    // Printed so that nothing of it is optimised away; the same on every machine.
    std::printf("checksum %llu none\n", (unsigned long long)checksum);
}
