/* absent.c: the test bed of a machine without umockdev: there is none. */
#include "usb_test_bed.h"
#if !__has_include(<umockdev.h>)

struct usb_test_bed *usb_test_bed_create(usb_test_bed_control control, void *context) {
    (void)control, (void)context;
    return 0;
}
void usb_test_bed_destroy(struct usb_test_bed *bed) { (void)bed; }
int usb_test_bed_add(struct usb_test_bed *bed, const char *record) { return (void)bed, (void)record, -1; }
int usb_test_bed_plug_in(
    struct usb_test_bed *bed, const char *record, int address, int is_silent) {
    return (void)bed, (void)record, (void)address, (void)is_silent, -1;
}
void usb_test_bed_permit(struct usb_test_bed *bed) { (void)bed; }
void usb_test_bed_obstruct(struct usb_test_bed *bed, int is_denied, int milliseconds) {
    (void)bed, (void)is_denied, (void)milliseconds;
}
int usb_test_bed_unplug(struct usb_test_bed *bed) { return (void)bed, -1; }
int usb_test_bed_send(struct usb_test_bed *bed, const uint8_t *report, int length, int packet) {
    return (void)bed, (void)report, (void)length, (void)packet, -1;
}
int usb_test_bed_pending(struct usb_test_bed *bed) { return (void)bed, 0; }
int usb_test_bed_driver_is_bound(struct usb_test_bed *bed) { return (void)bed, 0; }
void usb_test_bed_refuse_claims(struct usb_test_bed *bed, int count, int is_missing) {
    (void)bed, (void)count, (void)is_missing;
}

#endif
