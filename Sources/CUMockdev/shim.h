/* Only the C target CUSBTestBed includes the library, and only where it is installed. */
#if __has_include(<umockdev.h>)
#include <umockdev.h>
#endif
