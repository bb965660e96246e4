// SPDX-License-Identifier: MIT OR Apache-2.0
int main(void) {
    for (unsigned i = 0;; i++)
        continue;
}
