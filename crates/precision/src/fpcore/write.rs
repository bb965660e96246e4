// SPDX-License-Identifier: MIT OR Apache-2.0
//! From a kernel to FPCore: shared operations become bindings, paths become a tree of `if`.

use std::fmt::Write;

use clew_base::float::Format;
use clew_ir::syntax::CompareOp;

use crate::dag::{Dag, NodeId, Op, Sort, Whole};
use crate::kernel::{Kernel, Path};

/// The kernel as a core that computes one output; what FPCore cannot say is named.
pub fn write(kernel: &Kernel, output: usize, name: &str) -> Result<String, String> {
    let dag = &kernel.dag;
    let mut out = String::from("(FPCore (");
    let names: Vec<String> = dag.inputs.iter().map(|input| symbol(&input.name)).collect();
    out += &names.join(" ");
    let precision = kernel
        .paths
        .iter()
        .filter_map(|path| path.outputs.get(output))
        .find_map(|(_, node)| sort(dag, *node));
    let precision = precision.unwrap_or("binary64");
    let _ = write!(out, ")\n  :name \"{name}\"\n  :precision {precision}\n  :pre (and");
    for (input, symbol) in dag.inputs.iter().zip(&names) {
        let _ = write!(out, " (<= {} {symbol} {})", input.range.lo, input.range.hi);
    }
    out += ")\n";
    let paths: Vec<&Path> = kernel.paths.iter().filter(|path| path.runs.machine).collect();
    let body = tree(kernel, &names, &paths, 0, output)?;
    let _ = writeln!(out, "  {body})");
    Ok(out)
}

fn symbol(name: &str) -> String {
    name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect()
}

fn sort(dag: &Dag, node: NodeId) -> Option<&'static str> {
    match dag.nodes[node].sort {
        Sort::Float(Format::F32) => Some("binary32"),
        Sort::Float(Format::F64) => Some("binary64"),
        Sort::Float(Format::X87) => Some("binary80"),
        _ => None,
    }
}

/// The paths that agree on their first `depth` decisions.
fn tree(
    kernel: &Kernel,
    names: &[String],
    paths: &[&Path],
    depth: usize,
    output: usize,
) -> Result<String, String> {
    let Some(first) = paths.first() else { return Err("a path that no run takes".to_owned()) };
    let Some(decision) = first.decisions.get(depth) else {
        let (_, root) = first.outputs.get(output).ok_or("a path without the output")?;
        return expression(kernel, names, *root);
    };
    let (yes, no): (Vec<&Path>, Vec<&Path>) =
        paths.iter().partition(|path| path.decisions.get(depth).is_some_and(|decision| decision.taken));
    if yes.is_empty() || no.is_empty() {
        return tree(kernel, names, paths, depth + 1, output);
    }
    let op = match decision.test.op {
        CompareOp::Eq => "==",
        CompareOp::Ne => "!=",
        CompareOp::Lt => "<",
        CompareOp::Le => "<=",
        CompareOp::Gt => ">",
        CompareOp::Ge => ">=",
    };
    let left = expression(kernel, names, decision.test.left)?;
    let right = expression(kernel, names, decision.test.right)?;
    let then = tree(kernel, names, &yes, depth + 1, output)?;
    let otherwise = tree(kernel, names, &no, depth + 1, output)?;
    Ok(format!("(if ({op} {left} {right})\n    {then}\n    {otherwise})"))
}

/// One node: operations that are used twice are bound first.
fn expression(kernel: &Kernel, names: &[String], root: NodeId) -> Result<String, String> {
    let dag = &kernel.dag;
    let mut uses = vec![0u32; root.0 as usize + 1];
    uses[root.0 as usize] = 1;
    for index in (0..=root.0).rev() {
        if uses[index as usize] > 0 {
            dag.nodes[NodeId(index)].op.operands().for_each(|operand| uses[operand.0 as usize] += 1);
        }
    }
    let mut texts: Vec<String> = vec![String::new(); root.0 as usize + 1];
    let mut bindings = Vec::new();
    for index in 0..=root.0 {
        if uses[index as usize] == 0 {
            continue;
        }
        let node = &dag.nodes[NodeId(index)];
        let text = one(dag, names, node.op, &texts)?;
        let is_leaf = matches!(node.op, Op::Input(_) | Op::Constant(_));
        if uses[index as usize] > 1 && !is_leaf && index != root.0 {
            bindings.push(format!("[t{index} {text}]"));
            texts[index as usize] = format!("t{index}");
        } else {
            texts[index as usize] = text;
        }
    }
    let body = std::mem::take(&mut texts[root.0 as usize]);
    Ok(if bindings.is_empty() {
        body
    } else {
        format!("(let* ({})\n    {body})", bindings.join("\n          "))
    })
}

fn one(dag: &Dag, names: &[String], op: Op, texts: &[String]) -> Result<String, String> {
    let at = |id: NodeId| &texts[id.0 as usize];
    Ok(match op {
        Op::Input(input) => names[input.0 as usize].clone(),
        Op::Constant(constant) if !dag.constants[constant].real.is_exact() => {
            return Err("a number of thousands of digits".to_owned());
        }
        Op::Constant(constant) => dag.constants[constant].real.to_ratio().to_string(),
        Op::Neg(a) => format!("(- {})", at(a)),
        Op::Abs(a) => format!("(fabs {})", at(a)),
        Op::Add(a, b) => format!("(+ {} {})", at(a), at(b)),
        Op::Sub(a, b) => format!("(- {} {})", at(a), at(b)),
        Op::Mul(a, b) => format!("(* {} {})", at(a), at(b)),
        Op::Div(a, b) => format!("(/ {} {})", at(a), at(b)),
        Op::Sqrt(a) => format!("(sqrt {})", at(a)),
        Op::Fma(a, b, c) => format!("(fma {} {} {})", at(a), at(b), at(c)),
        Op::Convert(a) => format!("(cast {})", at(a)),
        Op::Min(a, b) => format!("(fmin {} {})", at(a), at(b)),
        Op::Max(a, b) => format!("(fmax {} {})", at(a), at(b)),
        Op::Unary(function, a) => format!("({} {})", function.name(), at(a)),
        Op::Binary(function, a, b) => format!("({} {} {})", function.name(), at(a), at(b)),
        Op::Whole(whole, a) => {
            let name = match whole {
                Whole::Floor => "floor",
                Whole::Ceil => "ceil",
                Whole::Trunc => "trunc",
                Whole::Round => "round",
                Whole::Even => "nearbyint",
            };
            format!("({name} {})", at(a))
        }
    })
}
