// SPDX-License-Identifier: MIT OR Apache-2.0
//! The C program that samples: every kernel twice, and a loop over random inputs.

use std::fmt::Write;
use std::path::Path;
use std::process::Command;

use anyhow::{Result, anyhow, bail};
use clew_precision::fpcore;
use serde_json::Value;

use super::{Options, Tally};

/// What clew claims of a kernel.
pub struct Claim {
    /// `ex7`
    pub function: String,
    /// Its name.
    pub name: String,
    /// At most this, whichever ways the runs take.
    pub bound: f64,
    /// What binary128 and reading the bound may be wrong by.
    pub slack: f64,
    /// Where both runs always take the same way: the relative error where the result is at least so large.
    pub relative: Option<f64>,
    /// And the error in units in the last place.
    pub ulps: Option<f64>,
    floor: f64,
    largest: f64,
    inputs: Vec<(f64, f64)>,
}

/// The greatest errors that were seen of a kernel.
pub struct Seen {
    /// The distance of the results.
    pub absolute: f64,
    /// Over the real one.
    pub relative: f64,
    /// In units in the last place.
    pub ulps: f64,
}

/// The claims of a report; what has no bound is counted.
pub fn claims(report: &Value, text: &str, tally: &mut Tally) -> Result<Vec<Claim>> {
    let cores = fpcore::read(text).map_err(|why| anyhow!(why))?;
    let mut claims = Vec::new();
    for function in report["functions"].as_array().into_iter().flatten() {
        let shown = function["name"].as_str().unwrap_or_default();
        let short = shown.split(' ').next().unwrap_or_default();
        let Some(core) = cores.iter().find(|core| core.function == short) else { continue };
        let Some(output) = function["outputs"].get(0).filter(|_| function["refused"].is_null()) else {
            tally.refused += 1;
            continue;
        };
        let jump = &output["discontinuity"];
        let bound = output["absolute"]["bound"].as_f64();
        let same_way = jump.is_null();
        let jump = if same_way { Some(0.0) } else { jump["bound"].as_f64() };
        let (Some(bound), Some(jump)) = (bound, jump) else {
            tally.unbounded += 1;
            continue;
        };
        let end = |input: &Value, name: &str| input[name].as_f64().unwrap_or(0.0);
        let inputs = function["inputs"].as_array().into_iter().flatten();
        let inputs = inputs.map(|input| (end(input, "low"), end(input, "high"))).collect();
        let largest = end(output, "low").abs().max(end(output, "high").abs());
        let (function, name) = (core.function.clone(), core.name.clone());
        let bound = bound.max(jump);
        // binary128 rounds in the 34th digit, and serde_json reads numbers to within an ulp.
        claims.push(Claim {
            function,
            name,
            bound,
            slack: largest * 1e-28 + bound * 4e-16,
            relative: output["relative"]["bound"].as_f64().filter(|_| same_way),
            ulps: output["ulps"]["bound"].as_f64().filter(|_| same_way),
            floor: end(output, "relative_floor"),
            largest,
            inputs,
        });
    }
    Ok(claims)
}

/// The greatest errors that random inputs show of each kernel.
pub fn sampled(claims: &[Claim], text: &str, folder: &Path, options: &Options) -> Result<Vec<Seen>> {
    let plain = fpcore::read(text).map_err(|why| anyhow!(why))?;
    let wide = fpcore::read_wide(text).map_err(|why| anyhow!(why))?;
    let long = fpcore::read_long(text).map_err(|why| anyhow!(why))?;
    let mut c = String::from(PRELUDE);
    let mut calls = String::new();
    for (index, claim) in claims.iter().enumerate() {
        let find = |cores: &[fpcore::Core]| {
            let core = cores.iter().find(|core| core.function == claim.function);
            core.and_then(|core| core.text.clone().ok()).ok_or_else(|| anyhow!("{} is lost", claim.function))
        };
        let (plain, wide, long) = (find(&plain)?, find(&wide)?, find(&long)?);
        let call = format!(" {}(", claim.function);
        let kind = plain.split(&call).next().unwrap_or("double").to_owned();
        c += &plain;
        c += &wide.replacen(&call, &format!(" wide_{}(", claim.function), 1);
        c += &long.replacen(&call, &format!(" long_{}(", claim.function), 1);
        let ranges: Vec<String> = claim.inputs.iter().map(|(lo, hi)| format!("{{{lo:e}, {hi:e}}}")).collect();
        let count = claim.inputs.len();
        let arguments =
            |name: &str| (0..count).map(|i| format!("{name}[{i}]")).collect::<Vec<_>>().join(", ");
        let _ = write!(
            c,
            "static void sample_{index}(void)\n{{\n    static const double ranges[][2] = {{{} {{0, 0}}}};\n    \
             volatile struct seen most = {{0, 0, 0}};\n    const struct claim claim = {{{bound:e}, {relative:e}, {ulps:e}, {floor:e}, {slack:e}, sizeof({kind})}};\n    \
             for (volatile long turn = 0; turn < SAMPLES; turn++) {{\n        \
             {kind} x[{size}]; long double l[{size}]; __float128 q[{size}];\n        for (int i = 0; i < {count}; i++) {{\n            \
             x[i] = draw(ranges[i][0], ranges[i][1]);\n            if (x[i] < ranges[i][0] || x[i] > ranges[i][1]) x[i] = ranges[i][0];\n            \
             l[i] = q[i] = behind(x[i], sizeof(x[i]), ranges[i][0], ranges[i][1]);\n        }}\n        \
             if (setjmp(rejected)) continue;\n        {kind} y = {f}({a});\n        \
             if (sizeof(y) < 16 && !is_worth(&most, &claim, y, long_{f}({l}))) continue;\n        \
             __float128 real = wide_{f}({b});\n        look(&most, &claim, (__float128)y - real, real);\n    }}\n    \
             printf(\"%.17g %.17g %.17g\\n\", most.absolute, most.relative, most.ulps);\n}}\n",
            ranges.join(", ") + if ranges.is_empty() { "" } else { "," },
            size = count.max(1),
            f = claim.function,
            a = arguments("x"),
            b = arguments("q"),
            l = arguments("l"),
            bound = claim.bound,
            relative = claim.relative.unwrap_or(1e300),
            ulps = claim.ulps.unwrap_or(1e300),
            floor = claim.floor,
            slack = claim.largest * 1e-28,
        );
        let _ = writeln!(calls, "    sample_{index}();");
    }
    let _ = write!(c, "int main(void)\n{{\n{calls}    return 0;\n}}\n");
    let (source, program) = (folder.join("sample.c"), folder.join("sample"));
    std::fs::write(&source, c)?;
    let rounded = format!("-DROUNDED={}", i32::from(!options.exact));
    let compiled = Command::new("gcc")
        .args(["-O1", "-ffp-contract=off", "-w", &format!("-DSAMPLES={}", options.samples), &rounded, "-o"])
        .args([&program, &source])
        .args(["-lquadmath", "-lm"])
        .status()?;
    if !compiled.success() {
        bail!("gcc refuses {}", source.display());
    }
    let output = Command::new(&program).output()?;
    let lines = String::from_utf8_lossy(&output.stdout);
    let errors: Vec<Seen> = lines.lines().filter_map(seen).collect();
    if errors.len() != claims.len() {
        bail!("the sampling program ended early: {:?}", output.status);
    }
    Ok(errors)
}

