/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Looks for inputs on which operations raise exceptions: `search ENTRY BUDGET SEED KINDS`. It is compiled with the units, whose blocks and comparisons
 * call back. All counts are of blocks, so that the same inputs are tried on every machine; the clock only ends what would never end.
 * Special values and their neighbours come first, then what came to new places is changed, and comparisons that came out one way only are
 * led to the other by making the distance of their operands small. */

#include "call.h"
#include "libm.h"
#include "wrapped.inc"

#define MOST_SITES 8192
#define MOST_KEPT 1024
#define MOST_COMPARED 1024
#define RUN_BLOCKS 60000
#define RUN_COST 40
#define TRAP_COST 100
#define RUN_TRAPS 300

struct site {
    uintptr_t place;
    unsigned char kind, silent, is_told;
    char operation;
    unsigned long cost;
    clew_number values[CLEW_SLOTS];
};

static struct site sites[MOST_SITES];
static int site_count;
static unsigned short site_index[1 << 15];

/* Sites of this run. */
static int raised[RUN_TRAPS];
static int raised_count;

static unsigned long cost, budget, runs, ends[4];
static unsigned long blocks;
static int is_new;
static clew_number values[CLEW_SLOTS];
static clew_number kept[MOST_KEPT][CLEW_SLOTS];
static int kept_count;
static int was_silent;
static FILE *told;

static uint64_t state;

static uint64_t any(void)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state * 0x2545f4914f6cdd1dull;
}

static uint64_t below(uint64_t n)
{
    return n ? (any() >> 8) % n : 0;
}

static double unit(void)
{
    return (double)(any() >> 11) * 0x1p-53;
}

/* Sites. */

static int clew_raised(uintptr_t place, enum clew_kind kind, char operation)
{
    unsigned at = (unsigned)(((place * 8 + kind) * 0x9e3779b97f4a7c15ull) >> 49);
    cost += TRAP_COST;
    for (; site_index[at]; at = (at + 1) % (1 << 15)) {
        struct site *site = &sites[site_index[at] - 1];
        if (site->place == place && site->kind == kind) {
            if (raised_count < RUN_TRAPS)
                raised[raised_count++] = site_index[at] - 1;
            return raised_count < RUN_TRAPS;
        }
    }
    if (site_count == MOST_SITES)
        return 1;
    struct site *site = &sites[site_count];
    site->place = place;
    site->kind = (unsigned char)kind;
    site->operation = operation;
    site->cost = cost;
    memcpy(site->values, values, sizeof values);
    if (raised_count < RUN_TRAPS)
        raised[raised_count++] = site_count;
    site_index[at] = (unsigned short)++site_count;
    is_new = 1;
    return raised_count < RUN_TRAPS;
}

static int clew_called(uintptr_t back, enum clew_kind kind)
{
    return clew_raised(back, kind, 'm');
}

/* Blocks and comparisons. */

static unsigned char covered[1 << 15];

void __sanitizer_cov_trace_pc(void)
{
    if (!clew_running)
        return;
    uintptr_t place = (uintptr_t)__builtin_return_address(0);
    unsigned at = (unsigned)((place * 0x9e3779b97f4a7c15ull) >> 49);
    if (!covered[at]) {
        covered[at] = 1;
        is_new = 1;
    }
    if (++blocks > RUN_BLOCKS)
        clew_leave(CLEW_TOO_LONG, _mm_getcsr());
}

/* A comparison: how its operands have come out, and the inputs on which they were nearest. */
struct compared {
    uintptr_t place;
    unsigned char less, same, more, tried;
    uint64_t nearest;
    clew_number values[CLEW_SLOTS];
    clew_number left, right;
    char kind;
};

static struct compared compared[MOST_COMPARED];
static int compared_count;
static unsigned short compared_index[1 << 12];
static uintptr_t sought;
static uint64_t sought_distance;

/* Doubles in their order, as integers. */
static int64_t ordered(double d)
{
    int64_t n;
    memcpy(&n, &d, 8);
    return n < 0 ? INT64_MIN - n : n;
}

