// SPDX-License-Identifier: MIT OR Apache-2.0
// A counter of events under a clock that is not called by its usual name.
int input(void);
static void wait_for_tick(void) {}
static int count;
int main(void)
{
    while (1) {
        if (input())
            count++;
        wait_for_tick();
    }
}
