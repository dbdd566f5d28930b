/* Is there a server at 127.0.0.1 (port: first argument) or behind an abstract name (second)? 0: none is reached. */
#include "../hostile/attack.h"
#include <arpa/inet.h>
int main(int count, char **words)
{
    struct sockaddr_in tcp = {.sin_family = AF_INET, .sin_port = htons(atoi(words[1])), .sin_addr = {htonl(INADDR_LOOPBACK)}};
    struct sockaddr_un name = {.sun_family = AF_UNIX};
    strcpy(name.sun_path + 1, words[2]);
    FAILS(connect(socket(AF_INET, SOCK_STREAM, 0), (void *)&tcp, sizeof tcp));
    FAILS(connect(socket(AF_UNIX, SOCK_STREAM, 0), (void *)&name, offsetof(struct sockaddr_un, sun_path) + 1 + strlen(words[2])));
    return breaches;
}
