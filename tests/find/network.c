// What another machine sends: a server that believes its clients, and one that does not.
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static int table[10];

static int chosen(int client) {
    char line[24];
    ssize_t count = recv(client, line, sizeof line - 1, 0);
    if (count <= 0)
        return 0;
    line[count] = 0;
    return table[atoi(line)]; // violated: out-of-bounds bad-argument
}

static int guarded(int client) {
    char line[24];
    ssize_t count = read(client, line, sizeof line - 1);
    if (count <= 0)
        return 0;
    return line[0] >= '0' && line[0] <= '9' ? table[line[0] - '0'] : 0;
}

int main(void) {
    struct sockaddr_in own;
    int server = socket(AF_INET, SOCK_STREAM, 0), client, result = 0;
    memset(&own, 0, sizeof own);
    own.sin_family = AF_INET;
    if (server < 0 || bind(server, (struct sockaddr *)&own, sizeof own) || listen(server, 5))
        return 1;
    client = accept(server, NULL, NULL);
    if (client >= 0) {
        result = chosen(client);
        if (write(client, "more", 4) == 4)
            result += guarded(client);
        close(client);
    }
    close(server);
    return result;
}
