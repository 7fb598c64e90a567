/* process.c: what the test bed asks of its own process. */
#define _GNU_SOURCE
#include "usb_test_bed.h"
#include <dlfcn.h>
#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/socket.h>

void usb_test_bed_die_with_parent(void) { prctl(PR_SET_PDEATHSIG, SIGKILL); }

/* The numbers of linux/capability.h, whose header clashes with others. */
enum { cap_dac_override = 1, cap_dac_read_search = 2 };

void usb_test_bed_heed_permissions(void) {
    prctl(PR_CAPBSET_DROP, cap_dac_override, 0, 0, 0);
    prctl(PR_CAPBSET_DROP, cap_dac_read_search, 0, 0, 0);
}

/*
 * libumockdev aborts when a listener closes its socket between its connect and its sendmsg, as a
 * program does that opens a libusb context for every scan. Nobody is left to tell then: the event
 * counts as sent. The library's call comes here, since a program's own symbol goes first.
 */
ssize_t sendmsg(int fd, const struct msghdr *message, int flags) {
    static ssize_t (*next)(int, const struct msghdr *, int);
    if (next == NULL) {
        next = (ssize_t(*)(int, const struct msghdr *, int))dlsym(RTLD_NEXT, "sendmsg");
    }
    ssize_t sent = next(fd, message, flags);
    if (sent >= 0 || (errno != ECONNREFUSED && errno != ECONNRESET && errno != EPIPE)) return sent;
    sent = 0;
    for (size_t part = 0; part < (size_t)message->msg_iovlen; part++) {
        sent += (ssize_t)message->msg_iov[part].iov_len;
    }
    return sent;
}
