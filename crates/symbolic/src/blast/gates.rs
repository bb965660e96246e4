// SPDX-License-Identifier: MIT OR Apache-2.0
//! Circuits of single bits: gates with structural hashing and constant folding.
//!
//! Beside and-gates there are exclusive or, multiplexer and majority gates, because each has a short clause
//! form of its own that propagates better than its and-gates would: adders are made of the first and the last,
//! shifters and joins of paths of the second. A circuit can be *run* ([`Gates::run`]) on 64 inputs at a time,
//! which is how the arithmetic is tested without a solver.

use rustc_hash::FxHashMap;

/// A gate's output or its complement: twice the gate's number, plus one if complemented.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Lit(u32);

impl Lit {
    /// Always clear.
    pub const FALSE: Lit = Lit(0);
    /// Always set.
    pub const TRUE: Lit = Lit(1);

    /// The constant.
    pub const fn constant(value: bool) -> Lit {
        Lit(value as u32)
    }

    /// The gate.
    pub const fn gate(self) -> usize {
        (self.0 >> 1) as usize
    }

    /// Whether the gate's output is complemented.
    pub const fn is_negated(self) -> bool {
        self.0 & 1 == 1
    }

    /// The complement if `condition`.
    const fn negate_if(self, condition: bool) -> Lit {
        Lit(self.0 ^ condition as u32)
    }

    /// The value, if this is a constant.
    pub const fn as_constant(self) -> Option<bool> {
        if self.0 < 2 { Some(self.0 == 1) } else { None }
    }
}

impl std::ops::Not for Lit {
    type Output = Lit;
    fn not(self) -> Lit {
        Lit(self.0 ^ 1)
    }
}

/// What computes a bit. Operands are of earlier gates.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Gate {
    /// Clear. Only gate 0.
    False,
    /// Free, with its number among the inputs.
    Input(u32),
    /// Both.
    And(Lit, Lit),
    /// Either, not both. Operands are not complemented.
    Xor(Lit, Lit),
    /// The second if the first is set, else the third. The first and the second are not complemented.
    Mux(Lit, Lit, Lit),
    /// At least two of three.
    Majority(Lit, Lit, Lit),
}

/// A circuit under construction.
pub struct Gates {
    gates: Vec<Gate>,
    known: FxHashMap<Gate, u32>,
    inputs: u32,
}

impl Default for Gates {
    fn default() -> Gates {
        Gates { gates: vec![Gate::False], known: FxHashMap::default(), inputs: 0 }
    }
}

impl Gates {
    /// How many gates there are.
    pub fn len(&self) -> usize {
        self.gates.len()
    }

    /// A free bit.
    pub fn input(&mut self) -> Lit {
        self.gates.push(Gate::Input(self.inputs));
        self.inputs += 1;
        Lit((self.gates.len() as u32 - 1) << 1)
    }

    fn intern(&mut self, gate: Gate) -> Lit {
        let next = self.gates.len() as u32;
        let number = *self.known.entry(gate).or_insert(next);
        if number == next {
            self.gates.push(gate);
        }
        Lit(number << 1)
    }

    /// Both.
    pub fn and(&mut self, a: Lit, b: Lit) -> Lit {
        let (a, b) = if a <= b { (a, b) } else { (b, a) };
        if a == Lit::FALSE || a == !b {
            return Lit::FALSE;
        }
        if a == Lit::TRUE || a == b {
            return b;
        }
        self.absorbed(a, b).or_else(|| self.absorbed(b, a)).unwrap_or_else(|| self.intern(Gate::And(a, b)))
    }

    /// `a and b` where `b` is a conjunction, or the complement of one, that has `a` or its complement in it.
    fn absorbed(&mut self, a: Lit, b: Lit) -> Option<Lit> {
        let Gate::And(x, y) = self.gates[b.gate()] else { return None };
        match b.is_negated() {
            false if x == a || y == a => Some(b),
            false if x == !a || y == !a => Some(Lit::FALSE),
            true if x == !a || y == !a => Some(a),
            true if x == a => Some(self.and(a, !y)),
            true if y == a => Some(self.and(a, !x)),
            _ => None,
        }
    }

    /// At least one.
    pub fn or(&mut self, a: Lit, b: Lit) -> Lit {
        !self.and(!a, !b)
    }

    /// Either, not both.
    pub fn xor(&mut self, a: Lit, b: Lit) -> Lit {
        let negated = a.is_negated() != b.is_negated();
        let (a, b) = (a.negate_if(a.is_negated()), b.negate_if(b.is_negated()));
        let (a, b) = if a <= b { (a, b) } else { (b, a) };
        let gate = if a == b {
            Lit::FALSE
        } else if a == Lit::FALSE {
            b
        } else {
            self.intern(Gate::Xor(a, b))
        };
        gate.negate_if(negated)
    }

    /// Both or neither.
    pub fn iff(&mut self, a: Lit, b: Lit) -> Lit {
        !self.xor(a, b)
    }

