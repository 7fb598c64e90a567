/* clinux.c: thin shims over calls that Swift's Glibc module does not show. */
#define _GNU_SOURCE
#include "clinux.h"
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <sys/un.h>
#include <unistd.h>

extern char **environ;

static int result(int value) { return value < 0 ? -errno : value; }

int clinux_eventfd(void) { return result(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)); }

int clinux_eventfd_signal(int fd) {
    uint64_t one = 1;
    for (;;) {
        if (write(fd, &one, sizeof one) == (ssize_t)sizeof one) return 0;
        if (errno == EAGAIN) return 0; /* the counter is full, so the reader wakes anyway */
        if (errno != EINTR) return -errno;
    }
}

int clinux_eventfd_clear(int fd) {
    uint64_t count;
    for (;;) {
        if (read(fd, &count, sizeof count) == (ssize_t)sizeof count) return 1;
        if (errno == EAGAIN) return 0;
        if (errno != EINTR) return -errno;
    }
}

int clinux_epoll_create(void) { return result(epoll_create1(EPOLL_CLOEXEC)); }

static int epoll_edit(int epoll, int operation, int fd, int bits, uint64_t token) {
    struct epoll_event event = {0};
    if (bits & clinux_readable) event.events |= EPOLLIN;
    if (bits & clinux_writable) event.events |= EPOLLOUT;
    if (bits & clinux_peer_closed) event.events |= EPOLLRDHUP;
    event.data.u64 = token;
    return result(epoll_ctl(epoll, operation, fd, &event));
}

int clinux_epoll_add(int epoll, int fd, int bits, uint64_t token) {
    return epoll_edit(epoll, EPOLL_CTL_ADD, fd, bits, token);
}

int clinux_epoll_change(int epoll, int fd, int bits, uint64_t token) {
    return epoll_edit(epoll, EPOLL_CTL_MOD, fd, bits, token);
}

int clinux_epoll_remove(int epoll, int fd) {
    return epoll_edit(epoll, EPOLL_CTL_DEL, fd, 0, 0);
}

int clinux_epoll_wait(int epoll, struct clinux_ready *out, int limit, int timeout_milliseconds) {
    struct epoll_event events[64];
    if (limit > 64) limit = 64;
    int count = epoll_wait(epoll, events, limit, timeout_milliseconds);
    if (count < 0) return -errno;
    for (int i = 0; i < count; i++) {
        out[i].token = events[i].data.u64;
        out[i].bits = ((events[i].events & EPOLLIN) ? clinux_readable : 0)
            | ((events[i].events & EPOLLOUT) ? clinux_writable : 0)
            | ((events[i].events & (EPOLLHUP | EPOLLERR)) ? clinux_hung_up : 0)
            | ((events[i].events & EPOLLRDHUP) ? clinux_peer_closed : 0);
    }
    return count;
}

int clinux_timerfd(void) {
    return result(timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK));
}

int clinux_timerfd_set(int fd, int64_t monotonic_nanoseconds) {
    struct itimerspec time = {0};
    if (monotonic_nanoseconds > 0) {
        time.it_value.tv_sec = monotonic_nanoseconds / 1000000000;
        time.it_value.tv_nsec = monotonic_nanoseconds % 1000000000;
    }
    return result(timerfd_settime(fd, TFD_TIMER_ABSTIME, &time, NULL));
}

static void termination_set(sigset_t *set) {
    sigemptyset(set);
    sigaddset(set, SIGINT);
    sigaddset(set, SIGTERM);
}

int clinux_termination_signals(void) {
    sigset_t set;
    termination_set(&set);
    int code = pthread_sigmask(SIG_BLOCK, &set, NULL);
    if (code != 0) return -code;
    return result(signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK));
}

int clinux_take_signal(int fd) {
    struct signalfd_siginfo signal;
    for (;;) {
        if (read(fd, &signal, sizeof signal) == (ssize_t)sizeof signal) return (int)signal.ssi_signo;
        if (errno == EAGAIN) return 0;
        if (errno != EINTR) return -errno;
    }
}

void clinux_unblock_termination_signals(void) {
    sigset_t set;
    termination_set(&set);
    pthread_sigmask(SIG_UNBLOCK, &set, NULL);
}

void clinux_ignore_broken_pipes(void) {
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN); /* a file at the limit of its size is an error of the write */
}

void clinux_keep_standard_descriptors(void) {
    for (int fd = 0; fd <= 2; fd++) {
        if (fcntl(fd, F_GETFD) >= 0 || errno != EBADF) continue;
        if (open("/dev/null", fd == 0 ? O_WRONLY : O_RDONLY) < 0) return;
    }
}

int clinux_spawn(
    const char *program, char *const *arguments, char *const *environment, pid_t *pid) {
    posix_spawnattr_t attributes;
    int code = posix_spawnattr_init(&attributes);
    if (code != 0) return -code;
    sigset_t none, defaults;
    sigemptyset(&none);
    termination_set(&defaults);
    sigaddset(&defaults, SIGPIPE);
    sigaddset(&defaults, SIGXFSZ);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setsigdefault(&attributes, &defaults);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    code = posix_spawnp(pid, program, NULL, &attributes, arguments, environment);
    posix_spawnattr_destroy(&attributes);
    return -code;
}

int clinux_process_descriptor(pid_t pid) {
#ifdef SYS_pidfd_open
    return result((int)syscall(SYS_pidfd_open, pid, 0));
#else
    (void)pid;
    return -ENOSYS;
#endif
}

char **clinux_environment(void) { return environ; }

static int unix_socket(const char *path, struct sockaddr_un *address) {
    memset(address, 0, sizeof *address);
    address->sun_family = AF_UNIX;
    if (strlen(path) >= sizeof address->sun_path) return -ENAMETOOLONG;
    strcpy(address->sun_path, path);
    return result(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
}

static int close_with(int fd, int number) {
    close(fd);
    return -number;
}

int clinux_unix_listen(const char *path) {
    struct sockaddr_un address;
    int fd = unix_socket(path, &address);
    if (fd < 0) return fd;
    if (bind(fd, (struct sockaddr *)&address, sizeof address) != 0) return close_with(fd, errno);
    if (listen(fd, 8) != 0) return close_with(fd, errno);
    return fd;
}

int clinux_unix_accept(int fd) {
    for (;;) {
        int peer = accept4(fd, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
        if (peer >= 0) return peer;
        if (errno != EINTR && errno != ECONNABORTED) return -errno;
    }
}

int clinux_unix_connect(const char *path) {
    struct sockaddr_un address;
    int fd = unix_socket(path, &address);
    if (fd < 0) return fd;
    /* A unix socket connects at once or fails. */
    if (connect(fd, (struct sockaddr *)&address, sizeof address) != 0) return close_with(fd, errno);
    return fd;
}

const char *clinux_error_text(int number) {
    const char *text = strerrordesc_np(number);
    return text ? text : "unknown error";
}

static int kind(const struct stat *status) {
    if (S_ISREG(status->st_mode)) return 'f';
    if (S_ISDIR(status->st_mode)) return 'd';
    return S_ISSOCK(status->st_mode) ? 's' : 'o';
}

int clinux_file_kind(const char *path) {
    struct stat status;
    return stat(path, &status) != 0 ? -errno : kind(&status);
}

int clinux_descriptor_kind(int fd, int64_t *byte_count) {
    struct stat status;
    if (fstat(fd, &status) != 0) return -errno;
    *byte_count = status.st_size;
    return kind(&status);
}