fn seen(line: &str) -> Option<Seen> {
    let mut numbers = line.split_whitespace().map(|word| word.parse().ok());
    Some(Seen { absolute: numbers.next()??, relative: numbers.next()??, ulps: numbers.next()?? })
}

const PRELUDE: &str = r"#include <math.h>
#include <quadmath.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
static jmp_buf rejected;
static void __VERIFIER_assume(int condition) { if (!condition) longjmp(rejected, 1); }
static uint64_t state = 88172645463325252u;
static uint64_t next(void) { state ^= state << 13; state ^= state >> 7; state ^= state << 17; return state; }
static double unit(void) { return (double)(next() >> 11) * 0x1p-53; }
/* Anywhere in a range; now and then an end, or close to the lower one. */
static double draw(double lo, double hi)
{
    switch (next() % 16) {
    case 0: return next() & 1 ? lo : hi;
    case 1: return lo + (hi - lo) * unit() * ldexp(1, -(int)(next() % 40));
    default: return lo + (hi - lo) * unit();
    }
}
struct seen { double absolute, relative, ulps; };
struct claim { double absolute, relative, ulps, floor, slack; int size; };
static int exponent_least(int size) { return size == 4 ? -126 : -1022; }
static int digits(int size) { return size == 4 ? 23 : size == 8 ? 52 : 63; }
/* Whether binary128 is to look at an input: its error in long double is near the greatest yet, or near the bound. */
static int is_worth(volatile const struct seen *most, const struct claim *claim, long double y, long double real)
{
    long double error = fabsl(y - real);
    real = fabsl(real);
    if (!(error < 1e300L)) return 1;
    if (error > 0.995L * most->absolute || error > 0.98L * claim->absolute) return 1;
    if (real < 0.99L * claim->floor || real == 0) return 0;
    if (error > real * 0.98L * claim->relative || error > real * 0.995L * most->relative) return 1;
    int e = ilogbl(real), least = exponent_least(claim->size);
    long double units = ldexpl(error, digits(claim->size) - (e > least ? e : least));
    return units > 0.98L * claim->ulps || units > 0.995L * most->ulps;
}
/* One error; `slack` is what binary128 may be wrong by, so near zero nothing is said of relative errors. */
static void look(volatile struct seen *most, const struct claim *claim, __float128 error, __float128 real)
{
    if (error < 0) error = -error;
    if (real < 0) real = -real;
    if (!(error < 1e300)) return;
    if (error > most->absolute) most->absolute = (double)error;
    error -= claim->slack;
    if (error <= 0 || real < 1e3 * claim->slack || real < claim->floor || real == 0) return;
    if (error / real > most->relative) most->relative = (double)(error / real);
    int e = ilogbq(real), least = exponent_least(claim->size);
    __float128 ulp = ldexpq(1, (e > least ? e : least) - digits(claim->size));
    if (error / ulp > most->ulps) most->ulps = (double)(error / ulp);
}
/* A real that rounds to the float, and lies in the range; floats and doubles get one that long double has. */
static __float128 behind(long double x, int size, double lo, double hi)
{
    __float128 q = x;
    if (!ROUNDED || x == 0) return q;
    int e;
    long double m = frexpl(fabsl(x), &e);
    long double half = ldexpl(m == 0.5 ? 0.49 : 0.99, e - digits(size) - 2);
    q += (__float128)half * (next() % 4 == 0 ? -1 : next() % 3 == 0 ? 1 : 2 * unit() - 1);
    if (size < 16) q = (long double)q;
    return q < lo || q > hi ? (__float128)x : q;
}
";
