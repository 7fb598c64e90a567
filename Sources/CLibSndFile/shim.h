/* What the wrapper target may see of the library. */
#include <sndfile.h>
