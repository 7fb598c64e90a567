// Round trips over TCP or a pty, and a bare echo that does the same bytes.
//
//   roundtrip client PLACE REQUEST COUNT   nanoseconds of one round trip, and the reply's bytes
//   roundtrip echo tcp|pty REQUEST REPLY   prints its place, then answers each request
//
// PLACE is a port of 127.0.0.1 or the path of a serial line; REQUEST and REPLY are hexadecimal.
#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <termios.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

using Bytes = std::vector<unsigned char>;

static void fail(const char *what) {
    perror(what);
    exit(3);
}

static Bytes unhex(const char *text) {
    Bytes out;
    for (; text[0] && text[1]; text += 2) {
        out.push_back((unsigned char)strtol(std::string(text, 2).c_str(), nullptr, 16));
    }
    return out;
}

static void makeRaw(int fd) {
    termios settings;
    if (tcgetattr(fd, &settings) != 0) fail("tcgetattr");
    cfmakeraw(&settings);
    if (tcsetattr(fd, TCSANOW, &settings) != 0) fail("tcsetattr");
}

static void noDelay(int fd) {
    int one = 1;
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
}

static int connectTo(const char *place) {
    if (place[0] == '/') {
        int fd = open(place, O_RDWR | O_NOCTTY);
        if (fd < 0) fail(place);
        makeRaw(fd);
        tcflush(fd, TCIOFLUSH);
        return fd;
    }
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in address = {};
    address.sin_family = AF_INET;
    address.sin_port = htons((unsigned short)atoi(place));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (connect(fd, (sockaddr *)&address, sizeof address) != 0) fail(place);
    noDelay(fd);
    return fd;
}

static Bytes readFor(int fd, int milliseconds) {
    Bytes out;
    pollfd watched = {fd, POLLIN, 0};
    unsigned char buffer[4096];
    while (poll(&watched, 1, milliseconds) > 0) {
        ssize_t count = read(fd, buffer, sizeof buffer);
        if (count <= 0) break;
        out.insert(out.end(), buffer, buffer + count);
    }
    return out;
}

static bool readExactly(int fd, unsigned char *buffer, size_t wanted) {
    size_t done = 0;
    while (done < wanted) {
        ssize_t count = read(fd, buffer + done, wanted - done);
        if (count <= 0) return false;
        done += (size_t)count;
    }
    return true;
}

static int client(const char *place, const Bytes &request, long count) {
    int fd = connectTo(place);
    readFor(fd, 200);  // a greeting
    if (write(fd, request.data(), request.size()) < 0) fail("write");
    Bytes reply = readFor(fd, 200);
    if (reply.empty()) fail("no reply");
    Bytes buffer(reply.size());
    auto run = [&](long repetitions) {
        auto start = std::chrono::steady_clock::now();
        for (long index = 0; index < repetitions; index++) {
            if (write(fd, request.data(), request.size()) < 0) fail("write");
            if (!readExactly(fd, buffer.data(), buffer.size())) fail("read");
            if (buffer != reply) {
                fprintf(stderr, "another reply\n");
                exit(3);
            }
        }
        std::chrono::duration<double, std::nano> spent = std::chrono::steady_clock::now() - start;
        return spent.count() / (double)repetitions;
    };
    run(count / 10 + 1);
    printf("%.0f ", run(count));
    for (unsigned char byte : reply) printf("%02x", byte);
    printf("\n");
    return 0;
}

static void answer(int fd, const Bytes &request, const Bytes &reply) {
    Bytes buffer(request.size());
    while (readExactly(fd, buffer.data(), buffer.size())) {
        if (write(fd, reply.data(), reply.size()) < 0) return;
    }
}

static int echo(const char *kind, const Bytes &request, const Bytes &reply) {
    if (strcmp(kind, "pty") == 0) {
        int fd = posix_openpt(O_RDWR | O_NOCTTY);
        if (fd < 0 || grantpt(fd) != 0 || unlockpt(fd) != 0) fail("pty");
        int keep = open(ptsname(fd), O_RDWR | O_NOCTTY);
        makeRaw(keep);
        printf("%s\n", ptsname(fd));
        fflush(stdout);
        answer(fd, request, reply);
        return 0;
    }
    int listener = socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in address = {};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t length = sizeof address;
    if (bind(listener, (sockaddr *)&address, length) != 0 || listen(listener, 4) != 0) fail("listen");
    getsockname(listener, (sockaddr *)&address, &length);
    printf("%d\n", ntohs(address.sin_port));
    fflush(stdout);
    for (;;) {
        int fd = accept(listener, nullptr, nullptr);
        if (fd < 0) return 3;
        noDelay(fd);
        answer(fd, request, reply);
        close(fd);
    }
}

int main(int count, char **arguments) {
    std::string verb = count > 1 ? arguments[1] : "";
    if (verb == "client" && count == 5) {
        return client(arguments[2], unhex(arguments[3]), atol(arguments[4]));
    }
    if (verb == "echo" && count == 5) {
        return echo(arguments[2], unhex(arguments[3]), unhex(arguments[4]));
    }
    fprintf(stderr, "usage: roundtrip client PLACE REQUEST COUNT | echo tcp|pty REQUEST REPLY\n");
    return 2;
}
