// SPDX-License-Identifier: MIT OR Apache-2.0
// Functions that nobody defines tell the program something by what they write through their arguments.
struct message {
    int length;
    unsigned char kind;
    char text[12];
    const char *sender;
};

int read_sensor(int *value);
void get_word(char *word, int size);
int receive(struct message *message);
void post(const struct message *message);
double measure(unsigned channel, double *result, ...);

static int index_of_sensor(void)
{
    static const int table[10] = { 1 };
    int value = 0;

    if (read_sensor(&value) != 0)
        return 0;
    return table[value]; // violated: out-of-bounds
}

static unsigned long length_of_word(void)
{
    char word[40] = "";
    unsigned long length = 0;

    get_word(word, sizeof word);
    while (word[length] != '\0') // violated: out-of-bounds
        length++;
    return length;
}

static int share_of_message(void)
{
    struct message message = { 1, 2, "", "nobody" };

    post(&message);
    if (1 / message.length == 0)
        return 1;
    if (receive(&message) == 0)
        return message.sender[0] / message.length; // violated: division-by-zero
    return 0;
}

static int rounded(void)
{
    double result = 0.0;

    measure(3u, &result, 1);
    return (int)result; // violated: float-to-int
}

int main(void)
{
    return index_of_sensor() + (int)length_of_word() + share_of_message() + rounded(); // violated: signed-overflow
}
