// SPDX-License-Identifier: MIT OR Apache-2.0
// A bug that only one value in four thousand million reaches, as verifiers are asked about. The value comes from
// a witness file.
//
//     clew run --inputs examples/nondet.json examples/nondet.c
//
// finds: error-call, with the value of the witness
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);

int main(void) {
    unsigned x = __VERIFIER_nondet_uint();
    if (x * 2654435761u == 1)
        reach_error();
    return 0;
}