static double of_ordered(int64_t n)
{
    double d;
    int64_t bits = n < 0 ? INT64_MIN - n : n;
    memcpy(&d, &bits, 8);
    return d;
}

static void compare(uintptr_t place, clew_number left, clew_number right, char kind)
{
    int64_t a = kind == 'd' ? ordered(left.d) : left.n, b = kind == 'd' ? ordered(right.d) : right.n;
    uint64_t distance = a < b ? (uint64_t)b - (uint64_t)a : (uint64_t)a - (uint64_t)b;
    if (place == sought && distance < sought_distance)
        sought_distance = distance;
    unsigned at = (unsigned)((place * 0x9e3779b97f4a7c15ull) >> 52);
    while (compared_index[at] && compared[compared_index[at] - 1].place != place)
        at = (at + 1) % (1 << 12);
    if (!compared_index[at]) {
        if (compared_count == MOST_COMPARED)
            return;
        compared[compared_count].place = place;
        compared[compared_count].nearest = UINT64_MAX;
        compared[compared_count].kind = kind;
        compared_index[at] = (unsigned short)++compared_count;
    }
    struct compared *one = &compared[compared_index[at] - 1];
    unsigned char *way = a < b ? &one->less : a > b ? &one->more : &one->same;
    if (!*way) {
        *way = 1;
        is_new = 1;
    }
    if (distance < one->nearest) {
        one->nearest = distance;
        one->left = left;
        one->right = right;
        memcpy(one->values, values, sizeof values);
    }
}

static void compare_doubles(uintptr_t place, double a, double b)
{
    if (clew_running && !isnan(a) && !isnan(b))
        compare(place, (clew_number){.d = a}, (clew_number){.d = b}, 'd');
}

static void compare_integers(uintptr_t place, int64_t a, int64_t b)
{
    if (clew_running)
        compare(place, (clew_number){.n = a}, (clew_number){.n = b}, 'l');
}

#define HERE ((uintptr_t)__builtin_return_address(0))
void __sanitizer_cov_trace_cmpd(double a, double b) { compare_doubles(HERE, a, b); }
void __sanitizer_cov_trace_cmpf(float a, float b) { compare_doubles(HERE, a, b); }
void __sanitizer_cov_trace_cmp1(uint8_t a, uint8_t b) { compare_integers(HERE, (int8_t)a, (int8_t)b); }
void __sanitizer_cov_trace_cmp2(uint16_t a, uint16_t b) { compare_integers(HERE, (int16_t)a, (int16_t)b); }
void __sanitizer_cov_trace_cmp4(uint32_t a, uint32_t b) { compare_integers(HERE, (int32_t)a, (int32_t)b); }
void __sanitizer_cov_trace_cmp8(uint64_t a, uint64_t b) { compare_integers(HERE, (int64_t)a, (int64_t)b); }
void __sanitizer_cov_trace_const_cmp1(uint8_t a, uint8_t b) { compare_integers(HERE, (int8_t)a, (int8_t)b); }
void __sanitizer_cov_trace_const_cmp2(uint16_t a, uint16_t b) { compare_integers(HERE, (int16_t)a, (int16_t)b); }
void __sanitizer_cov_trace_const_cmp4(uint32_t a, uint32_t b) { compare_integers(HERE, (int32_t)a, (int32_t)b); }
void __sanitizer_cov_trace_const_cmp8(uint64_t a, uint64_t b) { compare_integers(HERE, (int64_t)a, (int64_t)b); }

/* Every case of a switch is a place of its own: behind the call come no others. */
void __sanitizer_cov_trace_switch(uint64_t value, uint64_t *cases)
{
    for (uint64_t i = 0; i < cases[0] && i < 64; i++)
        compare_integers(HERE * 64 + i + 1, (int64_t)value, (int64_t)cases[2 + i]);
}

/* Values. */

