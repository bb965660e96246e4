// SPDX-License-Identifier: MIT OR Apache-2.0
//! Rewrites that are known to help, judged by running them: a hint is given only where the error found gets smaller.

use clew_base::float::{Float, Rounding};
use clew_base::source::Span;

use crate::constant::Constant;
use crate::dag::{Dag, NodeId, Op, Sort};
use crate::functions::{Binary, Unary};
use crate::interval::Interval;
use crate::kernel::{Decision, Kernel, Path, Test};
use crate::sample;

/// A rewrite, and the greatest relative errors found without and with it.
#[derive(Clone, Debug)]
pub struct Hint {
    /// What is to be rewritten.
    pub span: Span,
    /// What to write instead.
    pub text: &'static str,
    /// Without.
    pub before: f64,
    /// With.
    pub after: f64,
}

/// A rewrite pays if it makes errors this much smaller.
const PAYS: f64 = 0.5;

/// The rewrites that make the relative error of an output smaller, best first.
pub fn hints(kernel: &Kernel, output: usize, worst: &[Interval], effort: u64) -> Vec<Hint> {
    let rule_of = |id: NodeId| Some((id, rule(&kernel.dag, id)?));
    let sites: Vec<(NodeId, Rule)> = kernel.dag.nodes.indices().filter_map(rule_of).collect();
    if sites.is_empty() {
        return Vec::new();
    }
    // Both are searched alike, and the rewritten one must be better where the original was worst.
    let Some(before) = sample::search(kernel, output, worst, 0.0, effort).relative else { return Vec::new() };
    let mut hints: Vec<Hint> = Vec::new();
    for (site, rule) in sites.into_iter().take(8) {
        let rewritten = rewritten(kernel, site, rule);
        let found = sample::search(&rewritten, output, worst, 0.0, effort).relative;
        let same = sample::again(&rewritten, output, &before);
        let (Some(found), Some(same)) = (found, same) else { continue };
        let after = found.relative.max(same.relative);
        let hint =
            Hint { span: kernel.dag.nodes[site].span, text: rule.text(), before: before.relative, after };
        let is_known = hints.iter().any(|known| (known.span, known.text) == (hint.span, hint.text));
        if after <= PAYS * before.relative && !is_known {
            hints.push(hint);
        }
    }
    hints.sort_by(|a, b| a.after.total_cmp(&b.after));
    hints
}

#[derive(Clone, Copy)]
enum Rule {
    Log1p(NodeId),
    Expm1(NodeId),
    Versine(NodeId),
    Hypot(NodeId, NodeId),
    Roots(NodeId, NodeId),
    Fma(NodeId, NodeId, NodeId),
}

impl Rule {
    fn text(self) -> &'static str {
        match self {
            Rule::Log1p(_) => "log1p(x) for log(1 + x)",
            Rule::Expm1(_) => "expm1(x) for exp(x) - 1",
            Rule::Versine(_) => "2 * sin(x / 2) * sin(x / 2) for 1 - cos(x)",
            Rule::Hypot(..) => "hypot(x, y) for sqrt(x * x + y * y)",
            Rule::Roots(..) => "(x - y) / (sqrt(x) + sqrt(y)) for sqrt(x) - sqrt(y)",
            Rule::Fma(..) => "fma(x, y, z) for x * y + z",
        }
    }
}

