/* What the wrapper target may see of the library. */
#include <jansson.h>