static const double special[] = {
    0.0, -0.0, 1, -1, 0.5, -0.5, 2, -2, 3, -3, 4, 5, 6, 8, 10, -10, 20, 50, 100, -100, 1e3, 1e4, -1e4, 1e5, 1e6, 1e8, 1e10, -1e10, 1e15, 1e16,
    1e18, 1e20, 1e30, 1e50, 1e75, 0x1p255, -0x1p255, 1e100, 1e150, 0x1p511, 0x1p512, 1.3407807929942596e154, -1.34e154, 1e160, 1e200, 1e250,
    1e300, -1e300, 0x1p1022, 0x1p1023, DBL_MAX, -DBL_MAX, 1e-4, 1e-5, 1e-8, -1e-8, 1e-10, -1e-10, 1e-16, DBL_EPSILON, DBL_EPSILON / 2, 1e-20,
    1e-50, 1e-100, 1e-150, 0x1p-511, 0x1p-537, 0x1p-538, 1.4916681462400413e-154, 1e-160, 1e-200, 1e-300, -1e-300, DBL_MIN, -DBL_MIN, 0x1p-1023,
    0x1p-1074, -0x1p-1074, 709.78271289338397, 709.8, -708.39641853226408, -708.4, -745.13321910194122, -745.2, 710.4758600739439, 0.25, 0.75, 1.5,
    -1.5, 2.5, -2.5, 170.6, 171.6, -170.5, -171.5, 3.14159265358979312, 1.57079632679489656, 0.78539816339744828, 6.28318530717958623,
    2.71828182845904509, 0.69314718055994529, 36.7, -36.7, 37.42994775023705, 88.7, -87.3, -103.9, 3.4028234663852886e38, -3.4028234663852886e38,
    1.17549435e-38, 1.4e-45, 2147483647.0, 2147483648.0, -2147483648.0, -2147483649.0, 4294967295.0, 4294967296.0, 9223372036854775808.0,
    -9223372036854775808.0, 9007199254740992.0, 1.0000000000000002, 0.99999999999999989, 0.1, 0.01, 0.001, -0.1, -0.25, -0.75, -3.5, -4, -5, -20,
    -50, -1000, -1e6, -1e15, -1e20, -1e100, -1e150, -1e-100, -1e-150};
#define SPECIALS ((int)(sizeof special / sizeof *special))

static const int64_t whole[] = {0, 1, -1, 2, 3, 4, 5, -2, -3, 7, 8, 10, 16, 20, 31, 32, 50, 64, 99, 100, 101, 127, 128, 150, 169, 170, 171, 172, 200, 255,
    256, 300, 500, 511, 512, 1000, 1023, 1024, 2000, 5000, 10000, 46340, 46341, 65535, 65536, 100000, 1000000, 2147483647, -2147483647 - 1ll, -100,
    -1000, -10};
#define WHOLES ((int)(sizeof whole / sizeof *whole))

extern const double *const clew_constants[];
extern const int clew_constant_counts[];
static const double *constants;
static int constant_count;

static double near(double value)
{
    if (value == 0)
        return below(2) ? value : of_ordered((int64_t)below(9) - 4);
    switch (below(8)) {
    case 0: case 1: case 2: return of_ordered(ordered(value) + (int64_t)below(9) - 4);
    case 3: return value * 2;
    case 4: return value / 2;
    case 5: return value * (1 + 1e-3 * (unit() - 0.5));
    default: return value;
    }
}

static double any_double(void)
{
    double value;
    uint64_t bits;
    switch (below(16)) {
    case 0: case 1:
        bits = any();
        memcpy(&value, &bits, 8);
        return value;
    case 2: value = pow(10, (unit() * 2 - 1) * 3); return below(2) ? value : -value;
    case 3: value = pow(10, (unit() * 2 - 1) * 8); return below(2) ? value : -value;
    case 4: value = pow(10, (unit() * 2 - 1) * 20); return below(2) ? value : -value;
    case 5: value = pow(10, (unit() * 2 - 1) * 308); return below(2) ? value : -value;
    case 6: return (unit() * 2 - 1) * 2;
    case 7: return (unit() * 2 - 1) * 50;
    case 8: return ((double)below(401) - 200) * (below(2) ? 1.0 : 0.5);
    case 9: value = ldexp(1, (int)below(2098) - 1074); return near(below(2) ? value : -value);
    case 10: case 11: case 12: value = special[below(SPECIALS)]; return near(value);
    default:
        value = constant_count ? constants[below((uint64_t)constant_count)] : special[below(SPECIALS)];
        return near(below(4) ? value : -value);
    }
}

