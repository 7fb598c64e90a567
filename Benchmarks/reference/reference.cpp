// What the benchmarks compare with, measured in the same run: a bare C++ event loop, OpenSSL, and
// for each other stage the plain C++ that does the least of the same kind of work.
//
//   g++ -O2 -std=c++17 -o reference reference.cpp -lcrypto && ./reference [ROUNDS]
//
// Prints lines of `name value unit`; each value is the best of the rounds (5), in processor time.
// `virtual_loop_events` is the yardstick for the virtual loop: small events through a queue of 64
// entries, ordered by time and sequence, dispatched through a switch.

#include <openssl/evp.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <queue>
#include <string>
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

constexpr int queueEntries = 64;
constexpr int64_t events = 2'000'000;
constexpr int encryptions = 50'000;
constexpr int messages = 20'000;
constexpr int recordsKept = 8'192;
constexpr int records = 2'000'000;

double seconds() {
    timespec time{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return double(time.tv_sec) + double(time.tv_nsec) * 1e-9;
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

// 400 bytes as 800 hexadecimal digits and back: the data of one swipe on a stream.
double nanosecondsForHexadecimal(uint64_t &checksum) {
    static const char digits[] = "0123456789ABCDEF";
    std::vector<unsigned char> bytes(400);
    for (size_t index = 0; index < bytes.size(); index++) bytes[index] = (unsigned char)(index * 7);
    const double start = seconds();
    for (int count = 0; count < messages; count++) {
        std::string text;
        for (unsigned char byte : bytes) {
            text.push_back(digits[byte >> 4]);
            text.push_back(digits[byte & 15]);
        }
        std::vector<unsigned char> decoded;
        for (size_t index = 0; index + 1 < text.size(); index += 2) {
            const char high = text[index], low = text[index + 1];
            decoded.push_back((unsigned char)((high > '9' ? high - 55 : high - 48) << 4 |
                                              (low > '9' ? low - 55 : low - 48)));
        }
        bytes[count % 400] ^= decoded[(count * 3) % 400];
        checksum += decoded[0];
    }
    return (seconds() - start) * 1e9 / messages;
}

// 887 bytes put together from pieces of 8: a report in packets.
double nanosecondsForPackets(uint64_t &checksum) {
    std::vector<unsigned char> report(887);
    for (size_t index = 0; index < report.size(); index++) report[index] = (unsigned char)index;
    const double start = seconds();
    for (int count = 0; count < messages; count++) {
        std::vector<unsigned char> joined;
        for (size_t at = 0; at < report.size(); at += 8) {
            const size_t end = at + 8 < report.size() ? at + 8 : report.size();
            joined.insert(joined.end(), report.begin() + long(at), report.begin() + long(end));
        }
        report[count % 887] ^= joined[(count * 3) % 887];
        checksum += joined[1];
    }
    return (seconds() - start) * 1e9 / messages;
}

// 600 bytes percent-encoded where a form needs it, and decoded: the body of one sale.
double nanosecondsForForm(uint64_t &checksum) {
    static const char digits[] = "0123456789ABCDEF";
    std::string plain;
    for (int index = 0; index < 600; index++) plain.push_back(char(48 + index % 43));
    const double start = seconds();
    for (int count = 0; count < messages; count++) {
        std::string form, decoded;
        for (char character : plain) {
            const unsigned char byte = (unsigned char)character;
            if ((byte >= '0' && byte <= '9') || (byte >= 'A' && byte <= 'Z')) {
                form.push_back(character);
            } else {
                form.push_back('%');
                form.push_back(digits[byte >> 4]);
                form.push_back(digits[byte & 15]);
            }
        }
        for (size_t index = 0; index < form.size(); index++) {
            if (form[index] != '%') {
                decoded.push_back(form[index]);
                continue;
            }
            const char high = form[index + 1], low = form[index + 2];
            decoded.push_back(char((high > '9' ? high - 55 : high - 48) << 4 |
                                   (low > '9' ? low - 55 : low - 48)));
            index += 2;
        }
        plain[size_t(count % 600)] = char(48 + (decoded[0] + count) % 43);
        checksum += (unsigned char)decoded[1];
    }
    return (seconds() - start) * 1e9 / messages;
}

struct PlainRecord {
    int64_t time;
    uint64_t sequence, step;
    uint32_t name, first, count, padding;
};

struct PlainAttribute {
    uint64_t name, value;
};

// A record of two attributes at the end of two arrays, the older half thrown away when full.
double nanosecondsForRecord(uint64_t &checksum) {
    std::vector<PlainRecord> written;
    std::vector<PlainAttribute> attributes;
    const double start = seconds();
    for (int count = 0; count < records; count++) {
        if (written.size() >= 2 * recordsKept) {
            written.erase(written.begin(), written.begin() + recordsKept);
            attributes.erase(attributes.begin(), attributes.begin() + 2 * recordsKept);
        }
        written.push_back({count, uint64_t(count), 0, uint32_t(count & 31),
                           uint32_t(attributes.size()), 2, 0});
        attributes.push_back({1, uint64_t(count)});
        attributes.push_back({2, 7});
    }
    checksum += written.back().sequence + attributes.back().value;
    return (seconds() - start) * 1e9 / records;
}

// Records read in order, each looked at through a switch with its first attribute.
double recordsPerSecond(uint64_t &checksum) {
    std::vector<PlainRecord> written;
    std::vector<PlainAttribute> attributes;
    uint64_t random = 1;
    for (uint32_t count = 0; count < recordsKept; count++) {
        const uint32_t name = uint32_t(mixed(random) & 7);
        written.push_back({int64_t(count), count, 0, name, count, 1, 0});
        attributes.push_back({name, count});
    }
    const double start = seconds();
    for (int count = 0; count < records; count++) {
        const PlainRecord &record = written[size_t(count) % recordsKept];
        const PlainAttribute &attribute = attributes[record.first];
        switch (record.name) {
            case 0: checksum += attribute.value; break;
            case 1: checksum ^= attribute.value; break;
            case 2: checksum += uint64_t(record.time); break;
            case 3: checksum = checksum * 31 + 1; break;
            default: checksum += attribute.name; break;
        }
    }
    return double(records) / (seconds() - start);
}

// Eight blocks of 64 to 8,192 bytes taken and given back: the memory of a small world.
double nanosecondsForBlocks(uint64_t &checksum) {
    const double start = seconds();
    for (int count = 0; count < messages; count++) {
        unsigned char *volatile blocks[8];
        for (int index = 0; index < 8; index++) {
            unsigned char *block = (unsigned char *)std::malloc(size_t(64) << index);
            if (!block) std::exit(3);
            block[0] = (unsigned char)count;
            blocks[index] = block;
        }
        for (int index = 0; index < 8; index++) {
            checksum += blocks[index][0];
            std::free(blocks[index]);
        }
    }
    return (seconds() - start) * 1e9 / messages;
}

// Keeps the best of the rounds of one figure.
struct Best {
    const char *name, *unit;
    bool isRate;
    double (*measure)(uint64_t &checksum);
    double value = 0;

    void play(uint64_t &checksum) {
        const double figure = measure(checksum);
        if (value == 0 || (isRate ? figure > value : figure < value)) value = figure;
    }
};

}  // namespace

int main(int argumentCount, char **arguments) {
    const int rounds = argumentCount > 1 ? std::atoi(arguments[1]) : 5;
    Best figures[] = {
        {"virtual_loop_events", "events/s", true, eventsPerSecond},
        {"tdes_cbc_64_bytes", "ns", false, nanosecondsForEncryption},
        {"hexadecimal_400_bytes", "ns", false, nanosecondsForHexadecimal},
        {"packets_887_bytes", "ns", false, nanosecondsForPackets},
        {"form_600_bytes", "ns", false, nanosecondsForForm},
        {"record_append", "ns", false, nanosecondsForRecord},
        {"record_switch", "records/s", true, recordsPerSecond},
        {"eight_blocks", "ns", false, nanosecondsForBlocks},
    };
    uint64_t checksum = 0;
    for (int round = 0; round < (rounds < 1 ? 1 : rounds); round++) {
        for (Best &figure : figures) figure.play(checksum);
    }
    for (const Best &figure : figures) {
        std::printf("%s %.0f %s\n", figure.name, figure.value, figure.unit);
    }
    // Printed so that nothing of it is optimised away; the same on every machine.
    std::printf("checksum %llu none\n", (unsigned long long)checksum);
}
