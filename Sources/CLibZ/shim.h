/* What the wrapper target may see of the library. */
#include <zlib.h>

/* inflateInit2 is a macro, which Swift does not import; 16 + 15: gzip, the largest window. */
static inline int clibz_inflate_init_gzip(z_stream *stream) {
    return inflateInit2(stream, 16 + MAX_WBITS);
}
