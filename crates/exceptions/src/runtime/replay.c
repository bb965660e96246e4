/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* One call again, in a program that nothing was added to: `replay ENTRY KIND BITS...`. First as it is, with nothing unmasked: the flags tell what
 * was raised. Then with this one kind unmasked: the places that raise it. */

#include "call.h"
#include "ended.inc"

static uintptr_t places[4096];
static int place_count;

static int clew_raised(uintptr_t place, enum clew_kind kind, char operation)
{
    (void)kind;
    (void)operation;
    for (int i = 0; i < place_count; i++)
        if (places[i] == place)
            return 1;
    if (place_count < (int)(sizeof places / sizeof *places))
        places[place_count++] = place;
    return 1;
}

int main(int count, char **words)
{
    if (count < 3)
        return 2;
    static clew_number values[CLEW_SLOTS];
    FILE *told = clew_told_to();
    clew_choose(atoi(words[1]));
    int kind = atoi(words[2]);
    for (int i = 0; i < clew_slot_count && i + 3 < count; i++)
        values[i].bits = strtoull(words[i + 3], 0, 16);
    clew_guard();
    clew_place(values);
    clew_set_timer(4000);
    /* As it is, with nothing unmasked: the flags stay when it comes back. */
    enum clew_end end = clew_call(CLEW_MASKED);
    int flags = clew_flags, silent = end == CLEW_RETURNED_BACK && clew_is_silent();
    int status = 0, has_told = clew_told;
    memcpy(&status, clew_result, sizeof status);
    static const int masks[] = {1 << 9, 1 << 10, 1 << 11, 1 << 7, 1 << 11};
    clew_trap();
    clew_place(values);
    clew_control = CLEW_MASKED & ~(unsigned)masks[kind % CLEW_KINDS];
    clew_call(clew_control);
    clew_set_timer(0);
    fprintf(told, "end %d silent %d status %d told %d flags %d %d %d %d\n", end, silent, status, has_told, !!(flags & FE_DIVBYZERO),
           !!(flags & FE_OVERFLOW), !!(flags & FE_UNDERFLOW), !!(flags & FE_INVALID));
    for (int i = 0; i < place_count; i++)
        fprintf(told, "at %lx\n", (unsigned long)places[i]);
    return 0;
}
