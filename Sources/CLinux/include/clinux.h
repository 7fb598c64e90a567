/* clinux.h: what Swift's Glibc module does not show; plain prototypes only.
 *
 * Every function that can fail returns a negative errno and a value of zero or more otherwise.
 * Only the target Kernel calls them. */
#ifndef CLINUX_H
#define CLINUX_H

#include <stdint.h>
#include <sys/types.h>

/* Bits of an interest in a descriptor, and of what it is ready for. */
enum {
    clinux_readable = 1,
    clinux_writable = 2,
    clinux_hung_up = 4, /* only as an answer: the other side is gone, or the descriptor failed */
    clinux_peer_closed = 8, /* a socket's peer sends no more, whether or not all was read */
};

/* One descriptor that is ready, under the token it was added with. */
struct clinux_ready {
    uint64_t token;
    int bits;
};

int clinux_eventfd(void);
int clinux_eventfd_signal(int fd);
int clinux_eventfd_clear(int fd);

int clinux_epoll_create(void);
int clinux_epoll_add(int epoll, int fd, int bits, uint64_t token);
int clinux_epoll_change(int epoll, int fd, int bits, uint64_t token);
int clinux_epoll_remove(int epoll, int fd);
/* Returns how many entries of `out` were filled; `limit` is at most 64. */
int clinux_epoll_wait(int epoll, struct clinux_ready *out, int limit, int timeout_milliseconds);

/* A timer on CLOCK_MONOTONIC; a time of 0 disarms it. */
int clinux_timerfd(void);
int clinux_timerfd_set(int fd, int64_t monotonic_nanoseconds);

/* Blocks SIGINT and SIGTERM in the calling thread and returns a descriptor that tells of them. */
int clinux_termination_signals(void);
/* Returns the number of the next signal, 0 when there is none. */
int clinux_take_signal(int fd);
void clinux_unblock_termination_signals(void);
void clinux_ignore_broken_pipes(void);
/* Fills descriptors 0, 1 and 2 where they are closed, so that no file or socket gets their number;
 * reading and writing them keeps failing with EBADF. */
void clinux_keep_standard_descriptors(void);

/* Starts a program found along PATH with an empty signal mask and default signal actions. */
int clinux_spawn(
    const char *program, char *const *arguments, char *const *environment, pid_t *pid);
/* A descriptor that becomes readable when the process ends. */
int clinux_process_descriptor(pid_t pid);
char **clinux_environment(void);

/* Unix stream sockets, not blocking, closed on exec. */
int clinux_unix_listen(const char *path);
int clinux_unix_accept(int fd);
int clinux_unix_connect(const char *path);

/* Addresses of sockets, as the kernel keeps them. */
struct clinux_address {
    unsigned int byte_count;
    unsigned char bytes[128];
};

/* Finds the TCP addresses of a host (a name only where `with_names`); returns how many were
 * written to `out`, at most `limit`, or a negative errno; -ENOENT where there is no such host,
 * -EAGAIN where no name server answers. A name may take as long as resolv.conf says. */
int clinux_resolve(
    const char *host, const char *port, int with_names, struct clinux_address *out, int limit);
/* Writes HOST:PORT ([HOST]:PORT for IPv6) in digits. */
int clinux_address_name(const struct clinux_address *address, char *out, int byte_count);
int clinux_is_loopback(const struct clinux_address *address);

/* TCP sockets, not blocking, closed on exec, without delays; a peer that vanished is noticed after
 * about ten seconds. */
int clinux_tcp_connect(const struct clinux_address *address); /* may still be under way */
int clinux_tcp_listen(const struct clinux_address *address);
int clinux_tcp_accept(int fd, struct clinux_address *peer);
int clinux_socket_address(int fd, struct clinux_address *out);
/* Returns 0 when a connect succeeded, or its negative errno. */
int clinux_socket_error(int fd);
/* Whether the other side sends no more, or is gone; whether or not all it sent was read. */
int clinux_is_peer_closed(int fd);
/* Bounds what the kernel keeps for a socket in each direction. */
int clinux_set_buffer_sizes(int fd, int byte_count);
/* Lets closing a socket reset the connection, whatever is still on its way. */
int clinux_reset_on_close(int fd);

/* Both return a negative errno; a socket that is gone raises no signal. */
long clinux_read(int fd, void *buffer, unsigned long byte_count);
long clinux_write(int fd, const void *buffer, unsigned long byte_count);

/* Opens a serial line: raw, exclusive, at a speed in bit/s, with what had come before dropped.
 * -EBUSY when another program has it, -ENOTTY when it is none. */
int clinux_tty_open(const char *path, unsigned int speed);
/* Lets others open it again; call before closing. */
void clinux_tty_release(int fd);
/* Sets DTR and RTS; a line without them, as a pty, ignores it. */
int clinux_tty_set_lines(int fd, int dtr, int rts);

/* Opens a pty whose other side is raw, and writes the other side's path. */
int clinux_pty_open(char *path, int byte_count);
/* Whether a program has the other side open. */
int clinux_pty_has_peer(int fd);
/* Drops what waits on the other side, and lets anyone open it; -EBUSY when a program that was
 * killed left it exclusive. */
int clinux_pty_clean(const char *path);
/* Tells when a file is opened or closed by anybody. */
int clinux_watch_openings(const char *path);
void clinux_forget_openings(int fd);

/* The text of an error number in English; never null. */
const char *clinux_error_text(int number);
/* The kind of file: 'f' regular, 'd' directory, 'o' anything else. */
int clinux_file_kind(const char *path);
int clinux_descriptor_kind(int fd, int64_t *byte_count);

#endif