static int64_t any_integer(void)
{
    switch (below(8)) {
    case 0: case 1: case 2: case 3: return (int64_t)below(8) - 1;
    case 4: case 5: return (int64_t)below(60) - 10;
    case 6: return (int64_t)below(1000);
    default: return whole[below(WHOLES)];
    }
}

/* Callers give numbers, which are finite. */
static double as_number(char kind, double value)
{
    if (!isfinite(value) || (kind == 'f' && !isfinite((float)value)))
        return special[below(20)];
    return kind == 'f' ? (double)(float)value : value;
}

static clew_number any_number(const struct clew_slot *slot)
{
    clew_number number = {.n = 0};
    if (clew_is_float(slot->kind))
        number.d = as_number(slot->kind, any_double());
    else
        number.n = clew_fit(slot->kind, any_integer());
    return number;
}

static clew_number changed(const struct clew_slot *slot, clew_number old)
{
    if (!clew_is_float(slot->kind)) {
        old.n = below(2) ? any_integer() : old.n + (int64_t)below(5) - 2;
        old.n = clew_fit(slot->kind, old.n);
        return old;
    }
    double value = old.d;
    switch (below(12)) {
    case 0: old.bits ^= 1ull << below(64); value = old.d; break;
    case 1: value = of_ordered(ordered(value) + (int64_t)below(33) - 16); break;
    case 2: value *= 2; break;
    case 3: value /= 2; break;
    case 4: value = -value; break;
    case 5: value *= 1 + (unit() - 0.5) * 0.1; break;
    case 6: value += unit() - 0.5; break;
    case 7: value *= pow(10, (unit() * 2 - 1) * 10); break;
    case 8: value = nearbyint(value); break;
    case 9: value = nearbyint(value) + 0.5; break;
    case 10: value *= value; break;
    default: value = any_double(); break;
    }
    old.d = as_number(slot->kind, value);
    return old;
}

/* Runs. What they find is told at once: a process that the function ends has said it. */

static void tell_values(const clew_number *numbers)
{
    for (int i = 0; i < clew_slot_count; i++)
        fprintf(told, " %llx", (unsigned long long)numbers[i].bits);
    fprintf(told, "\n");
}

static int is_over(void)
{
    return cost >= budget;
}

static void run(void)
{
    raised_count = 0;
    blocks = 0;
    is_new = 0;
    clew_place(values);
    enum clew_end end = clew_call(clew_control);
    runs++;
    ends[end]++;
    cost += blocks + RUN_COST;
    int silent = end == CLEW_RETURNED_BACK && clew_is_silent();
    if (silent && !was_silent) {
        was_silent = 1;
        fprintf(told, "silent %lu", cost);
        tell_values(values);
    }
    for (int i = 0; i < raised_count; i++) {
        struct site *site = &sites[raised[i]];
        if (site->is_told && (!silent || site->silent))
            continue;
        if (silent) {
            site->silent = 1;
            memcpy(site->values, values, sizeof values);
        }
        site->is_told = 1;
        fprintf(told, "site %lx %d %c %lu %d", (unsigned long)site->place, site->kind, site->operation, site->cost, site->silent);
        tell_values(site->values);
    }
    if (is_new && kept_count < MOST_KEPT)
        memcpy(kept[kept_count++], values, sizeof values);
    /* One that takes so long in a call into a library is ended by the clock. */
    if (runs % 64 == 0)
        clew_set_timer(500);
}

/* Inputs of the function, without memory that it only writes to, as far as one can see. */
static int inputs[CLEW_SLOTS], input_count;

