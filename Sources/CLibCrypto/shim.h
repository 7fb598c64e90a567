/* What the wrapper target may see of the library. */
#include <openssl/evp.h>
