/* What the wrapper target may see of the library: its variadic calls, each for one purpose, and what
 * it cannot do with a socket. */
#include <errno.h>
#include <microhttpd.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/* The library would unescape the path; the owner wants what came. */
static inline size_t cardrig_mhd_keep_escapes(void *context, struct MHD_Connection *connection,
                                              char *text) {
    (void)context;
    (void)connection;
    return strlen(text);
}

/* What the library is told to do with its messages; their texts are not looked at. */
struct cardrig_mhd_complaints {
    void (*complained)(void *context);
    void *context;
};

/* The library's messages name addresses and requests, and are not shown. One comes before each
 * answer with which it refuses a request by itself. */
static inline void cardrig_mhd_complain(void *complaints, const char *format, va_list arguments) {
    struct cardrig_mhd_complaints *found = (struct cardrig_mhd_complaints *)complaints;
    (void)format;
    (void)arguments;
    found->complained(found->context);
}

typedef void *(*cardrig_mhd_line_callback)(void *context, const char *target,
                                           struct MHD_Connection *connection);

/* Starts a daemon without a listening socket, on an epoll descriptor that the owner watches. Key and
 * certificate are PEM texts or null. */
static inline struct MHD_Daemon *cardrig_mhd_start(
    void *context, unsigned int connection_limit, size_t memory_per_connection, const char *key,
    const char *certificate, struct cardrig_mhd_complaints *complaints,
    cardrig_mhd_line_callback line, MHD_AccessHandlerCallback handler,
    MHD_RequestCompletedCallback completed, MHD_NotifyConnectionCallback notified) {
    unsigned int flags = MHD_USE_EPOLL | MHD_USE_NO_LISTEN_SOCKET | MHD_ALLOW_SUSPEND_RESUME
        | MHD_USE_ERROR_LOG | (key ? MHD_USE_TLS : 0);
    struct MHD_OptionItem items[] = {
        {MHD_OPTION_CONNECTION_LIMIT, (intptr_t)connection_limit, NULL},
        {MHD_OPTION_CONNECTION_MEMORY_LIMIT, (intptr_t)memory_per_connection, NULL},
        {MHD_OPTION_CONNECTION_MEMORY_INCREMENT, 4096, NULL},
        {MHD_OPTION_STRICT_FOR_CLIENT, 0, NULL},
        {MHD_OPTION_URI_LOG_CALLBACK, (intptr_t)line, context},
        {MHD_OPTION_UNESCAPE_CALLBACK, (intptr_t)cardrig_mhd_keep_escapes, NULL},
        {MHD_OPTION_NOTIFY_COMPLETED, (intptr_t)completed, context},
        {MHD_OPTION_NOTIFY_CONNECTION, (intptr_t)notified, context},
        {key ? MHD_OPTION_HTTPS_MEM_KEY : MHD_OPTION_END, 0, (void *)key},
        {MHD_OPTION_HTTPS_MEM_CERT, 0, (void *)certificate},
        {MHD_OPTION_END, 0, NULL},
    };
    return MHD_start_daemon(flags, 0, NULL, NULL, handler, context, MHD_OPTION_EXTERNAL_LOGGER,
                            cardrig_mhd_complain, complaints, MHD_OPTION_ARRAY, items,
                            MHD_OPTION_END);
}

/* The descriptor that is readable when `MHD_run` has something to do, or -1. */
static inline int cardrig_mhd_epoll(struct MHD_Daemon *daemon) {
    const union MHD_DaemonInfo *found = MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_EPOLL_FD);
    return found ? found->epoll_fd : -1;
}

/* Hands a connected socket over, which is the library's from then on, also when it fails. */
static inline int cardrig_mhd_adopt(struct MHD_Daemon *daemon, int socket) {
    struct sockaddr_storage address;
    socklen_t length = sizeof address;
    memset(&address, 0, sizeof address);
    (void)getpeername(socket, (struct sockaddr *)&address, &length);
    return MHD_add_connection(daemon, socket, (struct sockaddr *)&address, length) == MHD_YES;
}

/* Cuts a connection: the other side sees a reset at once. The socket stays open for its owner. */
static inline void cardrig_socket_reset(int socket) {
    struct sockaddr nowhere;
    memset(&nowhere, 0, sizeof nowhere);
    nowhere.sa_family = AF_UNSPEC;
    (void)connect(socket, &nowhere, sizeof nowhere);
}

/* Ends a connection in both directions; the socket stays open for its owner. */
static inline void cardrig_socket_end(int socket) { (void)shutdown(socket, SHUT_RDWR); }

/* Sends bytes behind the library's back, as far as there is room. */
static inline void cardrig_socket_send(int socket, const void *bytes, size_t byte_count) {
    (void)send(socket, bytes, byte_count, MSG_NOSIGNAL | MSG_DONTWAIT);
}

/* Whether the other side is gone, or sends no more. */
static inline int cardrig_socket_is_abandoned(int socket) {
    char byte;
    ssize_t count = recv(socket, &byte, 1, MSG_PEEK | MSG_DONTWAIT);
    return count == 0 || (count < 0 && errno != EAGAIN && errno != EINTR);
}

/* What the connection was given when it began. */
static inline void *cardrig_mhd_socket_context(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *found =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
    return found ? found->socket_context : NULL;
}

static inline void cardrig_socket_close(int socket) { (void)close(socket); }

/* Whether a connection began, and does not end. */
static inline int cardrig_mhd_is_beginning(enum MHD_ConnectionNotificationCode code) {
    return code == MHD_CONNECTION_NOTIFY_STARTED;
}
