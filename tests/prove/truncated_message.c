// SPDX-License-Identifier: MIT OR Apache-2.0
// With MSG_TRUNC the result of recv is how long the message was, not how much of it was written.
#include <sys/socket.h>

int main(void)
{
    int seen[65] = { 0 };
    char message[64];
    const int file = socket(AF_UNIX, SOCK_DGRAM, 0);
    ssize_t count = recv(file, message, sizeof message, 0);

    if (count >= 0)
        seen[count] = 1; // proved: out-of-bounds
    count = recv(file, message, sizeof message, MSG_TRUNC);
    if (count >= 0)
        seen[count] = 1; // undecided: out-of-bounds
    return 0;
}
