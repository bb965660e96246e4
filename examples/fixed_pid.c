// SPDX-License-Identifier: MIT OR Apache-2.0
// A PID controller in Q16.16. clew bounds how far its output is from that of the controller in the reals, and proves that
// nothing overflows. One line says what the integers stand for.
//
//     clew fixed --function control examples/fixed_pid.c
//
// shows: return
/* clew-fixed: fixed setpoint=q(16,16) fixed measured=q(16,16) fixed return=q(16,16) range setpoint=-10..10 range measured[4]=-10..10 */
#include <stdint.h>

static int32_t multiply(int32_t a, int32_t b)
{
    return (int32_t)(((int64_t)a * b) >> 16);
}

int32_t control(int32_t setpoint, const int32_t *measured)
{
    int32_t integral = 0, last = 0, output = 0;
    for (int i = 0; i < 4; i++) {
        int32_t error = setpoint - measured[i];
        integral = integral + multiply(error, 6554);
        if (integral > 655360)
            integral = 655360;
        if (integral < -655360)
            integral = -655360;
        output = multiply(error, 81920) + multiply(integral, 32768) + multiply(error - last, 16384);
        last = error;
    }
    return output;
}
