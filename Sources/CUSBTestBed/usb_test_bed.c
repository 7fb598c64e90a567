/* usb_test_bed.c: usbfs requests answered for an invented reader. */
#include "usb_test_bed.h"
#if __has_include(<umockdev.h>)
#include <errno.h>
#include <linux/ioctl.h>
#include <linux/usbdevice_fs.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/stat.h>
#include <umockdev.h>

enum {
    queued_bytes_limit = 1 << 20,
    /* usbfs under umockdev is a plain file, so poll() says it is ready at all times and libusb
     * would spin on REAPURBNDELAY. An answer of "nothing yet" therefore takes this long. */
    idle_reap_milliseconds = 5,
};

/* One submitted URB: the client's struct and its buffer, both as umockdev's copies. */
struct urb {
    UMockdevIoctlData *data, *buffer;
    UMockdevIoctlClient *client; /* only compared; it is dropped with its URBs */
};

/* A REAPURB request that found nothing and waits. */
struct waiting_reap {
    struct usb_test_bed *bed;
    UMockdevIoctlClient *client;
    UMockdevIoctlData *argument;
    GSource *timer;
    int is_blocking;
};

struct usb_test_bed {
    pthread_mutex_t lock;
    UMockdevTestbed *testbed;
    UMockdevIoctlBase *base;
    usb_test_bed_control control;
    void *context;
    char *node;     /* of the reader that is plugged in, or NULL */
    char *sysfs;
    GQueue pending;  /* struct urb: interrupt transfers that wait for data */
    GQueue finished; /* struct urb: transfers to be reaped */
    GQueue waiting;  /* struct waiting_reap */
    GByteArray *queued; /* packets of reports: length (1 byte), short flag (1 byte), bytes */
    int driver_is_bound, refused_claims, missing_claims;
    int64_t busy_until; /* monotonic microseconds; claims find the interface busy until then */
    /* What is in the way of the next reader, in milliseconds after its plug; negative: until it is
     * unplugged, 0: nothing. */
    int next_busy, next_denied;
    UMockdevIoctlClient *owner; /* of the interface; only compared */
};

static struct usbdevfs_urb *fields(struct urb *urb) { return (struct usbdevfs_urb *)urb->data->data; }

static void free_urb(struct urb *urb) {
    g_object_unref(urb->data);
    if (urb->buffer) g_object_unref(urb->buffer);
    g_free(urb);
}

/* Hands a finished URB of the client to a reap request; 0 when there is none. */
static int reap(struct usb_test_bed *bed, UMockdevIoctlClient *client, UMockdevIoctlData *argument) {
    for (GList *entry = bed->finished.head; entry; entry = entry->next) {
        struct urb *urb = entry->data;
        if (urb->client != client) continue;
        g_queue_delete_link(&bed->finished, entry);
        umockdev_ioctl_data_set_ptr(argument, 0, urb->data);
        umockdev_ioctl_client_complete(client, 0, 0);
        free_urb(urb);
        return 1;
    }
    return 0;
}

static int is_present(struct usb_test_bed *bed, UMockdevIoctlClient *client) {
    return bed->node && strcmp(bed->node, umockdev_ioctl_client_get_devnode(client)) == 0;
}

static void free_waiting(struct waiting_reap *waiting) {
    if (waiting->timer) {
        g_source_destroy(waiting->timer);
        g_source_unref(waiting->timer);
    }
    g_object_unref(waiting->client);
    g_object_unref(waiting->argument);
    g_free(waiting);
}

/* Answers the reap requests that can be answered now. */
static void wake_reaps(struct usb_test_bed *bed) {
    GList *next;
    for (GList *entry = bed->waiting.head; entry; entry = next) {
        struct waiting_reap *waiting = entry->data;
        next = entry->next;
        if (!reap(bed, waiting->client, waiting->argument)) {
            if (is_present(bed, waiting->client)) continue;
            umockdev_ioctl_client_complete(waiting->client, -1, ENODEV);
        }
        g_queue_delete_link(&bed->waiting, entry);
        free_waiting(waiting);
    }
}

