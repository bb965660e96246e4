// Integers that stand for numbers overflow as C has them overflow; the compiled emulation shows where.
/* clew-fixed: fixed a=q15 fixed b=q15 fixed return=q15 range a=-1..0.99996 range b=-1..0.99996 */
// flags: --function add
// error return: 0..0
// status: 1
#include <stdint.h>

int16_t add(int16_t a, int16_t b) {
    return (int16_t)(a + b); // overflow: confirmed
}
