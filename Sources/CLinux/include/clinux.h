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

/* The text of an error number in English; never null. */
const char *clinux_error_text(int number);
/* The kind of file: 'f' regular, 'd' directory, 'o' anything else. */
int clinux_file_kind(const char *path);
int clinux_descriptor_kind(int fd, int64_t *byte_count);

#endif
