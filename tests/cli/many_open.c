/* Nothing is known of the pointers: what is proved behind them rests on more obligations than are written out one by one. */
int *find(int key);

int main(void)
{
    int sum = 0;
    int last[4];
    sum ^= *find(1);
    sum ^= *find(2);
    sum ^= *find(3);
    sum ^= *find(4);
    sum ^= *find(5);
    last[sum & 3] = 1;
    sum ^= *find(6);
    last[sum & 1] = 2;
    return 0;
}