static gboolean reap_is_over(gpointer argument) {
    struct waiting_reap *waiting = argument;
    struct usb_test_bed *bed = waiting->bed;
    pthread_mutex_lock(&bed->lock);
    /* It may have been answered between the dispatch and the lock. */
    GList *entry = g_queue_find(&bed->waiting, waiting);
    if (entry) {
        int code = is_present(bed, waiting->client) ? EAGAIN : ENODEV;
        umockdev_ioctl_client_complete(waiting->client, -1, code);
        g_queue_delete_link(&bed->waiting, entry);
        free_waiting(waiting);
    }
    pthread_mutex_unlock(&bed->lock);
    return G_SOURCE_REMOVE;
}

static void wait_for_reap(
    struct usb_test_bed *bed, UMockdevIoctlClient *client, UMockdevIoctlData *argument, int blocks) {
    struct waiting_reap *waiting = g_new0(struct waiting_reap, 1);
    waiting->bed = bed;
    waiting->client = g_object_ref(client);
    waiting->argument = g_object_ref(argument);
    if (!blocks) {
        GMainContext *worker = g_main_context_ref_thread_default();
        waiting->timer = g_timeout_source_new(idle_reap_milliseconds);
        g_source_set_callback(waiting->timer, reap_is_over, waiting, NULL);
        g_source_attach(waiting->timer, worker);
        g_main_context_unref(worker);
    }
    g_queue_push_tail(&bed->waiting, waiting);
}

/* Moves queued packets into pending transfers, oldest first. */
static void deliver(struct usb_test_bed *bed) {
    while (bed->queued->len > 0 && bed->pending.head) {
        struct urb *urb = bed->pending.head->data;
        struct usbdevfs_urb *request = fields(urb);
        int length = bed->queued->data[0], is_last = 0;
        int room = request->buffer_length - request->actual_length;
        if (length > room) {
            /* As a host controller reports a packet that is longer than the buffer's rest. */
            request->status = -EOVERFLOW;
            length = room;
            is_last = 1;
        }
        memcpy(urb->buffer->data + request->actual_length, bed->queued->data + 2, length);
        request->actual_length += length;
        is_last |= bed->queued->data[1] || request->actual_length == request->buffer_length;
        g_byte_array_remove_range(bed->queued, 0, 2 + bed->queued->data[0]);
        if (is_last) g_queue_push_tail(&bed->finished, g_queue_pop_head(&bed->pending));
    }
    wake_reaps(bed);
}

static int submit(struct usb_test_bed *bed, UMockdevIoctlClient *client, UMockdevIoctlData *data) {
    struct usbdevfs_urb *request = (struct usbdevfs_urb *)data->data;
    if (!is_present(bed, client)) return ENODEV;
    struct urb *urb = g_new0(struct urb, 1);
    urb->data = g_object_ref(data);
    urb->client = client;
    if (request->buffer_length > 0) {
        urb->buffer = umockdev_ioctl_data_resolve(
            data, offsetof(struct usbdevfs_urb, buffer), request->buffer_length, NULL);
        if (urb->buffer) g_object_ref(urb->buffer);
    }
    request->status = 0;
    request->actual_length = 0;
    if (request->type == USBDEVFS_URB_TYPE_INTERRUPT && urb->buffer) {
        g_queue_push_tail(&bed->pending, urb);
        deliver(bed);
        return 0;
    }
    if (request->type != USBDEVFS_URB_TYPE_CONTROL || !urb->buffer || request->buffer_length < 8) {
        free_urb(urb);
        return EINVAL;
    }
    int code = bed->control(
        bed->context, urb->buffer->data, urb->buffer->data + 8, request->buffer_length - 8);
    request->status = code < 0 ? code : 0;
    request->actual_length = code < 0 ? 0 : code;
    g_queue_push_tail(&bed->finished, urb);
    wake_reaps(bed);
    return 0;
}

