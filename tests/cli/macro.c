// SPDX-License-Identifier: MIT OR Apache-2.0
#define SQUARE(x) ((x) * (x))
#define VOLUME(x) (SQUARE(x) * (x))

int main(int argc, char **argv) {
    int side = 40000 + argc;
    return VOLUME(side) > 0;
}
