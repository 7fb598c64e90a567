/* streams.c: TCP sockets, serial lines and ptys. */
#define _GNU_SOURCE
#include "clinux.h"
#include <arpa/inet.h>
#include <asm/termbits.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

static int result(int value) { return value < 0 ? -errno : value; }

static int close_with(int fd, int number) {
    close(fd);
    return -number;
}

/* ---- Addresses */

int clinux_resolve(
    const char *host, const char *port, int with_names, struct clinux_address *out, int limit) {
    struct addrinfo hints = {0}, *found = NULL;
    hints.ai_family = AF_UNSPEC;
    hints.ai_socktype = SOCK_STREAM;
    hints.ai_flags = AI_NUMERICSERV | (with_names ? 0 : AI_NUMERICHOST);
    int code = getaddrinfo(host, port, &hints, &found);
    switch (code) {
    case 0: break;
    case EAI_SYSTEM: return errno ? -errno : -EIO;
    case EAI_MEMORY: return -ENOMEM;
    case EAI_AGAIN: return -EAGAIN;
    case EAI_SERVICE: return -EINVAL;
    default: return -ENOENT;
    }
    int count = 0;
    for (struct addrinfo *one = found; one && count < limit; one = one->ai_next) {
        if (one->ai_addrlen > sizeof out->bytes) continue;
        memset(&out[count], 0, sizeof *out);
        memcpy(out[count].bytes, one->ai_addr, one->ai_addrlen);
        out[count++].byte_count = one->ai_addrlen;
    }
    freeaddrinfo(found);
    return count;
}

int clinux_address_name(const struct clinux_address *address, char *out, int byte_count) {
    char host[64], port[8];
    const struct sockaddr *one = (const struct sockaddr *)address->bytes;
    int code = getnameinfo(
        one, address->byte_count, host, sizeof host, port, sizeof port,
        NI_NUMERICHOST | NI_NUMERICSERV);
    if (code != 0) return -EINVAL;
    snprintf(out, byte_count, one->sa_family == AF_INET6 ? "[%s]:%s" : "%s:%s", host, port);
    return 0;
}

int clinux_is_loopback(const struct clinux_address *address) {
    const struct sockaddr *one = (const struct sockaddr *)address->bytes;
    if (one->sa_family == AF_INET) {
        const struct sockaddr_in *ip = (const struct sockaddr_in *)one;
        return ntohl(ip->sin_addr.s_addr) >> 24 == 127;
    }
    if (one->sa_family == AF_INET6) {
        return IN6_IS_ADDR_LOOPBACK(&((const struct sockaddr_in6 *)one)->sin6_addr);
    }
    return 0;
}

/* ---- TCP */

static void set(int fd, int level, int name, int value) {
    (void)setsockopt(fd, level, name, &value, sizeof value);
}

static void tune(int fd) {
    set(fd, IPPROTO_TCP, TCP_NODELAY, 1);
    set(fd, SOL_SOCKET, SO_KEEPALIVE, 1);
    set(fd, IPPROTO_TCP, TCP_KEEPIDLE, 5);
    set(fd, IPPROTO_TCP, TCP_KEEPINTVL, 2);
    set(fd, IPPROTO_TCP, TCP_KEEPCNT, 3);
}