static int discard(struct usb_test_bed *bed, UMockdevIoctlClient *client, gulong address) {
    for (GList *entry = bed->pending.head; entry; entry = entry->next) {
        struct urb *urb = entry->data;
        if (urb->client != client || urb->data->client_addr != address) continue;
        g_queue_delete_link(&bed->pending, entry);
        fields(urb)->status = -ENOENT;
        g_queue_push_tail(&bed->finished, urb);
        wake_reaps(bed);
        return 0;
    }
    return EINVAL; /* it has finished already */
}

/* The usbhid driver's part: USBDEVFS_DISCONNECT and USBDEVFS_CONNECT. */
static int change_driver(struct usb_test_bed *bed, const struct usbdevfs_ioctl *request) {
    int wants = request->ioctl_code == (int)USBDEVFS_CONNECT;
    if (!wants && request->ioctl_code != (int)USBDEVFS_DISCONNECT) return ENOTTY;
    if (wants == bed->driver_is_bound || bed->owner) return wants ? EBUSY : ENODATA;
    bed->driver_is_bound = wants;
    return 0;
}

static gboolean answer(UMockdevIoctlBase *base, UMockdevIoctlClient *client, gpointer context) {
    (void)base;
    struct usb_test_bed *bed = context;
    gulong request = umockdev_ioctl_client_get_request(client);
    UMockdevIoctlData *argument = umockdev_ioctl_client_get_arg(client), *data = NULL;
    gsize size = (request >> _IOC_SIZESHIFT) & ((1 << _IOC_SIZEBITS) - 1);
    if (size > 0 && request != USBDEVFS_DISCARDURB) {
        data = umockdev_ioctl_data_resolve(argument, 0, size, NULL);
        if (!data) {
            umockdev_ioctl_client_complete(client, -1, EFAULT);
            return TRUE;
        }
    }
    int code = 0;
    pthread_mutex_lock(&bed->lock);
    switch (request) {
    case USBDEVFS_REAPURB:
    case USBDEVFS_REAPURBNDELAY:
        if (!reap(bed, client, data)) {
            wait_for_reap(bed, client, data, request == USBDEVFS_REAPURB);
        }
        pthread_mutex_unlock(&bed->lock);
        return TRUE;
    case USBDEVFS_GET_CAPABILITIES:
        *(uint32_t *)data->data = USBDEVFS_CAP_NO_PACKET_SIZE_LIM | USBDEVFS_CAP_ZERO_PACKET
            | USBDEVFS_CAP_REAP_AFTER_DISCONNECT;
        break;
    case USBDEVFS_SUBMITURB: code = submit(bed, client, data); break;
    case USBDEVFS_DISCARDURB: code = discard(bed, client, *(gulong *)argument->data); break;
    case USBDEVFS_CLAIMINTERFACE:
        if (!is_present(bed, client)) code = ENODEV;
        else if (bed->driver_is_bound) code = EBUSY;
        else if (bed->owner && bed->owner != client) code = EBUSY;
        else if (bed->refused_claims > 0) { bed->refused_claims--; code = EBUSY; }
        else if (bed->missing_claims > 0) { bed->missing_claims--; code = ENOENT; }
        else if (g_get_monotonic_time() < bed->busy_until) code = EBUSY;
        else bed->owner = client;
        break;
    case USBDEVFS_GETDRIVER:
        if (!is_present(bed, client)) code = ENODEV;
        else if (!bed->driver_is_bound) code = ENODATA;
        else strcpy(((struct usbdevfs_getdriver *)data->data)->driver, "usbhid");
        break;
    case USBDEVFS_IOCTL:
        code = is_present(bed, client)
            ? change_driver(bed, (struct usbdevfs_ioctl *)data->data) : ENODEV;
        break;
    case USBDEVFS_RELEASEINTERFACE:
        if (!is_present(bed, client)) code = ENODEV;
        else if (bed->owner != client) code = EINVAL;
        else bed->owner = NULL;
        break;
    case USBDEVFS_CLEAR_HALT:
    case USBDEVFS_SETCONFIGURATION:
    case USBDEVFS_SETINTERFACE:
        if (!is_present(bed, client)) code = ENODEV;
        break;
    default: code = ENOTTY; break;
    }
    umockdev_ioctl_client_complete(client, code == 0 ? 0 : -1, code);
    pthread_mutex_unlock(&bed->lock);
    return TRUE;
}

