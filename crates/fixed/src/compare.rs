// SPDX-License-Identifier: MIT OR Apache-2.0
//! Comparisons of scalars: which outcomes are possible, in the machine and in the reals.

use clew_base::source::Span;
use clew_ir::syntax::CompareOp;

use crate::algebra::{Algebra, Verdict};
use crate::store::{Scalar, Shaped};
use crate::walk::{Walk, Walked};

impl<A: Algebra> Walk<'_, A> {
    /// Compares two scalars.
    pub(crate) fn compared(
        &mut self,
        op: CompareOp,
        a: &Scalar<A::Value>,
        b: &Scalar<A::Value>,
        span: Span,
    ) -> Walked<Verdict> {
        match (a, b) {
            (Scalar::Int(a, b), Scalar::Int(c, d)) => Ok(of_integers(op, (*a, *b), (*c, *d))),
            (Scalar::Number(a), Scalar::Number(b)) => self.of_numbers(op, a, b, span),
            (Scalar::Number(a), Scalar::Int(c, d)) => {
                let b = self.integral(*c, *d, span)?;
                self.of_numbers(op, a, &b, span)
            }
            (Scalar::Int(c, d), Scalar::Number(b)) => {
                let a = self.integral(*c, *d, span)?;
                self.of_numbers(op, &a, b, span)
            }
            (Scalar::Pointer(a, x), Scalar::Pointer(b, y)) if a == b => {
                Ok(of_integers(op, (*x, *x), (*y, *y)))
            }
            (Scalar::Pointer(..) | Scalar::Function(_), Scalar::Int(0, 0))
            | (Scalar::Int(0, 0), Scalar::Pointer(..) | Scalar::Function(_)) => match op {
                CompareOp::Eq => Ok(Verdict::known(false)),
                CompareOp::Ne => Ok(Verdict::known(true)),
                _ => Err(self.no_bound("an order of addresses", span)),
            },
            (Scalar::Unclear(why), _) | (_, Scalar::Unclear(why)) => {
                Err(self.no_bound(&format!("a comparison of {why}"), span))
            }
            _ => Err(self.no_bound("a comparison of values that are not known", span)),
        }
    }

    fn of_numbers(
        &mut self,
        op: CompareOp,
        a: &Shaped<A::Value>,
        b: &Shaped<A::Value>,
        span: Span,
    ) -> Walked<Verdict> {
        if let (Some(a), Some(b)) = (&a.constant, &b.constant) {
            let order = a.cmp(b) as i128;
            return Ok(of_integers(op, (order, order), (0, 0)));
        }
        if a.id == b.id {
            return Ok(of_integers(op, (0, 0), (0, 0)));
        }
        let verdict = match self.alike(a, b, span)? {
            Some((a, b, _)) => self.algebra.compare(op, &a.value, &b.value),
            None => self.algebra.compare(op, &a.value, &b.value),
        };
        self.computed(verdict, span)
    }
}

/// What integers from the one range and the other may compare as.
fn of_integers(op: CompareOp, (a, b): (i128, i128), (c, d): (i128, i128)) -> Verdict {
    let (yes, no) = match op {
        CompareOp::Lt => (a < d, b >= c),
        CompareOp::Le => (a <= d, b > c),
        CompareOp::Gt => (b > c, a <= d),
        CompareOp::Ge => (b >= c, a < d),
        CompareOp::Eq => (a <= d && c <= b, !(a == b && c == d && a == c)),
        CompareOp::Ne => (!(a == b && c == d && a == c), a <= d && c <= b),
    };
    Verdict { both: yes, neither: no, ..Verdict::default() }
}
