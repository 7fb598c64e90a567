/* Eight clients that pay again and again, each on a connection that it keeps.
 *
 *   http-load PORT REQUESTS     prints requests per second */
#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { client_count = 8 };
static int port, requests_each;

static void *play(void *context) {
    int client = (int)(long)context, fd = socket(AF_INET, SOCK_STREAM, 0), one = 1;
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((unsigned short)port)};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (connect(fd, (struct sockaddr *)&address, sizeof address) != 0) return "cannot connect";
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    char card[17], body[256], request[512], answer[4096];
    memset(card, '1', 16);
    card[0] = '4', card[16] = 0;
    for (int number = 0; number < requests_each; number++) {
        int length = snprintf(
            body, sizeof body,
            "security_key=CardRigSimulatedGatewayDemoKey01&type=sale&amount=1.00&ccnumber=%s"
            "&ccexp=1029&orderid=%d-%d", card, client, number);
        length = snprintf(
            request, sizeof request,
            "POST /api/transact.php HTTP/1.1\r\nHost: h\r\n"
            "Content-Type: application/x-www-form-urlencoded\r\nContent-Length: %d\r\n\r\n%s",
            length, body);
        if (write(fd, request, (size_t)length) != length) return "cannot write";
        size_t count = 0;
        char *end = NULL;
        for (;;) {
            ssize_t more = read(fd, answer + count, sizeof answer - 1 - count);
            if (more <= 0) return "the connection ended";
            count += (size_t)more;
            answer[count] = 0;
            if (!end) end = strstr(answer, "\r\n\r\n");
            char *said = strstr(answer, "Content-Length: ");
            if (end && said && answer + count >= end + 4 + atoi(said + 16)) break;
        }
        if (!strstr(end, "response=1&")) return "no approval";
    }
    close(fd);
    return NULL;
}

int main(int count, char **words) {
    if (count != 3) return 2;
    port = atoi(words[1]);
    requests_each = atoi(words[2]) / client_count;
    pthread_t threads[client_count];
    struct timespec began, ended;
    clock_gettime(CLOCK_MONOTONIC, &began);
    for (long i = 0; i < client_count; i++) pthread_create(&threads[i], NULL, play, (void *)i);
    int failed = 0;
    for (int i = 0; i < client_count; i++) {
        void *reason = NULL;
        pthread_join(threads[i], &reason);
        if (reason) failed = 1, fprintf(stderr, "http-load: %s\n", (char *)reason);
    }
    clock_gettime(CLOCK_MONOTONIC, &ended);
    double seconds = (double)(ended.tv_sec - began.tv_sec)
        + (double)(ended.tv_nsec - began.tv_nsec) / 1e9;
    printf("%.0f\n", requests_each * client_count / seconds);
    return failed;
}