/* Drops what a program left behind that closed the node or ended. */
static void vanished(UMockdevIoctlBase *base, UMockdevIoctlClient *client, gpointer context) {
    (void)base;
    struct usb_test_bed *bed = context;
    pthread_mutex_lock(&bed->lock);
    if (bed->owner == client) bed->owner = NULL;
    GQueue *queues[] = {&bed->pending, &bed->finished};
    for (int i = 0; i < 2; i++) {
        GList *next;
        for (GList *entry = queues[i]->head; entry; entry = next) {
            next = entry->next;
            if (((struct urb *)entry->data)->client != client) continue;
            free_urb(entry->data);
            g_queue_delete_link(queues[i], entry);
        }
    }
    pthread_mutex_unlock(&bed->lock);
}

struct usb_test_bed *usb_test_bed_create(usb_test_bed_control control, void *context) {
    UMockdevTestbed *testbed = umockdev_testbed_new();
    /* Not before there is a test bed: the library remembers the first answer. */
    if (!umockdev_in_mock_environment()) {
        g_object_unref(testbed);
        return NULL;
    }
    struct usb_test_bed *bed = g_new0(struct usb_test_bed, 1);
    pthread_mutex_init(&bed->lock, NULL);
    bed->control = control;
    bed->context = context;
    bed->queued = g_byte_array_new();
    bed->base = umockdev_ioctl_base_new();
    g_signal_connect(bed->base, "handle-ioctl", G_CALLBACK(answer), bed);
    g_signal_connect(bed->base, "client-vanished", G_CALLBACK(vanished), bed);
    bed->testbed = testbed;
    return bed;
}

void usb_test_bed_destroy(struct usb_test_bed *bed) {
    if (bed) g_object_unref(bed->testbed); /* removes its files; the process ends soon */
}

int usb_test_bed_add(struct usb_test_bed *bed, const char *record) {
    return umockdev_testbed_add_from_string(bed->testbed, record, NULL) ? 0 : -EINVAL;
}

/* Takes the sockets of those who listen for events away, or gives them back. */
static void mute(struct usb_test_bed *bed, int is_muted) {
    char *root = umockdev_testbed_get_root_dir(bed->testbed);
    GDir *folder = g_dir_open(root, 0, NULL);
    const char *name;
    GPtrArray *names = g_ptr_array_new_with_free_func(g_free);
    while (folder && (name = g_dir_read_name(folder))) g_ptr_array_add(names, g_strdup(name));
    if (folder) g_dir_close(folder);
    for (guint i = 0; i < names->len; i++) {
        name = names->pdata[i];
        const char *from = is_muted ? "event" : "muted-event";
        if (!g_str_has_prefix(name, from)) continue;
        char *old = g_build_filename(root, name, NULL);
        char *other = is_muted ? g_strconcat(root, "/muted-", name, NULL)
                               : g_build_filename(root, name + strlen("muted-"), NULL);
        (void)rename(old, other);
        g_free(old);
        g_free(other);
    }
    g_ptr_array_free(names, TRUE);
    g_free(root);
}

static void set_mode(struct usb_test_bed *bed, int mode) {
    char *root = umockdev_testbed_get_root_dir(bed->testbed);
    char *path = g_strconcat(root, bed->node, NULL);
    (void)chmod(path, mode);
    g_free(path);
    g_free(root);
}

