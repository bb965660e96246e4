// SPDX-License-Identifier: MIT OR Apache-2.0
// run: finding
static int (*hook)(int);

static int notify(int event) {
    return hook(event); // finds: null-call
}

int main(void) {
    return notify(1);
}