    /// `a` if `condition`, else `b`.
    pub fn mux(&mut self, condition: Lit, a: Lit, b: Lit) -> Lit {
        let (condition, a, b) = if condition.is_negated() { (!condition, b, a) } else { (condition, a, b) };
        // A condition without complement is a constant only if it is false.
        if condition == Lit::FALSE || a == b {
            return b;
        }
        if a == !b {
            return self.xor(condition, b);
        }
        match (a.as_constant(), b.as_constant()) {
            (Some(true), _) => return self.or(condition, b),
            (Some(false), _) => return self.and(!condition, b),
            (_, Some(true)) => return self.or(!condition, a),
            (_, Some(false)) => return self.and(condition, a),
            (None, None) => {}
        }
        if a.gate() == condition.gate() {
            return self.mux(condition, Lit::constant(a == condition), b);
        }
        if b.gate() == condition.gate() {
            return self.mux(condition, a, Lit::constant(b != condition));
        }
        let negated = a.is_negated();
        self.intern(Gate::Mux(condition, a.negate_if(negated), b.negate_if(negated))).negate_if(negated)
    }

    /// At least two of three.
    pub fn majority(&mut self, a: Lit, b: Lit, c: Lit) -> Lit {
        let mut lits = [a, b, c];
        lits.sort_unstable();
        let [a, b, c] = lits;
        if a.gate() == b.gate() {
            return if a == b { a } else { c };
        }
        if b.gate() == c.gate() {
            return if b == c { b } else { a };
        }
        match a.as_constant() {
            Some(false) => self.and(b, c),
            Some(true) => self.or(b, c),
            None => {
                let negated = a.is_negated();
                let flip = |lit: Lit| lit.negate_if(negated);
                self.intern(Gate::Majority(flip(a), flip(b), flip(c))).negate_if(negated)
            }
        }
    }

    /// All of them.
    pub fn all(&mut self, lits: &[Lit]) -> Lit {
        self.balanced(lits, Lit::TRUE, Gates::and)
    }

    /// At least one of them.
    pub fn any(&mut self, lits: &[Lit]) -> Lit {
        self.balanced(lits, Lit::FALSE, Gates::or)
    }

    /// A tree rather than a chain: shorter paths.
    fn balanced(&mut self, lits: &[Lit], none: Lit, join: fn(&mut Gates, Lit, Lit) -> Lit) -> Lit {
        match lits {
            [] => none,
            [one] => *one,
            _ => {
                let (low, high) = lits.split_at(lits.len() / 2);
                let (low, high) = (self.balanced(low, none, join), self.balanced(high, none, join));
                join(self, low, high)
            }
        }
    }

    /// Every gate's output for 64 assignments at once: bit `k` of `inputs[n]` is input `n` in assignment `k`.
    pub fn run(&self, inputs: &[u64]) -> Vec<u64> {
        let mut outputs: Vec<u64> = Vec::with_capacity(self.gates.len());
        let of =
            |outputs: &[u64], lit: Lit| outputs[lit.gate()] ^ if lit.is_negated() { u64::MAX } else { 0 };
        for gate in &self.gates {
            let output = match *gate {
                Gate::False => 0,
                Gate::Input(number) => inputs[number as usize],
                Gate::And(a, b) => of(&outputs, a) & of(&outputs, b),
                Gate::Xor(a, b) => of(&outputs, a) ^ of(&outputs, b),
                Gate::Mux(c, a, b) => {
                    let c = of(&outputs, c);
                    (c & of(&outputs, a)) | (!c & of(&outputs, b))
                }
                Gate::Majority(a, b, c) => {
                    let (a, b, c) = (of(&outputs, a), of(&outputs, b), of(&outputs, c));
                    (a & b) | (c & (a | b))
                }
            };
            outputs.push(output);
        }
        outputs
    }

    /// The clauses that say what a gate computes, as literals of a solver in which gate `n` is variable `n + 1`.
    pub fn clauses(&self, gate: usize, mut add: impl FnMut(&[i32])) {
        let y = gate as i32 + 1;
        let v = solver_literal;
        match self.gates[gate] {
            Gate::False => add(&[-y]),
            Gate::Input(_) => {}
            Gate::And(a, b) => {
                add(&[-y, v(a)]);
                add(&[-y, v(b)]);
                add(&[y, -v(a), -v(b)]);
            }
            Gate::Xor(a, b) => {
                add(&[-y, v(a), v(b)]);
                add(&[-y, -v(a), -v(b)]);
                add(&[y, -v(a), v(b)]);
                add(&[y, v(a), -v(b)]);
            }
            Gate::Mux(c, a, b) => {
                add(&[-v(c), -v(a), y]);
                add(&[-v(c), v(a), -y]);
                add(&[v(c), -v(b), y]);
                add(&[v(c), v(b), -y]);
                // Implied, but they let equal branches decide before the condition does.
                add(&[-v(a), -v(b), y]);
                add(&[v(a), v(b), -y]);
            }
            Gate::Majority(a, b, c) => {
                for (p, q) in [(a, b), (a, c), (b, c)] {
                    add(&[-v(p), -v(q), y]);
                    add(&[v(p), v(q), -y]);
                }
            }
        }
    }

    /// The operands of a gate.
    pub fn operands(&self, gate: usize) -> impl Iterator<Item = Lit> + use<> {
        let (lits, count) = match self.gates[gate] {
            Gate::False | Gate::Input(_) => ([Lit::FALSE; 3], 0),
            Gate::And(a, b) | Gate::Xor(a, b) => ([a, b, b], 2),
            Gate::Mux(a, b, c) | Gate::Majority(a, b, c) => ([a, b, c], 3),
        };
        lits.into_iter().take(count)
    }
}

/// A literal as a solver writes it.
pub fn solver_literal(lit: Lit) -> i32 {
    let variable = lit.gate() as i32 + 1;
    if lit.is_negated() { -variable } else { variable }
}
