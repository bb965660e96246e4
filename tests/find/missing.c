// Functions that nobody defines return anything and may write what they are given; a variable that nobody wrote holds
// anything too.
extern int sensor(int channel);
extern void fill(int *place);

int main(void) {
    int filled, never;
    fill(&filled);
    int level = sensor(filled);
    if (level == 1234567)
        return 10 / (level - 1234567); // violated: division-by-zero
    if (level == 42)
        return 10 / never; // violated: uninitialised-read division-by-zero
    return 0;
}
