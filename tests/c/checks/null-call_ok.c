// SPDX-License-Identifier: MIT OR Apache-2.0
// run: exit 0
static int (*hook)(int);

static int notify(int event) {
    return hook ? hook(event) : 0;
}

int main(void) {
    return notify(1);
}
