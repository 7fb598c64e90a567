/* usb_test_bed.h: an invented USB reader under libumockdev; plain prototypes only.
 *
 * The bed answers the usbfs requests of a program that runs under libumockdev-preload. It lives on
 * two threads: libumockdev's worker answers requests, the caller's thread plays the hands. One lock
 * in the bed orders them. */
#ifndef USB_TEST_BED_H
#define USB_TEST_BED_H

#include <stdint.h>

struct usb_test_bed;

/* Answers a control request for the reader; runs on the worker with the lock held, so it must not
 * call back into the bed. `data` has room for `length` bytes and holds them for a request towards
 * the reader. Returns how many bytes were moved, or a negative errno (-EPIPE is a stall). */
typedef int (*usb_test_bed_control)(
    void *context, const uint8_t setup[8], uint8_t *data, int length);

/* Returns NULL where libumockdev is missing or the process runs without its preload library. */
struct usb_test_bed *usb_test_bed_create(usb_test_bed_control control, void *context);
void usb_test_bed_destroy(struct usb_test_bed *bed);

/* Plugs the reader in on bus 1, port 1. `record` is a device in umockdev's text form whose node is
 * /dev/bus/usb/001/ADDRESS. No hotplug event tells of a silent one. Returns 0 or a negative errno
 * (-EEXIST: it is plugged in); where its node may not be opened, after how many milliseconds
 * usb_test_bed_permit is due, or a large negative number: -1000 when it is not due at all. */
int usb_test_bed_plug_in(
    struct usb_test_bed *bed, const char *record, int address, int is_silent);
/* Lets everybody open the node. */
void usb_test_bed_permit(struct usb_test_bed *bed);
/* Puts something in the way of opening the reader that is plugged in next: claims that find the
 * interface busy, or a node that nobody may open. It lasts so many milliseconds from the plug on,
 * or until the reader is unplugged where that is -1000. */
void usb_test_bed_obstruct(struct usb_test_bed *bed, int is_denied, int milliseconds);
/* Unplugs the reader: what is pending ends with ESHUTDOWN. Returns 0 or -ENODEV. */
int usb_test_bed_unplug(struct usb_test_bed *bed);
/* Adds a device that stays, such as the root hub. */
int usb_test_bed_add(struct usb_test_bed *bed, const char *record);

/* Queues one report for the interrupt endpoint. It leaves in packets: a transfer ends when its
 * buffer is full or when a packet is shorter than `packet`. Returns 0, -ENODEV or -ENOSPC. */
int usb_test_bed_send(struct usb_test_bed *bed, const uint8_t *report, int length, int packet);

/* How many interrupt transfers of the program wait for data. */
int usb_test_bed_pending(struct usb_test_bed *bed);
/* Whether the kernel's own driver holds the interface. */
int usb_test_bed_driver_is_bound(struct usb_test_bed *bed);
/* How many more times CLAIMINTERFACE answers EBUSY, or ENOENT: the interface does not exist yet. */
void usb_test_bed_refuse_claims(struct usb_test_bed *bed, int count, int is_missing);

/* Lets permissions hold for the programs that this process starts though it is root's: they lose the
 * capabilities that go past the permissions of files. Does nothing for other users. */
void usb_test_bed_heed_permissions(void);
/* Makes the kernel end this process when its parent ends. */
void usb_test_bed_die_with_parent(void);

#endif