/// The rewrite that fits a node.
fn rule(dag: &Dag, id: NodeId) -> Option<Rule> {
    let op = |id: NodeId| dag.nodes[id].op;
    let is_one = |id: NodeId| match op(id) {
        Op::Constant(constant) => dag.constants[constant].real.enclosure() == Interval::ONE,
        _ => false,
    };
    match op(id) {
        Op::Unary(Unary::Log, a) => match op(a) {
            Op::Add(x, y) if is_one(x) => Some(Rule::Log1p(y)),
            Op::Add(x, y) if is_one(y) => Some(Rule::Log1p(x)),
            _ => None,
        },
        Op::Sub(a, b) => match (op(a), op(b)) {
            (Op::Unary(Unary::Exp, x), _) if is_one(b) => Some(Rule::Expm1(x)),
            (_, Op::Unary(Unary::Cos, x)) if is_one(a) => Some(Rule::Versine(x)),
            (Op::Sqrt(x), Op::Sqrt(y)) => Some(Rule::Roots(x, y)),
            _ => None,
        },
        Op::Sqrt(a) => match op(a) {
            Op::Add(x, y) => match (op(x), op(y)) {
                (Op::Mul(a, b), Op::Mul(c, d)) if a == b && c == d => Some(Rule::Hypot(a, c)),
                _ => None,
            },
            _ => None,
        },
        Op::Add(a, b) => match (op(a), op(b)) {
            (Op::Mul(x, y), _) => Some(Rule::Fma(x, y, b)),
            (_, Op::Mul(x, y)) => Some(Rule::Fma(x, y, a)),
            _ => None,
        },
        _ => None,
    }
}

/// The kernel with one node rewritten.
fn rewritten(kernel: &Kernel, site: NodeId, rule: Rule) -> Kernel {
    let old = &kernel.dag;
    let mut dag = Dag::over(old.inputs.clone());
    let mut map: Vec<NodeId> = Vec::with_capacity(old.len());
    for (id, node) in old.nodes.iter_enumerated() {
        let at = |id: NodeId| map[id.0 as usize];
        let new = if id == site {
            apply(&mut dag, rule, node.sort, node.span, at)
        } else {
            match node.op {
                Op::Constant(constant) if node.sort == Sort::Integer => {
                    dag.integer(&old.constants[constant], node.span)
                }
                Op::Constant(constant) => dag.constant(&old.constants[constant], node.span),
                op => dag.node(op.mapped(at), node.sort, node.span),
            }
        };
        map.push(new);
    }
    let at = |id: NodeId| map[id.0 as usize];
    let decision = |d: &Decision| Decision {
        test: Test { left: at(d.test.left), right: at(d.test.right), ..d.test },
        ..*d
    };
    let path = |path: &Path| Path {
        decisions: path.decisions.iter().map(decision).collect(),
        runs: path.runs,
        outputs: path.outputs.iter().map(|(name, node)| (name.clone(), at(*node))).collect(),
    };
    Kernel { paths: kernel.paths.iter().map(path).collect(), dag, ..Kernel::default() }
}

fn apply(dag: &mut Dag, rule: Rule, sort: Sort, span: Span, at: impl Fn(NodeId) -> NodeId) -> NodeId {
    let mut node = |op| dag.node(op, sort, span);
    match rule {
        Rule::Log1p(x) => node(Op::Unary(Unary::Log1p, at(x))),
        Rule::Expm1(x) => node(Op::Unary(Unary::Expm1, at(x))),
        Rule::Hypot(x, y) => node(Op::Binary(Binary::Hypot, at(x), at(y))),
        Rule::Fma(x, y, z) => node(Op::Fma(at(x), at(y), at(z))),
        Rule::Roots(x, y) => {
            let difference = node(Op::Sub(at(x), at(y)));
            let (x, y) = (node(Op::Sqrt(at(x))), node(Op::Sqrt(at(y))));
            let sum = node(Op::Add(x, y));
            node(Op::Div(difference, sum))
        }
        Rule::Versine(x) => {
            let two = two_in(dag, sort, span);
            let mut node = |op| dag.node(op, sort, span);
            let half = node(Op::Div(at(x), two));
            let sine = node(Op::Unary(Unary::Sin, half));
            let double = node(Op::Mul(two, sine));
            node(Op::Mul(double, sine))
        }
    }
}

/// The number two, in a format.
fn two_in(dag: &mut Dag, sort: Sort, span: Span) -> NodeId {
    let Sort::Float(format) = sort else { return NodeId(0) };
    let two = Float::from_f64(2.0).convert(format, Rounding::NearestEven).0;
    Constant::exact(two).map_or(NodeId(0), |two| dag.constant(&two, span))
}