static void list_inputs(void)
{
    for (int i = 0; i < clew_slot_count; i++)
        if (!clew_slots[i].is_output)
            inputs[input_count++] = i;
    if (!input_count)
        for (int i = 0; i < clew_slot_count; i++)
            inputs[input_count++] = i;
}

static clew_number special_of(const struct clew_slot *slot, int number)
{
    clew_number value = {.n = 0};
    if (clew_is_float(slot->kind))
        value.d = as_number(slot->kind, special[number % SPECIALS]);
    else
        value.n = clew_fit(slot->kind, whole[number % WHOLES]);
    return value;
}

/* Every special value of one input, with its neighbours; the pairs of them for two. */
static void try_special(void)
{
    memset(values, 0, sizeof values);
    run();
    if (input_count == 1 && clew_is_float(clew_slots[inputs[0]].kind)) {
        struct clew_slot *slot = &clew_slots[inputs[0]];
        for (int i = 0; i < SPECIALS + 2 * constant_count && !is_over(); i++) {
            double value = i < SPECIALS ? special[i] : constants[(i - SPECIALS) / 2] * (i % 2 ? 1 : -1);
            for (int by = -2; by <= 2; by++) {
                values[inputs[0]].d = as_number(slot->kind, of_ordered(ordered(value) + by));
                run();
            }
        }
        for (int power = -1074; power < 1024 && !is_over(); power++) {
            values[inputs[0]].d = as_number(slot->kind, ldexp(power & 1 ? 1 : -1, power));
            run();
        }
        return;
    }
    for (int i = 0; i < input_count && !is_over(); i++)
        for (int k = 0; k < SPECIALS && cost < budget / 8; k++) {
            values[inputs[i]] = special_of(&clew_slots[inputs[i]], k);
            for (int j = 0; input_count == 2 && j < SPECIALS && cost < budget / 6; j += 3) {
                values[inputs[1 - i]] = special_of(&clew_slots[inputs[1 - i]], j);
                run();
            }
            run();
        }
}

static void draw(void)
{
    memset(values, 0, sizeof values);
    for (int i = 0; i < input_count; i++)
        values[inputs[i]] = any_number(&clew_slots[inputs[i]]);
    if (below(6) == 0)
        for (int i = 0; i < clew_slot_count; i++)
            if (clew_slots[i].is_output)
                values[i] = any_number(&clew_slots[i]);
    /* Equal arguments, opposite ones. */
    if (input_count > 1 && below(8) == 0) {
        int from = inputs[below((uint64_t)input_count)], to = inputs[below((uint64_t)input_count)];
        if (clew_is_float(clew_slots[from].kind) && clew_is_float(clew_slots[to].kind))
            values[to].d = below(2) ? values[from].d : -values[from].d;
    }
}

static void change(void)
{
    memcpy(values, kept[below((uint64_t)kept_count)], sizeof values);
    for (int times = 1 + (int)below(2); times > 0; times--) {
        int at = below(10) ? inputs[below((uint64_t)input_count)] : (int)below((uint64_t)clew_slot_count);
        values[at] = changed(&clew_slots[at], values[at]);
    }
}

static void try_random(unsigned long until)
{
    while (cost < until) {
        if (kept_count && below(3))
            change();
        else
            draw();
        run();
    }
}

/* A number that is so many steps away. */
static clew_number stepped(const struct clew_slot *slot, clew_number old, int64_t by)
{
    if (clew_is_float(slot->kind)) {
        int64_t at = ordered(old.d), end;
        if (__builtin_add_overflow(at, by, &end))
            end = at;
        if (slot->kind == 'f')
            old.d = (double)(float)of_ordered(end);
        else
            old.d = of_ordered(end);
        if (!isfinite(old.d))
            old.d = by > 0 ? DBL_MAX : -DBL_MAX;
        old.d = as_number(slot->kind, old.d);
    } else {
        old.n = clew_fit(slot->kind, (int64_t)((uint64_t)old.n + (uint64_t)by));
    }
    return old;
}

