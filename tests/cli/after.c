extern int nondet_int(void);

int main(void)
{
    int table[16] = {0};
    int first = -1 << 4;

    if (nondet_int() == 76)
        table[first + 8] = 1;
    return table[0];
}
