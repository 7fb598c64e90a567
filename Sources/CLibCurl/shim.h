/* What the wrapper target may see of the library: its variadic calls, one for each kind of value. */
#include <curl/curl.h>

static inline CURLcode cardrig_curl_set_number(CURL *handle, CURLoption option, long value) {
    return curl_easy_setopt(handle, option, value);
}

static inline CURLcode cardrig_curl_set_size(CURL *handle, CURLoption option, curl_off_t value) {
    return curl_easy_setopt(handle, option, value);
}

static inline CURLcode cardrig_curl_set_text(CURL *handle, CURLoption option, const char *value) {
    return curl_easy_setopt(handle, option, value);
}

static inline CURLcode cardrig_curl_set_pointer(CURL *handle, CURLoption option, void *value) {
    return curl_easy_setopt(handle, option, value);
}

static inline CURLcode cardrig_curl_set_list(CURL *handle, CURLoption option,
                                             struct curl_slist *value) {
    return curl_easy_setopt(handle, option, value);
}

typedef size_t (*cardrig_curl_write)(char *bytes, size_t size, size_t count, void *context);

static inline CURLcode cardrig_curl_set_write(CURL *handle, CURLoption option,
                                              cardrig_curl_write value) {
    return curl_easy_setopt(handle, option, value);
}

static inline CURLcode cardrig_curl_status(CURL *handle, long *status) {
    return curl_easy_getinfo(handle, CURLINFO_RESPONSE_CODE, status);
}

static inline CURLcode cardrig_curl_content_type(CURL *handle, char **type) {
    return curl_easy_getinfo(handle, CURLINFO_CONTENT_TYPE, type);
}

static inline CURLcode cardrig_curl_private(CURL *handle, char **pointer) {
    return curl_easy_getinfo(handle, CURLINFO_PRIVATE, pointer);
}

static inline CURLcode cardrig_curl_request_size(CURL *handle, long *count) {
    return curl_easy_getinfo(handle, CURLINFO_REQUEST_SIZE, count);
}

static inline CURLMcode cardrig_curl_watch_sockets(CURLM *multi, curl_socket_callback callback,
                                                   void *context) {
    CURLMcode code = curl_multi_setopt(multi, CURLMOPT_SOCKETFUNCTION, callback);
    return code != CURLM_OK ? code : curl_multi_setopt(multi, CURLMOPT_SOCKETDATA, context);
}

static inline CURLMcode cardrig_curl_watch_timer(CURLM *multi, curl_multi_timer_callback callback,
                                                 void *context) {
    CURLMcode code = curl_multi_setopt(multi, CURLMOPT_TIMERFUNCTION, callback);
    return code != CURLM_OK ? code : curl_multi_setopt(multi, CURLMOPT_TIMERDATA, context);
}
