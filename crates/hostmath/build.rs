// SPDX-License-Identifier: MIT OR Apache-2.0
//! Compiles the C shims.

fn main() {
    let shims = ["shim/arith.c", "shim/libgcc.c", "shim/libm.c", "shim/text.c"];
    for shim in shims.iter().chain(&["shim/shim.h"]) {
        println!("cargo::rerun-if-changed={shim}");
    }
    cc::Build::new()
        .files(shims)
        .std("gnu11")
        .warnings(true)
        // What is measured is the machine: no contraction, no folding, no assumption about the rounding mode.
        .opt_level(1)
        .flag("-ffp-contract=off")
        .flag("-frounding-math")
        .flag("-ftrapping-math")
        .flag("-fno-builtin")
        .compile("clew_hostmath_shim");
    println!("cargo::rustc-link-lib=dl");
}
