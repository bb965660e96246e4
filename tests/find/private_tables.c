// SPDX-License-Identifier: MIT OR Apache-2.0
// status: 0
// Static functions in a static table are called as this file calls them, unless the table or what it holds goes elsewhere.
static int guarded(int x) { return 100 / x; }
static int handed(int x) { return 200 / x; } // violated: division-by-zero
static int shown(int x) { return 300 / x; } // violated: division-by-zero
static int placed(int x) { return 400 / x; } // violated: division-by-zero

static int (*const own[])(int) = { guarded };
static int (*given[])(int) = { handed };
static int (*const seen[])(int) = { shown };
static int (*const in_section)(int) __attribute__((used, section("calls"))) = placed;

void keep(int (*)(int));
void keep_all(int (*const *)(int));

int call(int x)
{
    if (x == 0)
        return 0;
    return own[0](x);
}

void start(void)
{
    keep(given[0]);
    keep_all(seen);
}