static int tcp_socket(const struct clinux_address *address) {
    int family = ((const struct sockaddr *)address->bytes)->sa_family;
    return result(socket(family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
}

int clinux_tcp_connect(const struct clinux_address *address) {
    int fd = tcp_socket(address);
    if (fd < 0) return fd;
    tune(fd);
    const struct sockaddr *one = (const struct sockaddr *)address->bytes;
    if (connect(fd, one, address->byte_count) != 0 && errno != EINPROGRESS && errno != EINTR) {
        return close_with(fd, errno);
    }
    return fd;
}

int clinux_tcp_listen(const struct clinux_address *address) {
    int fd = tcp_socket(address);
    if (fd < 0) return fd;
    set(fd, SOL_SOCKET, SO_REUSEADDR, 1);
    const struct sockaddr *one = (const struct sockaddr *)address->bytes;
    if (bind(fd, one, address->byte_count) != 0) return close_with(fd, errno);
    if (listen(fd, 128) != 0) return close_with(fd, errno);
    return fd;
}

int clinux_tcp_accept(int fd, struct clinux_address *peer) {
    for (;;) {
        socklen_t length = sizeof peer->bytes;
        struct sockaddr *one = (struct sockaddr *)peer->bytes;
        int accepted = accept4(fd, one, &length, SOCK_CLOEXEC | SOCK_NONBLOCK);
        if (accepted >= 0) {
            peer->byte_count = length;
            tune(accepted);
            return accepted;
        }
        if (errno != EINTR && errno != ECONNABORTED) return -errno;
    }
}

int clinux_socket_address(int fd, struct clinux_address *out) {
    socklen_t length = sizeof out->bytes;
    if (getsockname(fd, (struct sockaddr *)out->bytes, &length) != 0) return -errno;
    out->byte_count = length;
    return 0;
}

int clinux_socket_error(int fd) {
    int number = 0;
    socklen_t length = sizeof number;
    if (getsockopt(fd, SOL_SOCKET, SO_ERROR, &number, &length) != 0) return -errno;
    return -number;
}

int clinux_is_peer_closed(int fd) {
    struct pollfd watched = {.fd = fd, .events = POLLRDHUP};
    return poll(&watched, 1, 0) > 0;
}

int clinux_set_buffer_sizes(int fd, int byte_count) {
    set(fd, SOL_SOCKET, SO_SNDBUF, byte_count);
    set(fd, SOL_SOCKET, SO_RCVBUF, byte_count);
    return 0;
}

int clinux_reset_on_close(int fd) {
    struct linger at_once = {.l_onoff = 1, .l_linger = 0};
    return setsockopt(fd, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once) < 0 ? -errno : 0;
}

/* ---- Bytes */

long clinux_read(int fd, void *buffer, unsigned long byte_count) {
    for (;;) {
        ssize_t count = read(fd, buffer, byte_count);
        if (count >= 0) return count;
        if (errno != EINTR) return -errno;
    }
}

long clinux_write(int fd, const void *buffer, unsigned long byte_count) {
    for (;;) {
        ssize_t count = send(fd, buffer, byte_count, MSG_NOSIGNAL);
        if (count < 0 && errno == ENOTSOCK) count = write(fd, buffer, byte_count);
        if (count >= 0) return count;
        if (errno != EINTR) return -errno;
    }
}

/* ---- Serial lines and ptys */

static int make_raw(int fd, unsigned int speed) {
    struct termios2 settings;
    if (ioctl(fd, TCGETS2, &settings) != 0) return -errno;
    settings.c_iflag = 0;
    settings.c_oflag = 0;
    settings.c_lflag = 0;
    settings.c_cflag = BOTHER | CS8 | CREAD | CLOCAL;
    settings.c_ispeed = settings.c_ospeed = speed;
    settings.c_cc[VMIN] = 1;
    settings.c_cc[VTIME] = 0;
    return result(ioctl(fd, TCSETS2, &settings));
}

int clinux_tty_open(const char *path, unsigned int speed) {
    int fd = result(open(path, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC));
    if (fd < 0) return fd;
    if (!isatty(fd)) return close_with(fd, ENOTTY);
    /* The lock keeps out those whom the exclusive mode lets in: root. */
    if (flock(fd, LOCK_EX | LOCK_NB) != 0) {
        return close_with(fd, errno == EWOULDBLOCK ? EBUSY : errno);
    }
    int is_exclusive = 0;
    if (ioctl(fd, TIOCGEXCL, &is_exclusive) == 0 && is_exclusive) return close_with(fd, EBUSY);
    if (ioctl(fd, TIOCEXCL) != 0) return close_with(fd, errno);
    int code = make_raw(fd, speed);
    if (code == 0) code = result(ioctl(fd, TCFLSH, TCIOFLUSH));
    if (code < 0) {
        clinux_tty_release(fd);
        return close_with(fd, -code);
    }
    return fd;
}

void clinux_tty_release(int fd) {
    (void)ioctl(fd, TIOCNXCL);
    (void)flock(fd, LOCK_UN);
}

int clinux_tty_set_lines(int fd, int dtr, int rts) {
    int on = (dtr ? TIOCM_DTR : 0) | (rts ? TIOCM_RTS : 0);
    int off = (dtr ? 0 : TIOCM_DTR) | (rts ? 0 : TIOCM_RTS);
    int code = result(ioctl(fd, TIOCMBIS, &on));
    if (code == 0) code = result(ioctl(fd, TIOCMBIC, &off));
    return code == -ENOTTY || code == -EINVAL ? 0 : code;
}

int clinux_pty_open(char *path, int byte_count) {
    int fd = result(posix_openpt(O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC));
    if (fd < 0) return fd;
    if (grantpt(fd) != 0 || unlockpt(fd) != 0) return close_with(fd, errno);
    int code = ptsname_r(fd, path, byte_count);
    if (code != 0) return close_with(fd, code);
    int other = open(path, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
    if (other < 0) return close_with(fd, errno);
    code = make_raw(other, 115200);
    close(other); /* From here on the pty tells whether somebody has it open. */
    return code < 0 ? close_with(fd, -code) : fd;
}

int clinux_pty_has_peer(int fd) {
    struct pollfd watched = {.fd = fd, .events = 0};
    return poll(&watched, 1, 0) == 0;
}

int clinux_pty_clean(const char *path) {
    int fd = result(open(path, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC));
    if (fd < 0) return fd;
    (void)ioctl(fd, TIOCNXCL);
    (void)ioctl(fd, TCFLSH, TCIOFLUSH);
    int code = make_raw(fd, 115200);
    close(fd);
    return code;
}

int clinux_watch_openings(const char *path) {
    int fd = result(inotify_init1(IN_NONBLOCK | IN_CLOEXEC));
    if (fd < 0) return fd;
    if (inotify_add_watch(fd, path, IN_OPEN | IN_CLOSE) < 0) return close_with(fd, errno);
    return fd;
}

void clinux_forget_openings(int fd) {
    char buffer[4096];
    while (read(fd, buffer, sizeof buffer) > 0) {}
}
