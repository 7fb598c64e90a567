#define _GNU_SOURCE
#include "clinux.h"
#include <errno.h>
#include <sys/eventfd.h>

int clinux_eventfd(void) {
    int fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    return fd < 0 ? -errno : fd;
}
