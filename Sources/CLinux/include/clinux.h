/* clinux.h: what the Glibc module does not show; plain prototypes only. */
#ifndef CLINUX_H
#define CLINUX_H

int clinux_eventfd(void);

#endif
