/* The least that libmicrohttpd can do about a payment: take a POST, answer what a gateway answers.
 * One thread on epoll, as the served gateways have. Prints its port and ends with its input. */
#include <arpa/inet.h>
#include <microhttpd.h>
#include <stdio.h>
#include <string.h>

static const char answer[] =
    "response=1&responsetext=SUCCESS&authcode=123456&transactionid=10000000001&avsresponse="
    "&cvvresponse=&orderid=order-1&type=sale&response_code=100";

static enum MHD_Result serve(
    void *context, struct MHD_Connection *connection, const char *path, const char *method,
    const char *version, const char *bytes, size_t *byte_count, void **request) {
    (void)context, (void)path, (void)method, (void)version, (void)bytes;
    if (!*request) {
        *request = (void *)answer;
        return MHD_YES;
    }
    if (*byte_count > 0) {
        *byte_count = 0;
        return MHD_YES;
    }
    struct MHD_Response *response = MHD_create_response_from_buffer(
        sizeof answer - 1, (void *)answer, MHD_RESPMEM_PERSISTENT);
    MHD_add_response_header(response, "Content-Type", "text/html; charset=UTF-8");
    enum MHD_Result result = MHD_queue_response(connection, MHD_HTTP_OK, response);
    MHD_destroy_response(response);
    return result;
}

int main(void) {
    struct sockaddr_in address = {.sin_family = AF_INET};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    struct MHD_Daemon *daemon = MHD_start_daemon(
        MHD_USE_EPOLL_INTERNAL_THREAD, 0, NULL, NULL, serve, NULL, MHD_OPTION_SOCK_ADDR, &address,
        MHD_OPTION_END);
    if (!daemon) return 3;
    printf("%u\n", MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_BIND_PORT)->port);
    fflush(stdout);
    while (getchar() != EOF) {}
    MHD_stop_daemon(daemon);
    return 0;
}