static uint64_t distance_of_run(void)
{
    sought_distance = UINT64_MAX;
    run();
    return sought_distance;
}

/* Makes the distance of a comparison's operands small, one input at a time, with steps that grow while they help. */
static void seek(struct compared *one)
{
    clew_number best[CLEW_SLOTS];
    uint64_t least = one->nearest;
    int left = 400;
    sought = one->place;
    memcpy(best, one->values, sizeof best);
    /* An operand that is an input, as it is. */
    for (int i = 0; i < input_count; i++) {
        struct clew_slot *slot = &clew_slots[inputs[i]];
        if (clew_is_float(slot->kind) != (one->kind == 'd'))
            continue;
        for (int side = 0; side < 2; side++) {
            clew_number mine = side ? one->left : one->right, other = side ? one->right : one->left;
            if (one->values[inputs[i]].bits != mine.bits)
                continue;
            for (int by = -1; by <= 1; by++) {
                memcpy(values, one->values, sizeof values);
                values[inputs[i]] = stepped(slot, other, by);
                run();
            }
        }
    }
    for (int is_better = 1; is_better && least && left > 0;) {
        is_better = 0;
        for (int i = 0; i < input_count && least && left > 0; i++) {
            struct clew_slot *slot = &clew_slots[inputs[i]];
            for (int power = 60; power >= 0 && least && left > 0; power -= power > 8 ? 4 : 1) {
                for (int sign = -1; sign <= 1 && least; sign += 2) {
                    int64_t by = sign * (1ll << power);
                    for (;;) {
                        memcpy(values, best, sizeof values);
                        values[inputs[i]] = stepped(slot, values[inputs[i]], by);
                        left--;
                        uint64_t distance = distance_of_run();
                        if (distance >= least)
                            break;
                        least = distance;
                        memcpy(best, values, sizeof best);
                        is_better = 1;
                        if (!least || left <= 0 || by > (1ll << 60) || by < -(1ll << 60))
                            break;
                        by *= 2;
                    }
                }
            }
        }
    }
    /* On both sides of where they meet. */
    for (int i = 0; i < input_count; i++)
        for (int by = -2; by <= 2; by++) {
            memcpy(values, best, sizeof values);
            values[inputs[i]] = stepped(&clew_slots[inputs[i]], values[inputs[i]], by);
            run();
        }
    sought = 0;
}

static void seek_all(unsigned long until)
{
    for (int i = 0; i < compared_count && cost < until; i++) {
        struct compared *one = &compared[i];
        int is_decided = one->less && one->same && one->more;
        if (!is_decided && one->tried < 2) {
            one->tried++;
            seek(one);
        }
    }
}

int main(int count, char **words)
{
    if (count < 5)
        return 2;
    int number = atoi(words[1]);
    budget = strtoul(words[2], 0, 10);
    state = (strtoull(words[3], 0, 10) + 1) * 0x9e3779b97f4a7c15ull;
    unsigned wanted = (unsigned)atoi(words[4]);
    constants = clew_constants[number];
    constant_count = clew_constant_counts[number];
    static const unsigned masks[] = {1 << 9, 1 << 10, 1 << 11, 1 << 7};
    clew_control = CLEW_MASKED;
    for (int kind = 0; kind < 4; kind++)
        if (wanted >> kind & 1)
            clew_control &= ~masks[kind];
    told = clew_told_to();
    clew_choose(number);
    clew_guard();
    clew_trap();
    clew_set_timer(500);
    list_inputs();
    try_special();
    if (input_count) {
        for (int part = 2; part <= 8 && !is_over(); part += 2) {
            try_random(budget / 8 * (unsigned)(part - 1));
            seek_all(budget / 8 * (unsigned)part);
        }
        try_random(budget);
    }
    clew_set_timer(0);
    fprintf(told, "done %lu %lu %lu %lu %lu\n", runs, cost, ends[CLEW_FAULT], ends[CLEW_TOO_LONG], ends[CLEW_LEFT]);
    fflush(told);
    return 0;
}