int usb_test_bed_plug_in(
    struct usb_test_bed *bed, const char *record, int address, int is_silent) {
    if (bed->node) return -EEXIST;
    char *node = g_strdup_printf("/dev/bus/usb/001/%03d", address);
    pthread_mutex_lock(&bed->lock);
    bed->node = node;
    bed->driver_is_bound = 1;
    int busy = bed->next_busy, denied = bed->next_denied;
    bed->next_busy = bed->next_denied = 0;
    bed->busy_until = busy < 0 ? INT64_MAX
        : busy > 0 ? g_get_monotonic_time() + (int64_t)busy * 1000 : 0;
    g_byte_array_set_size(bed->queued, 0);
    pthread_mutex_unlock(&bed->lock);
    /* The node answers before the device is seen, or a fast program would open an empty one. */
    if (!umockdev_testbed_attach_ioctl(bed->testbed, node, bed->base, NULL)) return -EIO;
    bed->sysfs = g_strdup("/sys/devices/usb1/1-1");
    if (!is_silent && denied == 0) return usb_test_bed_add(bed, record); /* with its uevent */
    mute(bed, 1);
    int code = usb_test_bed_add(bed, record);
    if (code == 0 && denied != 0) set_mode(bed, 0);
    mute(bed, 0);
    if (code == 0 && !is_silent) umockdev_testbed_uevent(bed->testbed, bed->sysfs, "add");
    return code == 0 ? denied : code;
}

void usb_test_bed_permit(struct usb_test_bed *bed) {
    if (bed->node) set_mode(bed, 0666);
}

void usb_test_bed_obstruct(struct usb_test_bed *bed, int is_denied, int milliseconds) {
    pthread_mutex_lock(&bed->lock);
    bed->next_busy = is_denied ? 0 : milliseconds;
    bed->next_denied = is_denied ? milliseconds : 0;
    pthread_mutex_unlock(&bed->lock);
}

int usb_test_bed_unplug(struct usb_test_bed *bed) {
    if (!bed->node) return -ENODEV;
    pthread_mutex_lock(&bed->lock);
    g_free(bed->node);
    bed->node = NULL;
    bed->driver_is_bound = 0;
    bed->owner = NULL;
    bed->busy_until = 0;
    struct urb *urb;
    while ((urb = g_queue_pop_head(&bed->pending))) {
        fields(urb)->status = -ESHUTDOWN;
        g_queue_push_tail(&bed->finished, urb);
    }
    wake_reaps(bed);
    pthread_mutex_unlock(&bed->lock);
    /* umockdev 0.17 sends no event of its own here; a second one from newer versions is harmless. */
    umockdev_testbed_uevent(bed->testbed, bed->sysfs, "remove");
    /* The handler stays with its node: a program may hold the node open for a while. */
    umockdev_testbed_remove_device(bed->testbed, bed->sysfs);
    g_free(bed->sysfs);
    bed->sysfs = NULL;
    return 0;
}

int usb_test_bed_send(struct usb_test_bed *bed, const uint8_t *report, int length, int packet) {
    if (!bed->node) return -ENODEV;
    pthread_mutex_lock(&bed->lock);
    int code = bed->queued->len + length > queued_bytes_limit ? -ENOSPC : 0;
    for (int start = 0; code == 0 && start < length; start += packet) {
        int count = length - start < packet ? length - start : packet;
        uint8_t head[2] = {(uint8_t)count, count < packet};
        g_byte_array_append(bed->queued, head, 2);
        g_byte_array_append(bed->queued, report + start, count);
    }
    deliver(bed);
    pthread_mutex_unlock(&bed->lock);
    return code;
}

static int locked(struct usb_test_bed *bed, const int *value) {
    pthread_mutex_lock(&bed->lock);
    int result = *value;
    pthread_mutex_unlock(&bed->lock);
    return result;
}

int usb_test_bed_pending(struct usb_test_bed *bed) {
    return locked(bed, (const int *)&bed->pending.length);
}

int usb_test_bed_driver_is_bound(struct usb_test_bed *bed) {
    return locked(bed, &bed->driver_is_bound);
}

void usb_test_bed_refuse_claims(struct usb_test_bed *bed, int count, int is_missing) {
    pthread_mutex_lock(&bed->lock);
    bed->refused_claims = is_missing ? 0 : count;
    bed->missing_claims = is_missing ? count : 0;
    pthread_mutex_unlock(&bed->lock);
}

#endif
