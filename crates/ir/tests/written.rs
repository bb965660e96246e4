// SPDX-License-Identifier: MIT OR Apache-2.0
//! Conditions that `emit_c` writes out say what `clew_base` says, on the edges of every integer type.

use std::collections::BTreeSet;
use std::process::Command;

use clew_base::int::IntType;
use clew_ir::emit_c::{FLAGS, Options, can_write, emit_written};
use clew_ir::syntax::{FuncId, ObligationId};
use clew_ir::text::parse;

/// A program that does operations one after the other, and which of them violate their condition.
#[derive(Default)]
struct Operations {
    text: String,
    violated: BTreeSet<usize>,
    count: usize,
}

impl Operations {
    /// An operation on the registers of a type, whose operands are given.
    fn add(
        &mut self,
        (register, ty): (usize, &str),
        operands: (i128, i128),
        op: &str,
        check: (&str, &str),
        violates: bool,
    ) {
        let number = self.count;
        let (left, right) = (register, register + 1);
        let op = op.replace('a', &format!("%{left}")).replace('b', &format!("%{right}")).replace("AS", "as");
        self.text.push_str(&format!(
            "  %{left} = {}:{ty}\n  %{right} = {}:{ty}\n  e{number} = ({op})\n  check\n    o{number} {}: not_raised {} e{number}\n",
            operands.0, operands.1, check.0, check.1
        ));
        if violates {
            self.violated.insert(number);
        }
        self.count += 1;
    }
}

fn name(int: IntType) -> String {
    format!("{}{}", if int.signed { "i" } else { "u" }, int.bits)
}

const TYPES: [IntType; 4] =
    [IntType::signed(32), IntType::unsigned(32), IntType::signed(64), IntType::unsigned(64)];

fn operations() -> (String, Operations) {
    let mut all = Operations::default();
    let mut locals = String::new();
    for (index, int) in TYPES.into_iter().enumerate() {
        let (register, ty) = (2 * index, name(int));
        locals.push_str(&format!("  %{register}: {ty} register\n  %{}: {ty} register\n", register + 1));
        let ty = (register, ty.as_str());
        let overflow = if int.signed {
            ("signed-overflow", "signed_overflow")
        } else {
            ("unsigned-wrap", "unsigned_wrap")
        };
        let edges = [int.min(), int.min() + 1, 0, 1, 2, 31, 63, int.max() / 2, int.max() - 1, int.max()];
        let minus = int.signed.then_some(-1);
        for a in edges.into_iter().chain(minus) {
            for b in edges.into_iter().chain(minus) {
                all.add(ty, (a, b), "a + b", overflow, int.add(a, b).1);
                all.add(ty, (a, b), "a - b", overflow, int.sub(a, b).1);
                all.add(ty, (a, b), "a * b", overflow, int.mul(a, b).1);
                let shift = ("shift-out-of-range", "shift_range");
                let lost = int.shl(a, b).map_or(true, |shl| int.signed && (shl.negative || shl.lost));
                all.add(ty, (a, b), "a << b", shift, lost);
                all.add(ty, (a, b), "a >> b", shift, int.shr(a, b).is_err());
                if int.signed {
                    all.add(ty, (a, b), "a / b", overflow, a == int.min() && b == -1);
                }
                all.add(ty, (a, b), "a / b", ("division-by-zero", "division_by_zero"), b == 0);
            }
            all.add(ty, (a, 0), "- a", overflow, int.neg(a).1);
            for to in [IntType::signed(8), IntType::unsigned(16), IntType::signed(32), IntType::unsigned(64)]
            {
                let op = format!("a AS {}", name(to));
                all.add(ty, (a, 0), &op, ("lossy-conversion", "lossy_conversion"), to.wrap(a) != a);
            }
            let exact = ("lossy-conversion", "lossy_conversion");
            all.add(ty, (a, 0), "a AS f64", exact, (a as f64) as i128 != a);
            all.add(ty, (a, 0), "a AS f32", exact, (a as f32) as i128 != a);
        }
    }
    (locals, all)
}

#[test]
fn written_conditions_are_those_of_the_arithmetic() {
    let (locals, operations) = operations();
    let text = format!(
        "clew-ir 1\ntarget \"x86_64-linux-gnu\" pointer 8 char signed int 32 long 64 long_double x87\n\n\
         function @f0 \"main\" \"main\": fn() -> i32 external {{\n{locals}b0:\n{}  return 0\n}}\n",
        operations.text
    );
    let program = parse(&text).unwrap_or_else(|e| panic!("{e}"));
    let written: Vec<(FuncId, ObligationId)> =
        (0..operations.count).map(|id| (FuncId(0), ObligationId(id as u32))).collect();
    assert!(written.iter().all(|(function, id)| can_write(&program, *function, *id)));
    let told = "\nextern int clew_print(const char *, ...) __asm__(\"printf\");\n\
                void clew_violated(int n) { clew_print(\"%d\\n\", n); }\n";
    let folder = tempfile::tempdir().unwrap();
    let (source, binary) = (folder.path().join("a.c"), folder.path().join("a"));
    std::fs::write(&source, emit_written(&program, Options::default(), &written).text + told).unwrap();
    let built = Command::new("gcc").args(FLAGS).arg(&source).arg("-o").arg(&binary).output().unwrap();
    assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
    let said = Command::new(&binary).output().unwrap().stdout;
    let said = String::from_utf8_lossy(&said);
    let found: BTreeSet<usize> = said.lines().filter_map(|line| line.parse().ok()).collect();
    let lines: Vec<&str> = operations.text.split("  check\n").collect();
    let wrong: Vec<&str> = found.symmetric_difference(&operations.violated).map(|at| lines[*at]).collect();
    assert!(wrong.is_empty(), "judged differently:\n{}", wrong.join("\n"));
}
