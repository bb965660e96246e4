// SPDX-License-Identifier: MIT OR Apache-2.0
//! Random questions, asked of our solver and of z3.
//!
//! Forty questions, or as many as `CLEW_SOLVER_QUERIES` says (`cargo xtask solvers` asks for 500). Without z3 on the
//! path there is nothing to compare with, and the test says so. Our `sat` comes with a model that was evaluated;
//! it is `unsat` that needs a second opinion most.

use std::io::Write;
use std::process::{Command, Stdio};

use clew_base::exact::Rational;
use clew_base::float::{Float, Format, Rounding};
use clew_base::int::{ArithOp, IntType};
use clew_symbolic::smtlib::script;
use clew_symbolic::{Answer, FloatBinary, FloatUnary, Limits, Solver, Sort, TermId, Terms};

fn queries() -> u64 {
    std::env::var("CLEW_SOLVER_QUERIES").ok().and_then(|text| text.parse().ok()).unwrap_or(40)
}

/// What z3 says, if it says anything within its limits.
fn z3(script: &str) -> Option<bool> {
    let mut child = Command::new("z3")
        .args(["-in", "-T:5"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("z3 was found before");
    child.stdin.take().expect("a pipe").write_all(script.as_bytes()).expect("z3 reads");
    let output = child.wait_with_output().expect("z3 ends");
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(!text.contains("error"), "z3 does not understand: {text}\n{script}");
    match text.trim() {
        "sat" => Some(true),
        "unsat" => Some(false),
        _ => None,
    }
}

fn ours(terms: &Terms, question: &[TermId]) -> Option<bool> {
    let limits = Limits { conflicts: Some(100_000), ..Limits::default() };
    match Solver::new().check(terms, question, &limits) {
        Answer::Sat(_) => Some(true),
        Answer::Unsat(_) => Some(false),
        Answer::Unknown(reason) => {
            assert!(reason.is_limit(), "{reason:?}");
            None
        }
    }
}

fn pick(random: &mut fastrand::Rng, pool: &[TermId]) -> TermId {
    pool[random.usize(..pool.len())]
}

/// Some equations and inequalities of random terms over two words.
fn integers(terms: &mut Terms, random: &mut fastrand::Rng) -> Vec<TermId> {
    let width = [3, 6, 8, 12][random.usize(..4)];
    let mut pool = vec![terms.fresh("a", Sort::Bits(width)), terms.fresh("b", Sort::Bits(width))];
    pool.extend((0..2).map(|_| terms.constant(width, random.u128(..))));
    for _ in 0..random.usize(4..12) {
        let (a, b) = (pick(random, &pool), pick(random, &pool));
        let signed = random.bool();
        let term = match random.u8(..14) {
            0 => terms.add(a, b),
            1 => terms.sub(a, b),
            2 => terms.mul(a, b),
            3 => terms.div(a, b, signed),
            4 => terms.rem(a, b, signed),
            5 => terms.shl(a, b),
            6 => terms.shr(a, b, signed),
            7 => terms.and(a, b),
            8 => terms.or(a, b),
            9 => terms.xor(a, b),
            10 => terms.not(a),
            11 => {
                let low = random.u32(..width - 1);
                let part = terms.extract(a, low, width - low);
                terms.resize(part, width, signed)
            }
            12 => {
                let condition = terms.lt(a, b, signed);
                let other = pick(random, &pool);
                terms.ite(condition, a, other)
            }
            _ => {
                let half = width / 2;
                let (high, low) = (terms.extract(a, 0, width - half), terms.extract(b, 0, half));
                terms.concat(high, low)
            }
        };
        pool.push(term);
    }
    (0..random.usize(2..5))
        .map(|_| {
            let (a, b) = (pick(random, &pool), pick(random, &pool));
            let signed = random.bool();
            let condition = match random.u8(..6) {
                0 | 1 => terms.eq(a, b),
                2 => {
                    let constant = terms.constant(width, random.u128(..));
                    terms.eq(a, constant)
                }
                3 | 4 => terms.lt(a, b, signed),
                _ => {
                    let op = [ArithOp::Add, ArithOp::Sub, ArithOp::Mul][random.usize(..3)];
                    let dest = IntType { bits: width as u16, signed: random.bool() };
                    terms.overflows(op, (a, signed), (b, random.bool()), dest)
                }
            };
            if random.bool() { terms.not(condition) } else { condition }
        })
        .collect()
}

/// The same over floats. Nothing looks at the bits of a NaN, of which SMT-LIB has only one.
fn floats(terms: &mut Terms, random: &mut fastrand::Rng) -> Vec<TermId> {
    let format = if random.u8(..4) == 0 { Format::F32 } else { Format::F16 };
    let other = if format == Format::F16 { Format::F32 } else { Format::F16 };
    let bits = format.bits();
    let mut pool = vec![terms.fresh("a", Sort::Bits(bits)), terms.fresh("b", Sort::Bits(bits))];
    for value in [1, 3, -10] {
        let constant = Float::from_int(format, value, IntType::I32, Rounding::NearestEven).0;
        pool.push(terms.float(constant));
    }
    pool.push(terms.float(Float::smallest_normal(format, random.bool())));
    for _ in 0..random.usize(2..5) {
        let (a, b) = (pick(random, &pool), pick(random, &pool));
        let rounding = [
            Rounding::NearestEven,
            Rounding::NearestAway,
            Rounding::Up,
            Rounding::Down,
            Rounding::TowardZero,
        ][random.usize(..5)];
        let term = match random.u8(..11) {
            0 | 1 => terms.float_binary(FloatBinary::Add, format, rounding, a, b),
            2 => terms.float_binary(FloatBinary::Sub, format, rounding, a, b),
            3 | 4 => terms.float_binary(FloatBinary::Mul, format, rounding, a, b),
            5 => terms.float_binary(FloatBinary::Div, format, rounding, a, b),
            6 => terms.float_unary(FloatUnary::Sqrt, format, rounding, a),
            7 => terms.float_unary(FloatUnary::Integral, format, rounding, a),
            8 => {
                let c = pick(random, &pool);
                terms.fma(format, rounding, a, b, c)
            }
            9 => {
                let there = terms.float_to_float(format, other, rounding, a);
                terms.float_to_float(other, format, rounding, there)
            }
            _ => {
                let ty = IntType { bits: random.u16(2..20), signed: random.bool() };
                let integer = terms.float_to_int(format, ty, a);
                terms.int_to_float(format, ty.signed, rounding, integer)
            }
        };
        pool.push(if random.u8(..6) == 0 { terms.float_neg(format, term) } else { term });
    }
    (0..random.usize(1..4))
        .map(|_| {
            let (a, b) = (pick(random, &pool), pick(random, &pool));
            let condition = match random.u8(..7) {
                0 | 1 => terms.float_eq(format, a, b),
                2 => terms.float_lt(format, a, b),
                3 => terms.float_le(format, a, b),
                4 => terms.is_nan(format, a),
                5 => terms.is_subnormal(format, a),
                _ => {
                    let dest = IntType { bits: random.u16(2..20), signed: random.bool() };
                    terms.float_fits(format, dest, a)
                }
            };
            if random.bool() { terms.not(condition) } else { condition }
        })
        .collect()
}

/// Claims of exact numbers: that conversions keep the value, and sums and products of what bits stand for.
fn exact(terms: &mut Terms, random: &mut fastrand::Rng) -> Vec<TermId> {
    let width = random.u32(3..10);
    let (a, b) = (terms.fresh("a", Sort::Bits(width)), terms.fresh("b", Sort::Bits(16)));
    let signed = random.bool();
    let (integer, real) = (terms.integer_of(a, signed), terms.real_of(Format::F16, b));
    let whole = terms.to_real(integer);
    let constant =
        Rational::from_parts(random.i32(-40..40).into(), 1u32.wrapping_shl(random.u32(..3)).into());
    let constant = terms.number(Sort::Real, constant);
    let op = [ArithOp::Add, ArithOp::Sub, ArithOp::Mul][random.usize(..3)];
    let sum = terms.exact(op, if random.bool() { real } else { whole }, constant);
    let narrow = terms.extract(a, 0, random.u32(1..width));
    let narrow = terms.integer_of(narrow, random.bool());
    let product = terms.exact(ArithOp::Mul, integer, narrow);
    let limit = terms.number(Sort::Integer, random.i32(-300..300).into());
    let claims = [
        terms.exact_eq(whole, real),
        terms.exact_lt(whole, real),
        terms.exact_lt(sum, if random.bool() { real } else { whole }),
        terms.exact_eq(integer, narrow),
        terms.exact_lt(product, limit),
        terms.exact_lt(limit, product),
    ];
    (0..random.usize(1..3))
        .map(|_| {
            let claim = claims[random.usize(..claims.len())];
            if random.bool() { terms.not(claim) } else { claim }
        })
        .collect()
}

/// A random question.
type Ask = fn(&mut Terms, &mut fastrand::Rng) -> Vec<TermId>;

/// Asks ours and z3, which must not contradict each other; how many had no answer.
fn agree(what: &str, seeds: u64, ask: impl Fn(u64) -> Ask) -> u64 {
    let mut counts = [0; 3];
    for seed in 0..seeds {
        let mut random = fastrand::Rng::with_seed(seed);
        let mut terms = Terms::new();
        let question = ask(seed)(&mut terms, &mut random);
        let text = script(&terms, &question).expect("all of it is expressible");
        match (ours(&terms, &question), z3(&text)) {
            (Some(ours), Some(theirs)) => {
                assert_eq!(ours, theirs, "question {seed}\n{text}");
                counts[usize::from(ours)] += 1;
            }
            _ => counts[2] += 1,
        }
    }
    let [unsat, sat, open] = counts;
    println!(
        "{what}: agreed: {sat} satisfiable, {unsat} not; {open} not decided by one of both in its limits"
    );
    open
}

#[test]
fn z3_agrees() {
    if Command::new("z3").arg("--version").stdout(Stdio::null()).status().is_err() {
        println!("skipped: there is no z3 on the path");
        return;
    }
    let open = agree("bits and floats", queries(), |seed| if seed % 2 == 0 { integers } else { floats });
    assert!(open * 4 < queries(), "too many questions without an answer: {open}");
    // Solvers are slow where reals and floats meet.
    let some = queries().div_ceil(4);
    let open = agree("exact numbers", some, |_| exact);
    assert!(open * 3 < some * 2, "too many questions without an answer: {open}");
}
